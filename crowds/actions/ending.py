"""Ends places: done, stopped, screened out or too late; decides about the work, and erases outside ids."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from campaigns.models import Assignment, CampaignRole, Role
from campaigns.reasons import reason_of
from crowds.models import Arrival, CrowdStudy
from crowds.refusals import CannotStudy
from crowds.trail_acts import CROWD_DECIDED, CROWD_ENDED, CROWD_FORGOTTEN
from crowds.work import Done, done_in, failed_screening
from dialogues.models import Dialogue
from reviews.models import Review, ReviewPlace
from serving.database_threads import look_again_and_again

LOOK_EVERY_S = 5.0
LATELY = timedelta(minutes=1)
# A dialogue in progress may be finished first, within a limit.
STILL_TALKING, LONGER_AT_MOST = timedelta(minutes=5), timedelta(minutes=30)
# Per transaction, as arrivals wait for it; the rest follow at the next look.
FREED_AT_ONCE = 100


async def keep_places() -> None:
    """Frees places for as long as the server process runs."""
    await look_again_and_again(lambda: free_places(at=timezone.now()), every_s=LOOK_EVERY_S, name="places")


def free_places(*, at: datetime) -> int:
    """Ends the places whose time is over, and those of reviewers whose gold scores do not pass; gives how many.

    Two queries where there is nothing to do. A reviewer is looked at for a minute after gold is scored or given back.
    """
    at_work = Arrival.objects.at_work()
    screened = at_work.filter(study__screening_percent__isnull=False).order_by().values_list("study", "person")
    scored = screened.filter(person__reviews__part=Review.Part.GOLD, person__reviews__submitted_at__gte=at - LATELY)
    given_back = screened.filter(
        person__review_places__is_gold=True,
        person__review_places__released_because=ReviewPlace.Released.CANNOT_JUDGE,
        person__review_places__released_at__gte=at - LATELY,
    )
    late = _is_late(at)
    which = dict.fromkeys(at_work.filter(late).values_list("study", flat=True), late)
    for study, person in scored.union(given_back):
        which[study] = which.get(study, Q()) | Q(person=person)
    return sum(_free(study, places, at) for study, places in which.items())


def _is_late(at: datetime) -> Q:
    """Time is over, and they are not talking: no turn in the last minutes of an open dialogue."""
    talk = Dialogue.objects.open().filter(
        tester=OuterRef("person"),
        assignment__campaign=OuterRef("study__campaign"),
        turns__asked_at__gte=at - STILL_TALKING,
    )
    return Q(due_at__lte=at - LONGER_AT_MOST) | Q(due_at__lte=at) & ~Q(Exists(talk))


@transaction.atomic
def _free(study_id: int, which: Q, at: datetime) -> int:
    study = _held(study_id)
    places = list(
        study.arrivals.at_work().filter(which).select_related("person").order_by("due_at", "pk")[:FREED_AT_ONCE]
    )
    done, failed = done_in(study), failed_screening(study, [one.person_id for one in places])
    ended = []
    for arrival in places:
        arrival.study = study
        state = _reached(arrival, done, failed) or (Arrival.State.TOO_LATE if arrival.is_late(at) else None)
        if state is not None:
            ended.append(_end(arrival, state, done, at))
    for arrival in ended:
        _note_ended(arrival, at)
    return len(ended)


@transaction.atomic
def finish(*, arrival: Arrival, at: datetime) -> Arrival:
    """Completes the place, or screens its person out where their gold scores do not pass; done again, nothing changes.

    Errors: `CannotStudy` with code `not_done`.
    """
    return _ended_by_its_person(arrival, None, at)


@transaction.atomic
def stop(*, arrival: Arrival, at: datetime) -> Arrival:
    """Ends the place for who wants to go; who is done with everything completes. Done again, nothing changes."""
    return _ended_by_its_person(arrival, Arrival.State.LEFT, at)


def _ended_by_its_person(arrival: Arrival, otherwise: Arrival.State | None, at: datetime) -> Arrival:
    study = _held(arrival.study_id)
    arrival = study.arrivals.select_related("person").get(pk=arrival.pk)
    arrival.study = study
    if not arrival.is_at_work:
        return arrival
    done = done_in(study, arrival)
    state = _reached(arrival, done, failed_screening(study, [arrival.person_id])) or otherwise
    if state is None:
        raise CannotStudy("not_done", n=study.n_needed - done.get(arrival.person_id, 0))
    return _note_ended(_end(arrival, state, done, at), at)


def _held(study_id: int) -> CrowdStudy:
    """Held before its places, as arrivals do."""
    studies = CrowdStudy.objects.select_for_update(no_key=True, of=("self",)).select_related("campaign")
    return studies.get(pk=study_id)


def _reached(arrival: Arrival, done: Done, failed: Collection[int | None]) -> Arrival.State | None:
    """Screened out where gold does not pass, completed where everything is done; None: neither yet."""
    if arrival.person_id in failed:
        return Arrival.State.SCREENED_OUT
    is_done = done.get(arrival.person_id, 0) >= arrival.study.n_needed
    return Arrival.State.COMPLETED if is_done else None


def _end(arrival: Arrival, state: Arrival.State, done: Done, at: datetime) -> Arrival:
    """What was handed in stays; what was not begun is open to others, and the role is gone."""
    study, person = arrival.study, arrival.person
    arrival.state, arrival.n_done, arrival.ended_at = state, done.get(arrival.person_id, 0), at
    arrival.save(update_fields=["state", "n_done", "ended_at"])
    CampaignRole.objects.filter(campaign=study.campaign, person=person, role=study.role).delete()
    if study.role == Role.TESTER:
        Assignment.objects.filter(campaign=study.campaign, tester=person, started_at=None).delete()
    return arrival


def _note_ended(arrival: Arrival, at: datetime) -> Arrival:
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
    study = _held(arrival.study_id)
    arrival = study.arrivals.select_related("person").get(pk=arrival.pk)
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
        campaign=study.campaign.slug,
        about=arrival.person.username,
        because=arrival.because,
        details={"study": study.key, "decision": str(decision), "bonus": arrival.has_bonus},
    )
    arrival.study = study
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
