"""Who is let in by a study's link, and what each of them is promised."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from campaigns.models import Assignment, Role
from crowds.actions.arriving import note_visit
from crowds.actions.ending import finish, free_places, stop
from crowds.door_rules import item_of
from crowds.models import Arrival
from crowds.platforms import Outside
from crowds.refusals import CannotStudy
from dialogues.models import Dialogue
from tests.crowds.conftest import ITEM, PID, comes, talks

pytestmark = pytest.mark.django_db


def test_who_begins_gets_an_account_with_a_made_up_name_and_one_role(study, campaign):
    arrival = comes(study)
    person = arrival.person
    assert arrival.state == Arrival.State.STARTED
    assert (person.came_by, person.has_usable_password(), person.username[:2]) == ("crowd", False, "p-")
    assert [one.role for one in person.campaign_roles.all()] == [Role.TESTER]
    assert person.assignments.count() == study.n_needed
    assert PID not in str(Arrival.objects.values_list("participant", "secret", "person__username").get())


def test_the_same_person_comes_back_to_the_same_place(study):
    first, again = comes(study), comes(study)
    assert (first.pk, first.person) == (again.pk, again.person)
    assert Person.objects.filter(came_by="crowd").count() == 1
    assert Assignment.objects.filter(tester=first.person).count() == 2
    assert TrailLine.objects.filter(act="crowd.started").count() == 1


def test_nobody_comes_in_over_the_quota(study):
    states = [comes(study, f"person-{number}").state for number in range(4)]
    assert states == ["started", "started", "full", "full"]
    assert Arrival.objects.let_in().count() == 2


def test_a_place_of_who_stops_is_free_again(study):
    first = comes(study, "a")
    comes(study, "b")
    assert comes(study, "c").state == "full"
    stop(arrival=first, at=timezone.now())
    assert comes(study, "c").state == "started"


def test_no_more_are_at_work_at_once_than_may_be(make):
    study = make(quota=10, at_once=1)
    first = comes(study, "a")
    assert comes(study, "b").state == "full"
    talks(first, 2)
    finish(arrival=first, at=timezone.now())
    assert comes(study, "b").state == "started"


def test_who_runs_out_of_time_makes_room_and_reads_so(study):
    at = timezone.now()
    first = comes(study, "a", at - timedelta(hours=2))
    comes(study, "b")
    assert comes(study, "c").state == "full"
    assert (free_places(at=at), free_places(at=at)) == (1, 0)
    first.refresh_from_db()
    assert first.state == Arrival.State.TOO_LATE
    assert not first.person.campaign_roles.exists()
    assert comes(study, "c").state == "started"
    assert comes(study, "a").state == Arrival.State.TOO_LATE
    assert TrailLine.objects.filter(act="crowd.ended").count() == 1


@pytest.mark.parametrize(("late", "silent", "n"), [(1, 2, 0), (1, 6, 1), (30, 2, 1)])
def test_who_is_talking_when_time_is_over_may_end_that_dialogue(study, late, silent, n):
    """In minutes since the time was over, and since the last turn."""
    at = timezone.now()
    arrival = comes(study, at=at - timedelta(minutes=study.minutes_at_most + late))
    arrival.person.assignments.update(started_at=arrival.started_at)
    assignment = arrival.person.assignments.first()
    dialogue = Dialogue.objects.create(assignment=assignment, tester=arrival.person, opened_at=arrival.started_at)
    dialogue.turns.create(
        number=1, subtask=1, spent=1, turn_cap=9, key="a", seq=1, outcome_seq=2, asked_at=at - timedelta(minutes=silent)
    )
    assert free_places(at=at) == n


def test_who_ran_out_of_time_goes_on_where_there_is_room(make):
    study = make(quota=5)
    first = comes(study, "a", timezone.now() - timedelta(hours=2))
    talks(first)
    free_places(at=timezone.now())
    back = comes(study, "a")
    assert (back.state, back.person, back.started_at) == ("started", first.person, first.started_at)
    assert back.person.assignments.count() == 2


def test_who_finished_everything_and_left_completes_when_time_is_over(study):
    first = comes(study, "a", timezone.now() - timedelta(hours=2))
    talks(first, 2)
    free_places(at=timezone.now())
    first.refresh_from_db()
    assert (first.state, first.n_done) == ("completed", 2)


def test_who_completes_in_one_study_has_as_much_to_do_in_the_next(study, make):
    first = comes(study)
    later = make(key="wave-2")
    with pytest.raises(CannotStudy) as refused:
        comes(later)
    assert refused.value.code == "at_work_elsewhere"
    talks(first, 2)
    finish(arrival=first, at=timezone.now())
    second = comes(later)
    assert (second.person, second.person.assignments.filter(started_at=None).count()) == (first.person, 2)


@pytest.mark.parametrize("named", ["small", "small/wave-1"])
def test_who_took_part_in_a_named_study_is_excluded(study, make, named):
    comes(study)
    later = make(key="wave-2", excludes=(named,))
    assert comes(later).state == "excluded"
    assert comes(later, "somebody-else").state == "started"
    assert Arrival.objects.get(study=later, state="excluded").person is None


def test_who_only_looked_is_not_excluded(study, make):
    note_visit(study=study, outside=Outside(PID), arrival=None, at=timezone.now())
    later = make(key="wave-2", excludes=("small",))
    assert comes(later).state == "started"


def test_in_another_study_of_the_campaign_the_account_is_the_same(study, make):
    first = comes(study)
    stop(arrival=first, at=timezone.now())
    assert comes(make(key="wave-2")).person == first.person


def test_wrong_answers_to_attention_items_screen_out_without_an_account(make):
    study = make(attention=(ITEM,), quota=5)
    right = item_of(study.attention[0]).right
    assert comes(study, "careless", answers=[(right + 1) % 3]).state == "screened_out"
    assert comes(study, "silent").state == "screened_out"
    assert comes(study, "careless", answers=[right]).state == "screened_out"
    assert comes(study, "careful", answers=[right]).state == "started"
    assert Person.objects.filter(came_by="crowd").count() == 1


def test_a_closed_study_lets_nobody_in_and_keeps_no_trace(make):
    study = make(is_open=False)
    assert comes(study) is None
    assert not Arrival.objects.exists()


@pytest.mark.parametrize("change", ["staff", "role", "inactive", "program"])
def test_a_link_opens_no_account_that_is_more_than_it_made(study, change):
    arrival = comes(study)
    person = arrival.person
    if change == "staff":
        Person.objects.filter(pk=person.pk).update(is_staff=True)
    elif change == "inactive":
        Person.objects.filter(pk=person.pk).update(is_active=False)
    elif change == "program":
        Person.objects.filter(pk=person.pk).update(kind="program")
    else:
        study.campaign.roles.create(person=person, role=Role.ORGANIZER)
    with pytest.raises(CannotStudy) as refused:
        comes(study)
    assert refused.value.code == "not_this_account"


def test_the_role_goes_with_the_place_and_so_does_what_was_not_begun(study):
    arrival = comes(study)
    talks(arrival)
    stop(arrival=arrival, at=timezone.now())
    assert not arrival.person.campaign_roles.exists()
    assert arrival.person.assignments.count() == 1
    arrival.refresh_from_db()
    assert (arrival.state, arrival.n_done) == ("left", 1)


def test_who_comes_again_gets_work_past_a_gap_in_what_they_had(make):
    """The one cell was had twice; the first, not begun, went with its place, the second stays."""
    arrival = comes(make())
    first, second = arrival.person.assignments.order_by("repetition")
    assert (first.entry, first.scenario) == (second.entry, second.scenario)
    second.started_at = timezone.now()
    second.save()
    stop(arrival=arrival, at=timezone.now())
    again = comes(make(key="wave-2"))
    assert sorted(again.person.assignments.values_list("repetition", flat=True)) == [2, 3, 4]


def test_nobody_finishes_before_everything_is_done(study):
    arrival = comes(study)
    talks(arrival)
    with pytest.raises(CannotStudy) as refused:
        finish(arrival=arrival, at=timezone.now())
    assert (refused.value.code, refused.value.values) == ("not_done", {"n": 1})
    talks(arrival)
    assert finish(arrival=arrival, at=timezone.now()).state == "completed"
    assert comes(study).state == "completed"
