import asyncio
import json
import time
from types import SimpleNamespace
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from campaigns.models import Campaign, Entry
from dialogues.actions import open_chosen_dialogue, take_turn
from dialogues.actions.ledger import Outcome, Told
from dialogues.models import Attempt, Turn
from dialogues.turn_taking import Refusal
from participants.outbound import Door
from serving.monitoring.loop_watch import TOLERATED_S
from testing_console.live import floor
from testing_console.live.bot_calls import _Call
from tests.conftest import Admitted
from tests.fakes.raw_bots import http, raw_bot
from tests.waiting import soon


class Ear:
    admission = None

    def __init__(self):
        self.heard = asyncio.Queue()
        self.passing = []
        self.is_handed_over = False

    def tell(self, lines):
        self.heard.put_nowait(lines)

    def tell_passing(self, frame):
        self.passing.append(json.loads(frame))

    def hand_over(self):
        self.is_handed_over = True


@pytest.mark.django_db(transaction=True)
async def test_a_server_that_drains_hands_over_everybody_before_it_is_done():
    running, ears = floor.Floor(), [Ear(), Ear()]
    try:
        for ear in ears:
            running.switchboard.join(uuid4(), ear)
        await running.drain(60)
        assert all(ear.is_handed_over for ear in ears)
    finally:
        await running.close()


@pytest.mark.django_db(transaction=True)
async def test_a_tester_talks_on_until_the_moment_at_which_a_server_that_drains_hands_them_over(
    dialogue, tester, monkeypatch
):
    async with raw_bot([http(b'{"text": "ok"}')]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}))
        monkeypatch.setattr(floor, "Door", lambda allowed: door)
        monkeypatch.setattr(floor, "HAND_OVER_S", 600)
        running, first, second = floor.Floor(), Ear(), Ear()
        try:
            await Entry.objects.aupdate(url=bot.url)
            running.switchboard.join(uuid4(), first)
            running.switchboard.join(dialogue.pk, second)
            draining = asyncio.create_task(running.drain(3600))
            await soon(lambda: first.is_handed_over)
            assert (await running.commands.take_turn(dialogue.pk, Admitted(tester), key="k", text="你好")).is_new
            assert not second.is_handed_over
            draining.cancel()
        finally:
            await running.close()


@pytest.mark.django_db(transaction=True)
async def test_a_turn_whose_commit_was_never_heard_of_is_asked_about_when_it_is_sent_again(
    dialogue, tester, monkeypatch
):
    async with raw_bot([0.2, http(b'{"text": "ok"}')]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}))
        monkeypatch.setattr(floor, "Door", lambda allowed: door)
        running = floor.Floor()
        said = {"dialogue_id": dialogue.pk, "admission": Admitted(tester), "key": "k", "text": "你好"}
        try:
            await Entry.objects.aupdate(url=bot.url)
            await sync_to_async(take_turn)(**said, at=timezone.now(), owner=running.owner.name)
            again = [running.commands.take_turn(dialogue.pk, Admitted(tester), key="k", text="你好") for _ in range(3)]
            assert [taken.is_new for taken in await asyncio.gather(*again)] == [False] * 3
            await running.drain(10)
        finally:
            await running.close()
    assert len(bot.asked) == 1
    assert (await Turn.objects.aget()).status == "answered"


@pytest.mark.django_db(transaction=True)
async def test_who_waits_for_a_place_at_the_bot_is_told_and_the_wait_is_not_booked_to_the_bot(
    campaign, tester, monkeypatch
):
    """A bot that declares one turn at a time and takes 1 s, three turns at once: the last reply comes after 3 s."""

    def open_dialogues():
        entry, scenario = campaign.entries.get(), campaign.scenarios.get()
        return [
            open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now()).pk
            for _ in range(3)
        ]

    dialogues = await sync_to_async(open_dialogues)()
    async with raw_bot([1.0, http(b'{"text": "ok"}')]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}))
        monkeypatch.setattr(floor, "Door", lambda allowed: door)
        running, ears = floor.Floor(), [Ear() for _ in dialogues]
        try:
            await Entry.objects.aupdate(url=bot.url, parallel=1)
            for dialogue_id, ear in zip(dialogues, ears, strict=True):
                running.switchboard.join(dialogue_id, ear)
                await running.commands.take_turn(dialogue_id, Admitted(tester), key="k", text="你好")
            await running.drain(10)
        finally:
            await running.close()
    turns = [turn async for turn in Turn.objects.all()]
    assert [turn.status for turn in turns] == ["answered"] * 3
    assert all(1000 <= turn.latency_ms < 1900 for turn in turns), [turn.latency_ms for turn in turns]
    assert [round(turn.wire.get("waited_ms", 0) / 1000) for turn in turns] == [0, 1, 2]
    assert all(turn.wire["first_byte_ms"] >= 1000 for turn in turns)
    waited = [[frame["place"] for frame in ear.passing if frame["type"] == "turn.waiting"] for ear in ears]
    assert (waited[0], waited[1][0], waited[1][-1], waited[2][0], waited[2][-2:]) == ([], 1, 0, 2, [1, 0])


