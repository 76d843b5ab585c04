"""What a server process makes of bots that fail: together they are excused, in a row one is paused and asked again."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from campaigns.models import Campaign, Entry, PausedBy
from dialogues.actions import open_chosen_dialogue
from dialogues.masking import masker_of
from dialogues.models import Attempt, Dialogue, LedgerEvent, Outage, Probe
from dialogues.queries import Briefing
from participants.adapters import BotAddress
from participants.adapters.calls import NO_CONTEXT
from participants.models import Bot, Team
from participants.outbound import Door
from reviews.chores import keep_bookings
from testing_console.live import floor
from testing_console.live.breakers import WORD, place_of
from tests.conftest import Admitted
from tests.fakes.raw_bots import CLOSE, http, raw_bot

pytestmark = pytest.mark.django_db(transaction=True)
BROKEN, OK = http(b"oops", status="500 Internal Server Error"), http(b'{"text": "ok"}')
# Hangs up without a word, as a network that is gone.
SILENT = [CLOSE]


@asynccontextmanager
async def running_with(monkeypatch, *answers):
    """A server process, and bots on ports of their own."""
    async with AsyncExitStack() as bots:
        raws = [await bots.enter_async_context(raw_bot(*each)) for each in answers]
        door = Door(frozenset(("127.0.0.1", raw.port) for raw in raws))
        monkeypatch.setattr(floor, "Door", lambda allowed: door)
        running = floor.Floor()
        try:
            yield running, raws
        finally:
            await running.close()


def opened(tester, *urls):
    """A dialogue with a bot at each address, each of a team of its own."""
    campaign, found = Campaign.objects.get(), []
    for n, url in enumerate(urls):
        bot = Bot.objects.create(team=Team.objects.create(name=f"Team N{n}"), name=f"n{n}")
        entry = Entry.objects.create(
            campaign=campaign, bot=bot, key=f"n{n}", alias=f"N{n}", protocol="huace/1", url=url, origin="file"
        )
        scenario = campaign.scenarios.get()
        named = {"campaign": campaign, "tester": tester, "entry": entry, "scenario": scenario}
        found.append(open_chosen_dialogue(**named, at=timezone.now()).pk)
    return found


async def say(running, dialogue_id, tester, key):
    await running.commands.take_turn(dialogue_id, Admitted(tester), key=key, text="你好")
    await running.drain(10)
    running.commands.is_draining = False
    await running.commits.flushed()


async def faults_after(tester, monkeypatch, *answers, prepare=None):
    """Whose the failures are of bots that are each asked once, in this order."""
    async with running_with(monkeypatch, *answers) as (running, raws):
        for dialogue_id in await sync_to_async(opened)(tester, *(raw.url for raw in raws)):
            if prepare is not None:
                await prepare(running)
            await say(running, dialogue_id, tester, "k")
        await booked(running, monkeypatch)
    attempts = Attempt.objects.order_by("turn__dialogue__opened_at")
    return [one async for one in attempts.values_list("fault", "measured_fault")]


async def booked(running, monkeypatch):
    """Returns once everything that is to be booked to the platform is."""
    monkeypatch.setattr(floor, "_floor", running)
    bookings = asyncio.create_task(keep_bookings())
    async with asyncio.timeout(10):
        await running.breakers.taken_back.join()
    bookings.cancel()
    await running.commits.flushed()


async def test_the_third_team_that_falls_silent_makes_the_failures_of_all_three_the_platforms(
    campaign, tester, monkeypatch
):
    assert await faults_after(tester, monkeypatch, SILENT, SILENT, SILENT) == [
        ("platform", "bot"), ("platform", "bot"), ("platform", ""),
    ]  # fmt: skip
    kinds = LedgerEvent.objects.order_by("pk").values_list("kind", flat=True)
    assert sorted([kind async for kind in kinds]) == ["fault.booked"] * 2 + ["turn.failed"] * 3
    assert await Outage.objects.acount() == 1
    assert not await Entry.objects.exclude(paused_at=None).aexists()


@pytest.mark.parametrize(
    "bad", [BROKEN, http(b"no json"), http(b"{}", length=50)], ids=["500", "no JSON", "broken off"]
)
async def test_answers_that_are_bad_are_no_outage_and_end_one(campaign, tester, monkeypatch, bad):
    assert await faults_after(tester, monkeypatch, [bad, CLOSE], [bad, CLOSE], [bad, CLOSE]) == [("bot", "")] * 3
    assert not await Outage.objects.aexists()


async def test_a_bad_answer_after_it_began_ends_an_outage(campaign, tester, monkeypatch):
    ours = [("platform", "bot"), ("platform", "bot"), ("platform", "")]
    bots = [SILENT, SILENT, SILENT, [BROKEN], SILENT, SILENT]
    assert await faults_after(tester, monkeypatch, *bots) == [*ours, *[("bot", "")] * 3]
    outage = await Outage.objects.aget()
    assert outage.until <= timezone.now()


async def test_the_answers_of_other_processes_are_answers(campaign, tester, monkeypatch):
    """This process sees three teams fall silent; another one has just got an answer of a fourth, HTTP 500 or not."""

    async def answered_elsewhere(running):
        await sync_to_async(_answered_now)(campaign, tester)

    assert (
        await faults_after(tester, monkeypatch, SILENT, SILENT, SILENT, prepare=answered_elsewhere) == [("bot", "")] * 3
    )
    assert not await Outage.objects.aexists()


def _answered_now(campaign, tester):
    assignment, _ = campaign.assignments.get_or_create(
        tester=tester,
        entry=campaign.entries.get(key="a"),
        scenario=campaign.scenarios.get(),
        repetition=99,
        position=99,
    )
    dialogue, _ = Dialogue.objects.get_or_create(
        assignment=assignment, defaults={"tester": tester, "opened_at": timezone.now()}
    )
    number, at = dialogue.turns.count() + 1, timezone.now()
    dialogue.turns.create(
        number=number, subtask=1, spent=number, turn_cap=9, key=f"k{number}", text="x", texts=["y"], status="answered",
        seq=2 * number, outcome_seq=2 * number + 1, asked_at=at, settled_at=at,
    )  # fmt: skip


async def test_bots_of_one_team_are_no_outage_whatever_their_hosts(campaign, tester, monkeypatch):
    async def of_one_team(running):
        await Bot.objects.aupdate(team=await Team.objects.afirst())

    bots = [SILENT, SILENT, SILENT]
    assert await faults_after(tester, monkeypatch, *bots, prepare=of_one_team) == [("bot", "")] * 3


async def test_a_bot_that_has_connected_to_us_and_answers_meanwhile_changes_nothing_about_that(
    campaign, tester, monkeypatch
):
    async def answer(running):
        running.breakers.answered(briefing_of(BotAddress("dial-out", "dial-out:9"), 9))

    faults = await faults_after(tester, monkeypatch, SILENT, SILENT, SILENT, prepare=answer)
    assert [fault for fault, _ in faults] == ["platform"] * 3


async def test_bots_that_fail_in_practice_say_nothing_about_the_platform(campaign, tester, monkeypatch):
    async def practise(running):
        await Dialogue.everything.aupdate(origin=Dialogue.Origin.PRACTICE)

    assert await faults_after(tester, monkeypatch, SILENT, SILENT, SILENT, prepare=practise) == [("bot", "")] * 3
    assert not await Outage.objects.aexists()


def briefing_of(bot, entry_id):
    return Briefing(bot, NO_CONTEXT, 30.0, masker_of(()), entry_id=entry_id, team_id=3)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://bots.example:8001/a", "bots.example"),
        ("https://bots.example/b", "bots.example"),
        ("http://[2001:db8::1]:8001/", "2001:db8::1"),
        ("http://127.0.0.1:8001/", "127.0.0.1:8001"),
        ("http://localhost:8001/", "localhost:8001"),
        ("", "entry 7"),
    ],
)
def test_bots_are_told_apart_by_team_and_host_and_those_of_the_platforms_own_machine_by_port(url, address):
    assert place_of(briefing_of(BotAddress("huace/1", url), 7)) == (3, address)


async def test_a_bot_that_fails_in_a_row_is_paused_and_goes_on_once_it_answers_a_word(campaign, tester, monkeypatch):
    answers = [*[[BROKEN]] * 6, [OK]]
    async with running_with(monkeypatch, answers) as (running, (raw,)):
        first, second = await sync_to_async(opened_twice)(tester, raw.url)
        for n, dialogue_id in enumerate([first, second, first, second, first]):
            await say(running, dialogue_id, tester, f"k{n}")
        paused = await Entry.objects.exclude(paused_at=None).aget()
        assert paused.paused_by == "platform"
        for seconds in (31, 61):
            await running.breakers.look(paused.paused_at + timedelta(seconds=seconds))
            await until(lambda: Probe.objects.filter(kind="http_5xx", n_asked=1).exists())
        assert not (await Entry.objects.aget(pk=paused.pk)).can_be_talked_to
        await running.breakers.look(paused.paused_at + timedelta(seconds=100))
        await until(lambda: Entry.objects.get(pk=paused.pk).can_be_talked_to)
    # Five turns, then one word twice, in a dialogue of its own each time: at 61 s nothing was due.
    assert [one["text"] for one in raw.asked] == ["你好"] * 5 + [WORD["zh"]] * 2
    assert len({one["dialogue"] for one in raw.asked}) == 4


async def until(holds):
    """Probes are asked beside everything else."""
    async with asyncio.timeout(10):
        while not await sync_to_async(holds)():
            await asyncio.sleep(0.02)


async def test_a_probe_that_hangs_keeps_no_other_bot_waiting(campaign, tester, monkeypatch):
    async with running_with(monkeypatch, [60.0, OK], [OK]) as (running, raws):
        await sync_to_async(opened)(tester, *(raw.url for raw in raws))
        now = timezone.now()
        both = Entry.objects.filter(key__in=["n0", "n1"]).order_by("key")
        await both.aupdate(paused_at=now, paused_by=PausedBy.PLATFORM)
        hanging, answering = [one async for one in both]
        for entry, seconds in ((hanging, 1), (answering, 2)):
            await Probe.objects.acreate(entry=entry, due_at=now + timedelta(seconds=seconds))
        for seconds in (1, 2):
            async with asyncio.timeout(5):
                await running.breakers.look(now + timedelta(seconds=seconds))
        await until(lambda: Entry.objects.get(pk=answering.pk).can_be_talked_to)
        assert not (await Entry.objects.aget(pk=hanging.pk)).can_be_talked_to


def opened_twice(tester, url):
    (first,) = opened(tester, url)
    entry = Entry.objects.get(alias="N0")
    named = {"campaign": entry.campaign, "tester": tester, "entry": entry, "scenario": entry.campaign.scenarios.get()}
    return first, open_chosen_dialogue(**named, at=timezone.now()).pk
