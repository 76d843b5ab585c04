from types import SimpleNamespace

import pytest

from campaigns.campaign_settings import settings_of
from dialogues.fault_policy import CHARGED, COUNTED, FREE, LEFT_OUT, FaultPolicy, fault_policy_of


@pytest.mark.parametrize(
    ("broken", "failed", "leaves_out", "charges"),
    [
        ("counted", "free", False, False),
        ("left_out", "free", True, False),
        ("counted", "charged", False, True),
        ("left_out", "charged", True, True),
    ],
)
def test_the_settings_of_a_campaign_say_what_failures_cost(broken, failed, leaves_out, charges):
    policy = fault_policy_of(SimpleNamespace(broken_dialogues=broken, failed_turns=failed))
    assert (policy.leaves_out_broken, policy.charges_failed_turns) == (leaves_out, charges)


def test_the_words_of_the_policy_are_the_choices_of_the_settings():
    choices = {name: set(setting.stored_choices) for name, setting in settings_of("faults").items()}
    assert choices == {"broken_dialogues": {COUNTED, LEFT_OUT}, "failed_turns": {FREE, CHARGED}}


def test_unless_a_campaign_says_otherwise_failures_cost_what_the_papers_charge():
    """A broken dialogue counts as unfinished, and only answered turns are charged."""
    settings = settings_of("faults")
    policy = FaultPolicy(**{name: setting.default for name, setting in settings.items()})
    assert policy == FaultPolicy()
    assert not policy.leaves_out_broken
    assert not policy.charges_failed_turns
