"""The console in headless Chromium: a goal card that fits, a chat that answers every key, small screens."""

import json
import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.live.browser import connected
from tests.live.browser_site import answered, say, scores_are_open
from tests.waiting import until

pytestmark = [pytest.mark.e2e]


def watch_refusals(page):
    """Counts how often the composer answered that it sends nothing; its mark goes after a moment."""
    page.evaluate(
        "() => { window.refusals = 0; const form = document.getElementById('composer');"
        " new MutationObserver(() => (window.refusals += form.classList.contains('is-refused') ? 1 : 0))"
        ".observe(form, { attributes: true, attributeFilter: ['class'] }); }"
    )


def was_refused(page):
    page.wait_for_function("() => window.refusals > 0")


def send(page, text):
    page.fill("#text", text)
    page.press("#text", "Enter")


# -- the goal card ----------------------------------------------------------------------------------------------------


def test_three_parts_in_english_show_everything_without_scrolling(site):
    page, errors = site.page("tester-3", locale="en-US")
    site.open_scenario(page, "Flight, train, hotel: Shanghai → Xi'an → Beijing")
    assert page.locator(".part").count() == 3
    expect(page.locator(".bar .mark")).to_have_text("Huace")
    assert page.evaluate(
        "() => { const card = document.querySelector('.goal-scroll'); return card.scrollHeight <= card.clientHeight; }"
    )
    expect(page.locator("#how > p")).to_be_visible()
    heights = page.locator(".part summary").evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    assert all(height <= 46 for height in heights), heights
    assert page.locator(".part[open]").count() == 1
    for place in page.locator(".part, .data, .ends .button").all():
        box = place.bounding_box()
        assert box["y"] + box["height"] <= 720
    assert errors == []


@pytest.mark.parametrize(
    ("language", "scenario", "kind", "line", "saved"),
    [
        ("zh-CN", "机票、酒店：武汉→北京", "机票", "武汉→北京", "2 / 6 行符合"),
        ("en-US", "Flight, hotel: Wuhan → Beijing", "Flight", "武汉→北京", "2 of 6 rows"),
    ],
)
def test_the_goal_card_says_a_part_on_a_line_and_opens_its_data_over_the_chat(
    site, language, scenario, kind, line, saved
):
    page, errors = site.page("tester-2", locale=language)
    site.open_scenario(page, scenario, "booking" if language == "zh-CN" else "flights")
    first = page.locator(".part").first
    expect(first.locator("b")).to_have_text(kind)
    expect(first.locator(".part-name span")).to_contain_text(line)
    expect(page.locator("#how")).to_have_attribute("open", "")
    opening = page.locator("#opening").inner_text()
    page.fill("#text", "您好")
    for _twice in range(2):
        page.keyboard.press("Alt+s")
        expect(page.locator("#text")).to_have_value(f"{opening}\n您好")
    page.fill("#text", "")
    page.keyboard.press("Alt+s")
    expect(page.locator("#text")).to_have_value(opening)
    page.keyboard.press("Enter")
    expect(answered(page)).to_have_count(1)
    expect(page.locator("#chips")).to_be_hidden()
    expect(page.locator("#how")).not_to_have_attribute("open", "")

    # Where the starting sentence says a fact it is ticked by itself; what the tester ticks and unticks stands.
    said, unsaid = first.locator("input").first, first.locator("input").last
    expect(said).to_be_checked()
    expect(first.locator(".fact-turn").first).to_have_text("1")
    expect(unsaid).not_to_be_checked()
    page.keyboard.press("Alt+g")
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    expect(page.locator("#text")).to_be_focused()
    n_ticked = first.locator("input:checked").count()
    said.uncheck()
    page.reload()
    expect(first.locator("input:checked")).to_have_count(n_ticked - 1)
    expect(said).not_to_be_checked()
    expect(first.locator(".fact-turn").first).to_have_text("")

    page.focus("#text")
    page.keyboard.press("Alt+d")
    expect(page.locator("#data")).to_be_visible()
    numbers = page.locator("#data tbody tr:visible td:first-child").all_inner_texts()
    assert len(numbers) == 6
    page.keyboard.type(f"武汉 {numbers[2]}")
    expect(page.locator("#data-found")).to_have_text(saved)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#data")).to_be_hidden()
    expect(page.locator("#text")).to_have_value(numbers[2])
    page.keyboard.press("Alt+d")
    page.keyboard.press("Escape")
    expect(page.locator("#data")).to_be_hidden()
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.press("F2")
    page.keyboard.press("Enter")
    expect(page.locator(".part.is-current")).to_have_attribute("data-index", "2")
    page.keyboard.press("Alt+d")
    expect(page.locator("#tab-hotels")).to_have_attribute("aria-selected", "true")
    assert errors == []


