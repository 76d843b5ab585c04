import pytest

from automatic_tasks.runs.queue import pause_s


@pytest.mark.parametrize(("n", "seconds"), [(1, 1), (2, 2), (3, 4), (7, 60), (10_000, 60)])
def test_a_pause_doubles_with_every_failure_in_a_row_up_to_the_longest(n, seconds):
    assert pause_s(n, longest_s=60) == seconds
