"""Writers of one SQLite file take turns over threads and processes, within one timeout, single statements too."""

import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

from serving.sqlite_in_turn.base import DatabaseWrapper, TurnLock, WriterTurns, turns_of

ROOT = Path(__file__).resolve().parents[2]

HOLD = """
import sys, time
from serving.sqlite_in_turn.base import WriterTurns
turns = WriterTurns(sys.argv[1])
assert turns.take(5)
print("held", flush=True)
time.sleep(float(sys.argv[2]))
turns.leave()
"""
WRITE = """
import sys, time
from serving.sqlite_in_turn.base import WriterTurns
turns, longest_s, n_turns = WriterTurns(sys.argv[1]), 0.0, 0
print("ready", flush=True)
ends_at = time.monotonic() + float(sys.argv[2])
while time.monotonic() < ends_at:
    started = time.monotonic()
    assert turns.take(5)
    longest_s = max(longest_s, time.monotonic() - started)
    time.sleep(0.003)
    n_turns += 1
    turns.leave()
print(n_turns, longest_s)
"""
UPDATE = """
import sys
from tests.serving.test_sqlite_in_turn import wrapper_of
wrapper = wrapper_of(sys.argv[1])
print("ready", flush=True)
for _ in range(150):
    with wrapper.cursor() as cursor:
        cursor.execute("UPDATE counter SET n = n + 1")
"""


def wrapper_of(database, timeout_s=5.0) -> DatabaseWrapper:
    """A connection of its own to that file, as the settings make them."""
    options = {"transaction_mode": "IMMEDIATE", "timeout": timeout_s, "init_command": "PRAGMA journal_mode=WAL"}
    given = {"ENGINE": "serving.sqlite_in_turn", "NAME": str(database), "OPTIONS": options}
    return DatabaseWrapper(connections[DEFAULT_DB_ALIAS].settings_dict | given, "turns")


@contextmanager
def process(code, *arguments):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        running.stdout.readline()
        yield running
    finally:
        running.kill()
        running.wait()


@pytest.fixture(autouse=True)
def _databases_of_their_own(django_db_blocker):
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def database(tmp_path) -> Path:
    return tmp_path / "turns.sqlite3"


@pytest.fixture
def counter(database):
    """A table with one row, and a connection with a timeout of a second to it."""
    wrapper = wrapper_of(database, timeout_s=1)
    with wrapper.cursor() as cursor:
        cursor.execute("CREATE TABLE counter (n INTEGER)")
        cursor.execute("INSERT INTO counter VALUES (0)")
    yield wrapper
    wrapper.close()


def seconds(work) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started


def test_a_free_turn_is_taken_at_once_and_again(database):
    turns = WriterTurns(str(database))
    for _ in range(3):
        assert turns.take(0)
        turns.leave()


def test_the_wait_for_another_process_ends_with_the_timeout(database):
    with process(HOLD, database, 9):
        turns = WriterTurns(str(database))
        taken: list[bool] = []
        assert seconds(lambda: taken.append(turns.take(1))) > 0.9
        assert taken == [False]


def test_queue_and_file_share_one_timeout(database):
    """Both writers wait for a process that holds the turn for 9 s; the second one in the queue behind the first, too."""
    turns, waits = WriterTurns(str(database)), []
    with process(HOLD, database, 9):
        threads = [threading.Thread(target=lambda: waits.append(seconds(lambda: turns.take(3)))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(waits) == 3
    # Two timeouts one after the other would be six seconds.
    assert all(2.8 < wait < 5.8 for wait in waits), waits


def test_a_turn_that_nobody_waits_for_any_more_goes_to_the_next_process(database):
    turns = WriterTurns(str(database))
    with process(HOLD, database, 1.5):
        assert not turns.take(0.2)
        time.sleep(2)
    with process(HOLD, database, 0) as other:
        assert other.wait(timeout=120) == 0
    assert turns.take(1)


def test_who_gave_up_waiting_can_wait_again(database):
    turns = WriterTurns(str(database))
    with process(HOLD, database, 1.5):
        assert not turns.take(0.2)
        assert turns.take(20)
        threading.Timer(1.5, turns.leave).start()
        started = time.monotonic()
        with process(HOLD, database, 0) as other:
            assert time.monotonic() - started > 1.4, "two processes have the turn"
            assert other.wait(timeout=120) == 0


def test_a_turn_ends_with_the_process_that_had_it(database):
    turns = WriterTurns(str(database))
    with process(HOLD, database, 60) as other:
        other.kill()
        assert turns.take(10)


def test_two_busy_processes_share_the_turns(database):
    with process(WRITE, database, 3) as first, process(WRITE, database, 3) as second:
        outcomes = [one.communicate(timeout=30)[0].split() for one in (first, second)]
    shares = [int(n_turns) for n_turns, _ in outcomes]
    assert min(shares) > 0.2 * max(shares), shares
    assert max(float(longest) for _, longest in outcomes) < 2


def test_a_thread_gets_its_turn_in_order():
    lock, order = TurnLock(), []
    assert lock.acquire(1)

    def wait(number):
        assert lock.acquire(5)
        order.append(number)
        lock.release()

    threads = [threading.Thread(target=wait, args=[number]) for number in range(5)]
    for thread in threads:
        thread.start()
        time.sleep(0.05)
    lock.release()
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO counter VALUES (1)", "UPDATE counter SET n = 1", "DELETE FROM counter", "REPLACE INTO counter VALUES (1)",
        "WITH one AS (SELECT 1) INSERT INTO counter SELECT * FROM one", "  insert into counter VALUES (1)",
        "CREATE TABLE other (n INTEGER)",
    ],
)  # fmt: skip
def test_a_single_statement_that_writes_waits_for_its_turn(database, counter, statement):
    with process(HOLD, database, 60), counter.cursor() as cursor, pytest.raises(OperationalError, match="locked"):
        cursor.execute(statement)
    with counter.cursor() as cursor:
        cursor.execute(statement)


