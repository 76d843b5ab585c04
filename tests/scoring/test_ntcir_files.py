import json

import pytest

from reading.checking import BadFile, Problems
from scoring.ntcir_files import SCORES, baselines, distribution, read_gold, senders_of, vote
from scoring.task_types.contract import Gold


def said(problems: Problems) -> list[str]:
    return [str(problem) for problem in problems.listed()]


def test_a_distribution_is_in_the_order_of_the_classes_and_sums_to_one():
    assert distribution({"-2": 1, "2": 3}, SCORES, "", Problems()) == [0.75, 0, 0, 0, 0.25]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([], "[0].A: must be an object, not a list"),
        ({"3": 1}, "[0].A.3: is not one of 2, 1, 0, -1, -2"),
        ({"2": "1"}, "[0].A.2: must be a number, not a text"),
        ({"2": True}, "[0].A.2: must be a number, not true or false"),
        ({"2": -0.5}, "[0].A.2: must be a probability, not -0.5"),
        ({"2": 1e13}, "[0].A.2: must be a probability, not 10000000000000.0"),
        ({"2": 0}, "[0].A: has no positive probability"),
        ({}, "[0].A: has no positive probability"),
    ],
)
def test_what_is_no_distribution_is_named(value, problem):
    problems = Problems()
    assert distribution(value, SCORES, "[0].A", problems) is None
    assert said(problems) == [problem]


def test_votes_are_counted_by_class_whether_written_as_number_or_text():
    votes, problems = [0.0] * 5, Problems()
    for label in (2, "2", -2):
        vote(votes, label, SCORES, "x", problems)
    assert (votes, said(problems)) == ([2, 0, 0, 0, 1], [])
    for label in (True, 3, None, 2.0):
        vote(votes, label, SCORES, "x", problems)
    assert votes == [2, 0, 0, 0, 1]
    assert len(problems) == 4


def test_who_speaks_is_customer_or_helpdesk():
    problems = Problems()
    turns = [{"sender": "customer"}, {"sender": "bot"}, {"sender": ["customer"]}, {"sender": "helpdesk"}]
    assert senders_of({"turns": turns}, "[0]", problems) == ["customer", "helpdesk"]
    assert said(problems) == [
        '[0].turns[1].sender: must be customer or helpdesk, not "bot"',
        "[0].turns[2].sender: must be customer or helpdesk, not […]",
    ]


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"[]", "file: holds no dialogue"), (b"{}", "file: must be a list, not an object"), (b'[{"id": 1}, {"id": "1"}]', "[1].id: “1” already appears at [0]")],
)  # fmt: skip
def test_a_gold_file_without_dialogues_is_refused(content, problem):
    with pytest.raises(BadFile) as bad:
        read_gold(content, lambda row, place, problems: row)
    assert str(bad.value) == problem


def test_both_baselines_answer_every_item():
    """By hand: three votes for the first of two classes and one for the second."""
    made = baselines(lambda votes, make: {"answer": make(votes)})
    gold = Gold({"d1": [3.0, 1.0]})
    assert json.loads(made["uniform"](gold)) == [{"id": "d1", "answer": [0.5, 0.5]}]
    assert json.loads(made["popularity"](gold)) == [{"id": "d1", "answer": [1, 0]}]