@pytest.mark.parametrize(
    ("language", "scenario", "bot"),
    [("zh-CN", "机票、酒店：北京→成都", "booking"), ("en-US", "Flight, hotel: Beijing → Chengdu", "flights")],
)
def test_small_screens_keep_the_part_the_last_messages_and_the_composer_in_view(site, language, scenario, bot):
    page, errors = site.page("tester-2", locale=language, viewport={"width": 390, "height": 844})
    site.open_scenario(page, scenario, bot)
    page.keyboard.press("Alt+s")
    page.keyboard.press("Enter")
    expect(answered(page)).to_have_count(1)
    say(page, "上午")
    page.set_viewport_size({"width": 390, "height": 500})  # the keyboard is up
    page.wait_for_function(
        "() => { const view = document.getElementById('view').getBoundingClientRect();"
        " return [...document.querySelectorAll('.from-tester, .from-bot')].slice(-4).map((one) => one.getBoundingClientRect())"
        ".every((box) => box.top >= view.top - 1 && box.bottom <= view.bottom + 1); }"
    )
    assert page.locator(".from-tester, .from-bot").count() == 4
    expect(page.locator("#goal-line-name")).to_be_in_viewport()
    expect(page.locator("#goal-line-words")).to_contain_text("北京→成都")
    expect(page.locator("#send")).to_be_in_viewport()

    page.set_viewport_size({"width": 640, "height": 360})  # 200% zoom of 1280×720
    page.wait_for_function("() => document.getElementById('view').clientHeight >= 200")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.click("#goal-line")
    expect(page.locator("#finish")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#finish")).to_be_hidden()
    assert errors == []


# -- the chat ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "scenario", "bot"),
    [("zh-CN", "火车票、酒店：上海→南京", "booking"), ("en-US", "Train, hotel: Shanghai → Nanjing", "flights")],
)
def test_a_dialogue_of_two_parts_takes_eight_keys_beside_the_messages(site, language, scenario, bot):
    page, _ = site.page("tester-3", locale=language)
    site.open_scenario(page, scenario, bot)
    n_keys = 0

    def press(key):
        nonlocal n_keys
        n_keys += 1
        page.keyboard.press(key)

    for part in (1, 2):
        page.keyboard.insert_text("你好")
        page.keyboard.press("Enter")  # one of the n Enters
        expect(answered(page)).to_have_count(part)
        press("F2")
        expect(page.locator("#closing")).to_be_visible()
        press("Enter")
        expect(page.locator(".part").nth(part - 1)).to_have_attribute("data-status", "finished")
        numbers = page.locator(".turn-number").all_inner_texts()
        assert numbers == ["1"] * part  # they begin anew with each part
    expect(page.locator(".score-row.is-current")).to_have_attribute("data-criterion", "satisfaction")
    first = page.url
    for key in ("1", "1", "1", "Control+Enter"):
        press(key)
    page.wait_for_url(lambda url: url != first)
    assert n_keys <= 8


