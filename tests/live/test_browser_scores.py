"""Scoring in headless Chromium: the key is the score, nothing chosen is lost, a hand-in is undone and revised."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.live.browser import log_in
from tests.live.browser_site import LIST, answered, say, scores_are_open

pytestmark = [pytest.mark.e2e]


def end(page, site, scenario, bot):
    """A dialogue of one turn, ended by keyboard; the scores are open afterwards."""
    site.open_scenario(page, scenario, bot)
    say(page, "你好")
    page.keyboard.press("Alt+9")
    page.keyboard.press("2")
    scores_are_open(page)
    expect(page.locator(".score-row.is-current")).to_have_attribute("data-criterion", "satisfaction")


def log_out(page):
    with page.expect_navigation():
        page.evaluate("() => document.querySelector('form[action=\"/logout/\"]').submit()")


def chosen(page):
    """The scores by the letter of their row."""
    rows = page.locator(".score-row:has(:checked)")
    return dict(
        rows.evaluate_all("rows => rows.map((row) => [row.dataset.letter, row.querySelector(':checked').value])")
    )


def test_the_key_is_the_score_and_a_draft_outlives_the_page_the_language_and_the_machine(site):
    # The language of this tester is stored from here on; all tests in English have another one.
    page, errors = site.page("tester-1")
    end(page, site, "机票：北京→上海", "booking")
    page.keyboard.press("1")  # satisfaction 1, not the point that stands first
    page.keyboard.press("2")  # fluency has no 2: nothing happens, and it is said
    expect(page.locator("#scores-error")).to_have_text("这一项没有 2 分：F 1 0 −1。")
    page.keyboard.press("Minus")
    page.keyboard.press("1")
    expect(page.locator("#scores-error")).to_be_hidden()
    expect(page.locator("#scores-state")).to_have_text("已评 3 / 4 · 还差 G · 草稿已保存")
    assert chosen(page) == {"C": "0", "Sa": "1", "F": "-1"}
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+Digit1")  # −1 again, and on to the row that has no score
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+Digit2")
    page.fill("#comment", "预算说了三遍")
    expect(page.locator("#scores-state")).to_have_text("已评 3 / 4 · 还差 G · 草稿已保存")

    wanted = {"C": "0", "Sa": "-2", "F": "-1"}
    page.reload()
    expect(page.locator("#comment")).to_have_value("预算说了三遍")
    assert chosen(page) == wanted
    page.locator("button[name=language]").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#comment")).to_have_value("预算说了三遍")
    assert chosen(page) == wanted
    page.locator("button[name=language]").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    page.locator(".bar details.menu summary").click()
    page.locator("button[name=theme][value=light]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(page.locator("#comment")).to_have_value("预算说了三遍")
    assert chosen(page) == wanted
    elsewhere, other_errors = site.own_login("tester-1", color_scheme="dark")
    elsewhere.goto(page.url)
    expect(elsewhere.locator("#comment")).to_have_value("预算说了三遍")
    assert chosen(elsewhere) == wanted
    assert errors + other_errors == []


WORDS = """() => [...document.querySelectorAll(".points")].map((row) => [...row.querySelectorAll("span")]
  .filter((word) => getComputedStyle(word).clipPath === "none").map((word) => word.getBoundingClientRect())
  .map((box) => [box.left, box.right, box.height]))"""


@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_on_a_phone_the_words_of_a_row_stand_on_one_line_whatever_is_chosen(site, language):
    page, _ = site.page("tester-3", locale=language, viewport={"width": 390, "height": 844})
    end(page, site, "机票：上海→西安" if language == "zh-CN" else "Flight: Guangzhou → Chengdu", "flights")
    for score in (2, 1, 0, -1, -2):
        page.locator(f".score-row[data-criterion=satisfaction] input[value='{score}']").check(force=True)
        for row in page.evaluate(WORDS):
            assert 2 <= len(row) <= 3
            assert all(0 <= left < right <= 390 and height <= 16 for left, right, height in row), row
            assert all(before[1] <= after[0] for before, after in pairwise(sorted(row))), row


@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=["desk", "phone"])
def test_a_score_is_at_the_same_place_in_every_row_and_no_chip_shows_two_numbers(site, size, language):
    page, _ = site.page("tester-1", locale=language, viewport={"width": size[0], "height": size[1]})
    page.goto(site.base + LIST)
    if page.locator(".assignment[data-state=to_score]").count() == 0:
        end(page, site, "酒店：广州" if language == "zh-CN" else "Hotel: Guangzhou", "booking")
    else:
        page.locator(".assignment[data-state=to_score]").first.click()
        scores_are_open(page)
    places = page.locator(".points label").evaluate_all(
        "all => all.map((one) => [one.querySelector('input').value, one.textContent.replace(/\\s+/g, ' ').trim(),"
        " one.getBoundingClientRect().left])"
    )
    lefts = {}
    for value, text, left in places:
        lefts.setdefault(value, set()).add(round(left))
        assert re.findall(r"−?\d", text) == [value.replace("-", "−")], text
    assert {value: len(found) for value, found in lefts.items()} == dict.fromkeys(["2", "1", "0", "-1", "-2"], 1)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    cut_off = "all => all.some((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)"
    assert not page.locator(".score-name .question").evaluate_all(cut_off)


def test_a_hand_in_is_undone_within_seconds_and_revised_later(site):
    page, errors = site.page("tester-2", locale="en-US")
    end(page, site, "Flight: Beijing → Shanghai", "booking")
    first = page.url
    for key in ("2", "1", "0"):
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != first)
    expect(page.locator("#handed-in")).to_contain_text("Scores handed in")
    expect(page.locator("#undo")).to_contain_text("Undo")
    page.reload()
    expect(page.locator("#undo")).to_be_visible()
    page.keyboard.press("Alt+z")  # within its ten seconds, so no picture is taken before
    page.wait_for_url(first)
    scores_are_open(page)
    expect(page.locator("#submit-scores")).to_be_enabled()
    assert chosen(page) == {"C": "0", "Sa": "2", "F": "1", "G": "0"}
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != first)
    expect(page.locator("#handed-in")).to_be_visible()

    page.goto(site.base + LIST)
    page.locator(f".assignment[href='{first.removeprefix(site.base)}']").click()
    expect(page.locator("#submit-words")).to_have_text("Hand in the change")
    expect(page.locator("#scores-state")).to_contain_text("handed in; you may revise it")
    page.locator(".score-row[data-criterion=guidance] input[value='1']").check(force=True)
    expect(page.locator("#scores-state")).to_contain_text("draft saved")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(site.base + LIST)
    expect(page.locator("#handed-in")).to_be_visible()
    page.goto(first)
    expect(page.locator("#submit-words")).to_have_text("Hand in the change")
    assert chosen(page)["G"] == "1"
    assert errors == []


def test_an_expired_login_asks_for_the_password_in_place_and_sends_what_was_waiting(site):
    page, _ = site.own_login("tester-3")
    end(page, site, "机票：北京→上海", "booking")
    page.context.clear_cookies(name="sessionid")
    page.keyboard.press("2")
    expect(page.locator("#sign-in")).to_be_visible()
    page.keyboard.type("not the password")
    page.keyboard.press("Enter")
    expect(page.locator("#sign-in-error")).to_have_text("密码不对。")
    page.fill("#sign-in [name=password]", site.passwords["tester-3"])
    page.keyboard.press("Enter")
    expect(page.locator("#sign-in")).to_be_hidden()
    expect(page.locator("#scores-state")).to_contain_text("草稿已保存")
    assert "CSRF" not in page.locator("body").inner_text()
    page.reload()
    expect(page.locator(".score-row[data-criterion=satisfaction] input[value='2']")).to_be_checked()


def test_a_log_out_and_log_in_in_another_tab_costs_nothing(site):
    """The page's token is stale then, though somebody is logged in: a fresh one is fetched, and nothing is asked."""
    page, _ = site.own_login("tester-3")
    end(page, site, "酒店：成都", "flights")
    other = page.context.new_page()
    other.goto(site.base)
    log_out(other)
    expect(page.locator("#sign-in")).to_be_visible()  # the socket is told within a second
    log_in(other, site.base, "tester-3", site.passwords["tester-3"])
    page.keyboard.press("Escape")
    page.locator(".score-row[data-criterion=satisfaction] input").first.focus()
    page.keyboard.press("1")
    expect(page.locator("#scores-state")).to_contain_text("草稿已保存")
    expect(page.locator("#sign-in")).to_be_hidden()


