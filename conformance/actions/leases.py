"""The life of any check from queue to end: claimed under a lease, noted, given back, ended. One that its process left is taken up by another."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from conformance.models import AnyCheck, CheckQuerySet, CheckState
from conformance.results import Result, is_finished, is_green, verdict_of
from serving.refused import Refused

LEASE = timedelta(seconds=30)
ATTEMPT_LIMIT = 3
# A check of a bot is some two hundred calls: nobody has to bear more than this of them.
CHECKS_PER_HOUR = 6
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


def refuse_unless_checkable(subject: Any, at: datetime) -> None:
    """Of a bot or service: neither withdrawn, nor being checked, nor too often. Errors: `CannotCheck`."""
    if subject.withdrawn_at is not None:
        raise CannotCheck("withdrawn")
    if subject.has_lost_its_secret():
        raise CannotCheck("secret_lost")
    if subject.checks.open().exists():
        raise CannotCheck("checking")
    if subject.checks.filter(asked_at__gt=at - timedelta(hours=1)).count() >= CHECKS_PER_HOUR:
        raise CannotCheck("too_often")


def claim(checks: CheckQuerySet, *, worker: str, at: datetime) -> Any:
    """The oldest of these checks that is due, now this worker's; None if there is none. One that was left too often is given up."""
    for check in checks.due(at)[:10]:
        # Whoever changes the row first has it: the others match nothing any more.
        rows = type(check).objects.filter(pk=check.pk)
        same = rows.filter(state=check.state, worker=check.worker, lease_until=check.lease_until)
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


def end(*, check: AnyCheck, worker: str, results: Sequence[Result], at: datetime) -> CheckState | None:
    """Stores the report; the state in which it ended, None where the check is no longer this worker's.

    A report that the platform could not finish, and in which nothing failed, says nothing: it is interrupted.
    """
    stored, verdict = [result.to_json() for result in results], verdict_of(results)
    is_void = is_green(verdict) and not is_finished(results)
    state = CheckState.INTERRUPTED if is_void else CheckState.DONE
    said = {"state": state, "verdict": "" if is_void else str(verdict), "results": stored}
    ended = _held(check, worker).update(**said, ended_at=at, worker="", lease_until=None)
    return state if ended else None


def give_back(*, check: AnyCheck, worker: str) -> None:
    """Puts the check back as if it had not been taken up: its worker was told to end."""
    _held(check, worker).update(
        state=CheckState.QUEUED, worker="", lease_until=None, n_attempts=max(check.n_attempts - 1, 0), results=[]
    )


def leave_to_others(*, check: AnyCheck, worker: str) -> None:
    """Puts the check back after an error of ours; after some attempts it is given up."""
    _held(check, worker).update(state=CheckState.QUEUED, worker="", lease_until=None, results=[])


def end_leases_of(*, checks: CheckQuerySet, is_dead: Callable[[str], bool], at: datetime) -> int:
    """Ends the leases of workers that are known to be gone, so that nobody waits for them to run out."""
    running = checks.filter(state=CheckState.RUNNING)
    dead = [name for name in set(running.values_list("worker", flat=True)) if is_dead(name)]
    return running.filter(worker__in=dead).update(lease_until=at - timedelta(microseconds=1))


def _held(check: AnyCheck, worker: str) -> CheckQuerySet:
    return type(check).objects.filter(pk=check.pk, worker=worker, state=CheckState.RUNNING)
