"""Each sentence of an explanation says figures of the records: recomputed here from SMP2018's published-table reconstruction."""

import json
import re

import pytest
from django.core.management import call_command
from django.utils.translation import override

from campaigns.models import Campaign
from leaderboards.board import Key, Row, Words, ranked
from leaderboards.explanations import Verdict, explanation, percent
from leaderboards.live_board import board_of, stored_statistics
from leaderboards.models import StoredBoard
from tests.conftest import PUBLISHED

RECORDS = PUBLISHED / "smp2018" / "records.jsonl"
C = Key("completion", Words("完成率", "Completion"), "higher", 3, "C")
T = Key("turns", Words("轮数", "Turns"), "lower", 2, "T")


@pytest.fixture
def paper(db):
    call_command("import_records", str(RECORDS), campaign="paper", verbosity=0)
    call_command("leaderboard", "paper")
    call_command("statistics", "paper")
    return Campaign.objects.get(slug="paper")


def mean(values):
    return sum(values) / len(values)


def test_the_sentences_say_what_the_records_say(paper):
    """By hand: a mean over a team's 63 records, read from the file anew."""
    records = [json.loads(line) for line in RECORDS.read_text().splitlines()]
    stored, statistics = StoredBoard.objects.get(key="live"), stored_statistics(paper).rows
    board = board_of(paper, stored.rows)
    with override("en"):
        why = explanation(board, statistics, board.rows[0].key, board.rows[1].key)
    one, other = (
        mean(
            [all(part["completed"] for part in record["subtasks"]) for record in records if record["team"] == row.team]
        )
        for row in board.rows[:2]
    )
    step = why.steps[0]
    assert step.verdict == Verdict.DECIDES
    assert f"{one:.3f}" in step.sentence
    assert f"{other:.3f}" in step.sentence
    assert f"higher by {one - other:.3f}" in step.sentence
    assert [step.verdict for step in why.steps[1:]] == [Verdict.UNUSED] * 4
    pair = next(pair for pair in statistics["pairs"] if (pair["one"], pair["other"]) == (why.one.key, why.other.key))
    assert f"{percent(pair['ahead'])}," in why.how_sure[0]
    assert why.how_sure[0].endswith(f"in {percent(pair['behind'])}.")
    assert f"p = {pair['tests']['completion']['p']:.3f}" in why.how_sure[1]
    assert int(re.search(r"[\d,]+", why.how_sure[2])[0].replace(",", "")) == pair["plan"]["n_more"]


def board(*rows):
    return ranked(keys=(C, T), rule=(C, T), rows=rows)


def steps_of(*rows):
    with override("en"):
        return explanation(board(*rows), None, rows[0].key, rows[1].key).steps


def test_an_equal_key_is_said_with_its_records_and_the_next_decides():
    steps = steps_of(
        Row("a", "a", {"completion": 25 / 63, "turns": 21.86}, n=63),
        Row("b", "b", {"completion": 25 / 63, "turns": 26.13}, n=63),
    )
    assert [step.sentence for step in steps] == [
        "Equal: 0.397, as in 25 of 63 records.",
        "a has 21.86, b 26.13: lower by 4.27. This decides.",
    ]


def test_rows_that_are_equal_in_every_key_are_tied():
    rows = [Row(key, key, {"completion": 0.5, "turns": 3.0}, n=2) for key in "ab"]
    assert explanation(board(*rows), None, "b", "a").is_tied


def test_a_missing_figure_loses_and_is_said_to_be_missing():
    steps = steps_of(Row("a", "a", {"completion": 0.5}, n=2), Row("b", "b", {}, n=2))
    assert steps[0].sentence == "b has no such figure. This decides."


@pytest.mark.parametrize(("first", "second"), [("a", "a"), ("a", "nobody")])
def test_there_is_nothing_to_explain_of_one_row(first, second):
    assert explanation(board(Row("a", "a", {"completion": 0.5})), None, first, second) is None


@pytest.mark.parametrize(
    ("share", "said"), [(0.0, "0 %"), (0.0004, "< 1 %"), (0.18, "18 %"), (0.9996, "> 99 %"), (1.0, "100 %")]
)
def test_what_is_neither_never_nor_always_is_not_shown_as_such(share, said):
    assert percent(share) == said