def test_the_chat_is_narrow_enough_to_read_and_tells_the_sides_apart(probe):
    page, errors = probe(viewport={"width": 1920, "height": 1080})
    send(page, "很长的一句话，" * 40)
    expect(answered(page)).to_have_count(1)
    send(page, "!slow 0.3")
    expect(answered(page)).to_have_count(2)
    line = page.locator(".turn").first.bounding_box()
    assert line["width"] <= 720 + 44 + 1
    own, reply = (
        page.locator(f".turn:last-child {side} .said").bounding_box() for side in (".from-tester", ".from-bot")
    )
    assert own["x"] > reply["x"] + 100
    aside = page.locator(".turn:last-child .from-bot .aside").bounding_box()
    assert 0 < aside["x"] - (reply["x"] + reply["width"]) < 20  # beside the bubble
    tick = page.locator(".turn:last-child .from-tester .saved-mark").bounding_box()
    assert 0 < own["x"] - (tick["x"] + tick["width"]) < 20
    expect(page.locator(".turn:last-child .from-bot .aside")).to_have_text(re.compile(r"0\.\d 秒"))
    assert page.locator(".turn-number").all_inner_texts() == ["1", "2"]
    assert errors == []


def test_the_composer_grows_to_six_lines_and_its_counter_turns_red(probe):
    page, _ = probe(language="en-US")
    heights = []
    for n_lines in range(1, 9):
        page.fill("#text", "\n".join("x" * n_lines))
        heights.append(round(page.locator("#text").bounding_box()["height"]))
    assert heights[:6] == sorted(set(heights[:6]))
    assert heights[5] == heights[6] == heights[7]
    box, button = page.locator("#composer").bounding_box(), page.locator("#send").bounding_box()
    assert box["y"] < button["y"]
    assert button["y"] + button["height"] <= box["y"] + box["height"]
    page.fill("#text", "字" * 2000)
    expect(page.locator("#count")).to_have_text("2000 / 2000")
    expect(page.locator("#count")).not_to_have_class(re.compile("is-over"))
    page.fill("#text", "字" * 2001)
    expect(page.locator("#count")).to_have_class(re.compile("is-over"))
    page.press("#text", "Enter")
    expect(page.locator("#note")).to_contain_text("too long")
    assert page.locator(".from-tester").count() == 0


def test_a_second_enter_is_answered_and_its_note_goes_with_its_reason(probe):
    page, errors = probe()
    watch_refusals(page)
    send(page, "!slow 3")
    expect(page.locator(".from-bot.is-waiting")).to_be_visible()
    send(page, "还有一句")
    expect(page.locator("#note")).to_contain_text("系统还没有回答上一轮")
    was_refused(page)
    expect(page.locator("#text")).to_have_value("还有一句")
    expect(answered(page)).to_have_count(1)
    expect(page.locator("#note")).to_be_hidden()
    page.press("#text", "Enter")
    expect(answered(page)).to_have_count(2)
    assert errors == []


def test_a_failed_turn_says_whether_it_counts_and_what_can_be_done_with_which_key(probe):
    page, _ = probe("short", "en-US")
    send(page, "!500")
    failure = page.locator(".failure")
    expect(failure).to_contain_text("gave no usable answer")
    expect(failure).to_contain_text("only if a retry is answered")
    keys = failure.locator("kbd").all_inner_texts()
    assert keys == ["Alt R", "Alt E", "F9 / Alt 9"]
    expect(failure.locator("button").first).to_have_text("RetryAlt R")
    expect(page.locator(".failure-hint")).to_contain_text("2 retries left.")
    page.keyboard.press("Alt+e")
    expect(page.locator("#text")).to_have_value("!500")
    failure.evaluate("(one) => one.classList.add('before')")
    page.keyboard.press("Alt+r")
    expect(page.locator(".failure:not(.before) kbd").first).to_have_text("Alt R")
    page.reload()
    expect(page.locator(".failure-hint")).to_contain_text("One retry is left: if it fails, the part closes")
    page.keyboard.press("F4")  # the second retry fails too, so the part closes and says why
    expect(page.locator(".part").first).to_have_attribute("data-status", "failed")
    expect(page.locator(".cut")).to_contain_text("the system failed at every try")
    expect(page.locator("#note")).to_contain_text("Next: Hotel")
    assert failure.locator("button").count() == 0
    send(page, "接着")
    expect(answered(page)).to_have_count(1)
    expect(page.locator("#note")).to_be_hidden()


