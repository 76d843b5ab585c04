"""Gold of two files becomes one."""

from organizing.tasks.gold_parts import joined_gold
from reading.checking import Problems
from scoring.task_types import TASK_TYPES

RESPONSES = TASK_TYPES["response-generation"]
A, B = b'{"id": "a", "reference": "x"}', b'\xef\xbb\xbf{"id": "b", "reference": "y"}\n'


def join(hidden, development):
    problems = Problems()
    joined = joined_gold(RESPONSES, RESPONSES.default_options(), hidden, development, problems)
    return joined, [(one.place, one.text) for one in problems.listed()]


def test_the_items_of_the_second_file_are_the_development_split():
    joined, wrong = join(A, B)
    assert (joined.content, joined.development_ids, wrong) == (A + b"\n" + B[3:], ("b",), [])


def test_an_item_of_both_files_and_a_problem_of_either_has_its_place():
    assert join(A, A)[1][0][0] == "development"
    joined, wrong = join(A, b'{"id": "b"}')
    assert (joined, wrong[0][0]) == (None, "development, line 1, reference")
