"""One run at a time of each judge and each program: who is refused, and who takes over."""

import asyncio
from datetime import timedelta

import pytest
from django.utils.translation import override

from campaigns.models import Campaign
from language_models.actions.runs import LEASE, RunUnderWay, begin_run, only_run, renewing
from language_models.models import ModelRun, Purpose
from serving.processes import ProcessName, this_place
from tests.language_models.endpoints import NOW

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def in_english():
    with override("en"):
        yield


def begun(campaign, *, name="scribe", purpose=Purpose.JUDGE, process=None, at=NOW):
    return begin_run(campaign=campaign, purpose=purpose, asks_for=name, process=process or ProcessName(), at=at)


def process_named(name):
    process = ProcessName()
    process.name = name
    return process


def test_a_second_run_is_refused_and_those_of_others_are_not(campaign):
    begun(campaign)
    with pytest.raises(RunUnderWay, match="scribe has been going since 2026-11-02T09:30:00"):
        begun(campaign, at=NOW + LEASE / 2)
    begun(campaign, name="clerk")
    begun(campaign, purpose=Purpose.TESTER)
    assert ModelRun.objects.count() == 3


def test_what_a_killed_process_of_this_machine_held_is_free_at_once(campaign, monkeypatch):
    monkeypatch.setattr("serving.processes.has_process", lambda number: False)
    killed = begun(campaign, process=process_named(f"{this_place()}:dead:99"))
    taken = begun(campaign)
    assert taken.pk != killed.pk
    assert not ModelRun.objects.filter(pk=killed.pk).exists()


def test_what_another_machine_held_is_free_when_its_lease_has_run_out(campaign):
    begun(campaign, process=process_named("elsewhere:aa:1"))
    with pytest.raises(RunUnderWay):
        begun(campaign, at=NOW + LEASE)
    begun(campaign, at=NOW + LEASE + timedelta(seconds=1))


def test_a_run_that_ends_or_fails_gives_its_claim_back(campaign):
    with only_run(campaign, Purpose.JUDGE, "scribe"):
        assert ModelRun.objects.count() == 1
    assert not ModelRun.objects.exists()
    with pytest.raises(ZeroDivisionError), only_run(campaign, Purpose.JUDGE, "scribe"):
        raise ZeroDivisionError
    assert not ModelRun.objects.exists()


def test_a_run_renews_its_lease_and_ends_where_another_took_it_over(campaign, monkeypatch):
    monkeypatch.setattr("language_models.actions.runs.RENEW_EVERY_S", 0.01)
    run = begun(campaign)

    async def until_renewed():
        while (await ModelRun.objects.aget(pk=run.pk)).lease_until == NOW + LEASE:
            await asyncio.sleep(0)
        return "done"

    assert asyncio.run(renewing(run, until_renewed())) == "done"
    Campaign.objects.get(pk=campaign.pk).model_runs.all().delete()
    ended = []

    async def for_ever():
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    with pytest.raises(RunUnderWay, match="took over"):
        asyncio.run(renewing(run, for_ever()))
    assert ended == [True]
