"""Places that processes share: here each has opened the file for itself; one test has a process of its own."""

import asyncio
import errno
import fcntl
import logging
import os
import signal
import subprocess
import sys
import time

import pytest

from participants.outbound import Door, places, shared_places
from participants.outbound.places import Places, places_at, share_places
from participants.outbound.shared_places import LOCK, LockFile

BOT = "entry 1"


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "places")


@pytest.fixture
def files(path):
    return [LockFile(path, "here") for _ in range(2)]


def test_two_processes_have_no_more_places_than_the_bot_declares(files):
    one, other = (file.places_of(BOT, 3) for file in files)
    assert [one.claim(), other.claim(), one.claim(), other.claim(), one.claim()] == [True, True, True, False, False]
    one.release()
    assert [other.claim(), other.claim(), one.claim()] == [True, False, False]


def test_who_tries_only_some_goes_on_with_the_others_next_time(files, monkeypatch):
    monkeypatch.setattr(shared_places, "TRIED_PER_CLAIM", 3)
    one, other = (file.places_of(BOT, 10) for file in files)
    for _ in range(9):
        assert one.claim()
    assert sum(other.claim() for _ in range(4)) == 1


def test_bots_and_installations_do_not_take_places_from_each_other(path, files):
    first, second = files[0].places_of(BOT, 1), files[1].places_of("entry 2", 1)
    elsewhere = LockFile(path, "elsewhere").places_of(BOT, 1)
    assert [first.claim(), second.claim(), elsewhere.claim()] == [True, True, True]


def test_more_places_count_at_once_and_one_too_many_is_kept_until_it_is_given_back(files):
    one, other = (file.places_of(BOT, 2) for file in files)
    assert [one.claim(), one.claim(), one.claim()] == [True, True, False]
    for shared in (one, other):
        shared.have(3)
    assert [other.claim(), other.claim()] == [True, False]
    for shared in (one, other):
        shared.have(1)
    for _ in range(2):
        one.release()
    other.release()
    assert [other.claim(), other.claim(), one.claim()] == [True, False, False]


def test_who_waits_is_seen_by_the_others_alone(files):
    one, other = (file.places_of(BOT, 1) for file in files)
    one.wait(is_waiting=True)
    assert (one.do_others_wait(), other.do_others_wait()) == (False, True)
    other.wait(is_waiting=True)
    assert (one.do_others_wait(), other.do_others_wait()) == (True, True)
    one.wait(is_waiting=False)
    assert (one.do_others_wait(), other.do_others_wait()) == (True, False)


def test_the_places_of_a_process_that_is_killed_are_free(path, files):
    here = files[0].places_of(BOT, 2)
    hold = f"""
from participants.outbound.shared_places import LockFile
places = LockFile({path!r}, "here").places_of({BOT!r}, 2)
print(places.claim(), places.claim(), flush=True)
input()
"""
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holding:
        assert holding.stdout.readline() == b"True True\n"
        assert not here.claim()
        holding.send_signal(signal.SIGKILL)
    assert [here.claim(), here.claim()] == [True, True]


@pytest.fixture
async def rows(files):
    return [Places(1, "place", file.places_of(BOT, 1)) for file in files]


async def within(waiting, limit_s=5):
    async with asyncio.timeout(limit_s):
        return await waiting


async def test_a_turn_gets_the_place_that_another_process_gives_back(rows):
    door, (here, there), told = Door(), rows, []
    await there.take(door.line(5))
    taking = asyncio.create_task(here.take(door.line(5), told.append))
    await asyncio.sleep(0.05)
    assert not taking.done()
    there.give_back()
    await within(taking)
    assert told == [1, 0]
    here.give_back()


async def test_a_process_with_a_long_row_lets_the_others_have_a_place(rows):
    door, (busy, other), order = Door(), rows, []

    async def turn(row, name):
        await row.take(door.line(5))
        order.append(name)
        await asyncio.sleep(0.01)
        row.give_back()

    turns = [asyncio.create_task(turn(busy, "busy")) for _ in range(8)]
    await asyncio.sleep(0)
    turns.append(asyncio.create_task(turn(other, "other")))
    await within(asyncio.gather(*turns))
    assert order.index("other") < 6


async def test_a_process_that_keeps_giving_places_back_looks_for_its_own_row_too(files):
    """It has 40 places and gives one back every 10 ms; the other process waits and never looks."""
    here, there = Places(40, "place", files[0].places_of(BOT, 40)), files[1].places_of(BOT, 40)
    door = Door()
    for _ in range(40):
        await here.take(door.line(5))
    there.wait(is_waiting=True)
    taking, n_given = asyncio.create_task(here.take(door.line(5))), 0
    await asyncio.sleep(0)
    while not taking.done() and n_given < 40:
        here.give_back()
        n_given += 1
        await asyncio.sleep(0.01)
    assert n_given < 10


