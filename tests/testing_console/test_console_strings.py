"""What the console says of a failed turn follows what the campaign makes of failures."""

import pytest
from django.utils.translation import override

from dialogues.fault_policy import CHARGED, COUNTED, FREE, LEFT_OUT, FaultPolicy
from testing_console.console_strings import console_strings


@pytest.mark.parametrize(
    ("policy", "costs", "closes"),
    [
        (None, "only if a retry", "counts as not finished"),
        (FaultPolicy(COUNTED, FREE), "only if a retry", "counts as not finished"),
        (FaultPolicy(COUNTED, CHARGED), "counts as used", "counts as not finished"),
        (FaultPolicy(LEFT_OUT, FREE), "only if a retry", "leaves this dialogue out"),
    ],
)
def test_a_failed_turn_costs_what_the_campaign_says(policy, costs, closes):
    with override("en"):
        said = console_strings(policy)
    assert costs in said["failed.costs"]
    # The last retry warns of what follows if it fails as well.
    assert closes in said["failed.closes"]
    assert closes in said["failed.lastRetry"]
    assert "the part closes" in said["failed.lastRetry"]
    # An answered retry is charged like any answered turn: only what is free depends on it.
    assert "only if a retry is answered" in said["failed.free"]


@pytest.mark.parametrize(("language", "denied"), [("en", "not count"), ("zh-hans", "不计入")])
@pytest.mark.parametrize("policy", [FaultPolicy(), FaultPolicy(COUNTED, CHARGED)])
def test_what_stands_beside_a_counter_that_fell_never_says_that_it_did_not(policy, language, denied):
    with override(language):
        said = console_strings(policy)
    for name in ("failed.free", "failed.costs", "failed.lastRetry", "failed.closes"):
        assert denied not in said[name]


def test_notes_that_name_a_function_key_name_its_twin():
    with override("en"):
        said = console_strings()
    for words in said.values():
        for key, twin in (("F2", "Alt+2"), ("F3", "Alt+3"), ("F9", "Alt+9")):
            assert key not in words or twin in words, words
