"""A reason is something that can be read and stored."""

import pytest

from campaigns.reasons import ReasonNeeded, reason_of, reason_or_none
from participants.limits import REASON_LIMIT


def test_a_reason_is_stored_without_the_blanks_around_it():
    assert reason_of(" ill ") == "ill"


@pytest.mark.parametrize("none", ["", " \n", "x" * (REASON_LIMIT + 1), "nul\0"])
def test_what_says_nothing_or_cannot_be_stored_is_none(none):
    with pytest.raises(ReasonNeeded):
        reason_of(none)


def test_where_none_is_asked_for_nothing_is_one_and_no_other_limit_holds():
    assert (reason_or_none(" "), reason_or_none(" ill ")) == ("", "ill")
    with pytest.raises(ReasonNeeded, match=str(REASON_LIMIT)):
        reason_or_none("x" * (REASON_LIMIT + 1))
