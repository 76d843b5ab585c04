"""The board of one task ranked again by hand; a whole bundle of one is verified in `tests/automatic_tasks/test_run_boards.py`."""

from verification.combined import recomputed_run_board

KEY_OF_RUNS = {"key": "nmd", "letter": "", "better": "lower"}
TOLD_OF_RUNS = {
    "board": "quality/hidden",
    "of_runs": True,
    "columns": [{"key": "nmd", "figure": "quality.A.nmd"}],
    "keys": [KEY_OF_RUNS],
    "rule": [{"key": "nmd", "better": "higher"}],
}


def run_row(name, team, nmd, reason=None):
    figures = {} if reason else {"quality.A.nmd": nmd}
    return {"name": name, "team": team, "figures": figures, "reason": reason, "run": None}


def test_runs_of_teams_and_of_nobody_are_ranked_together_by_the_direction_of_the_column():
    runs = [
        run_row("B-run1", "B", 0.5),
        run_row("BL-one", "", 0.25),
        run_row("A-run2", "A", 0.5),
        run_row(None, "C", None, "failed"),
    ]
    board = recomputed_run_board(TOLD_OF_RUNS, "small", runs)
    assert [(row["rank"], row["key"], row["team"], row["figures"]) for row in board["rows"]] == [
        (1, "BL-one", "", {"nmd": 0.25}), (2, "A-run2", "A", {"nmd": 0.5}), (2, "B-run1", "B", {"nmd": 0.5}),
    ]  # fmt: skip
    (unranked,) = board["unranked"]
    assert (unranked["key"], unranked["bot"], unranked["reason"], unranked["figures"]) == (
        "team C", "C", "failed", {"nmd": None},
    )  # fmt: skip
    assert (board["campaign"], board["of_runs"], board["rule"]) == ("small", True, [{"key": "nmd", "better": "lower"}])