def test_a_reload_says_that_the_system_is_paused_also_below_what_it_answered_before(probe, server):
    page, _ = probe("short", "en-US")
    say(page, "你好")
    pause = "UPDATE campaigns_entry SET paused_at = ?, paused_by = ?, paused_because = ?"
    server.database.execute(pause, datetime.now(UTC).isoformat(sep=" "), "person", "its network")
    try:
        page.reload()
        expect(answered(page)).to_have_count(1)
        expect(page.locator("#note")).to_contain_text("paused")
    finally:
        server.database.execute(pause, None, "", "")


def test_at_no_turns_left_the_page_says_what_to_do_and_a_closed_part_why(probe):
    page, _ = probe("short")
    for text in ("一", "二"):
        say(page, text)
    expect(page.locator(".part-words").first).to_contain_text("1")  # what is left, not what is used
    send(page, "!once at the end")
    expect(page.locator("#note")).to_contain_text("没有轮数了")
    watch_refusals(page)
    page.fill("#text", "还要说")
    page.press("#text", "Enter")
    was_refused(page)
    assert page.locator(".from-tester").count() == 3
    page.keyboard.press("Alt+r")
    expect(page.locator(".cut")).to_contain_text("3 轮全部用完")
    expect(page.locator("#note")).not_to_contain_text("没有轮数了")
    expect(page.locator(".part").nth(1)).to_have_attribute("data-status", "open")


def test_every_f_key_has_another_and_the_list_of_keys_names_both(probe):
    page, errors = probe("short", "en-US")
    page.locator("#view").focus()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    listed = [
        "".join(line.split()) for line in page.locator("#help li").evaluate_all(
            "all => all.map((one) => [...one.querySelectorAll('kbd')].map((key) => key.textContent).join(' '))"
        )
    ]  # fmt: skip
    for pair in ("F2Alt2", "F3Alt3", "F9Alt9", "F4AltR", "AltS", "AltD", "AltE", "AltF", "AltP", "?AltH", "Esc"):
        assert pair in listed, pair
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.press("Alt+h")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    say(page, "你好")
    page.keyboard.press("Alt+2")
    expect(page.locator("#closing [role=status]")).to_contain_text("“Flight” will be marked finished.")
    page.keyboard.press("Alt+z")
    expect(page.locator("#closing")).to_be_hidden()
    page.keyboard.press("Alt+3")
    expect(page.locator("#closing [role=status]")).to_contain_text("“Flight” closes as given up.")
    page.keyboard.press("Escape")
    expect(page.locator("#closing")).to_be_hidden()
    expect(page.locator(".part").first).to_have_attribute("data-status", "open")
    page.keyboard.press("Alt+9")
    expect(page.locator("#ending")).to_be_visible()
    assert page.locator("#ending kbd").all_inner_texts() == ["Esc", "1", "2"]
    page.keyboard.press("Escape")
    expect(page.locator("#text")).to_be_focused()
    assert errors == []


