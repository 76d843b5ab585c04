import os
import subprocess
import sys

import pytest
from django.utils import timezone

from automatic_tasks import worker_name
from automatic_tasks.actions import submit_file_run
from automatic_tasks.models import Run, RunState
from automatic_tasks.queue import claim_run, end_leases_of, fail_run, finish_run, renew_lease
from automatic_tasks.worker import Worker
from automatic_tasks.worker_name import is_ended, new_name, this_place

PLACE = "host-0123abcd"


def free_number() -> int:
    """The number of a process that ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_two_workers_of_the_same_host_name_and_number_have_different_names():
    first, second = new_name("host", 1), new_name("host", 1)
    assert first != second
    assert len(new_name(this_place(), 4_194_304)) <= 60


def test_a_worker_whose_process_is_gone_has_ended():
    assert is_ended(f"{PLACE}:aaaaaaaa:{free_number()}", place=PLACE)
    assert not is_ended(f"{PLACE}:aaaaaaaa:{os.getppid()}", place=PLACE)


def test_a_worker_whose_number_was_given_to_us_has_ended_but_we_have_not():
    assert is_ended(f"{PLACE}:aaaaaaaa:{os.getpid()}", place=PLACE)
    assert not is_ended(new_name(PLACE, os.getpid()), place=PLACE)


@pytest.mark.parametrize(
    "name", ["", "host", "host-0123abcd:aaaaaaaa:x", "host-0123abcd:aaaaaaaa:²", "host-0123abcd::"]
)
def test_of_a_name_that_nobody_can_read_nothing_is_known(name):
    assert not is_ended(name, place=PLACE)


def test_of_another_place_nothing_is_known_even_where_the_host_name_is_the_same():
    name = f"host-ffffffff:aaaaaaaa:{free_number()}"
    assert not is_ended(name, place=PLACE)
    assert not is_ended(f":aaaaaaaa:{free_number()}", place="")


def test_another_space_of_processes_is_another_place(monkeypatch):
    here = this_place()
    monkeypatch.setattr(worker_name.os, "readlink", lambda path: "pid:[1]")
    assert this_place() not in {here, ""}

    def refused(path):
        raise OSError

    monkeypatch.setattr(worker_name.os, "readlink", refused)
    assert this_place() == ""


@pytest.mark.django_db(transaction=True)
def test_two_workers_of_the_same_host_name_and_number_never_share_a_lease(quality, team, good_run):
    one, other = Worker(), Worker()
    assert one.name.rpartition(":")[2] == other.name.rpartition(":")[2] == str(os.getpid())
    run = submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="r", at=timezone.now())
    now = timezone.now()
    assert claim_run(worker=one.name, lane="files", at=now).worker == one.name
    assert end_leases_of(is_dead=lambda name: is_ended(name, place=other.place), at=now) == 0
    assert claim_run(worker=other.name, lane="files", at=now) is None
    assert not renew_lease(run=run, worker=other.name, at=now)
    assert not finish_run(run=run, worker=other.name, scores={}, warnings=[], at=now)
    fail_run(run=run, worker=other.name, fault="team", reasons=[], at=now)
    assert Run.objects.get().state == RunState.RUNNING
    assert renew_lease(run=run, worker=one.name, at=now)