@pytest.mark.django_db(transaction=True)
async def test_a_server_that_drains_hands_over_who_waits_for_nothing_while_a_bot_is_slow(dialogue, tester, monkeypatch):
    async with raw_bot([600]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}))
        monkeypatch.setattr(floor, "Door", lambda allowed: door)
        running, waiting, idle = floor.Floor(), Ear(), Ear()
        try:
            await Entry.objects.aupdate(url=bot.url)
            running.switchboard.join(dialogue.pk, waiting)
            running.switchboard.join(uuid4(), idle)
            await running.commands.take_turn(dialogue.pk, Admitted(tester), key="k", text="你好")
            draining = asyncio.create_task(running.drain(600))
            await soon(lambda: idle.is_handed_over)
            assert not waiting.is_handed_over
            assert not draining.done()
            running.calls.cancel(dialogue.pk)
            await soon(lambda: waiting.is_handed_over)
            await draining
        finally:
            await running.close()


@pytest.mark.django_db(transaction=True)
async def test_turns_in_flight_have_their_whole_time_after_the_last_socket_was_sent_elsewhere(dialogue_id, monkeypatch):
    running = floor.Floor()
    took_s, waits, began_at = 10, [], running.loop.time()

    async def hand_over(pause_s):
        monkeypatch.setattr(running.loop, "time", lambda: began_at + took_s)

    async def wait(limit_s):
        waits.append(limit_s)
        monkeypatch.setattr(running.loop, "time", lambda: began_at + took_s + 29 + len(waits))

    turn = SimpleNamespace(id=1, dialogue_id=dialogue_id, number=1, attempt_number=1)
    running.calls._calls[dialogue_id] = _Call(turn, None)
    monkeypatch.setattr(running, "_hand_over", hand_over)
    monkeypatch.setattr(running.calls, "wait", wait)
    try:
        await running.drain(30)
        assert len(waits) == 1
    finally:
        monkeypatch.undo()
        await running.close()


@pytest.mark.django_db(transaction=True)
async def test_a_short_standstill_of_ours_does_not_excuse_a_bot_that_never_answers(
    campaign, dialogue, tester, monkeypatch
):
    async with raw_bot([60]) as bot:
        door = Door(frozenset({("127.0.0.1", bot.port)}))
        monkeypatch.setattr(floor, "Door", lambda allowed: door)
        running = floor.Floor()
        try:
            await Entry.objects.aupdate(url=bot.url)
            await Campaign.objects.aupdate(reply_deadline_s=2)
            await running.commands.take_turn(dialogue.pk, Admitted(tester), key="k", text="你好")
            await asyncio.sleep(0.3)
            time.sleep(TOLERATED_S + 0.2)  # noqa: ASYNC251 - the standstill itself
            await running.drain(10)
        finally:
            await running.close()
    attempt = await Attempt.objects.aget()
    assert (attempt.kind, attempt.fault) == ("timeout_first_byte", "bot")
    assert attempt.latency_ms >= 1999


async def test_what_a_page_commits_is_told_at_once_and_stops_the_bots_call(dialogue_id):
    running, ear = floor.current(), Ear()
    running.switchboard.join(dialogue_id, ear)
    asked = asyncio.create_task(asyncio.sleep(60))
    turn = SimpleNamespace(id=1, dialogue_id=dialogue_id, number=1, attempt_number=1)
    running.calls._calls[dialogue_id] = _Call(turn, asked)
    outcome = Outcome(told=[Told(dialogue_id, [(7, '{"seq":7}')])], stopped=dialogue_id)
    try:
        # From a thread, as pages run in one.
        await asyncio.to_thread(floor.announce, outcome)
        assert await asyncio.wait_for(ear.heard.get(), 10) == [(7, '{"seq":7}')]
        await asyncio.wait([asked])
        assert asked.cancelled()
    finally:
        running.switchboard.leave(dialogue_id, ear)
        await running.close()
    floor.announce(outcome)


@pytest.fixture
def dialogue_id():
    return uuid4()


@pytest.mark.django_db(transaction=True)
async def test_a_draft_that_was_admitted_after_the_socket_came_opens_its_dialogue_before_the_first_turn(
    dialogue, tester, monkeypatch
):
    async with raw_bot([http(b'{"text": "ok"}')]) as bot:
        monkeypatch.setattr(floor, "Door", lambda allowed: Door(frozenset({("127.0.0.1", bot.port)})))
        await Campaign.objects.aupdate(opened_by="bot")
        await Entry.objects.aupdate(url=bot.url, draft_since=timezone.now())
        running, where = floor.Floor(), (dialogue.pk, Admitted(tester))
        try:
            await running.commands.have_bot_open(*where)
            assert not await Turn.objects.aexists()
            await Entry.objects.aupdate(draft_since=None)
            with pytest.raises(Refusal) as refused:
                await running.commands.take_turn(*where, key="k", text="你好")
            assert refused.value.code == "opening_first"
            await running.drain(10)
            running.commands.is_draining = False
            assert (await running.commands.take_turn(*where, key="k", text="你好")).is_new
            await running.drain(10)
        finally:
            await running.close()
    told = [(turn.number, turn.text, turn.status) async for turn in Turn.objects.order_by("number")]
    assert told == [(0, "", "answered"), (1, "你好", "answered")]
