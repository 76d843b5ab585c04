"""The tester's page in headless Chromium, over real Daphne and the real sample bots."""

import re

import pytest
from playwright.sync_api import expect

from tests.live.browser import HOLD_SOCKETS, connected, cut_off
from tests.live.browser_site import answered, say, scores_are_open

pytestmark = [pytest.mark.e2e]


def test_a_composite_scenario_in_chinese_from_the_list_to_the_leaderboard(site):
    page, errors = site.page("tester-1")
    site.open_scenario(page, "机票、酒店：成都→北京")
    page.keyboard.press("Alt+s")
    page.keyboard.press("Enter")
    expect(answered(page)).to_have_count(1)
    expect(page.locator(".from-bot .said").first).to_contain_text("请问")
    for answer in ("上午", "商务舱", "好的，确认"):
        say(page, answer)
    expect(page.locator(".from-bot").last).to_contain_text("预订成功")
    page.keyboard.press("F2")
    expect(page.locator("#closing [role=status]")).to_have_text("“机票”即将标为完成。下一条消息算入“酒店”。")
    page.keyboard.press("Enter")
    expect(page.locator(".part").nth(0)).to_have_attribute("data-status", "finished")
    expect(page.locator(".part").nth(1)).to_have_attribute("data-status", "open")
    for answer in ("中关村", "不超过400元", "2晚", "好的，确认"):
        say(page, answer)
    expect(page.locator(".from-bot").last).to_contain_text("酒店预订成功")
    page.keyboard.press("F2")
    page.keyboard.press("Enter")

    scores_are_open(page)
    expect(page.locator(".cut").last).to_contain_text("全部完成。")
    expect(page.locator(".score-row").nth(2)).to_have_class(re.compile("is-current"))
    for key in ("2", "1", "1"):  # satisfaction 2, fluency 1, guidance 1
        page.keyboard.press(key)
    first = page.url
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != first)
    connected(page)
    assert errors == []

    page, errors = site.page("organizer")
    page.goto(f"{site.base}/campaigns/smp2018-demo/leaderboard/")
    row = page.locator("tbody tr").first
    expect(row).to_contain_text("booking_bot")
    # While the figures are computed anew, the page says so and loads itself again.
    expect(row.locator("td.rank")).to_have_text(re.compile(r"^\s*1\b"))
    expect(row.locator("td.figure :is(a, span)")).to_have_text(["1.000", "8.00", "2.000", "1.000", "1.000"])
    assert errors == []


def test_a_reload_in_the_middle_and_a_killed_connection_lose_nothing(site):
    page, errors = site.page("tester-2")
    site.open_scenario(page, "火车票：上海→杭州")
    say(page, "帮我看看上海到杭州的动车")
    page.fill("#text", "还没写完的话")
    before = page.locator("#transcript").inner_text()
    page.reload()
    expect(page.locator(".from-bot .said")).to_have_count(1)
    expect(page.locator("#text")).to_have_value("还没写完的话")
    assert page.locator("#transcript").inner_text() == before
    expect(page.locator(".part-words")).to_have_text("1 / 20")

    page.context.set_offline(True)
    page.evaluate("() => window.dispatchEvent(new Event('offline'))")
    page.context.set_offline(False)
    say(page, "周六")
    assert page.locator(".from-tester").count() == 2
    assert errors == []


def test_a_dead_connection_comes_back_and_sends_what_was_written_meanwhile(site):
    page, _errors = site.page("tester-2")
    page.add_init_script(HOLD_SOCKETS)
    site.open_scenario(page, "火车票：北京→南京")
    say(page, "订一张后天北京到南京的高铁票")
    cut_off(page)
    expect(page.locator("#connection")).to_have_attribute("data-state", "offline")
    expect(page.locator("#connection-words")).to_have_text("连接已断开，正在自动重连")
    page.fill("#text", "晚上")
    page.press("#text", "Enter")
    expect(page.locator(".from-tester").last).to_contain_text("等待连接")
    page.wait_for_function("() => window.sockets.length > 2")  # several attempts fail
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_have_attribute("data-state", "connected", timeout=30_000)
    expect(page.locator(".from-tester").last).to_have_attribute("data-state", "saved")
    expect(answered(page)).to_have_count(2)
    assert page.locator(".from-tester").count() == 2


def test_an_enter_that_belongs_to_the_input_method_never_sends(site):
    page, errors = site.page("tester-3")
    site.open_scenario(page, "酒店：成都")
    page.fill("#text", "bang wo")
    press = (
        "([how]) => { const box = document.getElementById('text'); const event = new KeyboardEvent('keydown',"
        " {key: 'Enter', bubbles: true, cancelable: true, ...how}); box.dispatchEvent(event); }"
    )
    page.evaluate(press, [{"isComposing": True}])
    page.evaluate(press, [{"keyCode": 229}])
    page.dispatch_event("#text", "compositionstart")
    page.evaluate(press, [{}])
    page.wait_for_timeout(300)
    assert page.locator(".from-tester").count() == 0
    expect(page.locator("#text")).to_have_value("bang wo")
    page.dispatch_event("#text", "compositionend")
    page.press("#text", "Shift+Enter")
    expect(page.locator("#text")).to_have_value("bang wo\n")
    page.press("#text", "Enter")
    expect(page.locator(".from-tester")).to_have_count(1)
    assert errors == []


