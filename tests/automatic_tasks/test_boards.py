"""The pure parts of a board; boards of stored runs are tested with their runs."""

from uuid import UUID

import pytest

from automatic_tasks.boards import (
    Board,
    BoardRow,
    UnknownFigure,
    Unranked,
    UnrankedRow,
    _standing,
    beaten_by,
    pairs_of,
    rule_of,
)
from automatic_tasks.models import AutomaticTask, Run, Split
from measures.ranking import RankingKey
from participants.models import Team
from scoring.task_types import TASK_TYPES

NMD, F1 = RankingKey("nmd", "lower"), RankingKey("f1", "higher")


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


@pytest.mark.parametrize(
    ("key", "figures", "winner"),
    [(NMD, {"Team 1-run1": {"nmd": 0.1}, "Team 2-run2": {"nmd": 0.3}}, "Team 1-run1"),
     (F1, {"Team 1-run1": {"f1": 0.1}, "Team 2-run2": {"f1": 0.3}}, "Team 2-run2")],
)  # fmt: skip
def test_who_is_better_follows_the_direction_of_the_figure(key, figures, winner):
    runs = {"Team 1-run1": run(1), "Team 2-run2": run(2)}
    ranks = {name: 1 if name == winner else 2 for name in runs}
    p_values = {(UUID(int=1), UUID(int=2)): {key.figure: 0.04}}
    beaten = beaten_by(runs, figures, ranks, p_values, key)
    assert beaten[winner] == (2,)
    assert sum(map(len, beaten.values())) == 1


def test_significance_is_adjusted_for_all_pairs_of_the_board():
    """By hand (Holm): 0.02 · 3 = 0.06 is no longer significant, 0.01 · 3 = 0.03 is."""
    runs = {f"Team {n}-run{n}": run(n) for n in (1, 2, 3)}
    figures = {name: {"nmd": 0.1 * one.number} for name, one in runs.items()}
    ranks = {name: one.number for name, one in runs.items()}
    pairs = [(UUID(int=1), UUID(int=2)), (UUID(int=1), UUID(int=3)), (UUID(int=2), UUID(int=3))]

    def beaten(smallest):
        p_values = dict(zip(pairs, ({"nmd": smallest}, {"nmd": 0.6}, {"nmd": 0.7}), strict=True))
        return beaten_by(runs, figures, ranks, p_values, NMD)

    assert beaten(0.02) == {"Team 1-run1": (), "Team 2-run2": (), "Team 3-run3": ()}
    assert beaten(0.01) == {"Team 1-run1": (2,), "Team 2-run2": (), "Team 3-run3": ()}


def test_pairs_without_a_p_value_of_the_figure_are_no_tests():
    runs = {f"Team {n}-run{n}": run(n) for n in (1, 2)}
    figures = {name: {"nmd": 0.1} for name in runs}
    p_values = {(UUID(int=1), UUID(int=2)): {"other": 0.0}}
    assert beaten_by(runs, figures, dict.fromkeys(runs, 1), p_values, NMD) == {"Team 1-run1": (), "Team 2-run2": ()}


def test_a_board_is_ranked_by_the_rule_of_the_task_or_by_one_figure_in_its_own_direction():
    assert rule_of(task(), "") == TASK_TYPES["dialogue-quality"].ranking
    assert rule_of(task(), "quality.S.rsnod") == (RankingKey("quality.S.rsnod", "lower"),)
    with pytest.raises(UnknownFigure, match="luck"):
        rule_of(task(), "luck")


def made() -> Board:
    figures = tuple(figure for figure in TASK_TYPES["dialogue-quality"].figures if figure.name == "quality.A.nmd")
    rows = (
        BoardRow(1, "Team 1-run1", run(1), "", {"quality.A.nmd": 0.25}, {"quality.A.nmd": (0.2, 0.3)}, (2,)),
        BoardRow(2, "a paper", None, "NTCIR-14", {"quality.A.nmd": None}, {}, ()),
    )
    rule = (RankingKey("quality.A.nmd", "lower"),)
    unranked = (
        UnrankedRow("Team 3", "Team 3", Unranked.OUTDATED),
        UnrankedRow("BL-uniform", None, Unranked.OUTDATED),
    )
    return Board(task(), Split.HIDDEN, rule, figures, rows, unranked)


def test_a_board_as_rows_keeps_what_is_missing_empty():
    assert made().to_rows() == [
        {"rank": 1, "run": "Team 1-run1", "team": "Team 1", "quality.A.nmd": 0.25, "quality.A.nmd.low": 0.2,
         "quality.A.nmd.high": 0.3, "better_than": "2"},
        {"rank": 2, "run": "a paper", "team": "", "quality.A.nmd": None, "quality.A.nmd.low": None,
         "quality.A.nmd.high": None, "better_than": ""},
    ]  # fmt: skip


def test_a_board_as_json_names_sources_and_why_a_team_or_a_baseline_has_no_rank():
    shown = made().to_json()
    assert [(row["run"], row["team"], row["source"]) for row in shown["rows"]] == [
        ("Team 1-run1", "Team 1", None),
        ("a paper", None, "NTCIR-14"),
    ]
    assert shown["unranked"] == [
        {"name": "Team 3", "team": "Team 3", "reason": "outdated"},
        {"name": "BL-uniform", "team": None, "reason": "outdated"},
    ]
    assert shown["rule"] == [{"key": "quality.A.nmd", "better": "lower"}]
