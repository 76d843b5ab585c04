"""A check of a service and its fingerprint, over real HTTP, as a server process makes them."""

import asyncio
import contextlib
import time

import pytest
from django.db import connections
from django.utils import timezone

from automatic_tasks.actions import register_service
from automatic_tasks.checked_services import SERVICES
from automatic_tasks.models import Service, ServiceCheck, ServiceFingerprint
from conformance import keeper as keeper_module
from conformance.actions import ask_check
from conformance.change_detection import CANARIES
from conformance.keeper import Keeper
from conformance.label_services import _timed
from tests.conformance.checking import SMALL, allowed_of
from tests.fakes.template_service import template_service

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "s3cret-of-the-service"


def run_until(is_done, does):
    """Runs a keeper of services until that is so, and stops it."""

    def look():
        try:
            return is_done()
        finally:
            # Another thread's connection would keep the test's database from being dropped.
            connections.close_all()

    async def running():
        keeper = Keeper(lambda service: SMALL, SERVICES)
        task = asyncio.create_task(does(keeper))
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


def registered(tasks, team, listening, settings):
    settings.OUTBOUND_ALLOW = allowed_of(listening.url)
    return register_service(task=tasks["intents"], team=team, url=listening.url, secret=SECRET)


def test_a_check_that_was_asked_for_is_run_with_the_secret(tasks, team, settings):
    with template_service({}, secret=SECRET) as listening:
        check = ask_check(SERVICES, system=registered(tasks, team, listening, settings), by=None, at=timezone.now())
        run_until(ServiceCheck.objects.filter(pk=check.pk, state="done").exists, Keeper.run_checks)
    check.refresh_from_db()
    assert check.is_green, [result.sentence.in_english for result in check.found]
    assert check.n_failed == 0
    assert Service.objects.get().green_at is not None
    # Batches of 7 are those of the task; nothing is asked in larger ones.
    assert max(map(len, listening.asked)) == 7


def test_a_fingerprint_holds_the_labels_of_the_canary_sentences(tasks, team, settings, campaign):
    campaign.frozen_at = timezone.now()
    campaign.save()
    with template_service({CANARIES[1]: "flight"}, secret=SECRET) as listening:
        service = Service.objects.create(task=tasks["intents"], team=team, url=listening.url, secret=SECRET)
        settings.OUTBOUND_ALLOW = allowed_of(listening.url)
        run_until(ServiceFingerprint.objects.exclude(answers=[]).exists, Keeper.take_fingerprints)
    taken = ServiceFingerprint.objects.get(service=service)
    assert taken.is_reference
    assert taken.answers[:2] == [["chat"] * 3, ["flight"] * 3]
    assert len(taken.answers) == len(CANARIES) == 12


def test_what_a_run_waits_for_is_not_slow_and_all_calls_have_time(tasks, team):
    task = tasks["intents"]
    task.deadline_s = 60
    limits = SERVICES.limits_of(Service(task=task, team=team))
    assert (limits.deadline_s, _timed(limits, [15_000] * 10, 1).verdict) == (60, "pass")
    # 18 calls, one after the other, each just in time.
    assert limits.total_s > 18 * 60
    # Twelve sentences in batches of 7, three times.
    assert limits.print_s == 7 * 60
    task.deadline_s = 2
    assert SERVICES.limits_of(Service(task=task, team=team)).total_s == 300


def test_a_service_that_refuses_has_a_failure_instead(tasks, team, settings, campaign):
    campaign.frozen_at = timezone.now()
    campaign.save()
    with template_service({}, secret="another") as listening:
        Service.objects.create(task=tasks["intents"], team=team, url=listening.url, secret=SECRET)
        settings.OUTBOUND_ALLOW = allowed_of(listening.url)
        run_until(ServiceFingerprint.objects.exclude(failure=[]).exists, Keeper.take_fingerprints)
    taken = ServiceFingerprint.objects.get()
    assert (taken.is_reference, taken.answers) == (False, [])
    assert "401" in taken.failure_in_words
    assert SECRET not in taken.failure_in_words
