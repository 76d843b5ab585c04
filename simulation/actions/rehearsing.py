"""The life of a rehearsal: asked for, claimed under a lease, stopped, ended, and removed with all its dialogues."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.actions import issue_token_row
from accounts.models import ApiToken, Person
from accounts.scopes import Scope
from audit.actions import record
from campaigns.models import Assignment, Campaign, Entry, EntryQuerySet, Role
from dialogues.actions.opening import refuse_rehearsing_after
from dialogues.models import Dialogue, Turn
from dialogues.pictures import remove_all
from dialogues.turn_taking import TurnStatus
from participants.limits import REASON_LIMIT
from serving.refused import Refused
from simulation.actions.programs import Drawing, NothingToMeet, program_named
from simulation.models import Rehearsal, RehearsalQuerySet, RehearsalState, RehearsedAssignment
from simulation.running import left_of
from simulation.trail_acts import REHEARSAL_ENDED, REHEARSAL_REMOVED, REHEARSAL_STARTED, REHEARSAL_STOPPED

LEASE = timedelta(seconds=30)
ATTEMPT_LIMIT = 3
MOST_OF_EACH, MOST_AT_ONCE = 20, 10
# Read as one table: more say nothing new about whether a system works.
MOST_DIALOGUES = 400
TOKEN_LASTS = timedelta(days=1)


class CannotRehearse(Refused):
    """Nothing was changed; the sentence says why."""

    def __init__(self, code: str, text: str, **values: object) -> None:
        super().__init__(text, **values)
        self.code = code


def systems_to_rehearse(campaign: Campaign, at: datetime) -> EntryQuerySet:
    """Those that can be talked to now, by alias."""
    return campaign.entries.offered(campaign, at).select_related("bot__team").order_by("alias")


@transaction.atomic
def start_rehearsal(
    *, campaign: Campaign, entries: Collection[Entry], n_each: int, at_once: int, by: Person | None, at: datetime
) -> Rehearsal:
    """`n_each` dialogues with each system wait for a server process, about other scenarios than in the rehearsals that are stored.

    Errors: `CannotRehearse` where another one is under way or there would be too many dialogues, `NothingToMeet`, `NameTaken`,
    `NotTestingNow` once testing is over.
    """
    n = n_each * len(entries)
    if n > MOST_DIALOGUES:
        text = gettext_noop("A rehearsal has %(most)s dialogues at most, these would be %(n)s: choose fewer.")
        raise CannotRehearse("too_many", text, n=n, most=MOST_DIALOGUES)
    campaign = Campaign.objects.held(campaign.pk)
    refuse_rehearsing_after(campaign, at)
    if campaign.rehearsals.under_way().exists():
        raise CannotRehearse("under_way", gettext_noop("A rehearsal is under way already: stop it first."))
    program = program_named(campaign, f"{campaign.slug}-rehearsal", by)
    campaign.roles.get_or_create(person=program, role=Role.TESTER)
    drawing = Drawing(campaign, program, sorted(entries, key=lambda entry: entry.alias))
    made = drawing.assignments_of_each(n_each, seed=1, at=at)
    if not made:
        raise NothingToMeet
    rehearsal = Rehearsal.objects.create(
        campaign=campaign, program=program, n_each=n_each, at_once=at_once, asked_by=by, asked_at=at
    )
    Assignment.objects.bulk_create(made)
    RehearsedAssignment.objects.bulk_create(RehearsedAssignment(rehearsal=rehearsal, assignment=one) for one in made)
    details = {"systems": len(entries), "dialogues": len(made)}
    record(REHEARSAL_STARTED, by=by, at=at, campaign=campaign.slug, about=program.username, details=details)
    return rehearsal


@transaction.atomic
def stop_rehearsal(*, rehearsal: Rehearsal, by: Person | None, at: datetime) -> Rehearsal:
    """No dialogue is begun any more; those that are open are given up. One that is over stays as it is."""
    # The campaign before the rehearsal, as a start holds it.
    Campaign.objects.held(rehearsal.campaign_id)
    rehearsal = (
        Rehearsal.objects.select_for_update(no_key=True).select_related("campaign", "program").get(pk=rehearsal.pk)
    )
    if rehearsal.is_over or rehearsal.is_stopping:
        return rehearsal
    rehearsal.stop_asked_at = at
    rehearsal.save(update_fields=["stop_asked_at"])
    if rehearsal.state == RehearsalState.QUEUED and not dialogues_of(rehearsal).exists():
        _ended(rehearsal, RehearsalState.STOPPED, at)
    slug = rehearsal.campaign.slug
    record(REHEARSAL_STOPPED, by=by, at=at, campaign=slug, about=rehearsal.program.username)
    return rehearsal


@transaction.atomic
def remove_rehearsal(*, rehearsal: Rehearsal, by: Person | None, at: datetime) -> None:
    """The rehearsal goes with its assignments and dialogues, whatever was said in them.

    Errors: `CannotRehearse` while it is under way, or a system still has an answer to give.
    """
    dialogues = dialogues_of(rehearsal)
    if not rehearsal.is_over:
        text = gettext_noop("The rehearsal is not over: stop it first, or wait until it has stopped.")
        raise CannotRehearse("under_way", text)
    if Turn.objects.filter(dialogue__in=dialogues, status=TurnStatus.WAITING).exists():
        text = gettext_noop("The rehearsal's last answers are still on their way: remove it in a minute.")
        raise CannotRehearse("in_flight", text)
    pks = list(dialogues.values_list("pk", flat=True))
    slug, name = rehearsal.campaign.slug, rehearsal.program.username
    dialogues.delete()
    Assignment.with_programs.filter(rehearsed__rehearsal=rehearsal).delete()
    rehearsal.delete()
    details = {"dialogues": len(pks)}
    record(REHEARSAL_REMOVED, by=by, at=at, campaign=slug, about=name, details=details)
    # After the commit: a file that outlives its rows is litter, rows without their file are a fault.
    transaction.on_commit(partial(remove_all, pks))


def dialogues_of(rehearsal: Rehearsal) -> Any:
    return Dialogue.with_programs.filter(assignment__rehearsed__rehearsal=rehearsal)


# -- at a worker --------------------------------------------------------------------------------------------------------


class Begun(NamedTuple):
    """What is left to be played, and the program's token, which is stored nowhere."""

    left: list[Assignment]
    token: str


