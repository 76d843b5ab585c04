"""One transaction for all that waits: refusals stay apart, errors make it one by one, nothing is told too early."""

import asyncio
import logging
import threading
from functools import partial
from uuid import UUID

import pytest
from django.contrib.auth.models import Group
from django.db import IntegrityError, OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from campaigns.models import CampaignRole
from dialogues.turn_taking import Refusal, RefusalCode
from serving.commits import group_commit
from serving.commits.committing import BUSY, Work, outcomes_of
from serving.commits.group_commit import GroupCommit, Unavailable
from serving.loop_post import LoopPost
from serving.monitoring import metrics

pytestmark = [pytest.mark.django_db(transaction=True)]


def make(name):
    return lambda: Group.objects.create(name=name).pk


def refuse():
    raise Refusal(RefusalCode.CLOSED, "no")


async def run(*works, followers=()):
    loop = asyncio.get_running_loop()
    commits = GroupCommit(loop, LoopPost(loop))
    commits.follow(*followers)
    try:
        waiters = [commits.submit(work) for work in works]
        return await asyncio.wait_for(asyncio.gather(*waiters, return_exceptions=True), 30)
    finally:
        await asyncio.to_thread(commits.close)


def in_loop(*works):
    return asyncio.run(run(*works))


def test_a_refusal_leaves_the_others_in_the_batch_alone():
    first, refused, second = in_loop(make("a"), refuse, make("b"))
    assert isinstance(first, int)
    assert isinstance(second, int)
    assert refused.code == "closed"
    assert set(Group.objects.values_list("name", flat=True)) == {"a", "b"}


def test_what_a_rule_refused_or_what_is_gone_is_no_failed_commit():
    def gone():
        raise Group.DoesNotExist

    def counted():
        return [one._value.get() for one in (metrics.STORED, metrics.REFUSED, metrics.FAILED)]

    before = counted()
    in_loop(make("a"), refuse, gone, make("a"), make("b"))
    assert [after - earlier for after, earlier in zip(counted(), before, strict=True)] == [2, 2, 1]


def test_an_error_in_one_piece_of_work_costs_only_that_piece():
    first, clash, second = in_loop(make("a"), make("a"), make("b"))
    assert isinstance(clash, IntegrityError)
    assert isinstance(first, int)
    assert isinstance(second, int)
    assert Group.objects.count() == 2


def test_what_waits_at_the_end_is_committed():
    outcomes = in_loop(*[make(str(number)) for number in range(300)])
    assert len(set(outcomes)) == 300
    assert Group.objects.count() == 300


def test_flushed_comes_after_everything_that_was_queued_before():
    async def main():
        loop = asyncio.get_running_loop()
        commits = GroupCommit(loop, LoopPost(loop))
        waiters = [commits.submit(make(str(number))) for number in range(200)]
        await commits.flushed()
        are_done = [waiter.done() for waiter in waiters]
        await asyncio.to_thread(commits.close)
        return are_done

    assert asyncio.run(main()) == [True] * 200


def test_a_full_queue_is_a_refusal_not_a_loss(monkeypatch):
    monkeypatch.setattr("serving.commits.group_commit.QUEUE_LIMIT", 1)
    outcomes = in_loop(*[make(str(number)) for number in range(50)])
    stored = Group.objects.count()
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


class Deadlock(Exception):
    """As psycopg says it."""

    sqlstate = "40P01"


def deadlocking(work, n_times):
    """That work, which is the victim of a deadlock the first `n_times`."""
    left = [n_times]

    def attempt():
        done = work()
        if left[0]:
            left[0] -= 1
            raise OperationalError("deadlock detected") from Deadlock()
        return done

    return attempt


@pytest.mark.parametrize("n_deadlocks", [1, 2, 5])
def test_a_deadlock_reaches_nobody_in_the_batch(n_deadlocks, caplog):
    outcomes = in_loop(make("a"), deadlocking(make("b"), n_deadlocks), refuse, make("c"))
    assert [type(outcome) for outcome in outcomes] == [int, int, Refusal, int]
    assert set(Group.objects.values_list("name", flat=True)) == {"a", "b", "c"}
    assert sum("tried again" in record.message for record in caplog.records) == n_deadlocks


def test_a_change_that_always_meets_a_deadlock_is_given_up_loudly_and_alone(caplog):
    first, hopeless, second = in_loop(make("a"), deadlocking(make("b"), 1000), make("c"))
    assert isinstance(first, int)
    assert isinstance(second, int)
    assert isinstance(hopeless, Unavailable)
    assert any(record.levelno == logging.ERROR for record in caplog.records)
    assert set(Group.objects.values_list("name", flat=True)) == {"a", "c"}


