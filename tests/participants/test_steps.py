"""What paths cost: the same values as the library finds, and an end to the work."""

import jmespath
import pytest

from participants.mappings.paths import path_of
from participants.mappings.steps import STEPS_OF_A_COMPARISON, Steps
from reading.kinds import Wrong

DOCUMENT = {"a": [[1, 2], [3]], "b": [{"n": 1}, {"n": 2}], "c": "text", "d": {"x": 1, "y": 2}}


@pytest.mark.parametrize(
    "path",
    [
        "a[]", "a[].[@, @]", "b[?n > `1`].n", "b[?n == `1` || n != `2`]", "a[::-1]", "d.*", "d.{p: x, q: y}", "!c && a",
        "contains(a, `[3]`)", "join('-', ['x', c])", "length(a)", "b[0].n | [0]", "not_null(z, c)", "a == `[[1, 2], [3]]`",
    ],
)  # fmt: skip
def test_a_counted_path_finds_what_the_library_finds(path):
    assert path_of(path).found_in(DOCUMENT, Steps(10_000)) == jmespath.search(path, DOCUMENT)


def steps_of(path, value, limit=10_000_000):
    steps = Steps(limit)
    path_of(path).found_in(value, steps)
    return limit - steps.left


def test_a_field_costs_a_step_however_much_it_holds():
    assert steps_of("a", {"a": [[]] * 5000}) == 1


def test_every_part_of_a_path_costs_a_step_for_each_value_it_looks_at():
    # The projection and its list; then identity and comparison with two sides for each of 1,000 values.
    assert 3000 < steps_of("a[?@ == 'x']", {"a": ["y"] * 1000}) < 6000


@pytest.mark.parametrize(
    ("path", "value", "n"),
    [
        ("a[]", {"a": [[0] * 1000] * 10}, 20_000),
        ("a[0:500]", {"a": [0] * 1000}, 1000),
        ("join('', a)", {"a": [""] * 1000}, 1000),
        ("contains(a, 'xx')", {"a": "x" * 64_000}, 1000),
        ("a == b", {"a": [[0]], "b": [[0]]}, STEPS_OF_A_COMPARISON),
        ("contains(a, b)", {"a": [[0]], "b": [0]}, STEPS_OF_A_COMPARISON),
    ],
)
def test_what_the_library_does_at_once_costs_what_it_goes_through(path, value, n):
    # What is flattened or cut out is then visited one by one as well.
    assert n <= steps_of(path, value) < n + 100


def test_one_limit_holds_for_all_paths_that_share_it():
    steps = Steps(2)
    path_of("a").found_in({}, steps)
    path_of("b").found_in({}, steps)
    with pytest.raises(Wrong, match="at most 2 steps are allowed"):
        path_of("c").found_in({}, steps)


def test_a_path_that_looks_at_everything_again_and_again_is_stopped():
    path = path_of("|".join(["a", *["[?!@]"] * 15]))
    with pytest.raises(Wrong, match="takes too long"):
        path.found_in({"a": [[]] * 1000}, Steps(20_000))