def test_many_rows_at_once_wait_for_their_turn_too(database, counter):
    with process(HOLD, database, 60), counter.cursor() as cursor, pytest.raises(OperationalError, match="locked"):
        cursor.executemany("INSERT INTO counter VALUES (%s)", [(1,), (2,)])


def test_reading_waits_for_nobody(database, counter):
    with process(HOLD, database, 60), counter.cursor() as cursor:
        cursor.execute("SELECT n FROM counter")
        assert cursor.fetchall() == [(0,)]


@pytest.mark.parametrize("fetched", [lambda c: [c.fetchone(), c.fetchone()], lambda c: c.fetchmany(5), list])
def test_what_a_single_statement_returns_is_read_within_its_turn(database, counter, fetched):
    with counter.cursor() as cursor:
        cursor.execute("INSERT INTO counter VALUES (%s), (%s) RETURNING n", [7, 8])
        with process(HOLD, database, 0) as other:
            assert other.wait(timeout=120) == 0
        assert fetched(cursor) == [(7,), (8,)]
        assert cursor.fetchone() is None
        cursor.execute("SELECT count(*) FROM counter")
        assert cursor.fetchall() == [(3,)]


def test_a_statement_that_fails_leaves_its_turn(database, counter):
    with counter.cursor() as cursor, pytest.raises(OperationalError):
        cursor.execute("INSERT INTO nowhere VALUES (1)")
    with process(HOLD, database, 0) as other:
        assert other.wait(timeout=120) == 0


@pytest.mark.skipif(connections[DEFAULT_DB_ALIAS].vendor != "sqlite", reason="these are SQLite's turns")
@pytest.mark.django_db(transaction=True)
def test_save_update_and_delete_outside_of_a_transaction_take_their_turn():
    from participants.models import Team

    turns = turns_of(str(connections[DEFAULT_DB_ALIAS].settings_dict["NAME"]))
    team = Team.objects.create(name="before")
    writes = [
        lambda: Team.objects.create(name="after"), lambda: team.save(), lambda: team.delete(),
        lambda: Team.objects.filter(name="after").update(name="renamed"),
    ]  # fmt: skip
    for write in writes:
        assert turns.take(1)
        threading.Timer(0.4, turns.leave).start()
        assert seconds(write) > 0.3
    assert list(Team.objects.values_list("name", flat=True)) == ["renamed"]


def test_single_statements_of_several_processes_never_find_the_database_locked(database, counter):
    with process(UPDATE, database) as first, process(UPDATE, database) as second, process(UPDATE, database) as third:
        assert [one.wait(timeout=60) for one in (first, second, third)] == [0, 0, 0]
    with counter.cursor() as cursor:
        cursor.execute("SELECT n FROM counter")
        assert cursor.fetchone() == (450,)


def test_sqlites_own_wait_gets_what_is_left_of_the_timeout(database, counter):
    """Half of the timeout is spent waiting for the turn; then a program that takes no turns has the database."""
    import sqlite3

    slow = wrapper_of(database, timeout_s=2)
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    turns = turns_of(str(database))
    assert turns.take(1)
    threading.Timer(1, turns.leave).start()

    def write():
        with pytest.raises(OperationalError, match="locked"), slow.cursor() as cursor:
            cursor.execute("UPDATE counter SET n = 5")

    assert 1.5 < seconds(write) < 2.8
    holder.rollback()
    holder.close()
    with slow.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone() == (2000,)
    slow.close()
