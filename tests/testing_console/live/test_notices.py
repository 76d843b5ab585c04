"""Announcements reach open consoles once each, and attendance is written when it changes or is due."""

import asyncio
import json
from datetime import timedelta
from types import SimpleNamespace
from uuid import UUID

import pytest
from django.utils import timezone

from dialogues.actions.announcing import make_announcement, take_back_announcement
from dialogues.queries import BEAT
from serving.commits.group_commit import Unavailable
from testing_console.live.notices import NOTHING_STANDS, Attendance, Notices, notice_frames
from testing_console.live.switchboard import Switchboard

NOW = timezone.now()
DIALOGUE, ANOTHER = UUID(int=1), UUID(int=2)


class Ear:
    def __init__(self, person_id=7):
        self.admission = SimpleNamespace(person_id=person_id)
        self.heard = []

    def tell_passing(self, frame):
        self.heard.append(frame)


@pytest.fixture
def switchboard():
    return Switchboard()


@pytest.fixture
def notices(switchboard):
    """Dialogue 1 is of campaign 1, the other of campaign 2."""
    return Notices(switchboard, SimpleNamespace(campaign_of={DIALOGUE: 1, ANOTHER: 2}.get))


def test_a_socket_hears_what_stands_once_and_that_it_is_over(switchboard, notices):
    ear, other = Ear(), Ear()
    switchboard.join(DIALOGUE, ear)
    switchboard.join(ANOTHER, other)
    for frames in ({}, {1: "rest"}, {1: "rest"}, {}, {}):
        notices.tell(frames)
    nothing = '{"type":"notices","notices":[]}'
    assert ear.heard == [nothing, "rest", nothing]
    assert other.heard == [nothing]


def test_a_socket_that_comes_later_hears_it_too(switchboard, notices):
    notices.tell({1: "rest"})
    ear = Ear()
    switchboard.join(DIALOGUE, ear)
    notices.tell({1: "rest"})
    assert ear.heard == ["rest"]


def test_what_was_taken_back_while_a_page_had_no_connection_leaves_it_when_it_comes_back(switchboard, notices):
    before = Ear()
    switchboard.join(DIALOGUE, before)
    notices.tell({1: "rest"})
    switchboard.leave(DIALOGUE, before)
    notices.tell({})
    after = Ear()
    switchboard.join(DIALOGUE, after)
    notices.tell({})
    assert (before.heard, after.heard) == (["rest"], [NOTHING_STANDS])


@pytest.mark.django_db
def test_the_frame_has_both_languages_and_goes_when_it_is_taken_back(campaign, organizer):
    one = make_announcement(campaign=campaign, by=organizer, zh="休息", en="A rest", until=None, at=NOW)
    frame = json.loads(notice_frames(NOW)[0][campaign.pk])
    assert frame == {
        "type": "notices",
        "notices": [{"id": one.pk, "zh": "休息", "en": "A rest", "at": NOW.isoformat(), "until": None}],
    }
    take_back_announcement(announcement=one, because="over", by=organizer, at=NOW)
    assert notice_frames(NOW) == ({}, NOTHING_STANDS)


class Commits:
    """Keeps what it is asked to store; `is_away` refuses it."""

    def __init__(self):
        self.stored, self.is_away = [], False

    def submit(self, work):
        waiter = asyncio.get_running_loop().create_future()
        if self.is_away:
            waiter.set_exception(Unavailable("away"))
        else:
            self.stored.append((set(work.keywords["there"]), set(work.keywords["left"])))
            waiter.set_result(None)
        return waiter


async def test_attendance_is_written_when_somebody_comes_or_goes_and_with_each_beat(switchboard):
    commits, ear = Commits(), Ear(7)
    attendance = Attendance(switchboard, commits, "one")
    await attendance.note(NOW)
    switchboard.join(DIALOGUE, ear)
    await attendance.note(NOW)
    await attendance.note(NOW + BEAT / 2)
    await attendance.note(NOW + BEAT)
    switchboard.leave(DIALOGUE, ear)
    await attendance.note(NOW + BEAT + timedelta(seconds=1))
    await attendance.note(NOW + 5 * BEAT)
    assert commits.stored == [({7}, set()), ({7}, set()), (set(), {7})]


async def test_what_the_database_had_no_time_for_is_written_later(switchboard):
    commits = Commits()
    attendance = Attendance(switchboard, commits, "one")
    switchboard.join(DIALOGUE, Ear(7))
    commits.is_away = True
    await attendance.note(NOW)
    commits.is_away = False
    await attendance.note(NOW)
    assert commits.stored == [({7}, set())]
