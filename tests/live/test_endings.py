"""How a dialogue can end beside the tester's own wish, in a browser: all items used, the bot, silence."""

import os

import pytest
from playwright.sync_api import expect

from tests.live.browser import CHROMIUM, chromium, log_in, page_without_errors
from tests.live.browser_site import say, shot
from tests.live.test_pages import AXE, barriers

pytestmark = [pytest.mark.e2e]

if CHROMIUM is None and not os.environ.get("CI"):
    pytest.skip("Chromium is not installed (apt-get install chromium fonts-noto-cjk)", allow_module_level=True)

GIVE_ITEMS = """
from campaigns.models import Scenario
Scenario.objects.filter(key="long").update(items=["李白是唐代诗人，字太白。", "他写了《静夜思》。"])
"""
UNTIL_ALL_IS_USED = """
from campaigns.models import Campaign
Campaign.objects.filter(slug="probe").update(tester_may_end="{}")
"""
ABANDON = """
from datetime import timedelta
from django.utils import timezone
from dialogues.actions import abandon_dialogue
from dialogues.models import Dialogue
for dialogue in Dialogue.objects.open():
    abandon_dialogue(dialogue_id=dialogue.pk, at=timezone.now() + timedelta(days=1))
"""


def reason_of(server, dialogue):
    return server.rows("SELECT status, reason FROM dialogues_dialogue WHERE id = ?", dialogue.replace("-", ""))


@pytest.fixture(scope="module")
def tester_page(server):
    server.manage("shell", "-v0", "-c", GIVE_ITEMS)
    password = server.set_password("tester")
    with chromium() as browser:
        pages = {}

        def open_dialogue(language):
            if language not in pages:
                pages[language] = page_without_errors(
                    browser.new_context(locale=language, viewport={"width": 1280, "height": 720})
                )
                log_in(pages[language][0], server.base, "tester", password)
            dialogue = server.open_dialogue()
            page, errors = pages[language]
            page.goto(f"{server.base}/dialogues/{dialogue}/")
            expect(page.locator("#connection")).to_have_attribute("data-state", "connected")
            return page, errors, dialogue

        yield open_dialogue


@pytest.mark.parametrize(
    ("language", "one_used", "may_end"),
    [("en-US", "1 of 2 used", "may end now"), ("zh-CN", None, None)],
)
def test_items_are_ticked_by_keyboard_and_offer_the_end_when_all_are_used(
    server, tester_page, language, one_used, may_end
):
    page, errors, dialogue = tester_page(language)
    say(page, "你好")
    boxes = page.locator("[data-item]")
    boxes.first.focus()
    with page.expect_response(lambda answer: answer.url.endswith("/items/") and answer.ok):
        page.keyboard.press("Space")
    if one_used:
        expect(page.locator("#items-words")).to_have_text(one_used)
    page.evaluate(AXE)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert barriers(page) == [], theme
    page.reload()
    expect(page.locator("#connection")).to_have_attribute("data-state", "connected")
    expect(boxes.first).to_be_checked()
    expect(page.locator("#note")).to_be_hidden()
    boxes.last.focus()
    with page.expect_response(lambda answer: answer.url.endswith("/items/") and answer.ok):
        page.keyboard.press("Space")
    expect(page.locator("#note-act")).to_contain_text("F9")
    if may_end:
        expect(page.locator("#note")).to_contain_text(may_end)
    shot(page, f"console-items-{language[:2]}")
    page.keyboard.press("F9")
    page.keyboard.press("1")
    expect(page.locator("#rubric")).to_be_visible()
    expect(boxes.first).to_be_disabled()
    assert reason_of(server, dialogue) == [("completed", "all_used")]
    assert errors == []


def test_a_bot_that_ends_is_said_to_have_ended(server, tester_page):
    page, errors, dialogue = tester_page("en-US")
    say(page, "!end")
    expect(page.locator(".cut").last).to_contain_text("The system ended it.")
    expect(page.locator("#rubric")).to_be_visible()
    assert reason_of(server, dialogue) == [("completed", "bot_ended")]
    assert errors == []


def test_an_abandoned_dialogue_says_so_and_leads_back_to_the_list(server, tester_page):
    page, errors, dialogue = tester_page("en-US")
    server.manage("shell", "-v0", "-c", ABANDON)
    expect(page.locator(".cut").last).to_contain_text("Nothing was said for too long", timeout=15000)
    assert reason_of(server, dialogue) == [("abandoned", "silence")]
    expect(page.locator("#rubric")).to_be_hidden()
    page.evaluate(AXE)
    assert barriers(page) == []
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url.endswith("/testing/"))
    assert errors == []


# Last: its assignment is open again, and the pages before lead to the list.
def test_until_all_is_used_the_tester_is_not_done_and_who_gives_up_does_it_again(server, tester_page):
    server.manage("shell", "-v0", "-c", UNTIL_ALL_IS_USED.format("all_used"))
    try:
        page, errors, dialogue = tester_page("en-US")
        say(page, "你好")
        page.keyboard.press("F2")
        expect(page.locator("#note")).to_contain_text("goes on until everything given to you is used")
        boxes = page.locator("[data-item]")
        boxes.first.check()
        page.keyboard.press("F9")
        expect(page.locator("#ending-done")).to_be_disabled()
        expect(page.locator("#ending-words")).to_contain_text("If you give up now, it does not count")
        page.keyboard.press("1")
        expect(page.locator("#ending")).to_be_visible()
        page.evaluate(AXE)
        assert barriers(page) == []
        page.keyboard.press("Escape")
        boxes.last.check()
        page.keyboard.press("F9")
        expect(page.locator("#ending-done")).to_be_enabled()
        page.keyboard.press("Escape")
        boxes.last.uncheck()
        page.keyboard.press("F9")
        page.keyboard.press("2")
        expect(page.locator(".cut").last).to_contain_text("You gave up before everything was used")
        expect(page.locator("#rubric")).to_be_hidden()
        assert reason_of(server, dialogue) == [("abandoned", "ended_early")]
        assert errors == []
    finally:
        server.manage("shell", "-v0", "-c", UNTIL_ALL_IS_USED.format("at_any_time"))