def test_a_message_is_copied_and_flagged_and_a_problem_is_reported(probe, server, people):
    page, errors = probe(permissions=["clipboard-read", "clipboard-write"])
    say(page, "!two")
    page.locator(".from-bot").last.hover()
    page.locator(".from-bot [data-act=copy]").click()
    expect(page.locator("#note")).to_contain_text("已复制")
    assert page.evaluate("() => navigator.clipboard.readText()") == "一\n二"
    page.locator(".from-tester").last.hover()
    page.locator(".from-tester [data-act=copy]").last.click()
    page.wait_for_function("() => navigator.clipboard.readText().then((text) => text === '!two')")
    page.keyboard.press("Alt+f")
    expect(page.locator("[data-act=flag]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Alt+p")
    expect(page.locator("#problem-turn-words")).to_contain_text("1")
    page.keyboard.type("编造了航班 <b>")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#problem")).to_be_hidden()
    expect(page.locator("#note")).to_contain_text("已报告")
    page.reload()
    expect(page.locator("[data-act=flag]")).to_have_attribute("aria-pressed", "true")
    status, listed = server.request("GET", "/api/v1/campaigns/probe/problems/", person="organizer")
    assert (status, listed[0]["text"], listed[0]["turn"]) == (200, "编造了航班 <b>", 1)

    organizer, more = people.page("organizer")
    organizer.goto(f"{server.base}/campaigns/probe/problems/")
    expect(organizer.locator(".reports li").first).to_contain_text("编造了航班 <b>")
    n_open = organizer.locator(".reports form").count()
    organizer.locator(".reports form button").first.click()
    expect(organizer.locator(".reports form")).to_have_count(n_open - 1)
    assert errors + more == []


def publish(database):
    """A snapshot that says nothing and is public: the server makes no other while dialogues are open."""
    now = datetime.now(UTC).isoformat(sep=" ")
    database.execute(
        "INSERT INTO publication_snapshot (campaign_id, of_board, has_people, number, made_at, hides_teams, board, digest,"
        " bundle_digest, bundle_bytes) SELECT id, '', ?, 1, ?, ?, '{}', '', '', 0 FROM campaigns_campaign WHERE slug = 'probe'",
        True, now, False,
    )  # fmt: skip
    database.execute(
        "INSERT INTO publication_publication (snapshot_id, public_from, published_at, withdrawn_because)"
        " SELECT id, ?, ?, '' FROM publication_snapshot", now, now,
    )  # fmt: skip
    database.execute("UPDATE campaigns_campaign SET is_published = ?, was_published = ?", True, True)


def withdraw(database):
    database.execute("DELETE FROM publication_publication")
    database.execute("DELETE FROM publication_snapshot")
    database.execute("UPDATE campaigns_campaign SET is_published = ?", False)


def test_scores_wait_for_what_is_stored_and_are_locked_once_the_results_are_published(probe, server):
    page, _ = probe(language="en-US")
    say(page, "你好")
    page.route("**/review/", lambda route: route.abort(), times=1)
    page.keyboard.press("F9")
    page.keyboard.press("1")
    expect(page.locator("#scores-state")).to_contain_text("not loaded, trying again")
    first_row = page.locator(".score-row input").first
    expect(first_row).to_be_disabled()
    expect(first_row).to_be_enabled()
    for key in ("1", "1", "1"):
        page.keyboard.press(key)
    address = page.url
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != address)
    publish(server.database)
    try:
        page.goto(address)
        expect(page.locator("#scores-state")).to_contain_text("can no longer be changed")
        expect(first_row).to_be_disabled()
        expect(page.locator("#submit-scores")).to_be_hidden()
        page.keyboard.press("0")
        expect(page.locator(".score-row[data-criterion=guidance] input[value='1']")).to_be_checked()
    finally:
        withdraw(server.database)


STREAMED = """async (pieces) => {
  const { StreamedText } = await import("/static/testing_console/streamed_text.js");
  const place = document.createElement("p");
  let drawn = 0;
  const watch = new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) drawn += node.textContent.length;
  });
  watch.observe(place, { childList: true, subtree: true });
  const stream = new StreamedText(place);
  for (const piece of pieces) { stream.append(piece); await Promise.resolve(); }
  await new Promise((resolve) => setTimeout(resolve));
  return [place.textContent, drawn, place.querySelectorAll(".chip").length];
}"""


@pytest.fixture
def a_panel_scores(server):
    server.database.execute("UPDATE campaigns_campaign SET reviewed_by = ?", "panel")
    yield
    server.database.execute("UPDATE campaigns_campaign SET reviewed_by = ?", "self")


