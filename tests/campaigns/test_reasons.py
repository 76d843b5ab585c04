"""A reason is something that can be read and stored."""

import pytest

from campaigns.actions.reasons import ReasonNeeded, reason_of
from participants.limits import REASON_LIMIT


def test_a_reason_is_stored_without_the_blanks_around_it():
    assert reason_of(" ill ") == "ill"


@pytest.mark.parametrize("none", ["", " \n", "x" * (REASON_LIMIT + 1), "nul\0"])
def test_what_says_nothing_or_cannot_be_stored_is_none(none):
    with pytest.raises(ReasonNeeded):
        reason_of(none)
