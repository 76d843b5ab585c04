"""A fingerprint has as much time as its calls have, one after the other; whoever answers each in time is never given up."""

from datetime import timedelta

import pytest

from conformance.canary_calls import limit_of_bot_s, limit_of_service_s, over_after


@pytest.mark.parametrize(("parallel", "n_in_a_row"), [(50, 3), (5, 3), (4, 6), (2, 9), (1, 15)])
def test_the_five_questions_of_a_bot_are_asked_together_as_far_as_it_declares(parallel, n_in_a_row):
    # 7 s for what its server says of itself, and the time of one call more.
    assert limit_of_bot_s(30, parallel) == 7 + (n_in_a_row + 1) * 30


@pytest.mark.parametrize(("batch", "n_in_a_row"), [(50, 3), (12, 3), (5, 9), (1, 36)])
def test_the_twelve_sentences_of_a_service_are_asked_in_batches(batch, n_in_a_row):
    assert limit_of_service_s(120, batch) == (n_in_a_row + 1) * 120


def test_it_is_over_when_its_time_and_that_of_the_platforms_waits_are():
    assert over_after(480) == timedelta(minutes=8 + 5 + 1)
