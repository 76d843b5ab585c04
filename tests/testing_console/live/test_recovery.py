"""Which waiting turns are lost: measured by a clock that does not jump."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.utils import timezone

from dialogues.models import Turn
from participants.adapters.pictures import PICTURES_LIMIT_S
from participants.outbound import OWN_WAIT_LIMIT_S
from serving.processes import ProcessName, host_name
from testing_console.live.recovery import SETTLE_GRACE_S, Recovery
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db

DEADLINE_S = 5
OTHERS_PATIENCE_S = DEADLINE_S + OWN_WAIT_LIMIT_S + PICTURES_LIMIT_S + SETTLE_GRACE_S


class Floor:
    """A process that sweeps, with a clock that the test moves."""

    def __init__(self, owner: ProcessName) -> None:
        self.now, self.is_asking = 1000.0, False
        self.recovery = Recovery(owner, lambda dialogue_id: self.is_asking, clock=lambda: self.now)

    def sweeps_after(self, seconds: float) -> int:
        self.now += seconds
        return len(self.recovery.sweep().told)


@pytest.fixture
def owner():
    return ProcessName()


@pytest.fixture
def floor(owner):
    return Floor(owner)


def waiting(dialogue, admission, owner: str):
    taken = Talk(dialogue, admission).send("k")
    Turn.objects.update(owner=owner)
    return taken.asked


def test_a_turn_that_this_process_asks_about_is_never_taken_from_it(dialogue, admission, owner, floor):
    waiting(dialogue, admission, owner.name)
    floor.is_asking = True
    assert [floor.sweeps_after(3600) for _ in range(3)] == [0, 0, 0]


def test_a_turn_of_this_process_that_it_does_not_ask_about_is_lost_after_the_grace(dialogue, admission, owner, floor):
    waiting(dialogue, admission, owner.name)
    assert [floor.sweeps_after(SETTLE_GRACE_S) for _ in range(3)] == [0, 0, 1]


def test_a_turn_of_a_process_that_ended_is_lost_at_once(dialogue, admission, owner, floor):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    waiting(dialogue, admission, f"{owner.place}:0123abcd:{ended.pid}")
    assert floor.sweeps_after(0) == 1


def test_a_turn_of_another_container_is_left_to_it_where_host_name_and_number_are_ours(dialogue, admission, floor):
    """Each container has its own process 1, and several may share a host name."""
    waiting(dialogue, admission, f"{host_name()}-ffffffff:0123abcd:{os.getpid()}")
    assert [floor.sweeps_after(seconds) for seconds in (0, OTHERS_PATIENCE_S, 0.1)] == [0, 0, 1]


def test_a_turn_of_another_machine_has_the_bots_deadline_and_every_wait_of_that_process(dialogue, admission, floor):
    waiting(dialogue, admission, "elsewhere:0123abcd:1")
    assert [floor.sweeps_after(seconds) for seconds in (0, OTHERS_PATIENCE_S, 0.1)] == [0, 0, 1]


def test_a_deadline_that_is_lowered_meanwhile_ends_no_call_that_has_the_old_one(dialogue, admission, campaign, floor):
    waiting(dialogue, admission, "elsewhere:1:0123abcd")
    assert floor.sweeps_after(0) == 0
    campaign.reply_deadline_s = 1
    campaign.save()
    assert floor.sweeps_after(OTHERS_PATIENCE_S - 1) == 0
    assert floor.sweeps_after(2) == 1


def test_a_retry_is_waited_for_anew(dialogue, admission, floor):
    asked = waiting(dialogue, admission, "elsewhere:0123abcd:1")
    talk = Talk(dialogue, admission)
    assert floor.sweeps_after(0) == 0
    talk.fail(asked)
    talk.retry(1)
    Turn.objects.update(owner="elsewhere:0123abcd:1")
    assert [floor.sweeps_after(OTHERS_PATIENCE_S + 1), floor.sweeps_after(OTHERS_PATIENCE_S - 1)] == [0, 0]
    assert floor.sweeps_after(2) == 1


@pytest.mark.parametrize("jump", [timedelta(hours=1), timedelta(hours=-1)])
def test_a_jump_of_the_machines_clock_changes_nothing(dialogue, admission, floor, monkeypatch, jump):
    waiting(dialogue, admission, "elsewhere:0123abcd:1")
    assert floor.sweeps_after(1) == 0
    usual = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: usual() + jump)
    assert floor.sweeps_after(1) == 0
    assert floor.sweeps_after(OTHERS_PATIENCE_S) == 1