def claim_rehearsal(*, worker: str, at: datetime) -> Rehearsal | None:
    """The rehearsal that waits longest, now this worker's; None if there is none. One that was left too often is broken off."""
    for rehearsal in Rehearsal.objects.due(at).select_related("campaign", "program"):
        # The first to change the row has it: the others match nothing any more.
        same = Rehearsal.objects.filter(
            pk=rehearsal.pk, state=rehearsal.state, worker=rehearsal.worker, lease_until=rehearsal.lease_until
        )
        if rehearsal.n_attempts >= ATTEMPT_LIMIT:
            _end(same, rehearsal, RehearsalState.BROKEN, at)
            continue
        rehearsal.n_attempts += 1
        held = {"worker": worker, "lease_until": at + LEASE, "n_attempts": rehearsal.n_attempts}
        if same.update(state=RehearsalState.RUNNING, **held):
            rehearsal.state, rehearsal.worker = RehearsalState.RUNNING, worker
            return rehearsal
    return None


@transaction.atomic
def begin(*, rehearsal: Rehearsal) -> Begun | None:
    """Why a dialogue could not go on is forgotten: it is tried again. None where it is no longer this worker's."""
    if not _held(rehearsal).update(worker=rehearsal.worker):
        return None
    rehearsal.parts.update(broken="")
    given = Assignment.with_programs.filter(rehearsed__rehearsal=rehearsal).with_names().in_order()
    slug = rehearsal.campaign.slug
    # What an earlier worker was given.
    ApiToken.objects.filter(user=rehearsal.program, campaign=slug).delete()
    scope = Scope(role=Role.TESTER.value, campaign=slug)
    issued = issue_token_row(
        person=rehearsal.program, name="rehearsal", scope=scope, lasts=TOKEN_LASTS, by=None, campaign=slug
    )
    return Begun(left_of(list(given)), issued.token)


def is_wanted(*, rehearsal: Rehearsal, broken: Mapping[int, str], at: datetime) -> bool | None:
    """Whether to go on; renews the lease and stores why these dialogues could not. None where it is no longer this worker's."""
    held = _held(rehearsal).first()
    if held is None:
        return None
    if held.lease_until is None or held.lease_until < at + LEASE * 2 / 3:
        _held(rehearsal).update(lease_until=at + LEASE)
    _note_broken(rehearsal, broken)
    return held.stop_asked_at is None


@transaction.atomic
def end_rehearsal(*, rehearsal: Rehearsal, broken: Mapping[int, str], is_stopped: bool, at: datetime) -> bool:
    """False where it is no longer this worker's."""
    held = _held(rehearsal)
    if held.exists():
        _note_broken(rehearsal, broken)
    return _end(held, rehearsal, RehearsalState.STOPPED if is_stopped else RehearsalState.DONE, at)


def give_back(*, rehearsal: Rehearsal) -> None:
    """As if it had not been taken up: its worker was told to end."""
    _held(rehearsal).update(
        state=RehearsalState.QUEUED, worker="", lease_until=None, n_attempts=max(rehearsal.n_attempts - 1, 0)
    )


def leave_to_others(*, rehearsal: Rehearsal) -> None:
    """After an error of ours, or without a token; after some attempts it is broken off."""
    _held(rehearsal).update(state=RehearsalState.QUEUED, worker="", lease_until=None)


def _held(rehearsal: Rehearsal) -> RehearsalQuerySet:
    """This attempt of the worker: after a standstill the same worker may have begun another."""
    return Rehearsal.objects.filter(
        pk=rehearsal.pk, worker=rehearsal.worker, state=RehearsalState.RUNNING, n_attempts=rehearsal.n_attempts
    )


def _note_broken(rehearsal: Rehearsal, broken: Mapping[int, str]) -> None:
    for assignment, why in broken.items():
        rehearsal.parts.filter(assignment=assignment, broken="").update(broken=why[:REASON_LIMIT])


@transaction.atomic
def _end(same: RehearsalQuerySet, rehearsal: Rehearsal, state: RehearsalState, at: datetime) -> bool:
    if not same.update(worker=rehearsal.worker):
        return False
    _ended(rehearsal, state, at)
    slug, details = rehearsal.campaign.slug, {"state": str(state), "dialogues": dialogues_of(rehearsal).count()}
    record(REHEARSAL_ENDED, by=None, at=at, campaign=slug, about=rehearsal.program.username, details=details)
    return True


def _ended(rehearsal: Rehearsal, state: RehearsalState, at: datetime) -> None:
    """Its program tests no more, what was not begun goes, and the figures stay."""
    rehearsal.state, rehearsal.ended_at, rehearsal.worker, rehearsal.lease_until = state, at, "", None
    rehearsal.save(update_fields=["state", "ended_at", "worker", "lease_until"])
    Assignment.with_programs.filter(rehearsed__rehearsal=rehearsal, rehearsed__broken="", started_at=None).delete()
    rehearsal.campaign.roles.filter(person=rehearsal.program, role=Role.TESTER).delete()
    ApiToken.objects.filter(user=rehearsal.program, campaign=rehearsal.campaign.slug).delete()
