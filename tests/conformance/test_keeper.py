"""Checks run beside the sockets: what they find is stored while they run; who is stopped leaves nothing behind."""

import asyncio
import contextlib
import time
from dataclasses import replace

import pytest
from django.db import connections
from django.utils import timezone

from campaigns.bot_addresses import address_asked
from conformance import keeper as keeper_module
from conformance.actions import ask_check, claim_fingerprint
from conformance.canary_calls import HELD_UP
from conformance.keeper import Keeper
from conformance.models import Check, Fingerprint
from conformance.system_kinds import BOTS
from participants.outbound import Door
from participants.outbound.places import places_at
from tests.conformance.checking import SMALL, allowed_of
from tests.conformance.conftest import listening
from tests.fakes.defective_bots import answering_bot, defective_bot

pytestmark = pytest.mark.django_db(transaction=True)


def run_until(is_done, work=Keeper.run_checks, limits=SMALL):
    """Runs a keeper until that is so, and stops it."""

    def look():
        try:
            return is_done()
        finally:
            # Another thread's connection would keep the test's database from being dropped.
            connections.close_all()

    async def running():
        keeper = Keeper(lambda entry: limits)
        task = asyncio.create_task(work(keeper))
        try:
            ends_at = time.monotonic() + 20
            while not await asyncio.to_thread(look):
                assert time.monotonic() < ends_at, "it takes too long"
                await asyncio.sleep(0.02)
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await keeper.close()

    asyncio.run(running())


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(keeper_module, "NOTE_EVERY_S", 0.02)
    monkeypatch.setattr(keeper_module, "LOOK_EVERY_S", 0.02)


def test_a_check_that_was_asked_for_is_run(entry):
    check = ask_check(BOTS, system=entry, by=None, at=timezone.now())
    run_until(lambda: Check.objects.filter(pk=check.pk, state="done").exists())
    check.refresh_from_db()
    entry.refresh_from_db()
    assert check.verdict == "pass"
    assert len(check.found) == 26
    assert entry.green_at is not None


def test_what_is_found_is_there_before_the_check_ends(campaign, settings):
    with defective_bot("slow", slow_s=0.02) as bot:
        check = ask_check(BOTS, system=listening(campaign, bot, settings), by=None, at=timezone.now())
        run_until(lambda: 8 < len(Check.objects.get(pk=check.pk).results) < 20)
    check.refresh_from_db()
    # Whoever is told to end puts the check back.
    assert (check.state, check.n_attempts, check.results) == ("queued", 0, [])


def test_an_error_of_ours_leaves_the_check_to_others(entry, monkeypatch, caplog):
    def broken(*given, **said):
        raise ValueError("not foreseen")

    monkeypatch.setattr(keeper_module, "checked_subject", broken)
    check = ask_check(BOTS, system=entry, by=None, at=timezone.now())
    run_until(lambda: Check.objects.filter(pk=check.pk, state="interrupted").exists())
    assert "broke off" in caplog.text


def test_a_fingerprint_that_is_due_is_taken(entry, campaign):
    campaign.frozen_at = timezone.now()
    campaign.save()
    run_until(lambda: Fingerprint.objects.exclude(answers=[]).exists(), Keeper.take_fingerprints)
    taken = Fingerprint.objects.get()
    assert taken.is_reference
    assert [len(samples) for samples in taken.answers] == [3] * 5


def test_a_bot_that_does_not_answer_has_a_failure_instead(campaign, settings):
    campaign.frozen_at = timezone.now()
    campaign.save()
    with defective_bot("html-error-page") as bot:
        listening(campaign, bot, settings)
        run_until(lambda: Fingerprint.objects.exclude(failure=[]).exists(), Keeper.take_fingerprints)
    taken = Fingerprint.objects.get()
    assert (taken.is_reference, taken.answers) == (False, [])
    assert "500" in taken.failure_in_words


def test_a_fingerprint_that_takes_too_long_is_given_up(campaign, settings):
    campaign.frozen_at = timezone.now()
    campaign.save()
    limits = replace(SMALL, print_s=0.3)
    with defective_bot("slow", slow_s=0.5) as bot:
        entry = listening(campaign, bot, settings)
        run_until(Fingerprint.objects.exclude(failure=[]).exists, Keeper.take_fingerprints, limits)
    assert Fingerprint.objects.get(entry=entry).failure_in_words == "Not all was answered within 0.3 s."


def test_while_it_waits_for_a_place_no_time_of_a_fingerprint_goes_by(entry, campaign):
    """Its waits have a limit of their own, which says so."""
    campaign.frozen_at = timezone.now()
    campaign.save()

    async def taken():
        limits = replace(SMALL, print_s=60.0, total_wait_s=0.1, parallel=1)
        keeper = Keeper(lambda entry: limits)
        busy = places_at(f"entry {entry.pk}", 1)
        door = Door()
        await busy.take(door.line(60))
        try:
            await keeper.take(await keeper.in_database(claim_fingerprint, BOTS, at=timezone.now()))
        finally:
            busy.give_back()
            await keeper.close()
            await door.close()

    asyncio.run(taken())
    assert Fingerprint.objects.get(entry=entry).failure_in_words == HELD_UP


def test_a_fingerprint_has_as_much_time_as_its_calls(entry):
    entry.campaign.reply_deadline_s, entry.parallel = 100, 5
    assert BOTS.limits_of(entry).print_s == 7 + 4 * 100


def test_a_failure_in_which_the_bot_repeats_its_secret_hides_it(campaign, settings):
    campaign.frozen_at = timezone.now()
    campaign.save()
    with answering_bot(b'{"text": "ok", "end": "hush-hush"}') as url:
        settings.OUTBOUND_ALLOW = allowed_of(url)
        entry = campaign.entries.get()
        entry.url, entry.secret = url, "hush-hush"
        entry.save()
        run_until(lambda: Fingerprint.objects.exclude(failure=[]).exists(), Keeper.take_fingerprints)
    failure = Fingerprint.objects.get().failure_in_words
    assert "(bad_shape): end" in failure
    assert "***" in failure
    assert "hush" not in failure


def test_no_more_dialogues_at_once_than_declared(entry):
    entry.parallel = 3
    entry.save()
    assert BOTS.limits_of(entry).parallel == 3
    assert address_asked(entry).parallel == 3


@pytest.mark.parametrize("work", [Keeper.run_checks, Keeper.take_fingerprints])
def test_checks_and_fingerprints_wait_in_the_row_of_the_bots_turns(entry, campaign, monkeypatch, work):
    rows, places_at = set(), Door.places_at

    def watched(door, bot, n_places):
        rows.add(bot)
        return places_at(door, bot, n_places)

    monkeypatch.setattr(Door, "places_at", watched)
    campaign.frozen_at = timezone.now()
    campaign.save()
    check = ask_check(BOTS, system=entry, by=None, at=timezone.now())
    over = Check.objects.filter(pk=check.pk, state="done")
    run_until((over if work is Keeper.run_checks else Fingerprint.objects.exclude(answers=[])).exists, work)
    assert rows == {f"entry {entry.pk}"}
