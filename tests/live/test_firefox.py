"""The story of a dialogue in Firefox, by keyboard alone, and three pages that fit its screen."""

import pytest

from tests.live.browser_site import LIST, SHOTS, demo_server
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
    started.command("storage.deleteCookies")
    started.errors.clear()
    return started


def log_in(browser, demo, username):
    base, passwords, *_ = demo
    browser.command("storage.deleteCookies")
    browser.goto(f"{base}/login/")
    browser.until(HAS_FOCUS.format("[name=username]"))
    browser.press(*username, "Tab", *passwords[username], "Enter")
    browser.until("!location.pathname.startsWith('/login/') && document.readyState === 'complete'")


def test_a_tester_talks_finishes_a_part_scores_and_hands_in_by_keyboard(browser, demo):
    base, *_ = demo
    log_in(browser, demo, "tester-1")
    browser.goto(base + LIST)
    browser.evaluate(
        "[...document.querySelectorAll('.assignment[data-state=to_do]')]"
        ".find((row) => row.querySelector('.name').textContent.trim() === '机票：北京→上海').focus()"
    )
    browser.press("Enter")
    browser.until("document.querySelector('#connection')?.dataset.state === 'connected'")
    browser.until(HAS_FOCUS.format("#text"))

    # Firefox has uses of its own for Alt with S, D and 2: a menu, the address, the second tab.
    browser.press("Alt+s")
    browser.until("document.querySelector('#text').value === document.querySelector('#opening').textContent")
    browser.press("Control+a", *"我想订后天下午北京飞上海的航班")
    assert browser.evaluate("document.querySelector('#text').value") == "我想订后天下午北京飞上海的航班"
    browser.press("Enter")
    browser.until(f"{N_REPLIES} === 1")
    assert browser.evaluate("document.querySelector('.from-tester').textContent.includes('北京飞上海')")
    browser.press("Alt+d")
    browser.until(IS_SHOWN.format("#data"))
    browser.press("Escape")
    browser.until(HAS_FOCUS.format("#text"))
    SHOTS.mkdir(parents=True, exist_ok=True)
    browser.screenshot(SHOTS / "firefox-console.png")

    browser.press("Alt+2")
    browser.until(IS_SHOWN.format("#confirm"))
    browser.press("Enter")
    browser.until(HAS_FOCUS.format("[data-criterion=satisfaction] input"))
    browser.press("1", "-", "1", "0")
    assert browser.evaluate(CHOSEN) == {"C": "1", "Sa": "1", "F": "-1", "G": "0"}
    browser.screenshot(SHOTS / "firefox-scores.png")
    scored = browser.evaluate("location.pathname")
    browser.press("Control+Enter")
    browser.until(f"location.pathname !== {scored!r}")
    browser.until(IS_SHOWN.format("#undo"))
    assert "撤销" in browser.evaluate("document.querySelector('#undo').textContent")
    browser.press("Alt+z")
    browser.until(f"location.pathname === {scored!r}")
    browser.until(IS_SHOWN.format("#submit-scores"))
    assert browser.errors == []


def test_front_list_and_board_need_no_scrolling_sideways(browser, demo):
    base, *_ = demo
    pages = (None, "/", ".hero"), ("tester-2", LIST, ".assignment"), ("organizer", BOARD, ".board")
    for username, path, part in pages:
        if username:
            log_in(browser, demo, username)
        browser.goto(base + path)
        assert browser.evaluate(IS_SHOWN.format(part)), path
        width, room = browser.evaluate(WIDTHS)
        assert width <= room <= 1280, path
    assert browser.errors == []
