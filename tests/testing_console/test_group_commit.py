"""One transaction for all that waits: refusals stay apart, errors make it one by one, nothing is told too early."""

import asyncio

import pytest
from django.db import IntegrityError, connection

from campaigns.models import CampaignRole
from participants.models import Team
from testing_console.group_commit import GroupCommit, Unavailable
from testing_console.switchboard import LoopPost
from testing_console.turn_taking import Refusal, RefusalCode

pytestmark = [pytest.mark.django_db(transaction=True)]


def make(name):
    return lambda: Team.objects.create(name=name).pk


def refuse():
    raise Refusal(RefusalCode.CLOSED, "no")


async def run(*works):
    loop = asyncio.get_running_loop()
    commits = GroupCommit(loop, LoopPost(loop))
    try:
        return await asyncio.gather(*map(commits.submit, works), return_exceptions=True)
    finally:
        await asyncio.to_thread(commits.close)


def in_loop(*works):
    return asyncio.run(run(*works))


def test_a_refusal_leaves_the_others_in_the_batch_alone():
    first, refused, second = in_loop(make("a"), refuse, make("b"))
    assert isinstance(first, int)
    assert isinstance(second, int)
    assert refused.code == "closed"
    assert set(Team.objects.values_list("name", flat=True)) == {"a", "b"}


def test_an_error_in_one_piece_of_work_costs_only_that_piece():
    first, clash, second = in_loop(make("a"), make("a"), make("b"))
    assert isinstance(clash, IntegrityError)
    assert isinstance(first, int)
    assert isinstance(second, int)
    assert Team.objects.count() == 2


def test_what_waits_at_the_end_is_committed():
    outcomes = in_loop(*[make(str(number)) for number in range(300)])
    assert len(set(outcomes)) == 300
    assert Team.objects.count() == 300


def test_a_full_queue_is_a_refusal_not_a_loss(monkeypatch):
    monkeypatch.setattr("testing_console.group_commit.QUEUE_LIMIT", 1)
    outcomes = in_loop(*[make(str(number)) for number in range(50)])
    stored = Team.objects.count()
    assert sum(isinstance(outcome, int) for outcome in outcomes) == stored
    assert all(isinstance(outcome, int | Unavailable) for outcome in outcomes)
    assert any(isinstance(outcome, Unavailable) for outcome in outcomes)


def test_sqlite_is_as_durable_as_promised():
    if connection.vendor != "sqlite":
        pytest.skip("these are SQLite's settings")
    with connection.cursor() as cursor:
        settings = {}
        for name in ("journal_mode", "synchronous", "foreign_keys"):
            cursor.execute(f"PRAGMA {name}")
            settings[name] = cursor.fetchone()[0]
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert connection.transaction_mode == "IMMEDIATE"
    assert CampaignRole.objects.count() == 0