async def test_one_who_leaves_the_row_tells_nobody_to_wait_for_it(rows):
    door, (here, there) = Door(), rows
    await there.take(door.line(5))
    taking = asyncio.create_task(here.take(door.line(5)))
    await asyncio.sleep(0.01)
    assert there._shared.do_others_wait()
    taking.cancel()
    await asyncio.wait([taking])
    await asyncio.sleep(4 * places.LOOK_EVERY_S)
    assert not there._shared.do_others_wait()


async def test_the_processes_of_an_installation_share_them_once_they_are_told_where(path, monkeypatch, files):
    monkeypatch.setattr(places, "lock_file", None)
    share_places(path, "here")
    other = files[0].places_of(BOT, 1)
    door, here = Door(), places_at(BOT, 1)
    await here.take(door.line(5))
    assert not other.claim()
    here.give_back()
    assert other.claim()


async def has_a_place_of_its_own(other):
    door, here = Door(), places_at(BOT, 1)
    await here.take(door.line(5))
    is_other_free = other.claim()
    here.give_back()
    return is_other_free


async def test_where_the_file_cannot_be_opened_each_process_has_places_of_its_own(tmp_path, files, monkeypatch, caplog):
    monkeypatch.setattr(places, "lock_file", None)
    with caplog.at_level(logging.WARNING, "huace.places"):
        share_places(str(tmp_path), "here")
    assert "Each process gives places of its own" in caplog.text
    assert await has_a_place_of_its_own(files[0].places_of(BOT, 1))


@pytest.mark.parametrize("refused", [fcntl.F_WRLCK, fcntl.F_RDLCK, "F_OFD_GETLK"])
@pytest.mark.parametrize("why", [errno.ENOLCK, errno.EINVAL, errno.ENOSYS])
async def test_where_the_file_opens_and_cannot_be_locked_so_too(path, files, monkeypatch, caplog, refused, why):
    done = fcntl.fcntl

    def refuse(file, command, lock):
        if refused == ("F_OFD_GETLK" if command == fcntl.F_OFD_GETLK else LOCK.unpack(lock)[0]):
            raise OSError(why, os.strerror(why))
        return done(file, command, lock)

    monkeypatch.setattr(places, "lock_file", None)
    with monkeypatch.context() as broken, caplog.at_level(logging.WARNING, "huace.places"):
        broken.setattr(fcntl, "fcntl", refuse)
        share_places(path, "here")
    assert f"{path} cannot be locked: {os.strerror(why)}" in caplog.text
    assert await has_a_place_of_its_own(files[0].places_of(BOT, 1))


async def test_an_event_loop_that_cannot_open_the_file_has_places_of_its_own(path, files, monkeypatch, caplog):
    monkeypatch.setattr(places, "lock_file", lambda: LockFile(f"{path}/gone", "here"))
    with caplog.at_level(logging.WARNING, "huace.places"):
        assert await has_a_place_of_its_own(files[0].places_of(BOT, 1))
    assert "This event loop gives places of its own" in caplog.text


async def test_the_file_is_closed_once_it_is_proved(path, monkeypatch):
    monkeypatch.setattr(places, "lock_file", None)
    n_open = len(os.listdir("/proc/self/fd"))
    with LockFile(path, "here") as file:
        file.prove()
        assert len(os.listdir("/proc/self/fd")) == n_open + 1
    assert len(os.listdir("/proc/self/fd")) == n_open
    file.close()


def test_a_proof_leaves_nothing_locked_and_holds_beside_another(path):
    with LockFile(path, "here") as one, LockFile(path, "here") as other:
        for file in (one, other):
            file.prove()
        assert other.places_of("", 1).claim()
        one.prove()


@pytest.fixture
def others(path):
    """Two other processes that have taken all 300 places of three bots, in turn."""
    others = [LockFile(path, "here") for _ in range(2)]
    for bot in (BOT, "entry 2", "entry 3"):
        start = others[0].places_of(bot, 300)._start
        for place in range(300):
            assert others[place % 2].lock(start + place, fcntl.F_WRLCK)
    return others


def test_a_claim_takes_little_of_the_event_loop_where_others_have_all_places(files, others):
    """Half a millisecond; the limit is ten times as much. The system walks the locks of all bots at each try."""
    one, took_s = files[0].places_of(BOT, 300), []
    for _ in range(20):
        began = time.thread_time()
        assert not one.claim()
        took_s.append(time.thread_time() - began)
    assert min(took_s) < 0.005


async def test_a_turn_tries_only_some_places_at_a_time(files, others, monkeypatch):
    here, tried, lock = Places(300, "place", files[0].places_of(BOT, 300)), [], LockFile.lock
    monkeypatch.setattr(LockFile, "lock", lambda file, byte, kind: tried.append(kind) or lock(file, byte, kind))
    taking = asyncio.create_task(here.take(Door().line(5)))
    await asyncio.sleep(0)
    assert tried.count(fcntl.F_WRLCK) == 128
    others[0].close()
    await within(taking)
    here.give_back()