def test_a_chat_whose_login_ended_asks_for_the_password_and_sends_what_was_written(site):
    page, _ = site.own_login("tester-3", locale="en-US")
    site.open_scenario(page, "Hotel: Shanghai", "booking")
    say(page, "你好")
    other = page.context.new_page()
    other.goto(site.base)
    log_out(other)
    expect(page.locator("#sign-in")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#note")).to_contain_text("log in again")
    page.fill("#text", "还在")
    page.press("#text", "Enter")
    page.click("#note-act")
    link = page.locator("#sign-in a")
    assert link.get_attribute("href").endswith(page.url.removeprefix(site.base))
    page.fill("#sign-in [name=password]", site.passwords["tester-3"])
    page.keyboard.press("Enter")
    expect(answered(page)).to_have_count(2)
    expect(page.locator("#note")).to_be_hidden()


TYPED = """async () => {
  const { readTyped, typedAfter } = await import("/static/shared/typed_score.js");
  const key = (said) => ({ key: said, code: `Digit${said}`, shiftKey: false });
  const minus = { key: "-", code: "Minus", shiftKey: false };
  const typed = (...keys) => keys.reduce((before, one) => typedAfter(before, one) ?? "none", "");
  return [
    typed(minus, key("1"), key("0"), key("0")), typed({ ...key("5"), shiftKey: true }), typed(minus, key("0")),
    typedAfter("1", { key: "a", code: "KeyA", shiftKey: false }),
    readTyped("1", ["100", "10", "1"]), readTyped("-", ["-50", "0"]), readTyped("7", ["10", "1"]),
  ];
}"""


def test_a_score_of_several_digits_is_typed_digit_by_digit(site):
    page, errors = site.page("tester-1", locale="zh-CN")
    end(page, site, "酒店：成都", "booking")
    assert page.evaluate(TYPED) == [
        "-100", "-5", "0", None,
        {"isScore": True, "mayGoOn": True}, {"isScore": False, "mayGoOn": True}, {"isScore": False, "mayGoOn": False},
    ]  # fmt: skip
    assert errors == []
    # The server would refuse, at a moment of its own, a score that its criterion has not.
    page.route("**/review/", lambda route: None)
    row = page.locator(".score-row[data-criterion=satisfaction]")
    row.evaluate(
        "(row) => { [...row.querySelectorAll('input')].forEach((one, at) => { one.value = ['100', '10', '1', '0', '-50'][at]; });"
        "row.insertAdjacentHTML('beforeend', '<p class=scale-ends><span class=scale-chosen></span></p>'); }"
    )
    chosen_words, typed_score = row.locator(".scale-chosen"), page.locator("#typed-score")
    for keys, score in (("1", "1"), ("0", "10"), ("0", "100")):
        page.keyboard.press(keys)
        expect(row.locator(":checked")).to_have_attribute("value", score)
    # Its point still shows the words of 2. A screen reader hears what was typed, since focus is elsewhere.
    expect(chosen_words).to_have_text("2 很满意")
    expect(typed_score).to_have_text("Sa 2 很满意")
    # Nothing longer begins with it: the next row is the current one.
    expect(page.locator(".score-row.is-current")).to_have_attribute("data-criterion", "fluency")
    page.keyboard.press("ArrowUp")
    for key in ("Minus", "5"):
        page.keyboard.press(key)
    expect(page.locator("#scores-error")).to_contain_text("\u22125 …")
    page.keyboard.press("0")
    expect(row.locator(":checked")).to_have_attribute("value", "-50")
    # No score begins with 15: the 5 corrects the 1. The same key twice takes an optional score back, also where 10 is a score.
    row.evaluate("(row) => { row.querySelectorAll('input')[0].value = '5'; row.dataset.optional = ''; }")
    for keys, score in (("15", "5"), ("1", "1")):
        page.keyboard.press("ArrowUp")
        page.keyboard.type(keys)
        expect(row.locator(":checked")).to_have_attribute("value", score)
    page.keyboard.press("1")
    expect(row.locator(":checked")).to_have_count(0)
    expect(chosen_words).to_be_empty()
    expect(typed_score).to_have_text("Sa 没有评分")
    # Pressed, it is read as the point that has the focus, and not once more.
    row.locator("input[value='0']").click()
    expect(chosen_words).to_have_text("\u22121 不满意")
    expect(typed_score).to_have_text("Sa 没有评分")
    row.locator("input[value='0']").click()
    for keys, sentence in (("Minus", ""), ("7", "\u22127")):
        page.keyboard.press(keys)
        expect(page.locator("#scores-error")).to_contain_text(sentence)


@pytest.fixture
def guidance_with_evidence(site):
    """A low score of the last row asks for a turn, for the time of a test: the page of reviewers takes the place of the form."""
    change = "from rubrics.models import Criterion; Criterion.objects.filter(key='guidance').update(evidence_below={})"
    site.manage("shell", "-v0", "-c", change.format(1))
    yield
    site.manage("shell", "-v0", "-c", change.format(None))


def test_beside_the_transcript_e_pins_where_a_turn_is_missing_and_a_hand_in_opens_the_next(
    site, guidance_with_evidence
):
    page, errors = site.page("tester-3", locale="en-US")
    site.open_scenario(page, "Hotel: Chengdu", "booking")
    say(page, "你好")
    page.keyboard.press("Alt+9")
    page.keyboard.press("2")
    page.wait_for_url("**/reviews/*/")
    scores_are_open(page)
    for key in ("0", "2", "1", "0"):
        page.keyboard.press(key)
    expect(page.locator("#draft-state")).to_have_attribute("data-state", "saved")
    page.reload()
    guidance = page.locator(".score-row[data-criterion=guidance]")
    expect(guidance.locator(".evidence-of")).to_have_class(re.compile("is-asked"))
    page.keyboard.press("e")
    expect(guidance.locator(".evidence")).to_have_text("turn 1")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/dialogues/*/")
    expect(page.locator("#handed-in")).to_be_visible()
    assert errors == []
