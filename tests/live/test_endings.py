"""How a dialogue begins and ends beside the tester's own wish, in a browser: the bot's first word, all items used, the bot, silence, the organizer."""

import pytest
from playwright.sync_api import expect

from tests.live.browser import connected
from tests.live.browser_site import say
from tests.live.test_openings import bots_first
from tests.live.test_pages import AXE, barriers

pytestmark = [pytest.mark.e2e]

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


@pytest.fixture(scope="module", autouse=True)
def items(server):
    server.manage("shell", "-v0", "-c", GIVE_ITEMS)


@pytest.fixture(scope="module")
def tester_page(server, people):
    page, errors = people.page("tester", locale="en-US")

    def open_dialogue():
        dialogue = server.open_dialogue()
        page.goto(f"{server.base}/dialogues/{dialogue}/")
        connected(page)
        return page, errors, dialogue

    return open_dialogue


# First: once a dialogue was abandoned, its assignment is offered where the bot fails.
def test_the_page_waits_for_the_bot_and_lets_the_tester_begin_where_it_fails(people, server, bot):
    page, errors = people.page("tester", locale="en-US")
    with bots_first(server, bot):
        bot.opening = "!500"
        page.goto(f"{server.base}/dialogues/{server.open_dialogue()}/")
        failure = page.locator(".is-opening .failure")
        expect(failure).to_contain_text("It was to speak first")
        expect(failure.get_by_role("button")).to_have_count(2)
        page.fill("#text", "hello")
        page.press("#text", "Enter")
        expect(page.locator("#note")).to_contain_text("speaks first")
        bot.opening = "!greet"
        page.keyboard.press("Alt+r")
        expect(page.locator(".is-opening .from-bot .said")).to_have_text("您好，请问要订什么？")
        expect(page.locator("#budget")).to_contain_text("20")
        page.press("#text", "Enter")
        expect(page.locator(".turn[data-turn='1'] .from-bot .said")).to_have_text("收到：hello")
        page.reload()
        expect(page.locator(".turn-number")).to_have_text(["", "1"])

        # Of 20 utterances the opening takes one, and nine exchanges fit into the others.
        server.database.execute("UPDATE campaigns_campaign SET turns_are = ?", "utterances")
        page.goto(f"{server.base}/dialogues/{server.open_dialogue()}/")
        expect(page.locator("#budget .budget")).to_have_attribute("aria-label", "1 of 19 turns used, 18 left")
        page.fill("#text", "hello")
        page.press("#text", "Enter")
        expect(page.locator(".turn[data-turn='1'] .from-bot .said")).to_have_text("收到：hello")
        expect(page.locator("#budget .budget")).to_have_attribute("aria-label", "3 of 19 turns used, 16 left")
        expect(page.locator(".part-words")).to_have_text("3 / 19")
        page.reload()
        expect(page.locator("#budget .budget")).to_have_attribute("aria-label", "3 of 19 turns used, 16 left")
        server.database.execute("UPDATE campaigns_campaign SET turns_are = ?", "exchanges")

        bot.opening = "!500"
        page.goto(f"{server.base}/dialogues/{server.open_dialogue()}/")
        for left in ("2 retries left", "1 retry left"):
            expect(failure).to_contain_text(left)
            page.keyboard.press("Alt+r")
        expect(failure).to_contain_text("Begin the dialogue yourself")
        page.fill("#text", "then I begin")
        page.press("#text", "Enter")
        expect(page.locator(".turn[data-turn='1'] .from-bot .said")).to_have_text("收到：then I begin")
    assert errors == []


def test_items_are_ticked_by_keyboard_and_offer_the_end_when_all_are_used(server, tester_page):
    page, errors, dialogue = tester_page()
    say(page, "你好")
    boxes = page.locator("[data-item]")
    boxes.first.focus()
    with page.expect_response(lambda answer: answer.url.endswith("/items/") and answer.ok):
        page.keyboard.press("Space")
    expect(page.locator("#items-words")).to_have_text("1 of 2 used")
    page.evaluate(AXE)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert barriers(page) == [], theme
    page.reload()
    connected(page)
    expect(boxes.first).to_be_checked()
    expect(page.locator("#note")).to_be_hidden()
    boxes.last.focus()
    with page.expect_response(lambda answer: answer.url.endswith("/items/") and answer.ok):
        page.keyboard.press("Space")
    expect(page.locator("#note-act")).to_contain_text("F9")
    expect(page.locator("#note")).to_contain_text("may end now")
    page.keyboard.press("F9")
    page.keyboard.press("1")
    expect(page.locator("#rubric")).to_be_visible()
    expect(boxes.first).to_be_disabled()
    assert reason_of(server, dialogue) == [("completed", "all_used")]
    assert errors == []


def test_a_bot_that_ends_is_said_to_have_ended(server, tester_page):
    page, errors, dialogue = tester_page()
    say(page, "!end")
    expect(page.locator(".cut").last).to_contain_text("The system ended it.")
    expect(page.locator("#rubric")).to_be_visible()
    assert reason_of(server, dialogue) == [("completed", "bot_ended")]
    assert errors == []


def test_an_abandoned_dialogue_says_so_and_leads_back_to_the_list(server, tester_page):
    page, errors, dialogue = tester_page()
    server.manage("shell", "-v0", "-c", ABANDON)
    expect(page.locator(".cut").last).to_contain_text("Nothing was said for too long", timeout=15000)
    assert reason_of(server, dialogue) == [("abandoned", "silence")]
    expect(page.locator("#rubric")).to_be_hidden()
    page.evaluate(AXE)
    assert barriers(page) == []
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url.endswith("/testing/"))
    assert errors == []


def test_an_open_console_says_why_it_was_ended_and_one_that_is_scored_that_it_is_void(people, server, tester_page):
    desk, desk_errors = people.page("organizer", locale="en-US")

    def decide(dialogue, act, because):
        desk.goto(f"{server.base}/campaigns/probe/dialogues/{dialogue}/")
        form = desk.locator(f"details:has(form[action$='/{act}/'])").first
        form.locator("summary").click()
        form.locator("[name=because]").fill(because)
        form.locator("button").click()

    talk, talk_errors, dialogue = tester_page()
    say(talk, "你好")
    decide(dialogue, "end", "Time is up")
    expect(talk.locator("#transcript, main").first).to_contain_text("The organizer ended it. Reason: Time is up")
    expect(desk.locator("body")).to_contain_text("The dialogue is over. Its tester reads why.")
    decide(dialogue, "void", "Wrong scenario")
    expect(talk.locator("body")).to_contain_text("The organizer declared it void")
    expect(talk.locator("body")).to_contain_text("Wrong scenario")
    decide(dialogue, "restore", "It was the right one")
    expect(desk.locator("body")).to_contain_text("The dialogue counts again.")
    assert talk_errors == desk_errors == []


# Last: its assignment is open again, and the pages before lead to the list.
def test_until_all_is_used_the_tester_is_not_done_and_who_gives_up_does_it_again(server, tester_page):
    server.manage("shell", "-v0", "-c", UNTIL_ALL_IS_USED.format("all_used"))
    try:
        page, errors, dialogue = tester_page()
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
