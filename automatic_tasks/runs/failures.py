"""Whose fault it is that a run has no score, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_noop

from automatic_tasks.models import Run
from automatic_tasks.runs.gold_files import BadNoise
from automatic_tasks.service_runs import GoldChanged, TakesNoPart, Unanswered, told_of
from participants.failures import BotFailure, Fault
from participants.secrets import SecretLost
from reading.checking import BadFile
from reading.findings import Finding
from scoring.one_run import BadGold

CHANGED = Finding(
    "",
    gettext_noop(
        "The gold or the options of the task were changed after this run was handed in, and it does not fit them any more."
    ),
)
OTHER_QUESTIONS = Finding(
    "",
    gettext_noop("The gold of the task was changed after this run asked its sentences. Start a new run."),
)
UNREADABLE_GOLD = Finding("", gettext_noop("The gold of the task cannot be read."))
UNREADABLE_NOISE = Finding("", gettext_noop("The noise of the task cannot be read."))
UNREADABLE_SECRET = Finding(
    "",
    gettext_noop(
        "The platform can no longer read the secret of the service. Type the secret again, then start a new run."
    ),
)
NOT_CALLED = Finding(
    "",
    gettext_noop("The service was withdrawn or sent back after this run was started, so it is not called any more."),
)
BROKEN_OFF = gettext_noop("A call to the service failed through no fault of the team: %(failure)s.")


@dataclass(frozen=True, slots=True)
class RunFailure:
    """Why a run has no score. One that `may_pass` is given back to the queue, and fails only at the limit of attempts."""

    fault: Run.Fault
    reasons: Sequence[Finding]
    may_pass: bool = False


def failure_of(broken: Exception) -> RunFailure | None:
    """The failure that an error means; None for what nobody foresaw, which may pass.

    A team answers for what its service does. Its file passed the check when it was handed in: where it does not pass
    now, the platform changed what it is checked against.
    """
    match broken:
        case Unanswered():
            return RunFailure(Run.Fault.TEAM, broken.reasons)
        case BadFile():
            return RunFailure(Run.Fault.PLATFORM, [CHANGED, *broken.problems])
        case BadGold():
            return RunFailure(Run.Fault.PLATFORM, [UNREADABLE_GOLD, *broken.problems])
        case BadNoise():
            return RunFailure(Run.Fault.PLATFORM, [UNREADABLE_NOISE, *broken.problems])
        case BotFailure():
            fault = Run.Fault.NOBODY if broken.fault is Fault.NOBODY else Run.Fault.PLATFORM
            reason = Finding("", BROKEN_OFF, {"failure": str(broken.kind), "detail": told_of(broken)})
            return RunFailure(fault, [reason], may_pass=True)
        case SecretLost():
            return RunFailure(Run.Fault.PLATFORM, [UNREADABLE_SECRET])
        case TakesNoPart():
            return RunFailure(Run.Fault.NOBODY, [NOT_CALLED])
        case GoldChanged():
            return RunFailure(Run.Fault.PLATFORM, [OTHER_QUESTIONS])
    return None


def reasons_of(broken: Exception) -> Sequence[Finding]:
    failure = failure_of(broken)
    return failure.reasons if failure else []
