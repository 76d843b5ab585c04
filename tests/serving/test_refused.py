"""A refusal leaves the rest of a batch alone; other errors do not (test_group_commit.py has the batches)."""

from serving.refused import NotYet, Refused
from testing_console.turn_taking import Refusal


def test_the_refusals_of_turn_taking_are_refusals_of_the_commit():
    assert issubclass(Refusal, Refused)


def test_what_is_not_allowed_yet_is_a_refusal_that_knows_how_long():
    assert isinstance(NotYet(7), Refused)
    assert NotYet(7).after_s == 7
