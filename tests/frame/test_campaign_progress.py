"""Where a campaign stands, counted by hand on the small campaign: one bot, one scenario, free choice."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from campaigns.models import Assignment, Campaign
from dialogues.models import Dialogue
from frame.campaign_progress import milestones_of, standing_of
from participants.models import Bot
from reviews.actions import save_draft
from reviews.actions.placing import draw_review_places
from tests.publishing import publish_now
from tests.reviews.conftest import NOON, closed_dialogues, panel, submit

pytestmark = pytest.mark.django_db


def test_a_campaign_without_a_dialogue_is_in_preparation(campaign):
    standing = standing_of(campaign)
    assert (standing.stage.key, standing.n_entries, standing.n_scenarios, standing.n_cells) == ("preparing", 1, 1, 1)
    assert (standing.first_at, standing.n_covered) == (None, 0)


def test_an_open_dialogue_makes_it_testing(campaign, dialogue):
    standing = standing_of(campaign)
    assert (standing.stage.key, standing.n_open, standing.n_dialogues, standing.n_scored) == ("testing", 1, 0, 0)


def test_when_all_assignments_are_scored_it_says_so(campaign, dialogue):
    Dialogue.objects.update(status="completed", closed_at=timezone.now(), scored_at=timezone.now(), turns_used=3)
    standing = standing_of(campaign)
    assert (standing.stage.key, standing.n_scored, standing.n_expected) == ("tested", 1, 1)
    assert standing.n_covered == 1


@pytest.mark.parametrize("plan", ["random_goals", "quota"])
def test_where_a_plan_draws_scenarios_coverage_is_of_what_it_drew(campaign, dialogue, plan, django_assert_num_queries):
    """One system and three scenarios, of which the plan drew two."""
    second, _third = (campaign.scenarios.create(key=f"more-{n}", position=n) for n in (2, 3))
    campaign.free_choice, campaign.plan = False, plan
    campaign.save()
    Dialogue.objects.update(status="completed", closed_at=timezone.now(), scored_at=timezone.now())
    assert (standing_of(campaign).n_covered, standing_of(campaign).n_cells) == (1, 1)
    for repetition in (1, 2):
        campaign.assignments.create(
            tester=dialogue.tester, entry=dialogue.assignment.entry, scenario=second, repetition=repetition, position=9
        )
    with django_assert_num_queries(9):
        standing = standing_of(campaign)
    assert (standing.n_covered, standing.n_cells) == (1, 2)
    campaign.plan = "full"
    assert standing_of(campaign).n_cells == 3


@pytest.mark.parametrize("plan", ["full", "per_cell", "random_goals"])
def test_a_bot_that_withdrew_leaves_no_cell_that_can_never_fill(campaign, dialogue, plan):
    """Two systems and two scenarios; the one that withdrew was scored on one of them, and a void dialogue is left of the other."""
    campaign.free_choice, campaign.plan = False, plan
    campaign.save()
    entry, second = dialogue.assignment.entry, campaign.scenarios.create(key="second", position=2)
    staying = campaign.entries.create(bot=Bot.objects.create(team=entry.bot.team, name="stays"), key="s", alias="S9")
    Dialogue.objects.update(status="completed", closed_at=timezone.now(), scored_at=timezone.now())
    for scenario, bot in ((second, entry), (second, staying), (dialogue.assignment.scenario, staying)):
        campaign.assignments.create(tester=dialogue.tester, entry=bot, scenario=scenario, position=9)
    assert (standing_of(campaign).n_cells, standing_of(campaign).n_expected) == (4, 4)
    campaign.entries.filter(pk=entry.pk).update(withdrawn_at=timezone.now())
    standing = standing_of(campaign)
    assert (standing.n_covered, standing.n_cells, standing.n_expected, standing.n_entries) == (1, 3, 3, 1)


def test_a_void_dialogue_counts_nowhere(campaign, dialogue):
    Dialogue.objects.update(status="void", closed_at=timezone.now())
    standing = standing_of(campaign)
    assert (standing.n_dialogues, standing.n_open, standing.stage.key) == (0, 0, "preparing")


def test_publishing_ends_the_line_of_milestones(campaign, dialogue):
    assert [one.state for one in milestones_of(campaign, standing_of(campaign))] == [
        "done",
        "now",
        "to_come",
        "to_come",
    ]
    publish_now(campaign)
    campaign.refresh_from_db()
    assert [one.state for one in milestones_of(campaign, standing_of(campaign))] == ["done", "done", "done", "now"]


def test_it_takes_eight_queries_however_many_dialogues_there_are(campaign, dialogue, django_assert_num_queries):
    assert Assignment.objects.count() == 1
    with django_assert_num_queries(8):
        standing_of(campaign)


def test_where_only_a_panel_scores_its_whole_panel_makes_a_dialogue_scored(campaign, tester):
    people = panel(campaign, 2)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    for reviewer, expected in zip(people, [("testing", 0, 0, 1), ("tested", 1, 1, 2)], strict=True):
        submit(dialogue, reviewer)
        standing = standing_of(campaign)
        assert (standing.stage.key, standing.n_scored, standing.n_covered, standing.n_records) == expected


def test_a_draft_is_no_record(campaign, tester):
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    changes = {"ratings": {"satisfaction": 1}}
    save_draft(dialogue=dialogue, reviewer=tester, changes=changes, based_on_version=0, at=NOON)
    assert standing_of(campaign).n_records == 0


def test_a_dialogue_that_the_fault_policy_leaves_out_gives_no_record(campaign, tester):
    campaign.reviewed_by = campaign.counted_reviews = "panel"
    campaign.save()
    (reviewer,) = panel(campaign, 1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, reviewer)
    dialogue.subtasks.update(status="failed")
    assert standing_of(campaign).n_records == 1
    Campaign.objects.update(broken_dialogues="left_out")
    assert standing_of(campaign).n_records == 0


def test_milestones_say_the_campaigns_dates_where_it_has_them(campaign):
    Campaign.objects.update(
        testing_from=datetime(2026, 3, 10, 20, tzinfo=UTC),
        testing_until=datetime(2026, 3, 15, 10, tzinfo=UTC),
        review_until=datetime(2026, 3, 18, 10, tzinfo=UTC),
        publication_at=datetime(2026, 3, 20, 1, tzinfo=UTC),
    )
    campaign.refresh_from_db()
    details = [one.detail for one in milestones_of(campaign, standing_of(campaign))]
    # Eight hours later on the clocks of Shanghai.
    assert details[1:] == ["2026-03-11 – 2026-03-15", "– 2026-03-18", "2026-03-20"]
