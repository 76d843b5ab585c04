"""The bot speaks first: over a real server, through a kill of it, and in a browser."""

import os
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.live.browser import CHROMIUM, chromium, log_in, page_without_errors
from tests.live.server import live, wait_until

pytestmark = pytest.mark.server


@contextmanager
def bots_first(server):
    server.database.execute("UPDATE campaigns_campaign SET opened_by = ?", "bot")
    try:
        yield
    finally:
        server.database.execute("UPDATE campaigns_campaign SET opened_by = ?", "tester")


@pytest.fixture
def first(server, bot):
    with bots_first(server):
        yield server
    bot.opening = "!greet"


async def test_the_bot_is_asked_before_the_tester_is_told_anything(first, bot):
    dialogue = first.open_dialogue()
    async with first.socket(dialogue) as client, first.socket(dialogue) as second:
        state = await client.next()
        assert (state["type"], state["turns_used"]) == ("dialogue.state", 0)
        # A quick bot has answered by then.
        assert (state["waiting"], state["last_seq"]) in {(0, 1), (None, 2)}
        done = await client.until("reply.done")
        assert (done["turn"], done["texts"]) == (0, ["您好，请问要订什么？"])
        await client.exchange("你好")
        assert await client.all_events() == await second.all_events()
    async with first.socket(dialogue, after=2) as again:
        assert [event["seq"] for event in await again.all_events()] == [3, 4]
    assert [(number, text) for number, _, text, _ in first.turns(dialogue)] == [(0, ""), (1, "你好")]
    asked = [request for request in bot.requests if request["dialogue"] == dialogue]
    assert [(one["turn"], one["text"], one["history"]) for one in asked] == [
        (0, "", []),
        (1, "你好", [{"role": "bot", "text": "您好，请问要订什么？"}]),
    ]
    first.check_invariants()


async def test_an_opening_survives_the_kill_of_its_server(tmp_path, bot):
    bot.opening = "!hang"
    try:
        with live(tmp_path, bot.url) as server, bots_first(server):
            dialogue = server.open_dialogue()
            async with server.socket(dialogue) as client:
                await client.until("turn.accepted")
            server.kill()
            bot.opening = "!greet"
            server.start()
            wait_until(lambda: server.turns(dialogue)[0][3] == "failed", 30)
            async with server.socket(dialogue) as client:
                failed = await client.until("turn.failed")
                assert (failed["turn"], failed["fault"], failed["retryable"]) == (0, "platform", True)
                assert (await client.exchange("你好"))["code"] == "opening_first"
                await client.send(type="turn.retry", turn=0)
                assert (await client.until("reply.done"))["turn"] == 0
            server.check_invariants()
    finally:
        bot.opening = "!greet"


@pytest.mark.e2e
def test_the_page_waits_for_the_bot_and_lets_the_tester_begin_where_it_fails(first, bot):
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("Chromium is not installed (apt-get install chromium fonts-noto-cjk)")
    bot.opening = "!500"
    password = first.set_password("tester")
    with chromium() as browser:
        page, errors = page_without_errors(browser.new_context(locale="en-US"))
        log_in(page, first.base, "tester", password)
        page.goto(f"{first.base}/dialogues/{first.open_dialogue()}/")
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
        first.database.execute("UPDATE campaigns_campaign SET turns_are = ?", "utterances")
        page.goto(f"{first.base}/dialogues/{first.open_dialogue()}/")
        expect(page.locator("#budget .budget")).to_have_attribute("aria-label", "1 of 19 turns used, 18 left")
        page.fill("#text", "hello")
        page.press("#text", "Enter")
        expect(page.locator(".turn[data-turn='1'] .from-bot .said")).to_have_text("收到：hello")
        expect(page.locator("#budget .budget")).to_have_attribute("aria-label", "3 of 19 turns used, 16 left")
        expect(page.locator(".part-words")).to_have_text("3 / 19")
        page.reload()
        expect(page.locator("#budget .budget")).to_have_attribute("aria-label", "3 of 19 turns used, 16 left")
        first.database.execute("UPDATE campaigns_campaign SET turns_are = ?", "exchanges")

        bot.opening = "!500"
        page.goto(f"{first.base}/dialogues/{first.open_dialogue()}/")
        for left in ("2 retries left", "1 retry left"):
            expect(failure).to_contain_text(left)
            page.keyboard.press("Alt+r")
        expect(failure).to_contain_text("Begin the dialogue yourself")
        page.fill("#text", "then I begin")
        page.press("#text", "Enter")
        expect(page.locator(".turn[data-turn='1'] .from-bot .said")).to_have_text("收到：then I begin")
    assert errors == []
