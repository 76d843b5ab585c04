"""Ends places: done, stopped, screened out or too late; decides about the work, and erases outside ids."""

from datetime import datetime

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.models import Assignment, CampaignRole, Role
from campaigns.reasons import reason_of
from crowds.acts import CROWD_DECIDED, CROWD_ENDED, CROWD_FORGOTTEN
from crowds.models import Arrival, CrowdStudy
from crowds.refusals import CannotStudy
from crowds.work import has_failed_screening, n_done


@transaction.atomic
def finish(*, arrival: Arrival, at: datetime) -> Arrival:
    """Completes the place, or screens its person out where their gold scores do not pass; done again, nothing changes.

    Errors: `CannotStudy` with code `not_done`.
    """
    arrival = _held(arrival)
    if arrival.state != Arrival.State.STARTED:
        return arrival
    done = n_done(arrival)
    if has_failed_screening(arrival):
        return note_ended(_ended(arrival, Arrival.State.SCREENED_OUT, done, at), at)
    if done < arrival.study.n_needed:
        raise CannotStudy("not_done", n=arrival.study.n_needed - done)
    return note_ended(_ended(arrival, Arrival.State.COMPLETED, done, at), at)


@transaction.atomic
def stop(*, arrival: Arrival, at: datetime) -> Arrival:
    """Ends the place for who wants to go; who is done with everything completes. Done again, nothing changes."""
    arrival = _held(arrival)
    if arrival.state != Arrival.State.STARTED:
        return arrival
    done = n_done(arrival)
    state = Arrival.State.COMPLETED if done >= arrival.study.n_needed else Arrival.State.LEFT
    return note_ended(_ended(arrival, state, done, at), at)


def end_late(*, study: CrowdStudy, at: datetime) -> list[Arrival]:
    """Frees the places whose time is over, for the next who comes; who is done with everything completes. Gives them.

    Inside the transaction of an arrival, which holds the study's row and notes them last.
    """
    late = list(study.arrivals.at_work().filter(due_at__lte=at).select_related("person"))
    for arrival in late:
        arrival.study = study
        done = n_done(arrival)
        is_done = done >= study.n_needed
        _ended(arrival, Arrival.State.COMPLETED if is_done else Arrival.State.TOO_LATE, done, at)
    return late


def _held(arrival: Arrival) -> Arrival:
    """The place as it is now; its study is held first, as arrivals do."""
    study = CrowdStudy.objects.select_for_update(no_key=True, of=("self",)).select_related("campaign")
    held = study.get(pk=arrival.study_id)
    arrival = Arrival.objects.select_related("person").get(pk=arrival.pk)
    arrival.study = held
    return arrival


def _ended(arrival: Arrival, state: Arrival.State, done: int, at: datetime) -> Arrival:
    """What was handed in stays; what was not begun is open to others, and the role is gone."""
    arrival.state, arrival.n_done, arrival.ended_at = state, done, at
    arrival.save(update_fields=["state", "n_done", "ended_at"])
    study, person = arrival.study, arrival.person
    others = Arrival.objects.at_work().filter(person=person, study__campaign=study.campaign, study__role=study.role)
    if not others.exists():
        CampaignRole.objects.filter(campaign=study.campaign, person=person, role=study.role).delete()
        if study.role == Role.TESTER:
            Assignment.objects.filter(campaign=study.campaign, tester=person, started_at=None).delete()
    return arrival


def note_ended(arrival: Arrival, at: datetime) -> Arrival:
    """The line of the trail, last in the transaction."""
    study, details = arrival.study, {"state": str(arrival.state), "n_done": arrival.n_done}
    record(CROWD_ENDED, by=arrival.person, at=at, campaign=study.campaign.slug, about=study.key, details=details)
    return arrival


@transaction.atomic
def decide(
    *, arrival: Arrival, decision: Arrival.Decision, has_bonus: bool, because: str, by: Person | None, at: datetime
) -> Arrival:
    """Approves or rejects what somebody did; rejected work is not paid and needs a reason.

    Errors: `CannotStudy` with code `nothing_to_decide` or `because_needed`.
    """
    arrival = _held(arrival)
    if arrival.started_at is None or arrival.person is None:
        raise CannotStudy("nothing_to_decide")
    if decision == Arrival.Decision.REJECTED and not because.strip():
        raise CannotStudy("because_needed")
    arrival.because = reason_of(because) if because.strip() else ""
    arrival.decision = decision
    arrival.has_bonus = has_bonus and decision == Arrival.Decision.APPROVED
    arrival.save(update_fields=["decision", "has_bonus", "because"])
    record(
        CROWD_DECIDED,
        by=by,
        at=at,
        campaign=arrival.study.campaign.slug,
        about=arrival.person.username,
        because=arrival.because,
        details={"study": arrival.study.key, "decision": str(decision), "bonus": arrival.has_bonus},
    )
    return arrival


@transaction.atomic
def forget_outside_ids(*, study: CrowdStudy, by: Person | None, at: datetime, only: Arrival | None = None) -> int:
    """Erases what the platform calls the study's people whose place is over, or that of one; gives how many.

    Work, states and payments stay. Who is erased is not recognized any more, here or by an exclusion.
    """
    study = CrowdStudy.objects.select_for_update(no_key=True).get(pk=study.pk)
    named = study.arrivals.exclude(participant=None)
    named = named.filter(pk=only.pk) if only is not None else named.exclude(state=Arrival.State.STARTED)
    n_erased = named.update(participant=None, secret="")
    if n_erased:
        about = study.key
        record(CROWD_FORGOTTEN, by=by, at=at, campaign=study.campaign.slug, about=about, details={"n": n_erased})
    return n_erased


def forget_person(*, person: Person) -> int:
    """The same in all studies of a person who is erased, in the transaction of that act."""
    return Arrival.objects.filter(person=person).update(participant=None, secret="", because="")
