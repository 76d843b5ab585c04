"""The story of a dialogue in Firefox, by keyboard alone, and three pages that fit its screen, in both languages."""

import pytest

from tests.live.browser_site import LIST, demo_server
from tests.live.firefox import FIREFOX, firefox

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(FIREFOX is None, reason="Firefox is not installed (apt-get install firefox-esr)"),
]
BOARD = "/campaigns/smp2018-demo/leaderboard/"
HAS_FOCUS = "document.hasFocus() && document.activeElement?.matches({!r})"
IS_SHOWN = "document.querySelector({!r})?.checkVisibility()"
N_REPLIES = "document.querySelectorAll('.turn:has(.from-bot:not(.is-waiting, .is-streaming))').length"
WIDTHS = "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.documentElement)"
CHOSEN = """Object.fromEntries([...document.querySelectorAll('.score-row:has(:checked)')]
  .map((row) => [row.dataset.letter, row.querySelector(':checked').value]))"""
# Each language has a tester of its own, whose assignments are still to be done.
STORIES = {
    "zh-hans": ("tester-1", "机票：北京→上海", "我想订后天下午北京飞上海的航班", "撤销"),
    "en": ("tester-2", "Flight: Beijing → Shanghai", "A flight from Beijing to Shanghai, please", "Undo"),
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    with demo_server(tmp_path_factory.mktemp("firefox")) as running:
        yield running


@pytest.fixture(scope="module")
def started():
    with firefox() as running:
        yield running


@pytest.fixture
def browser(started):
    """The one Firefox of these tests, as somebody who is not logged in finds it."""
    forget(started)
    started.errors.clear()
    return started


def forget(browser):
    # A page that stays open goes on asking, and an answer can bring a cookie that the next form does not know.
    browser.goto("about:blank")
    browser.command("storage.deleteCookies")


def speak(browser, language):
    forget(browser)
    value = {"type": "string", "value": language}
    browser.command(
        "storage.setCookie", cookie={"name": "django_language", "value": value, "domain": "127.0.0.1", "path": "/"}
    )


def log_in(browser, demo, username, language):
    base, passwords, *_ = demo
    speak(browser, language)
    browser.goto(f"{base}/login/")
    browser.until(HAS_FOCUS.format("[name=username]"))
    browser.press(*username, "Tab", *passwords[username], "Enter")
    browser.until("!location.pathname.startsWith('/login/') && document.readyState === 'complete'")


@pytest.mark.parametrize("language", STORIES)
def test_a_tester_talks_finishes_a_part_scores_and_hands_in_by_keyboard(browser, demo, language):
    base, *_ = demo
    tester, scenario, said, undo = STORIES[language]
    log_in(browser, demo, tester, language)
    browser.goto(base + LIST)
    browser.evaluate(
        "[...document.querySelectorAll('.assignment[data-state=to_do]')]"
        f".find((row) => row.querySelector('.name').textContent.trim() === {scenario!r}).focus()"
    )
    browser.press("Enter")
    browser.until("document.querySelector('#connection')?.dataset.state === 'connected'")
    browser.until(HAS_FOCUS.format("#text"))

    # Firefox has uses of its own for Alt with S, D and 2: a menu, the address, the second tab.
    browser.press("Alt+s")
    browser.until("document.querySelector('#text').value === document.querySelector('#opening').textContent")
    browser.press("Control+a", *said)
    assert browser.evaluate("document.querySelector('#text').value") == said
    browser.press("Enter")
    browser.until(f"{N_REPLIES} === 1")
    assert browser.evaluate(f"document.querySelector('.from-tester').textContent.includes({said!r})")
    browser.press("Alt+d")
    browser.until(IS_SHOWN.format("#data"))
    browser.press("Escape")
    browser.until(HAS_FOCUS.format("#text"))

    browser.press("Alt+2")
    browser.until(IS_SHOWN.format("#closing"))
    browser.press("Enter")
    browser.until(HAS_FOCUS.format("[data-criterion=satisfaction] input"))
    browser.press("1", "-", "1", "0")
    assert browser.evaluate(CHOSEN) == {"C": "1", "Sa": "1", "F": "-1", "G": "0"}
    scored = browser.evaluate("location.pathname")
    browser.press("Control+Enter")
    browser.until(f"location.pathname !== {scored!r}")
    browser.until(IS_SHOWN.format("#undo"))
    assert undo in browser.evaluate("document.querySelector('#undo').textContent")
    browser.press("Alt+z")
    browser.until(f"location.pathname === {scored!r}")
    browser.until(IS_SHOWN.format("#submit-scores"))
    assert browser.errors == []


def test_front_list_and_board_need_no_scrolling_sideways(browser, demo):
    """The languages in turn: English words are the longer ones in a list and in the head of a table."""
    base, *_ = demo
    pages = (
        ("zh-hans", None, "/", ".hero"),
        ("en", "tester-3", LIST, ".assignment"),
        ("en", "organizer", BOARD, ".board"),
    )
    for language, username, path, part in pages:
        speak(browser, language)
        if username:
            log_in(browser, demo, username, language)
        browser.goto(base + path)
        assert browser.evaluate("document.documentElement.lang") == language
        assert browser.evaluate(IS_SHOWN.format(part)), path
        width, room = browser.evaluate(WIDTHS)
        assert width <= room <= 1280, path
    assert browser.errors == []
