"""A combined board computed again by hand; that a whole bundle is verified is tested in `tests/automatic_tasks`."""

import pytest

from verification.combined import NOBODY, check_people, digest_of_run, recomputed_combined, runs_in
from verification.findings import Findings

PLACE = {"task": "chat", "split": "hidden"}
PEOPLE = {"task": None, "split": None}


def person_row(team, rank, success, bot="b"):
    return {"key": bot, "rank": rank, "team": team, "bot": bot, "n_records": 4, "figures": {"success": success}}


LEADERBOARD = {
    "campaign": "small",
    "keys": [{"key": "success", "letter": "Suc", "better": "higher"}],
    # Of One's systems the better one speaks for it; Four has none that was scored.
    "rows": [person_row("One", 1, 0.75), person_row("Two", 2, 0.5), person_row("One", 3, 0.25, "worse")],
    "unranked": [person_row("Four", None, None) | {"reason": "no reviews"}],
}


def run(team, bleu, **changed):
    row = {**PLACE, "team": team, "run": "id", "name": f"{team}-run1", "measure": "m 1", "file_sha256": None}
    row |= {"figures": {"bleu": bleu}, "reason": None} | changed
    return row | {"sha256": digest_of_run(row)}


RUNS = [
    run("One", 10.0),
    run("Two", 25.0),
    run("Three", 30.0),
    run("Four", 5.0),
    run("Five", None, run=None, name=None, figures={}, reason="failed"),
]


def told(**changed):
    return {
        "campaign": "small",
        "board": "main",
        "name": {"zh": "主", "en": "Main"},
        "parts": [{**PEOPLE, "name": {"zh": "人", "en": "People"}}, {**PLACE, "name": {"zh": "聊", "en": "Chat"}}],
        "columns": [
            {"key": "suc", **PEOPLE, "figure": "success", "weight": 1.0},
            {"key": "bleu", **PLACE, "figure": "bleu", "weight": 0.02},
        ],
        "total": {"by": "sum", "of": ["suc", "bleu"]},
        "keys": [{"key": key, "letter": "", "better": "higher"} for key in ("suc", "bleu", "total")],
        "rule": [{"key": "total", "better": "higher"}],
    } | changed


def test_ranks_and_reasons_follow_from_people_and_runs():
    board = recomputed_combined(told(), LEADERBOARD, RUNS)
    assert [(row["rank"], row["team"], row["n_records"], row["figures"]) for row in board["rows"]] == [
        (1, "Two", 4, {"suc": 0.5, "bleu": 25.0, "total": 1.0}),
        (2, "One", 4, {"suc": 0.75, "bleu": 10.0, "total": 0.95}),
    ]
    assert [(row["team"], row["n_records"], row["reason"]) for row in board["unranked"]] == [
        ("Five", None, "People: absent; Chat: failed"),
        ("Four", None, "People: no reviews"),
        ("Three", None, "People: absent"),
    ]
    assert all(row["figures"]["total"] is None for row in board["unranked"]), "a total with a missing part is missing"


def test_a_mean_divides_by_its_weights():
    board = recomputed_combined(told(total={"by": "mean", "of": ["suc", "bleu"]}), LEADERBOARD, RUNS)
    assert board["rows"][0]["figures"]["total"] == pytest.approx(1.0 / 1.02)


def test_keys_rank_in_the_order_of_the_rule_and_a_column_that_does_not_rank_is_not_needed():
    rule = [{"key": "bleu", "better": "higher"}]
    board = recomputed_combined(told(rule=rule, total=None, keys=told()["keys"][:2]), LEADERBOARD, RUNS)
    assert [row["team"] for row in board["rows"]] == ["Three", "Two", "One", "Four"]
    assert board["rows"][0]["figures"] == {"suc": None, "bleu": 30.0}


def test_which_way_is_better_is_what_the_leaderboard_says():
    turned = told(keys=[key | {"better": "lower"} for key in told()["keys"]], rule=[{"key": "suc", "better": "lower"}])
    board = recomputed_combined(turned, LEADERBOARD, RUNS)
    assert board["rule"] == [{"key": "suc", "better": "higher"}]
    assert [row["team"] for row in board["rows"]] == ["One", "Two"]


def test_a_figure_that_nothing_has_leaves_nobody_ranked():
    columns = [told()["columns"][0] | {"figure": "gone"}, told()["columns"][1]]
    board = recomputed_combined(told(columns=columns), LEADERBOARD, RUNS)
    assert board["rows"] == []
    assert "People: no figure" in {row["reason"] for row in board["unranked"]}


def test_a_run_that_is_not_what_its_digest_covers_and_one_that_comes_twice_are_named():
    findings = Findings()
    rows = runs_in(enumerate([RUNS[0], RUNS[1] | {"figures": {"bleu": 99.0}}, RUNS[0]], start=1), findings)
    assert [row["team"] for row in rows] == ["One", "Two"]
    assert [(one.line, one.figure) for one in findings] == [(2, "sha256"), (3, "")]
    (culprit,) = _of_nobody(run("", 1.0, name="BL-uniform") | {"sha256": "0"})
    assert culprit.text == "what it says of the run BL-uniform is not what its digest covers"


def _of_nobody(row):
    runs_in([(1, row)], findings := Findings())
    return findings


def test_systems_of_no_team_or_without_a_reason_are_named_and_break_nothing():
    odd = LEADERBOARD | {"unranked": [person_row("", None, None), person_row("Six", None, None) | {"reason": None}]}
    findings = Findings()
    check_people(told(), odd, findings)
    assert [(one.file, one.figure) for one in findings] == [
        ("leaderboard.json", "team"), ("leaderboard.json", "reason"), ("leaderboard.json", "reason"),
    ]  # fmt: skip
    assert "" not in {row["team"] for row in recomputed_combined(told(), odd, RUNS)["unranked"]}
    check_people(told(), NOBODY, nobody := Findings())
    assert [one.figure for one in nobody] == ["parts"]
    check_people(told(parts=told()["parts"][1:]), odd, none := Findings())
    assert not len(none)
