"""Statistics of a live board are drawn from its scenarios, stored, and follow the scores at a rhythm of their own."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaigns.actions import note_changed_scores
from leaderboards import actions, computations
from leaderboards.actions import (
    STATISTICS_REST,
    import_records,
    refresh_leaderboard,
    refresh_outdated_leaderboards,
    refresh_outdated_statistics,
    refresh_statistics,
)
from leaderboards.board_now import board_now
from leaderboards.record_files import read_record_lines
from leaderboards.statistics import statistics_of

pytestmark = pytest.mark.django_db


def line_of(team, scenario, *, completed, turns, fluency):
    subtasks = [{"kind": "flight", "completed": completed, "turns": turns, "cap": 9}]
    record = {
        "team": team,
        "scenario": scenario,
        "reviewer": "r",
        "subtasks": subtasks,
        "ratings": {"fluency": fluency},
    }
    return json.dumps(record).encode()


@pytest.fixture
def played(campaign):
    """Two bots on three scenarios: both finish the same two of them, A with 2 turns and B with 4."""
    lines = [
        line_of(team, scenario, completed=scenario != "c", turns=turns, fluency=1 if team == "A" else 0)
        for team, turns in [("A", 2), ("B", 4)]
        for scenario in "abc"
    ]
    import_records(campaign=campaign, lines=read_record_lines(lines, {}))
    campaign.refresh_from_db()
    return campaign


def entry(campaign, team):
    return str(campaign.entries.get(bot__team__name=team).pk)


def test_the_statistics_of_a_board_by_hand(played):
    made = statistics_of(played, n_resamples=200, n_permutations=100)
    assert {name: made[name] for name in ("seed", "n_resamples", "n_permutations", "n_scenarios")} == {
        "seed": 1, "n_resamples": 200, "n_permutations": 100, "n_scenarios": 3,
    }  # fmt: skip
    assert set(made["rows"]) == {entry(played, "A"), entry(played, "B")}
    (pair,) = made["pairs"]
    # Equal on completion in every draw. Fewer turns decide; where only c is drawn, once in 27 times, fluency does.
    assert (pair["one"], pair["other"]) == (entry(played, "A"), entry(played, "B"))
    assert (pair["decided_by"], pair["ahead"], pair["behind"]) == ("mean_turns", 1.0, 0.0)
    assert (pair["tests"]["completion"]["difference"], pair["tests"]["completion"]["p"]) == (0.0, 1.0)
    # Turns charged: 2, 2, 9 against 4, 4, 9.
    assert pair["tests"]["mean_turns"]["difference"] == pytest.approx(-4 / 3)
    assert pair["tests"]["fluency"]["difference"] == 1.0
    assert pair["plan"]["n_now"] == 3
    assert made["rows"][entry(played, "A")]["rank_probabilities"] == [1.0, 0.0]
    assert made["rows"][entry(played, "B")]["rank_interval"] == [2, 2]


def test_the_same_scores_give_the_same_statistics(played):
    once = statistics_of(played, n_resamples=50, n_permutations=50)
    assert once == statistics_of(played, n_resamples=50, n_permutations=50)
    assert json.loads(json.dumps(once)) == once


def test_a_board_without_records_has_nothing_to_say(campaign):
    made = statistics_of(campaign, n_resamples=5, n_permutations=5)
    assert (made["n_scenarios"], made["rows"], made["pairs"]) == (0, {}, [])


def test_statistics_are_stored_with_the_version_of_the_scores(played):
    now = timezone.now()
    stored = refresh_statistics(campaign=played, at=now)
    assert (stored.is_outdated, stored.computed_at) == (False, now)
    assert stored.rows == statistics_of(played)
    assert board_now(played).drawn.rows == stored.rows
    note_changed_scores(campaign=played)
    played.refresh_from_db()
    assert board_now(played).drawn.is_outdated


def test_statistics_rest_longer_than_the_board_between_two_computations(played, monkeypatch):
    monkeypatch.setattr(actions, "statistics_of", lambda campaign, report_progress, sums: {"rows": {}})
    now = timezone.now()
    assert refresh_outdated_statistics(at=now) == 1
    note_changed_scores(campaign=played)
    assert refresh_outdated_statistics(at=now + 0.9 * STATISTICS_REST) == 0
    assert refresh_outdated_leaderboards(at=now + 0.1 * STATISTICS_REST) == 2, "the board, and the agreement"
    assert refresh_outdated_statistics(at=now + STATISTICS_REST) == 1
    assert refresh_outdated_statistics(at=now + timedelta(hours=1)) == 0


def test_a_board_is_not_kept_waiting_by_statistics_that_are_being_computed(played, monkeypatch):
    boards = []

    def computing(campaign, report_progress, sums):
        boards.append(refresh_outdated_leaderboards(at=timezone.now()))
        return {"rows": {}}

    monkeypatch.setattr(actions, "statistics_of", computing)
    refresh_statistics(campaign=played, at=timezone.now())
    assert boards == [2], "the board, and the agreement"


def test_the_command_computes_stores_and_prints_them_with_progress(played):
    out, err = StringIO(), StringIO()
    call_command("statistics", played.slug, format="json", stdout=out, stderr=err)
    assert json.loads(out.getvalue()) == board_now(played).drawn.rows
    assert "20% computed" in err.getvalue()
    assert "100% computed" in err.getvalue()


def test_the_command_prints_ranks_with_intervals_and_all_pairs(played, few_are_enough):
    out = StringIO()
    call_command("statistics", played.slug, stdout=out, stderr=StringIO())
    said = out.getvalue()
    # The mean of 2, 2 and 9 turns, between 2 and 9 in the resamples of three scenarios.
    assert "4.33 [2.00, 9.00]" in said
    (pair, *_) = [line.split() for line in said.splitlines() if line.split()[:2] == ["A", "B"]]
    assert pair[2:5] == ["100%", "0%", "T"]
    heads, _, first, *_ = said[said.index("P(rank = k), %") :].splitlines()
    assert (heads.split()[-2:], first.split()) == (["1", "2"], ["A", "100", "0"])
    # By every key: turns charged are 2, 2, 9 against 4, 4, 9.
    (tested,) = [line.split() for line in said.splitlines() if line.split()[:3] == ["A", "B", "−1.33"]]
    assert len(tested) == 5
    assert "T alone" in said
    assert "3 scenarios, 2000 resamples (0 drawn again), 5000 permutations, seed 1" in said


def test_the_command_names_the_campaigns_that_there_are(campaign):
    with pytest.raises(CommandError, match=campaign.slug):
        call_command("statistics", "unknown")


def test_pages_read_a_stored_board_beside_them(played):
    refresh_leaderboard(campaign=played, at=timezone.now())
    refresh_statistics(campaign=played, at=timezone.now())
    assert {board.key for board in played.stored_boards.all()} == {"live", "statistics"}


def test_progress_is_noted_for_the_page_that_waits_and_gone_when_it_is_done(played, monkeypatch):
    monkeypatch.setattr(computations, "NOTED_EVERY_S", 0)
    board = played.stored_boards.create(key="statistics")
    noted = []

    def look(share):
        board.refresh_from_db()
        noted.append((share, board.percent_done))

    refresh_statistics(campaign=played, at=timezone.now(), report_progress=look)
    # What is reported next finds what was noted before.
    assert noted[:3] == [(0.0, None), (0.2, 0), (noted[2][0], 20)]
    board.refresh_from_db()
    assert board.percent_done is None
