"""What the console says of a failed turn follows what the campaign makes of failures."""

import pytest
from django.utils.translation import override

from dialogues.fault_policy import CHARGED, COUNTED, FREE, LEFT_OUT, FaultPolicy
from testing_console.console_strings import console_strings


@pytest.mark.parametrize(
    ("policy", "costs", "closes"),
    [
        (None, "does not count for the result", "it counts as not finished"),
        (FaultPolicy(COUNTED, FREE), "does not count for the result", "it counts as not finished"),
        (FaultPolicy(COUNTED, CHARGED), "counts as used", "it counts as not finished"),
        (FaultPolicy(LEFT_OUT, FREE), "does not count for the result", "leaves this dialogue out"),
    ],
)
def test_a_failed_turn_costs_what_the_campaign_says(policy, costs, closes):
    with override("en"):
        said = console_strings(policy)
    assert costs in said["failed.costs"]
    assert closes in said["failed.closes"]
    # An answered retry is charged like any answered turn: only what is free depends on it.
    assert "does not count for the result, unless a retry is answered" in said["failed.free"]
    assert ("unless a retry" in said["failed.costs"]) == ("does not count" in costs)


def test_nothing_else_says_that_a_failed_turn_does_not_count():
    with override("en"):
        said = console_strings(FaultPolicy(LEFT_OUT, CHARGED))
    failed = {name: words for name, words in said.items() if name.startswith("failed.")}
    assert [name for name, words in failed.items() if "not count for the result" in words] == ["failed.free"]


def test_notes_that_name_a_function_key_name_its_twin():
    with override("en"):
        said = console_strings()
    for words in said.values():
        for key, twin in (("F2", "Alt+2"), ("F3", "Alt+3"), ("F9", "Alt+9")):
            assert key not in words or twin in words, words
