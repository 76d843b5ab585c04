from datetime import UTC, datetime

import pytest

from accounts.models import Person
from audit.models import TrailLine
from campaigns.actions import PreviewIsOld, preview_drawing
from campaigns.actions.leaving import (
    CannotTakeOver,
    handed_to,
    leave_as_tester,
    may_name_an_heir,
    may_name_somebody,
    preview_leave,
    with_moved,
)
from campaigns.actions.people import pause_person
from campaigns.models import Role
from campaigns.planning.plans import PlanKind
from campaigns.planning.redrawing import Standing
from tests.campaigns.test_assigning import begin, drawn, first_of_each_tester, rows_of

__all__ = ["drawn"]
pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)


def person(name) -> Person:
    return Person.objects.get(username=name)


@pytest.fixture
def begun(drawn):
    begin(first_of_each_tester(drawn))
    return drawn


def left_of(campaign, name) -> int:
    return campaign.assignments.filter(tester__username=name, started_at=None).count()


def test_what_a_leaver_had_not_begun_goes_to_the_others_as_it_was_previewed(begun):
    leaver = person("tester-2")
    preview = preview_leave(campaign=begun, person=leaver)
    assert (len(preview.changes.take_away), len(preview.changes.add)) == (7, 7)
    leave_as_tester(campaign=begun, person=leaver, because="left", by=None, at=NOW, previewed=preview.digest())
    assert left_of(begun, "tester-2") == 0
    assert begun.assignments.filter(tester=leaver).count() == 1
    assert not begun.roles.filter(person=leaver, role=Role.TESTER).exists()
    assert not preview_drawing(campaign=begun)


def test_a_named_person_takes_over_what_they_do_not_have_and_the_others_get_the_rest(begun):
    leaver, heir = person("tester-2"), person("tester-3")
    n_all, others = begun.assignments.count(), rows_of(begun)
    own = set(begun.assignments.filter(tester=heir).values_list("entry", "scenario"))
    wanted = begun.assignments.filter(tester=leaver, started_at=None).values_list("pk", "entry", "scenario")
    moving = {pk for pk, *pair in wanted if tuple(pair) not in own}
    assert moving
    leave = leave_as_tester(campaign=begun, person=leaver, because="left", to=heir, by=None, at=NOW)
    assert {row.id for row in leave.moved} == moving
    assert set(begun.assignments.filter(pk__in=moving).values_list("tester__username", flat=True)) == {"tester-3"}
    assert begun.assignments.count() == n_all
    assert not preview_drawing(campaign=begun)
    assert others != rows_of(begun)


def test_something_else_is_never_moved_than_was_agreed_to(begun):
    leaver, heir = person("tester-2"), person("tester-3")
    digests = {preview_leave(campaign=begun, person=leaver, to=to).digest() for to in (None, heir)}
    assert len(digests) == 2
    old = preview_leave(campaign=begun, person=leaver).digest()
    begin(begun.assignments.filter(tester=leaver, started_at=None)[:1])
    before = rows_of(begun)
    with pytest.raises(PreviewIsOld):
        leave_as_tester(campaign=begun, person=leaver, because="left", by=None, at=NOW, previewed=old)
    assert rows_of(begun) == before
    assert begun.roles.filter(person=leaver).exists()


def test_nobody_takes_over_who_is_no_tester_or_pauses_or_before_the_first_dialogue(begun):
    leaver, heir = person("tester-2"), person("tester-3")
    for named in (leaver, person("reviewer")):
        with pytest.raises(CannotTakeOver):
            preview_leave(campaign=begun, person=leaver, to=named)
    pause_person(campaign=begun, person=heir, because="ill", by=None, at=NOW)
    with pytest.raises(CannotTakeOver):
        leave_as_tester(campaign=begun, person=leaver, because="left", to=heir, by=None, at=NOW)
    assert may_name_an_heir(begun)
    begun.assignments.update(started_at=None)
    assert not may_name_an_heir(begun)


def test_leaving_is_one_line_of_the_trail(begun):
    before = TrailLine.objects.count()
    leave_as_tester(campaign=begun, person=person("tester-2"), because="left", by=None, at=NOW)
    (line,) = list(TrailLine.objects.in_order())[before:]
    assert (line.act, line.about, line.details["added"], line.details["moved"]) == (
        "person.work_handed_on", "tester-2", 7, 0,
    )  # fmt: skip


STANDING = [
    Standing(1, "li", "a", "s1", 1, is_begun=True),
    Standing(2, "li", "b", "s1", 3),
    Standing(3, "li", "a", "s2", 2),
    Standing(4, "han", "b", "s2", 7),
    Standing(5, "mei", "a", "s1", 1),
]


def test_what_is_not_begun_goes_to_the_end_of_the_heirs_order_in_the_leavers_own():
    moved = handed_to(STANDING, leaver="li", heir="han", has=set())
    assert [(row.id, row.tester, row.position) for row in moved] == [(3, "han", 8), (2, "han", 9)]


def test_what_the_heir_has_already_stays_for_the_others():
    moved = handed_to(STANDING, leaver="li", heir="han", has={("a", "s2")})
    assert [row.id for row in moved] == [2]


def test_whoever_had_nothing_begins_with_the_first_place():
    assert [row.position for row in handed_to(STANDING, leaver="li", heir="new", has=set())] == [1, 2]


def test_the_rest_stands_as_it_was():
    moved = handed_to(STANDING, leaver="li", heir="han", has={("a", "s2")})
    after = with_moved(STANDING, moved)
    assert [(row.id, row.tester) for row in after] == [(1, "li"), (2, "han"), (3, "li"), (4, "han"), (5, "mei")]


def test_nobody_is_named_in_the_full_plan_or_before_the_first_dialogue():
    assert may_name_somebody(PlanKind.PER_CELL, STANDING)
    assert not may_name_somebody(PlanKind.FULL, STANDING)
    assert not may_name_somebody(PlanKind.PER_CELL, STANDING[1:])
