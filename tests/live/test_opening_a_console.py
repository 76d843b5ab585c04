"""A console as it opens, in headless Chromium: painted before its modules are asked for, its transcript shown at once, nothing typed lost."""

import json
import os
import re

import pytest
from playwright.sync_api import expect

from tests.live.browser import CHROMIUM, chromium, log_in, page_without_errors
from tests.live.browser_site import answered, say

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="Chromium is not installed"),
]
NO_LIMIT = (
    "const later = setTimeout; window.setTimeout = (act, ms, ...more) => (ms === 1000 ? 0 : later(act, ms, ...more));"
)
NO_WORD_OF_PAINT = "window.PerformanceObserver = class { observe() {} };"
UNSEEN = "Object.defineProperty(document, 'hidden', { get: () => true });"
ASKED = """() => [
  performance.getEntriesByName("first-contentful-paint")[0].startTime,
  performance.getEntriesByType("resource").filter((one) => /testing_console\\/.*\\.js$/.test(one.name)).map((one) => one.startTime),
]"""
MOVED = """
window.moved = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) {
    for (const { node } of one.sources ?? []) { if (node?.parentElement?.closest("#transcript")) window.moved.push(node.className); }
  }
}).observe({type: "layout-shift", buffered: true});
"""


@pytest.fixture(scope="module")
def tab(server):
    """Opens a page of the tester, before it leads anywhere."""
    with chromium() as browser:
        context = browser.new_context(locale="en-US", viewport={"width": 1280, "height": 720})
        page, _ = page_without_errors(context)
        log_in(page, server.base, "tester", server.set_password("tester"))
        yield lambda: page_without_errors(browser.new_context(locale="en-US", storage_state=context.storage_state()))


def address(server, scenario="long"):
    return f"{server.base}/dialogues/{server.open_dialogue(scenario)}/"


def is_connected(page):
    expect(page.locator("#connection")).to_have_attribute("data-state", "connected")


def test_modules_are_asked_for_once_the_page_is_painted(tab, server):
    page, errors = tab()
    page.add_init_script(NO_LIMIT)
    page.goto(address(server))
    is_connected(page)
    painted, asked = page.evaluate(ASKED)
    assert len(asked) > 15
    assert 0 < painted <= min(asked)
    assert errors == []


@pytest.mark.parametrize("kept_back", [NO_WORD_OF_PAINT, NO_WORD_OF_PAINT + NO_LIMIT + UNSEEN])
def test_modules_come_where_the_browser_says_nothing_of_paint_or_nobody_looks(tab, server, kept_back):
    page, errors = tab()
    page.add_init_script(kept_back)
    page.goto(address(server))
    is_connected(page)
    assert errors == []


def test_what_is_typed_before_the_script_runs_stays_and_is_not_sent(tab, server):
    page, errors = tab()
    page.goto(address(server))
    is_connected(page)
    page.fill("#text", "a draft")
    held = []
    page.route("**/testing_console/composer.js", lambda route: held.append(route))
    page.reload(wait_until="commit")
    opened = page.url
    page.fill("#text", "early words")
    page.click("#send")
    expect(page.locator("#count")).to_have_text(re.compile(r"^\s*0 /"))
    held[-1].continue_()
    expect(page.locator("#text")).to_have_value("a draft\nearly words")
    expect(page.locator("#count")).to_have_text(re.compile(r"^19 /"))
    assert page.url == opened
    assert page.locator(".from-tester").count() == 0
    page.click("#send")
    expect(answered(page)).to_have_count(1)
    assert errors == []


def replayed_in_two_parts(page):
    """Keeps back the last line of what was said before; what is returned lets it through."""
    held = []

    def pass_on(route):
        server = route.connect_to_server()
        last = None

        def hear(message):
            nonlocal last
            frame = json.loads(message)
            last = frame["last_seq"] if frame["type"] == "dialogue.state" else last
            held.append(lambda: route.send(message)) if frame.get("seq") == last else route.send(message)

        server.on_message(hear)

    page.route_web_socket(re.compile("/ws/dialogues/"), pass_on)
    return lambda: held.pop()()


def test_what_was_said_before_is_shown_when_all_of_it_is_drawn(tab, server):
    page, errors = tab()
    page.goto(address(server))
    is_connected(page)
    for text in ("one", "two", "three"):
        say(page, text)
    page.add_init_script(MOVED)
    let_through = replayed_in_two_parts(page)
    page.reload(wait_until="commit")
    transcript = page.locator("#transcript")
    page.wait_for_function("document.getElementById('transcript')?.getAnimations().length")
    # The limit of the style sheet stands still, so that a slow machine does not reach it.
    page.evaluate("document.getElementById('transcript').getAnimations()[0].pause()")
    expect(answered(page)).to_have_count(2)
    expect(page.locator(".turn")).to_have_count(3)
    expect(transcript).to_be_hidden()
    let_through()
    expect(transcript).to_be_visible()
    expect(answered(page)).to_have_count(3)
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))")
    assert page.evaluate("window.moved") == []
    assert page.evaluate("view.scrollHeight - view.scrollTop - view.clientHeight") < 2
    assert errors == []


def test_the_transcript_is_shown_after_some_seconds_whatever_became_of_its_lines(tab, server):
    page, _ = tab()
    page.goto(address(server))
    is_connected(page)
    say(page, "one")
    replayed_in_two_parts(page)
    page.emulate_media(reduced_motion="reduce")
    page.reload(wait_until="commit")
    page.wait_for_function("document.getElementById('transcript')?.getAnimations().length")
    seen = page.evaluate(
        """() => {
          const list = document.getElementById("transcript"), [limit] = list.getAnimations();
          limit.pause();
          return [3999, 4001].map((at) => { limit.currentTime = at; return getComputedStyle(list).visibility; });
        }"""
    )
    assert seen == ["hidden", "visible"]


def test_a_connection_that_breaks_shows_what_was_drawn(tab, server):
    page, _ = tab()
    page.goto(address(server))
    is_connected(page)
    say(page, "one")
    page.route_web_socket(re.compile("/ws/dialogues/"), lambda route: route.close(code=1011))
    page.reload()
    expect(page.locator("#connection")).to_have_attribute("data-state", "offline")
    expect(page.locator("#transcript")).not_to_have_attribute("data-replayed", "no")


def test_a_void_dialogue_that_is_opened_again_leads_on_by_enter(tab, server):
    page, errors = tab()
    opened = address(server)
    page.goto(opened)
    is_connected(page)
    say(page, "one")
    dialogue = opened.rstrip("/").rpartition("/")[2]
    page.keyboard.press("F9")
    page.keyboard.press("1")
    expect(page.locator("#rubric:not([inert])")).to_be_visible()
    page.goto("about:blank")
    status, _ = server.request(
        "POST", f"/api/v1/campaigns/probe/dialogues/{dialogue}/void/", {"because": "x"}, person="organizer"
    )
    assert status == 200
    page.goto(opened)
    expect(page.locator(".leave :focus")).to_be_visible()
    assert errors == []
