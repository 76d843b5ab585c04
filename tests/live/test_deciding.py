"""An organizer decides about a dialogue that is open in front of its tester: over the API to a socket, and from page to page."""

import os

import pytest
from playwright.sync_api import expect

from tests.live.browser import CHROMIUM, chromium, log_in, page_without_errors
from tests.live.browser_site import say, shot


@pytest.mark.server
async def test_a_socket_hears_that_its_dialogue_is_void_while_the_bot_is_asked(server):
    dialogue = server.open_dialogue()
    async with server.socket(dialogue) as client:
        await client.say("!slow 4")
        await client.until("turn.accepted")
        status, said = server.request(
            "POST", f"/api/v1/campaigns/probe/dialogues/{dialogue}/void/", {"because": "走错了"}, person="organizer"
        )
        assert (status, said["status"]) == (200, "void")
        failed = await client.until("turn.failed")
        assert (failed["kind"], failed["fault"]) == ("cancelled", "tester")
        closed = await client.until("dialogue.closed")
        assert (closed["status"], closed["reason"], closed["because"]) == ("void", "voided", "走错了")
        assert (await client.exchange("noch da?"))["code"] == "closed"
    server.check_invariants()


@pytest.mark.server
async def test_who_is_no_organizer_decides_nothing(server):
    dialogue = server.open_dialogue()
    for person in ("tester", "participant"):
        status, _ = server.request(
            "POST", f"/api/v1/campaigns/probe/dialogues/{dialogue}/void/", {"because": "x"}, person=person
        )
        assert status == 404


@pytest.mark.e2e
@pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="Chromium is not installed")
def test_an_open_console_says_why_it_was_ended_and_one_that_is_scored_that_it_is_void(server):
    passwords = {name: server.set_password(name) for name in ("tester", "organizer")}
    with chromium() as browser:
        pages = {}
        for name in passwords:
            context = browser.new_context(locale="en-US", viewport={"width": 1280, "height": 720})
            pages[name] = page_without_errors(context)
            log_in(pages[name][0], server.base, name, passwords[name])
        (talk, talk_errors), (desk, desk_errors) = pages["tester"], pages["organizer"]

        def open_dialogue():
            dialogue = server.open_dialogue()
            talk.goto(f"{server.base}/dialogues/{dialogue}/")
            expect(talk.locator("#connection")).to_have_attribute("data-state", "connected")
            say(talk, "你好")
            return dialogue

        def decide(dialogue, act, because):
            desk.goto(f"{server.base}/campaigns/probe/dialogues/{dialogue}/")
            form = desk.locator(f"details:has(form[action$='/{act}/'])").first
            form.locator("summary").click()
            form.locator("[name=because]").fill(because)
            form.locator("button").click()

        dialogue = open_dialogue()
        decide(dialogue, "end", "Time is up")
        expect(talk.locator("#transcript, main").first).to_contain_text("The organizer ended it. Reason: Time is up")
        expect(desk.locator("body")).to_contain_text("The dialogue is over. Its tester reads why.")
        decide(dialogue, "void", "Wrong scenario")
        expect(talk.locator("body")).to_contain_text("The organizer declared it void")
        expect(talk.locator("body")).to_contain_text("Wrong scenario")
        shot(desk, "dialogue-void-en")
        decide(dialogue, "restore", "It was the right one")
        expect(desk.locator("body")).to_contain_text("The dialogue counts again.")
        assert talk_errors == []
        assert desk_errors == []