def test_two_processes_that_lock_in_opposite_order_both_commit():
    """Two group commits stand for two processes; each first locks its own row, then waits for the other's."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    left, right = Group.objects.create(name="left"), Group.objects.create(name="right")
    both_hold_one = threading.Barrier(2)

    def locking(first, second):
        is_first_time = [True]

        def work():
            list(Group.objects.select_for_update().filter(pk=first.pk))
            if is_first_time.pop() if is_first_time else False:
                both_hold_one.wait(10)
            list(Group.objects.select_for_update().filter(pk=second.pk))
            return first.name

        return work

    async def run_both():
        loop = asyncio.get_running_loop()
        one, other = GroupCommit(loop, LoopPost(loop)), GroupCommit(loop, LoopPost(loop))
        try:
            waiters = one.submit(locking(left, right)), other.submit(locking(right, left))
            return await asyncio.wait_for(asyncio.gather(*waiters), 30)
        finally:
            await asyncio.to_thread(one.close)
            await asyncio.to_thread(other.close)

    assert asyncio.run(run_both()) == ["left", "right"]


A, B, C = UUID(int=12), UUID(int=24), UUID(int=36)


def test_a_batch_is_made_in_the_order_of_its_dialogues_and_what_is_about_none_comes_last():
    made = []
    may_begin = threading.Event()

    async def main():
        loop = asyncio.get_running_loop()
        commits = GroupCommit(loop, LoopPost(loop))
        try:
            waiters = [commits.submit(lambda: may_begin.wait(10))]
            await asyncio.sleep(0.2)
            for number, about in enumerate([None, C, A, B, A], 1):
                waiters.append(commits.submit(partial(made.append, (about, number)), about=about))
            may_begin.set()
            await asyncio.wait_for(asyncio.gather(*waiters), 30)
        finally:
            await asyncio.to_thread(commits.close)

    asyncio.run(main())
    assert made == [(A, 3), (A, 5), (B, 4), (C, 2), (None, 1)]


def test_what_another_writer_holds_is_made_later_in_its_order_and_nothing_waits_for_it():
    made = []

    def hold(abouts):
        return set() if (C, 4) in made else {A} & set(abouts)

    async def main():
        loop = asyncio.get_running_loop()
        commits = GroupCommit(loop, LoopPost(loop), hold)
        waiters = [
            commits.submit(partial(made.append, (about, number)), about=about)
            for number, about in enumerate([A, B, A, C], 1)
        ]
        await asyncio.wait_for(asyncio.gather(*waiters), 30)
        await asyncio.to_thread(commits.close)

    asyncio.run(main())
    assert [one for one in made if one[0] == A] == [(A, 1), (A, 3)]
    assert made.index((A, 1)) > made.index((C, 4))


def test_flushed_comes_after_what_was_put_off():
    """A drain ends with it: a turn that is stored later would have nobody who asks its bot."""
    n_looks = []

    def hold(abouts):
        n_looks.append(abouts)
        return set(abouts) if len(n_looks) < 4 else set()

    async def main():
        loop = asyncio.get_running_loop()
        commits = GroupCommit(loop, LoopPost(loop), hold)
        waiter = commits.submit(lambda: None, about=A)
        await commits.flushed()
        is_done = waiter.done()
        await asyncio.to_thread(commits.close)
        return is_done

    assert asyncio.run(main())


def test_one_by_one_what_follows_a_change_that_is_put_off_is_put_off_with_it():
    """The other writer ends between the two: the first look at A finds it held, the second would not."""
    made, looks = [], [set(), {A}]

    def clash():
        raise IntegrityError

    def hold(abouts):
        return looks.pop(0) if looks else set()

    works = [Work(partial(made.append, 1), A), Work(partial(made.append, 2), A), Work(clash, B)]
    first, second, _ = outcomes_of(works, hold)
    assert (first, second) == (BUSY, BUSY)


def test_what_is_held_when_the_server_ends_is_committed_all_the_same():
    made, n_looks = [], []

    def hold(abouts):
        n_looks.append(abouts)
        return set(abouts) if len(n_looks) < 4 else set()

    async def main():
        loop = asyncio.get_running_loop()
        commits = GroupCommit(loop, LoopPost(loop), hold)
        commits.submit(partial(made.append, A), about=A)
        await asyncio.to_thread(commits.close)

    asyncio.run(main())
    assert made == [A]


def test_the_changes_of_a_dialogue_are_made_in_the_order_in_which_they_came():
    made = []

    async def main():
        loop = asyncio.get_running_loop()
        commits = GroupCommit(loop, LoopPost(loop))
        dialogues = [UUID(int=number) for number in range(9)]
        for number in range(20):
            for about in dialogues:
                commits.submit(partial(made.append, (about, number)), about=about)
        await commits.flushed()
        await asyncio.to_thread(commits.close)
        return {about: [number for one, number in made if one == about] for about in dialogues}

    assert set(map(tuple, asyncio.run(main()).values())) == {tuple(range(20))}


def test_what_follows_a_change_may_fail_without_leaving_anybody_unanswered(caplog):
    followed = []

    def fail(outcome):
        raise ZeroDivisionError

    outcomes = asyncio.run(run(make("a"), refuse, make("b"), followers=[fail, followed.append]))
    assert [type(outcome) for outcome in outcomes] == [int, Refusal, int]
    assert followed == [outcomes[0], outcomes[2]]
    assert sum(record.exc_info is not None for record in caplog.records) == 2


def test_what_is_rolled_back_is_followed_once_and_only_when_it_is_stored():
    """The batch fails as a whole and is made one by one: what its first attempt gave is told to nobody."""
    followed = []
    outcomes = asyncio.run(run(make("a"), make("a"), make("b"), followers=[followed.append]))
    assert followed == [outcome for outcome in outcomes if isinstance(outcome, int)]
    assert sorted(followed) == sorted(Group.objects.values_list("pk", flat=True))


def test_what_nobody_waits_for_any_more_is_followed_all_the_same():
    followed = []

    async def main():
        loop = asyncio.get_running_loop()
        commits = GroupCommit(loop, LoopPost(loop))
        commits.follow(followed.append)
        commits.submit(make("a")).cancel()
        await commits.flushed()
        await asyncio.to_thread(commits.close)

    asyncio.run(main())
    assert followed[0] == Group.objects.get().pk


def test_an_error_nobody_foresaw_answers_the_batch_and_ends_nothing(monkeypatch):
    usual, is_broken = group_commit.outcomes_of, [True]

    def broken_once(works, hold):
        if is_broken:
            is_broken.clear()
            raise ZeroDivisionError
        return usual(works, hold)

    monkeypatch.setattr(group_commit, "outcomes_of", broken_once)

    async def main():
        loop = asyncio.get_running_loop()
        commits = GroupCommit(loop, LoopPost(loop))
        try:
            with pytest.raises(ZeroDivisionError):
                await asyncio.wait_for(commits.submit(make("a")), 10)
            return await asyncio.wait_for(commits.submit(make("b")), 10)
        finally:
            await asyncio.to_thread(commits.close)

    assert isinstance(asyncio.run(main()), int)


# -- a PostgreSQL that goes away --------------------------------------------------------------------------------------


def cut_off(pid):
    """Ends that connection from another one, as a restart of PostgreSQL does."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    other.close()


