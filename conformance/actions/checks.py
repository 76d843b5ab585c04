"""The life of a check from queue to end: asked for, claimed under a lease, noted, given back, ended. One that its process left is taken up by another."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Max
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.actions.ended import refuse_if_ended
from conformance.models import AnyCheck, CheckQuerySet, CheckState
from conformance.results import Result, is_finished, is_green, verdict_of
from conformance.system_kinds import SystemKind
from reading.strict_json import are_same
from serving.refused import Refused

LEASE = timedelta(seconds=30)
ATTEMPT_LIMIT = 3
# A check of a bot is some two hundred calls: nobody has to bear more than this of them.
CHECKS_PER_HOUR = 6
# Of one team at a time, over all processes: others have the remaining places.
OF_A_TEAM = 2
HISTORY = 100
# What a report says holds for these alone.
ADDRESS = ("protocol", "url", "options")


class CannotCheck(Refused):
    """No check was asked for; nothing was changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    def __str__(self) -> str:
        return {
            "checking": _("This system is being checked already."),
            "too_often": _("This system was checked %(n)s times within the last hour. Try again later.")
            % {"n": CHECKS_PER_HOUR},
            "no_address": _("This system has no address yet: enter it first."),
            "withdrawn": _("This system was withdrawn: only an organizer can take it back."),
            "secret_lost": _("The platform can no longer read its secret. Type the secret again."),
        }[self.code]


@transaction.atomic
def ask_check(kind: SystemKind, *, system: Any, by: Person | None, at: datetime) -> Any:
    """The check waits for a worker.

    Errors: `CannotCheck` where the system is withdrawn, has no address, is being checked, or was checked too often; `NotNow` once the
    campaign ended.
    """
    refuse_if_ended(system.campaign, at)
    if system.withdrawn_at is not None:
        raise CannotCheck("withdrawn")
    if not system.has_address:
        raise CannotCheck("no_address")
    if system.has_lost_its_secret():
        raise CannotCheck("secret_lost")
    if system.checks.open().exists():
        raise CannotCheck("checking")
    if system.checks.filter(asked_at__gt=at - timedelta(hours=1)).count() >= CHECKS_PER_HOUR:
        raise CannotCheck("too_often")
    try:
        with transaction.atomic():
            address = {name: getattr(system, name) for name in ADDRESS}
            check = system.checks.create(asked_by=by, asked_at=at, **address)
    except IntegrityError as taken:
        # Two people at the same time: the constraint lets one of them through.
        raise CannotCheck("checking") from taken
    about, details = kind.described(system)
    record(kind.acts.check_asked, by=by, at=at, campaign=system.campaign.slug, about=about, details=details)
    return check


@dataclass(frozen=True, slots=True)
class Waiting:
    """A check that is due, and the team of its subject."""

    check: UUID
    team: int
    asked_at: datetime


def in_turn(waiting: Iterable[Waiting], running: Mapping[int, int], began: Mapping[int, datetime]) -> list[Waiting]:
    """The checks that may begin now, first of all that of the team with fewest running, then with none begun for longest.

    `running` are the checks of each team that run, `began` is when a check of it began last.
    """
    may_begin = [one for one in waiting if running.get(one.team, 0) < OF_A_TEAM]
    long_ago = datetime.min.replace(tzinfo=UTC)
    return sorted(
        may_begin,
        key=lambda one: (running.get(one.team, 0), began.get(one.team, long_ago), one.asked_at, one.check),
    )


