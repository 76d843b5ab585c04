"""What a bot's failures cost can be decided again: the organizer sees beforehand what would move, and afterwards what did."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaigns.models import Campaign
from dialogues.fault_policy import FaultPolicy
from leaderboards.actions import (
    ask_what_would_move,
    change_fault_policy,
    compute_asked_previews,
    refresh_outdated_leaderboards,
)
from leaderboards.diagnostics.fault_previews import movements_in, policy_said, stored_change, stored_preview
from leaderboards.live_board import stored_board
from tests.leaderboards.test_live_sums import REVIEWED, cast, store

__all__ = ["cast"]

pytestmark = pytest.mark.django_db

CHARGED = FaultPolicy(failed_turns="charged")
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def played(campaign, cast):
    """The first bot finishes with 3 turns and two that it failed to answer, the second with 4 turns."""
    finished = {"status": "completed", "turn_cap": None, "reviews": [REVIEWED]}
    store(campaign, cast, 0, finished | {"bot": 0, "subtasks": [(3, 9, False, ["bot", "bot"])]})
    store(campaign, cast, 1, finished | {"bot": 1, "subtasks": [(4, 9)]})
    return campaign


@pytest.fixture
def organizers(organizer):
    client = Client()
    client.force_login(organizer)
    return client


def moved(campaign, stored):
    return [
        (one.after.key, one.before.rank, one.after.rank, {f.key.name: (f.before, f.after) for f in one.figures if f.has_moved})
        for one in movements_in(campaign, stored)
    ]  # fmt: skip


def asked(campaign, policy):
    ask_what_would_move(campaign=campaign, policy=policy)
    compute_asked_previews(at=timezone.now())
    return stored_preview(campaign, policy)


def test_a_preview_says_which_ranks_and_figures_would_move_and_changes_nothing(played, cast):
    first, second = (str(entry.pk) for entry in cast[0][:2])
    preview = asked(played, CHARGED)
    assert moved(played, preview) == [(second, 2, 1, {}), (first, 1, 2, {"mean_turns": (3.0, 5.0)})]
    played.refresh_from_db()
    assert (played.failed_turns, played.scores_version) == ("free", 0)


def test_previews_are_computed_once_by_whoever_is_there(played):
    ask_what_would_move(campaign=played, policy=CHARGED)
    assert not stored_preview(played, CHARGED).computed_at
    assert compute_asked_previews(at=timezone.now()) == 1
    assert compute_asked_previews(at=timezone.now() + timedelta(hours=1)) == 0


def test_a_change_recomputes_the_board_from_the_ledger_and_remembers_what_moved(played, cast):
    first, second = (str(entry.pk) for entry in cast[0][:2])
    asked(played, CHARGED)
    assert change_fault_policy(campaign=played, policy=CHARGED, at=timezone.now())
    played.refresh_from_db()
    assert played.failed_turns == "charged"
    refresh_outdated_leaderboards(at=timezone.now())
    assert stored_board(played).rows[first]["figures"]["mean_turns"] == 5.0
    assert moved(played, stored_change(played)) == [(second, 2, 1, {}), (first, 1, 2, {"mean_turns": (3.0, 5.0)})]
    assert not change_fault_policy(campaign=played, policy=CHARGED, at=timezone.now())
    # And back again: nothing was lost.
    change_fault_policy(campaign=played, policy=FaultPolicy(), at=timezone.now())
    refresh_outdated_leaderboards(at=timezone.now() + timedelta(minutes=1))
    assert stored_board(played).rows[first]["figures"]["mean_turns"] == 3.0
    assert stored_change(played) is None


def test_a_preview_from_another_policy_than_the_one_in_force_is_not_shown(played):
    asked(played, CHARGED)
    Campaign.objects.update(broken_dialogues="left_out")
    played.refresh_from_db()
    assert stored_preview(played, CHARGED) is None


@pytest.mark.parametrize(
    "said", [{}, {"broken_dialogues": "counted"}, {"broken_dialogues": "x", "failed_turns": "free"}]
)
def test_only_policies_that_there_are_can_be_asked_for(said):
    assert policy_said(said) is None


def test_the_organizer_asks_sees_and_decides(played, organizers):
    page = f"/campaigns/{played.slug}/faults/"
    assert b"What would move" not in organizers.get(page, headers=ENGLISH).content
    said = {"broken_dialogues": "counted", "failed_turns": "charged"}
    answer = organizers.post(f"{page}preview/", said, follow=True)
    assert b"data-reload-s" in answer.content
    compute_asked_previews(at=timezone.now())
    shown = organizers.get(page, said, headers=ENGLISH).content.decode()
    assert "<b>1 → 2</b>" in shown
    assert "3.00 → 5.00" in " ".join(shown.split())
    organizers.post(f"{page}change/", said)
    played.refresh_from_db()
    assert played.failed_turns == "charged"
    after = organizers.get(page, headers=ENGLISH).content.decode()
    assert "What the last change moved" in after
    assert "<b>1 → 2</b>" in after


def test_a_choice_that_is_none_is_refused(played, organizers):
    for act in ("preview", "change"):
        assert organizers.post(f"/campaigns/{played.slug}/faults/{act}/", {"failed_turns": "x"}).status_code == 400
    assert not played.stored_boards.exists()
