"""A refusal leaves the rest of a batch alone; other errors do not (test_group_commit.py has the batches)."""

from serving.refused import Refused
from testing_console.turn_taking import Refusal


def test_the_refusals_of_turn_taking_are_refusals_of_the_commit():
    assert issubclass(Refusal, Refused)
