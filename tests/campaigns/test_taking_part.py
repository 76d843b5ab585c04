import pytest
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from campaigns.actions import (
    CannotPause,
    ReasonNeeded,
    pause_bot,
    preview_drawing,
    resume_bot,
    withdraw_bot,
)
from campaigns.actions.leaving import leave_as_tester
from tests.campaigns.test_assigning import begin, drawn, first_of_each_tester, rows_of

__all__ = ["drawn"]
pytestmark = pytest.mark.django_db


def now():
    return timezone.now()


def test_a_bot_that_pauses_keeps_its_assignments_and_is_not_offered(drawn):
    before = rows_of(drawn)
    entry = pause_bot(entry=drawn.entries.get(key="b"), because=" its server is moved ", at=now())
    assert entry.paused_because == "its server is moved"
    assert set(drawn.entries.with_address().values_list("key", flat=True)) == {"a", "c", "d"}
    assert not preview_drawing(campaign=drawn)
    assert rows_of(drawn) == before
    assert not resume_bot(entry=entry, because="it is back")
    assert drawn.entries.with_address().count() == 4
    assert drawn.entries.get(key="b").paused_because == ""


@pytest.mark.parametrize("act", [pause_bot, withdraw_bot])
def test_nobody_pauses_or_withdraws_a_bot_without_a_reason(drawn, act):
    with pytest.raises(ReasonNeeded):
        act(entry=drawn.entries.get(key="b"), because="  ", at=now())
    assert drawn.entries.with_address().count() == 4


def test_what_has_not_begun_of_a_withdrawn_bot_goes_and_comes_back_with_it(drawn):
    begin(first_of_each_tester(drawn))
    entry = drawn.entries.get(key="b")
    begun = {row.pk for row in first_of_each_tester(drawn)}
    changes = withdraw_bot(entry=entry, because="the team asked for it", at=now())
    left = set(drawn.assignments.filter(entry=entry).values_list("pk", flat=True))
    assert left <= begun
    assert len(changes.take_away) == 8 - len(left)
    assert not changes.add
    assert drawn.entries.taking_part().count() == 3
    with pytest.raises(CannotPause):
        pause_bot(entry=entry, because="again", at=now())
    assert len(resume_bot(entry=entry, because="it is back").add) == 8 - len(left)
    assert drawn.assignments.filter(entry=entry).count() == 8


def test_what_a_tester_who_left_had_not_begun_is_drawn_for_others(drawn):
    begin(first_of_each_tester(drawn))
    leaver = Person.objects.get(username="tester-2")
    changes = leave_as_tester(campaign=drawn, person=leaver, because="left", by=None, at=now()).changes
    assert {row.tester for row in changes.take_away} == {"tester-2"}
    assert len(changes.add) == 7
    assert drawn.assignments.filter(tester=leaver).count() == 1
    assert not drawn.roles.filter(person=leaver).exists()


def test_what_counts_nowhere_of_a_tester_who_left_is_drawn_for_others_too(drawn):
    begin(first_of_each_tester(drawn))
    leaver = Person.objects.get(username="tester-2")
    void = set(drawn.assignments.filter(tester=leaver, position=1).values_list("pk", flat=True))
    leave = leave_as_tester(campaign=drawn, person=leaver, because="left", by=None, at=now(), void=void)
    assert len(leave.changes.add) == 8


def test_resuming_a_bot_that_does_not_pause_changes_nothing_and_leaves_no_line(drawn):
    n_lines = TrailLine.objects.count()
    assert not resume_bot(entry=drawn.entries.first(), because="x")
    assert TrailLine.objects.count() == n_lines