def test_where_a_panel_scores_the_end_says_so_and_leads_on(probe, a_panel_scores):
    page, errors = probe()
    say(page, "你好")
    page.keyboard.press("F9")
    page.keyboard.press("1")
    expect(page.locator(".cut").last).to_contain_text("对话结束 · 由评审评分")
    expect(page.locator(".leave button")).to_contain_text("下一项任务")
    expect(page.locator("#rubric")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#goal-line-name")).to_have_text("对话结束")
    expect(page.locator("#goal-line-words")).to_have_text("由评审评分")
    assert errors == []


def test_a_streamed_reply_is_drawn_in_time_that_grows_with_its_length(probe):
    page, _ = probe()
    text = "后天有 DM1070 航班，10:50 起飞。" * 100
    shown, drawn, _ = page.evaluate(STREAMED, [text[at : at + 3] for at in range(0, len(text), 3)])
    assert shown == text
    assert drawn < 6 * len(text)  # drawing the whole for each piece would be 400 times as much
    pieces = ["a👩", "\u200d", "🚀b", "1", "\ufe0f", "\u20e3", "x\u202e", "y"]
    shown, _, n_chips = page.evaluate(STREAMED, pieces)
    assert (shown, n_chips) == ("a👩\u200d🚀b1\ufe0f\u20e3xU+202Ey", 1)


def test_what_is_sent_before_the_server_has_spoken_is_sent_when_it_has(probe):
    page, errors = probe()
    held = []
    page.route_web_socket(re.compile("/ws/dialogues/"), lambda route: held.append(route))
    held.clear()
    page.reload()
    # The script asks for its socket last.
    until(lambda: held, pause=lambda seconds: page.wait_for_timeout(1000 * seconds))
    send(page, "早到的话")
    expect(page.locator(".from-tester")).to_contain_text("早到的话")
    assert page.locator(".note.is-warning").count() == 0
    held[-1].connect_to_server()
    expect(answered(page).last).to_contain_text("收到：早到的话")
    assert errors == []


def test_streaming_shows_no_blank_bubble_and_a_screen_reader_hears_each_reply_once(probe):
    page, errors = probe()
    page.add_init_script(
        "window.outside = 0;"
        "addEventListener('DOMContentLoaded', () => new MutationObserver((changes) => {"
        "  for (const { target } of changes) if (!(target.nodeType === 1 ? target : target.parentElement)?.closest('[aria-hidden]'))"
        "    window.outside += document.querySelector('.from-bot[aria-hidden]') ? 1 : 0;"
        "}).observe(document.getElementById('transcript'), { childList: true, subtree: true, characterData: true }));"
    )
    held = []

    def relay(route):
        held.append(route)
        route.connect_to_server()

    page.route_web_socket(re.compile("/ws/dialogues/"), relay)
    page.reload()
    connected(page)
    send(page, "!slow 4")
    waiting = page.locator(".from-bot.is-waiting")
    expect(waiting).to_be_visible()
    expect(waiting.locator(".said")).to_be_hidden()
    page.evaluate("() => (window.outside = 0)")
    # Who waits for a place at the bot reads how far it is from one, at once, until it has it.
    in_row = "第 3 位"
    held[-1].send(json.dumps({"type": "turn.waiting", "turn": 1, "place": 3}))
    expect(waiting.locator(".aside")).to_contain_text(in_row)
    held[-1].send(json.dumps({"type": "turn.waiting", "turn": 1, "place": 0}))
    expect(waiting.locator(".aside")).not_to_contain_text(in_row)
    held[-1].send(json.dumps({"type": "reply.delta", "turn": 1, "text": " \n"}))
    page.wait_for_timeout(100)
    expect(waiting.locator(".said")).to_be_hidden()
    for n in range(105):
        held[-1].send(json.dumps({"type": "reply.delta", "turn": 1, "text": f"第{n}片，"}))
    expect(page.locator(".from-bot.is-streaming .said")).to_contain_text("第104片，")
    assert page.evaluate("() => window.outside") == 0
    assert page.locator("#heard p").count() == 0
    expect(answered(page)).to_have_count(1)
    assert page.locator("#heard").get_attribute("role") == "log"
    assert len(page.locator("#heard p").all_inner_texts()) == 1
    expect(page.locator("#heard p")).to_contain_text("收到：!slow 4")
    page.reload()
    expect(answered(page)).to_have_count(1)
    assert page.locator("#heard p").count() == 0  # what was there before is not read out again
    assert errors == []


def test_what_a_bot_says_is_shown_inert_and_what_it_does_in_words(probe):
    """A hostile bot: markup, a script, a direction override, its own name; then slow; then broken."""
    page, errors = probe()
    for text in ("!script", "!maker", "!blank", "!two"):
        send(page, text)
        expect(page.locator(".turn").last.locator(".from-bot .aside").last).to_contain_text("秒")
    said = page.locator(".from-bot .said").all_text_contents()
    assert said[0] == "<script>document.title='x'</script><b>粗</b> U+202EabcU+202C http://example.org"
    assert said[1] == "我是 ██████████ 的系统"
    assert said[2] == "（空回复）"
    assert said[3:] == ["一", "二"]
    assert page.locator("#transcript script, #transcript .said b, #transcript a").count() == 0
    send(page, "!slow 3.6")
    expect(page.locator(".from-bot").last.locator(".aside")).to_have_text(re.compile("等待 [23] 秒"))
    expect(page.locator(".from-bot .said").last).to_have_text("收到：!slow 3.6")
    send(page, "!500")
    failure = page.locator(".failure")
    expect(failure).to_contain_text("对方系统没有给出可用的回答。")
    expect(failure).to_contain_text("已用去一轮；只有重试得到回答，成绩才计这一轮。重试不另用轮数")
    page.keyboard.press("F4")
    expect(failure).to_contain_text("对方系统")
    page.keyboard.press("F9")
    page.keyboard.press("2")
    scores_are_open(page)
    assert errors == []


def test_a_reload_while_a_turn_is_asked_again_offers_no_second_retry(probe):
    page, errors = probe()
    send(page, "!once-then-slow")
    expect(page.locator(".failure button")).to_have_count(3)
    page.keyboard.press("F4")
    expect(page.locator(".from-bot.is-waiting")).to_be_visible()
    page.reload()
    expect(page.locator(".from-bot.is-waiting")).to_be_visible()
    expect(page.locator(".failure")).to_have_count(0)
    expect(page.locator(".from-bot .said")).to_have_text("收到：!once-then-slow")
    assert errors == []


def test_what_a_bot_offers_is_answered_by_a_press(probe):
    page, errors = probe()
    send(page, "!choices")
    offered = page.locator(".offered button")
    expect(offered).to_have_text(["北京", "上海"])
    expect(page.locator(".from-bot .said").last).to_have_text("去哪里？")
    page.reload()
    expect(offered).to_have_text(["北京", "上海"])
    page.fill("#text", "写到一半")
    offered.last.click()
    expect(page.locator(".from-tester .said").last).to_have_text("上海")
    expect(answered(page)).to_have_count(2)
    expect(page.locator("#text")).to_have_value("写到一半")
    expect(offered.first).to_be_disabled()
    assert errors == []


def test_practice_is_played_in_the_browser_and_its_scores_are_explained(site):
    page, errors = site.page("tester-3", locale="en-US")
    sent = []
    page.goto(f"{site.base}/campaigns/smp2018-demo/testing/practice/")
    connected(page)
    page.on("request", lambda request: sent.append(request.method))
    page.on("websocket", lambda _socket: sent.append("socket"))
    page.keyboard.press("Alt+s")
    page.keyboard.press("Enter")
    expect(answered(page)).to_have_count(1)
    expect(page.locator(".part input").first).to_be_checked()
    for text in ("West Lake", "West Lake", "2 nights", "yes, please"):
        say(page, text)
    expect(page.locator(".from-bot .said").last).to_contain_text("is booked")
    said = page.locator(".from-bot .said").all_inner_texts()
    assert said[0] == said[1]  # the fault that the scores are to notice
    page.keyboard.press("F2")
    page.keyboard.press("Enter")
    expect(page.locator(".score-row.is-current")).to_have_attribute("data-criterion", "satisfaction")
    for key in ("2", "1", "1", "Control+Enter"):
        page.keyboard.press(key)
    expect(page.locator(".reference")).to_have_count(4)
    expect(page.locator("[data-criterion=satisfaction] .reference")).to_contain_text("The reference is 1.")
    expect(page.locator(".reference.is-same")).to_have_count(3)
    expect(page.locator("#practice-end")).to_be_visible()
    assert sent == []
    assert errors == []
