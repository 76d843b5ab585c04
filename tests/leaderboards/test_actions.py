"""A leaderboard is computed when scores changed, by one process, and a newer one is never replaced by an older."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.actions import note_changed_scores
from campaigns.presets import PRESETS
from dialogues.models import Dialogue
from leaderboards import actions
from leaderboards.actions import (
    GIVEN_UP_AFTER,
    PAUSES_PER_COMPUTATION,
    campaign_of_records,
    import_records,
    refresh_leaderboard,
    refresh_outdated_leaderboards,
)
from leaderboards.live_board import stored_board
from leaderboards.models import StoredBoard
from leaderboards.record_files import read_record_lines
from reviews.actions import submit_review
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db

SCORES = {"satisfaction": 2, "fluency": 1, "guidance": 0}
RECORD = (
    b'{"team": "T", "scenario": "s", "reviewer": "r", "subtasks": [{"completed": true, "turns": 2, "cap": 9}], '
    b'"ratings": {"fluency": 1}}'
)


@pytest.fixture
def closed(dialogue, admission):
    talk = Talk(dialogue, admission)
    talk.turns(1)
    talk.close(1)
    talk.turns(1)
    talk.close(2)
    return Dialogue.objects.get(pk=dialogue.pk)


def review(closed, tester, version=0, **changed):
    submit_review(
        dialogue=closed, reviewer=tester, ratings=SCORES | changed, verdicts={}, comment="", based_on_version=version,
        at=timezone.now(),
    )  # fmt: skip


def stored(campaign):
    campaign.refresh_from_db()
    return stored_board(campaign)


def test_a_review_makes_the_stored_board_outdated_and_a_look_brings_it_up_to_date(campaign, closed, tester):
    assert not stored(campaign).is_outdated
    assert refresh_outdated_leaderboards(at=timezone.now()) == 0
    review(closed, tester)
    assert stored(campaign).is_outdated
    now = timezone.now()
    assert refresh_outdated_leaderboards(at=now) == 1
    board = stored(campaign)
    assert (board.is_outdated, board.computed_at) == (False, now)
    figures = {"completion": 1.0, "mean_turns": 2.0, "satisfaction": 2.0, "fluency": 1.0, "guidance": 0.0}
    n_scored = {"satisfaction": 1, "fluency": 1, "guidance": 1}
    row = {"n": 1, "n_scored": n_scored, "weight": 1.0, "weigh_alike": True, "figures": figures, "failed": [0, 2]}
    assert board.rows == {str(campaign.entries.get().pk): row}
    assert refresh_outdated_leaderboards(at=now + timedelta(hours=1)) == 0


def test_a_score_that_comes_while_a_board_is_computed_has_it_computed_again(campaign, closed, tester, monkeypatch):
    review(closed, tester)
    usual = actions.computed_rows

    def computed(campaign):
        rows = usual(campaign)
        review(closed, tester, version=1, satisfaction=-2)
        return rows

    monkeypatch.setattr(actions, "computed_rows", computed)
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    monkeypatch.undo()
    assert stored(campaign).is_outdated
    assert refresh_outdated_leaderboards(at=timezone.now() + timedelta(minutes=1)) == 1
    (row,) = stored(campaign).rows.values()
    assert row["figures"]["satisfaction"] == -2


def test_an_older_computation_does_not_take_the_place_of_a_newer_one(campaign, closed, tester, monkeypatch):
    review(closed, tester)
    now = timezone.now()

    def computed(campaign):
        monkeypatch.undo()
        review(closed, tester, version=1, satisfaction=-2)
        refresh_leaderboard(campaign=campaign, at=now)
        return {"older": {}}

    monkeypatch.setattr(actions, "computed_rows", computed)
    refresh_leaderboard(campaign=campaign, at=now)
    assert "older" not in stored(campaign).rows


def test_of_two_processes_one_computes_a_board_and_the_other_takes_over_if_it_never_ends(campaign, monkeypatch):
    note_changed_scores(campaign=campaign)
    now = timezone.now()
    looks = []

    def refresh(*, campaign, at):
        looks.append(refresh_outdated_leaderboards(at=at + timedelta(seconds=1)))
        raise KeyboardInterrupt

    monkeypatch.setattr(actions, "refresh_leaderboard", refresh)
    with pytest.raises(KeyboardInterrupt):
        refresh_outdated_leaderboards(at=now)
    assert looks == [0]
    monkeypatch.undo()
    assert refresh_outdated_leaderboards(at=now + GIVEN_UP_AFTER) == 1


def test_a_board_that_takes_long_is_not_computed_at_every_score(campaign, monkeypatch):
    seconds = iter([100.0, 103.0])
    monkeypatch.setattr(actions.time, "monotonic", lambda: next(seconds))
    note_changed_scores(campaign=campaign)
    now = timezone.now()
    refresh_leaderboard(campaign=campaign, at=now)
    monkeypatch.undo()
    note_changed_scores(campaign=campaign)
    pause = timedelta(seconds=3 * PAUSES_PER_COMPUTATION)
    assert refresh_outdated_leaderboards(at=now + 0.9 * pause) == 0
    assert refresh_outdated_leaderboards(at=now + pause) == 1


def test_imported_records_make_the_board_outdated_too(campaign):
    import_records(campaign=campaign, lines=read_record_lines([RECORD], {}))
    assert stored(campaign).is_outdated
    refresh_outdated_leaderboards(at=timezone.now())
    (row,) = stored(campaign).rows.values()
    assert (row["n"], row["figures"]["mean_turns"], row["figures"]["satisfaction"]) == (1, 2.0, None)


def test_a_look_that_finds_nothing_to_do_asks_once_and_writes_nothing(campaign, django_assert_num_queries):
    note_changed_scores(campaign=campaign)
    refresh_outdated_leaderboards(at=timezone.now())
    with django_assert_num_queries(1):
        refresh_outdated_leaderboards(at=timezone.now())
    assert StoredBoard.objects.count() == 1


def test_a_campaign_made_for_records_has_all_that_its_preset_says():
    campaign = campaign_of_records(slug="records", preset=PRESETS["msde"])
    assert (campaign.cap_per, campaign.turn_cap, campaign.reviewed_by) == ("dialogue", 10, "panel")
    assert (campaign.rubric.key, campaign.ranking_rule[0]) == ("msde", "informativeness")
    assert campaign_of_records(slug="records", preset=PRESETS["smp2018"]) == campaign