def own_pid():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def needs_postgres():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no connections to lose")


def test_a_connection_that_was_lost_meanwhile_costs_a_second_attempt_and_no_refusal():
    needs_postgres()

    async def main():
        loop = asyncio.get_running_loop()
        commits = GroupCommit(loop, LoopPost(loop))
        try:
            await asyncio.to_thread(cut_off, await commits.submit(own_pid))
            return await asyncio.wait_for(asyncio.gather(*map(commits.submit, [make("a"), make("b")])), 30)
        finally:
            await asyncio.to_thread(commits.close)

    assert len(asyncio.run(main())) == 2
    assert Group.objects.count() == 2


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_commit_whose_answer_is_lost_is_looked_up_not_made_again(monkeypatch, is_committed):
    """The connection breaks in COMMIT, after or before PostgreSQL carried it out."""
    needs_postgres()
    usual, is_whole = BaseDatabaseWrapper._commit, [True]

    def breaking(self):
        if threading.current_thread().name == "group-commit" and is_whole:
            is_whole.clear()
            if is_committed:
                usual(self)
            pid = self.connection.info.backend_pid
            cut_off(pid)
        return usual(self)

    monkeypatch.setattr("django.db.backends.postgresql.base.DatabaseWrapper._commit", breaking)
    n_made = [0]

    def work():
        n_made[0] += 1
        return Group.objects.create(name=str(n_made[0])).name

    (outcome,) = in_loop(work)
    assert not is_whole
    assert n_made[0] == (1 if is_committed else 2)
    assert list(Group.objects.values_list("name", flat=True)) == [outcome]
