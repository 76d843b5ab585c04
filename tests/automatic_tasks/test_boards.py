"""The pure parts of a board; boards of stored runs are tested with their runs."""

from uuid import UUID

import pytest

from automatic_tasks.boards.task_boards import (
    UnknownFigure,
    Unranked,
    _standing,
    as_table,
    key_of,
    pairs_of,
    rule_of,
    to_json,
)
from automatic_tasks.models import AutomaticTask, Run, Split
from leaderboards.board import Board, Row
from measures.ranking import RankingKey
from participants.models import Team
from scoring.task_types import TASK_TYPES

NMD = RankingKey("nmd", "lower")


def run(number: int, **fields) -> Run:
    return Run(pk=UUID(int=number), number=number, team=Team(name=f"Team {number}"), **fields)


def task() -> AutomaticTask:
    return AutomaticTask(key="quality", type="dialogue-quality")


def test_every_two_runs_are_a_pair_with_the_smaller_id_first():
    one, two, three = run(1), run(2), run(3)
    assert pairs_of([three, one, two]) == [(one, two), (one, three), (two, three)]
    assert pairs_of([one]) == []


def test_the_best_on_the_development_split_stands_and_of_equal_ones_the_first():
    runs = [run(1), run(2), run(3)]
    development = {runs[0].pk: {"nmd": 0.4}, runs[1].pk: {"nmd": 0.2}, runs[2].pk: {"nmd": 0.2}}
    assert _standing(runs, development, [NMD]) == runs[1]
    assert _standing(runs, {runs[2].pk: {"nmd": 0.9}}, [NMD]) == runs[2], "a missing figure is no best one"


def test_without_a_development_split_the_latest_run_represents_the_team():
    runs = [run(1), run(2)]
    assert _standing(runs[1:] + runs[:1], {}, [NMD]) == runs[1]


def test_a_board_is_ranked_by_the_rule_of_the_task_or_by_one_figure_in_its_own_direction():
    assert rule_of(task(), "") == TASK_TYPES["dialogue-quality"].ranking
    assert rule_of(task(), "quality.S.rsnod") == (RankingKey("quality.S.rsnod", "lower"),)
    with pytest.raises(UnknownFigure, match="luck"):
        rule_of(task(), "luck")


def made() -> Board:
    (key,) = (key_of(figure) for figure in TASK_TYPES["dialogue-quality"].figures if figure.name == "quality.A.nmd")
    rows = (
        Row("Team 1-run1", "Team 1-run1", {"quality.A.nmd": 0.25}, team="Team 1",
            intervals={"quality.A.nmd": (0.2, 0.3)}, rank=1, better_than=(2,)),
        Row("a paper", "a paper", {"quality.A.nmd": None}, source="NTCIR-14", rank=2),
        Row("BL-uniform", "BL-uniform", {"quality.A.nmd": None}, baseline="uniform", rank=2),
    )  # fmt: skip
    unranked = (
        Row("team Team 3", "Team 3", {}, team="Team 3", reason=Unranked.OUTDATED),
        Row("BL-majority", "BL-majority", {}, reason=Unranked.OUTDATED),
    )
    return Board((key,), (key,), rows, unranked, is_compared=True)


def test_a_board_as_a_table_keeps_what_is_missing_empty():
    columns, rows = as_table(made())
    key = "quality.A.nmd"
    assert columns == ["rank", "run", "team", key, f"{key}.low", f"{key}.high", "better_than", "team_en"]
    assert rows == [
        [1, "Team 1-run1", "Team 1", 0.25, 0.2, 0.3, "2", ""],
        [2, "a paper", "", None, None, None, "", ""],
        [2, "BL-uniform", "", None, None, None, "", ""],
    ]


def test_a_board_as_json_names_sources_and_why_a_team_or_a_baseline_has_no_rank():
    shown = to_json(task(), Split.HIDDEN, made())
    assert [(row["run"], row["team"], row["source"], row["baseline"]) for row in shown["rows"]] == [
        ("Team 1-run1", "Team 1", None, None),
        ("a paper", None, "NTCIR-14", None),
        ("BL-uniform", None, None, "uniform"),
    ]
    assert shown["unranked"] == [
        {"name": "Team 3", "team": "Team 3", "team_en": "", "reason": "outdated"},
        {"name": "BL-majority", "team": None, "team_en": "", "reason": "outdated"},
    ]
    assert (shown["task"], shown["split"]) == ("quality", "hidden")
    assert shown["rule"] == [{"key": "quality.A.nmd", "better": "lower"}]
