"""Columns and reasons of a live campaign's board: what a rubric asks for, and what bots without a record wait for."""

import pytest
from django.utils import timezone

from accounts.models import Person
from dialogues.models import Attempt, Dialogue
from leaderboards.live_board import Unranked, failures_by_entry, leaderboard
from reviews.actions import submit_review
from reviews.models import Dispute, Rating, Review
from tests.dialogues.test_openings import OpenedTalk
from tests.leaderboards.played import records_by_entry
from tests.measures.figures_by_record import live_figures

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(dialogue):
    Dialogue.objects.filter(pk=dialogue.pk).update(status="completed", closed_at=timezone.now())
    return Dialogue.objects.get(pk=dialogue.pk)


def reviewed(dialogue, name, score=1, **fields):
    review = Review.objects.create(
        dialogue=dialogue, reviewer=Person.objects.create_user(name), is_submitted=True, submitted_at=timezone.now(),
        **fields,
    )  # fmt: skip
    criterion = dialogue.assignment.campaign.rubric.criteria.get(key="fluency")
    Rating.objects.create(review=review, criterion=criterion, score=score, lowest=-1, highest=1)


def columns(campaign):
    return [key.name for key in leaderboard(campaign).keys]


def reason(campaign):
    (row,) = leaderboard(campaign).unranked
    return row.reason


def change(campaign, **fields):
    type(campaign).objects.filter(pk=campaign.pk).update(**fields)
    campaign.refresh_from_db()


def test_completion_and_turns_are_columns_where_reviewers_say_what_is_finished_or_the_rule_ranks_by_them(campaign):
    criteria = ["satisfaction", "fluency", "guidance"]
    assert columns(campaign) == ["completion", "mean_turns", *criteria]
    campaign.rubric.asks_for_verdicts = False
    campaign.rubric.save()
    change(campaign, ranking_rule=["mean_turns", "fluency"])
    assert columns(campaign) == ["mean_turns", *criteria]
    change(campaign, ranking_rule=["fluency"])
    assert columns(campaign) == criteria


def test_labels_have_no_column(campaign):
    campaign.rubric.criteria.create(position=9, key="nugget", letter="N", scope="turn", kind="label")
    assert "nugget" not in columns(campaign)


def test_records_of_the_panel_count_where_the_campaign_says_so(campaign, finished):
    change(campaign, counted_reviews="panel")
    reviewed(finished, "self", score=-1)
    reviewed(finished, "p1", part="panel", score=1, is_counted=True)
    reviewed(finished, "p2", part="panel", score=0, is_counted=True)
    (row,) = leaderboard(campaign).rows
    assert (row.n, row.figures["fluency"]) == (2, 0.5)


def test_a_bot_without_a_record_says_what_it_waits_for(campaign, dialogue):
    change(campaign, counted_reviews="panel")
    assert reason(campaign) == Unranked.NO_RECORDS
    Dialogue.objects.filter(pk=dialogue.pk).update(status="completed", closed_at=timezone.now())
    assert reason(campaign) == Unranked.NO_REVIEWS
    # The tester's own scores are no record here, so the bot still waits.
    reviewed(dialogue, "self")
    assert reason(campaign) == Unranked.NO_REVIEWS
    reviewed(dialogue, "p1", part="panel")
    Dispute.objects.create(dialogue=dialogue, opened_at=timezone.now())
    assert reason(campaign) == Unranked.DISPUTED
    Dispute.objects.update(settled_at=timezone.now())
    change(campaign, experts_per_dialogue=3)
    assert reason(campaign) == Unranked.NOT_VETTED


def test_a_bot_in_a_campaign_where_nobody_scores_waits_for_nothing(campaign, finished):
    change(campaign, reviewed_by="nobody", counted_reviews="nobody")
    assert reason(campaign) == Unranked.NOT_SCORED


@pytest.mark.parametrize(("policy", "mean_turns"), [("free", 2.0), ("charged", 3.0)])
def test_openings_that_failed_are_counted_nowhere(campaign, dialogue, admission, tester, policy, mean_turns):
    """Three requests for an opening failed, and one of three turns: 1 of 3 on the board, and 2 or 3 turns in the figures."""
    change(campaign, opened_by="bot", failed_turns=policy)
    talk = OpenedTalk(dialogue, admission)
    talk.fail_for_good()
    talk.turns(1)
    talk.fail(talk.send("failed").asked)
    talk.close(1)
    talk.turns(1)
    talk.close(2)
    assert Attempt.objects.filter(fault="bot").count() == 4
    scores = {"satisfaction": 2, "fluency": 1, "guidance": 0}
    submit_review(
        dialogue=talk.now(), reviewer=tester, ratings=scores, verdicts={}, comment="", based_on_version=0,
        at=timezone.now(),
    )  # fmt: skip
    entry = campaign.entries.get()
    assert failures_by_entry(campaign) == {entry.pk: (1, 3)}
    (row,) = leaderboard(campaign).rows
    assert (row.n_failed, row.n_turns, row.figures["mean_turns"]) == (1, 3, mean_turns)
    (records,) = records_by_entry(campaign).values()
    assert live_figures(records, list(scores)).mean_turns == mean_turns
