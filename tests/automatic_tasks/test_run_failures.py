import pytest
from django.utils.translation import gettext

from automatic_tasks.models import Batch, Run
from automatic_tasks.runs.failures import failure_of, reasons_of
from automatic_tasks.runs.gold_files import BadNoise
from automatic_tasks.service_runs import GoldChanged, TakesNoPart, Unanswered
from participants.failures import BotFailure, FailureKind, Fault
from participants.secrets import SecretLost
from reading.checking import BadFile
from reading.findings import Finding, in_words, sentence
from scoring.one_run import BadGold

MISSING = Finding("dialogue d1", "is missing")


@pytest.mark.parametrize(
    ("broken", "fault", "said"),
    [
        (
            Unanswered(Batch(failure="dns", detail=["", "no such host", {}])),
            Run.Fault.TEAM,
            "First failure: host not found (dns).",
        ),
        (BadFile([MISSING]), Run.Fault.PLATFORM, "does not fit them any more.\ndialogue d1: is missing"),
        (BadGold([MISSING]), Run.Fault.PLATFORM, "cannot be read.\ndialogue d1: is missing"),
        (BadNoise([MISSING]), Run.Fault.PLATFORM, "The noise of the task cannot be read.\ndialogue d1: is missing"),
        (GoldChanged(), Run.Fault.PLATFORM, "Start a new run."),
        (TakesNoPart(), Run.Fault.NOBODY, "so it is not called any more."),
        (SecretLost(), Run.Fault.PLATFORM, "Type the secret again, then start a new run."),
    ],
)
def test_a_team_answers_for_its_service_and_the_platform_for_what_it_changed(broken, fault, said):
    failure = failure_of(broken)
    assert failure.fault == fault
    assert in_words(failure.reasons).endswith(said)


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (BotFailure(FailureKind.CONNECT, sentence("A kept connection broke."), fault=Fault.NOBODY), Run.Fault.NOBODY),
        (BotFailure(FailureKind.INTERRUPTED, sentence("The platform restarts.")), Run.Fault.PLATFORM),
    ],
)
def test_a_call_that_broke_off_through_no_fault_of_the_team_may_pass(broken, fault):
    failure = failure_of(broken)
    assert (failure.fault, failure.may_pass) == (fault, True)
    assert (
        in_words(failure.reasons)
        == f"A call to the service failed through no fault of the team: {gettext(broken.kind)}."
    )
    assert failure.reasons[0].detail == str(broken.detail)


def test_what_nobody_foresaw_is_no_failure_yet():
    assert failure_of(ZeroDivisionError()) is None
    assert reasons_of(ZeroDivisionError()) == []