def test_a_real_input_method_composition_through_the_browsers_own_protocol(site):
    """Chromium composes as an input method does; the Enter that ends the composition must not send."""
    page, _ = site.page("tester-3")
    site.open_scenario(page, "酒店：广州")
    page.focus("#text")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Input.imeSetComposition", {"text": "nihao", "selectionStart": 5, "selectionEnd": 5})
    devtools.send(
        "Input.dispatchKeyEvent", {"type": "rawKeyDown", "windowsVirtualKeyCode": 229, "key": "Enter", "code": "Enter"}
    )
    page.wait_for_timeout(200)
    assert page.locator(".from-tester").count() == 0
    devtools.send("Input.insertText", {"text": "你好"})
    expect(page.locator("#text")).to_have_value("你好")
    assert page.locator(".from-tester").count() == 0


def test_what_was_written_is_shown_inert_with_its_unseen_characters(site):
    page, errors = site.page("tester-3")
    site.open_scenario(page, "酒店：上海")
    page.fill("#text", "<img src=x onerror=alert(1)><script>document.title='owned'</script> \u202eabc")
    page.press("#text", "Enter")
    line = page.locator(".from-tester .said").last
    expect(line).to_contain_text("<script>document.title='owned'</script>")
    expect(line.locator(".chip")).to_have_text("U+202E")
    assert page.locator("#transcript img, #transcript script").count() == 0
    assert "owned" not in page.title()
    assert errors == []


# Unicode 15.1, DerivedCoreProperties.txt, Default_Ignorable_Code_Point: 4,174 code points.
DEFAULT_IGNORABLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
BLANK_OR_CONTROL = [
    *range(0x9), 0xB, 0xC, *range(0xE, 0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x2800, 0xFFF9, 0xFFFA, 0xFFFB, 0xFFFC,
    0x1D159, 0x16FE4,
]  # fmt: skip
SHOWN_AS = """async (texts) => {
  const { showText } = await import("/static/shared/inert_text.js");
  const place = document.createElement("div");
  return texts.map((text) => {
    showText(place, text);
    return [place.textContent, place.querySelectorAll(".chip").length];
  });
}"""


def test_every_code_point_without_a_glyph_gets_a_chip_and_no_other(site):
    page, _ = site.page("tester-3")
    page.goto(site.base)
    unseen = [code for first, last in DEFAULT_IGNORABLE for code in range(first, last + 1)]
    assert len(unseen) == 4174
    unseen += BLANK_OR_CONTROL
    shown = page.evaluate(SHOWN_AS, [f"a{chr(code)}b" for code in unseen])
    assert [(code, text) for code, (text, _) in zip(unseen, shown, strict=True) if text != f"aU+{code:04X}b"] == []
    seen = ["你好，世界。", "a\u3000b\u00a0c\td\n", "𠮷é नमस्ते ไทย", "a-b", "\ufffd"]
    assert page.evaluate(SHOWN_AS, seen) == [[text, 0] for text in seen]


def test_emoji_stay_whole_and_hide_nothing(site):
    page, _ = site.page("tester-3")
    page.goto(site.base)
    england = "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbeng") + "\U000e007f"
    whole = [
        "👩\u200d🚀",
        "❤\ufe0f\u200d🔥",
        "👁\ufe0f\u200d🗨\ufe0f",
        "👋🏽",
        "1\ufe0f\u20e3",
        "🇨🇳",
        "🏳\ufe0f\u200d🌈",
        england,
    ]
    assert page.evaluate(SHOWN_AS, whole) == [[text, 0] for text in whole]
    hiding = {
        "😀\U000e0068\U000e0069": 2,  # words in tags after an emoji
        "\U0001f3f4\U000e0068\U000e007f": 2,
        "😀\u200d": 1,
        "😀\u200da": 1,
        "1\u200d2": 1,
        "a\ufe0f": 1,
        "😀\ufe0f\ufe0f": 1,
        "葛\U000e0100": 1,
    }
    shown = page.evaluate(SHOWN_AS, list(hiding))
    assert [n_chips for _, n_chips in shown] == list(hiding.values())


def test_keys_with_alt_or_ctrl_belong_to_the_browser(site):
    page, errors = site.page("tester-3")
    site.open_scenario(page, "酒店：成都", bot="forgetful")
    press = "(how) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...how}))"
    for modifier in ("altKey", "ctrlKey", "metaKey"):
        for key in ("F2", "F3", "F9", "Escape", "?"):
            page.evaluate("() => document.activeElement.blur()")
            assert page.evaluate(press, {"key": key, modifier: True}), f"{modifier} {key} was taken"
            assert page.locator("dialog[open], #closing:not([hidden])").count() == 0, f"{modifier} {key}"
        page.fill("#text", "不要发送")
        page.focus("#text")
        page.evaluate(press, {"key": "Enter", modifier: True})
    assert page.locator(".from-tester").count() == 0
    expect(page.locator("#text")).to_have_value("不要发送")
    page.keyboard.press("F2")
    expect(page.locator("#closing")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#closing")).to_be_hidden()
    assert errors == []
