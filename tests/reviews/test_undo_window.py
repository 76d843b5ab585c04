from datetime import timedelta

import pytest

from reviews.undo_window import REVIEWER_WINDOW_S, seconds_to_undo
from tests.reviews.conftest import NOON


@pytest.mark.parametrize(
    ("later_s", "left"), [(0, 10), (0.2, 10), (1, 9), (9, 1), (9.999, 1), (10, 0), (3600, 0), (-5, 10)]
)
def test_a_hand_in_can_be_undone_for_ten_seconds(later_s, left):
    assert seconds_to_undo(NOON, NOON + timedelta(seconds=later_s)) == left


@pytest.mark.parametrize(("later_s", "left"), [(0, 600), (1, 599), (599.5, 1), (600, 0), (-5, 600)])
def test_a_reviewer_has_ten_minutes(later_s, left):
    assert seconds_to_undo(NOON, NOON + timedelta(seconds=later_s), REVIEWER_WINDOW_S) == left