def claim_check(kind: SystemKind, *, worker: str, at: datetime) -> Any:
    """The check whose turn it is, now this worker's; None if there is none. One that was left too often is given up.

    Teams take turns, however many checks each has asked for.
    """
    checks, team = kind.checks_with_systems(), f"{kind.column}__{kind.team}"
    waiting = [Waiting(*row) for row in checks.due(at).values_list("pk", team, "asked_at")]
    if not waiting:
        return None
    stored = checks.model._default_manager.order_by()
    by_team = stored.filter(state=CheckState.RUNNING, lease_until__gte=at).values(team)
    running = dict(by_team.annotate(n=Count("pk")).values_list(team, "n"))
    of_theirs = stored.filter(**{f"{team}__in": {one.team for one in waiting}}).values(team)
    began = dict(of_theirs.annotate(last=Max("began_at")).exclude(last=None).values_list(team, "last"))
    for one in in_turn(waiting, running, began)[:10]:
        # Due still: another worker may have claimed it since, and its lease is not to be broken.
        check = checks.due(at).filter(pk=one.check).first()
        if check is None:
            continue
        # The first to change the row has it: the others match nothing any more.
        same = stored.filter(pk=check.pk, state=check.state, worker=check.worker, lease_until=check.lease_until)
        if check.n_attempts >= ATTEMPT_LIMIT:
            same.update(state=CheckState.INTERRUPTED, ended_at=at)
            continue
        claimed = same.update(
            state=CheckState.RUNNING,
            worker=worker,
            lease_until=at + LEASE,
            n_attempts=check.n_attempts + 1,
            began_at=at,
            results=[],
        )
        if claimed:
            return _of_address_now(checks.get(pk=check.pk))
    return None


def _of_address_now(check: Any) -> Any:
    """The check with the address that it asks from now on: its team may have changed it while the check waited."""
    for name in ADDRESS:
        setattr(check, name, getattr(check.subject, name))
    check.save(update_fields=ADDRESS)
    return check


def note_results(*, check: AnyCheck, worker: str, results: Sequence[Result], at: datetime) -> bool:
    """Stores what was found so far and renews the lease; False where the check is no longer this worker's."""
    stored = [result.to_json() for result in results]
    return bool(_held(check, worker).update(results=stored, lease_until=at + LEASE))


@transaction.atomic
def end_check(kind: SystemKind, *, check: AnyCheck, worker: str, results: Sequence[Result], at: datetime) -> bool:
    """Stores the report; False where the check is no longer this worker's. The system is green from now on or no longer, unless it has
    another address or other options by now.

    A report that the platform could not finish, and in which nothing failed, changes nothing about the system: it is interrupted.
    """
    stored, verdict = [result.to_json() for result in results], verdict_of(results)
    is_void = is_green(verdict) and not is_finished(results)
    state = CheckState.INTERRUPTED if is_void else CheckState.DONE
    report = {"state": state, "verdict": "" if is_void else str(verdict), "results": stored}
    is_ours = bool(_held(check, worker).update(**report, ended_at=at, worker="", lease_until=None))
    if is_void or not is_ours:
        return is_ours
    # Held until the commit: a change that comes in between would leave the system green for what it was.
    system = kind.held(check.subject)
    if all(are_same(getattr(system, name), getattr(check, name)) for name in ADDRESS):
        system.green_at = at if is_green(verdict) else None
        system.save(update_fields=["green_at"])
    about, named = kind.described(system)
    details = {**named, "verdict": str(verdict)}
    record(kind.acts.checked, by=None, at=at, campaign=system.campaign.slug, about=about, details=details)
    return True


def give_back(*, check: AnyCheck, worker: str) -> None:
    """Puts the check back as if it had not been taken up: its worker was told to end."""
    _held(check, worker).update(
        state=CheckState.QUEUED, worker="", lease_until=None, n_attempts=max(check.n_attempts - 1, 0), results=[]
    )


def leave_to_others(*, check: AnyCheck, worker: str) -> None:
    """Puts the check back after an error of ours; after some attempts it is given up."""
    _held(check, worker).update(state=CheckState.QUEUED, worker="", lease_until=None, results=[])


def _held(check: AnyCheck, worker: str) -> CheckQuerySet:
    return type(check).objects.filter(pk=check.pk, worker=worker, state=CheckState.RUNNING)
