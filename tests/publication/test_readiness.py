"""What the preflight reads of a campaign: only what is really open, missing or undecided."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from campaigns.models import Campaign
from dialogues.models import Dialogue
from leaderboards.actions import refresh_leaderboard
from leaderboards.models import ImportedRecord, StoredBoard
from publication import readiness as module
from publication.readiness import facts_of, known_facts, preflight, state_of
from reviews.actions import submit_review
from reviews.models import Dispute, Vetting
from tests.dialogues.test_actions import Talk
from tests.publication.conftest import add_records, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed(dialogue, admission):
    talk = Talk(dialogue, admission)
    talk.turns(1)
    talk.close(1)
    talk.turns(1)
    talk.close(2)
    return Dialogue.objects.get(pk=dialogue.pk)


def facts(campaign):
    campaign.refresh_from_db()
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    return facts_of(campaign)


def score(closed, tester):
    submit_review(
        dialogue=closed, reviewer=tester, ratings={"satisfaction": 2, "fluency": 1, "guidance": 0}, verdicts={},
        comment="", based_on_version=0, at=timezone.now(),
    )  # fmt: skip


def test_an_open_dialogue_is_open(dialogue, campaign):
    found = facts(campaign)
    assert (found.n_ranked, found.n_open, found.n_without_own_scores) == (0, 1, 0)
    assert found.unranked == [(f"{campaign.entries.get().alias} (Team Alpha)", "no scored dialogue yet")]
    campaign.entries.update(withdrawn_at=timezone.now())
    assert facts(campaign).unranked == []


def test_an_ended_dialogue_waits_for_its_testers_scores_and_then_for_nothing(closed, campaign, tester):
    assert facts(campaign).n_without_own_scores == 1
    score(closed, tester)
    found = facts(campaign)
    assert (found.n_ranked, found.n_open, found.n_without_own_scores) == (1, 0, 0)
    assert list(found.holes) == []
    assert [n for _name, n in found.weights] == [1]


def test_assignments_that_nobody_has_done_are_not_done_where_a_plan_says_who(campaign):
    campaign.assignments.create(
        tester=campaign.roles.get(role="tester").person, entry=campaign.entries.get(), scenario=campaign.scenarios.get(),
        position=1,
    )  # fmt: skip
    assert facts(campaign).n_not_done == 0
    Campaign.objects.update(free_choice=False)
    assert facts(campaign).n_not_done == 1
    campaign.entries.update(withdrawn_at=timezone.now())
    assert facts(campaign).n_not_done == 0


def test_a_panels_missing_scores_disputes_and_vettings_are_counted(closed, campaign, reviewer):
    Campaign.objects.update(reviewed_by="panel", counted_reviews="panel", experts_per_dialogue=1)
    Dispute.objects.create(dialogue=closed, opened_at=timezone.now())
    found = facts(campaign)
    # Nobody is drawn for what the experts have not accepted.
    assert (found.n_without_whole_panel, found.n_disputes, found.n_not_vetted) == (0, 1, 1)
    assert found.n_without_own_scores == 0
    Vetting.objects.create(dialogue=closed, expert=reviewer, is_accepted=True, at=timezone.now())
    found = facts(campaign)
    assert (found.n_without_whole_panel, found.n_not_vetted) == (1, 0)
    Dispute.objects.update(settled_at=timezone.now())
    assert facts(campaign).n_disputes == 0


def test_equal_systems_share_a_rank(scored):
    add_records(scored, *[record("Team Delta", n, n <= 3, 2) for n in range(1, 5)])
    (tie,) = facts(scored).ties
    assert (tie[0], len(tie[1])) == (1, 2)


def test_a_scenario_without_a_record_is_a_hole(closed, campaign, tester):
    score(closed, tester)
    campaign.scenarios.create(key="second", position=2)
    assert list(facts(campaign).holes) == [(f"{campaign.entries.get().alias} (Team Alpha)", 1, 2)]
    assert not ImportedRecord.objects.exists()


@pytest.mark.parametrize("plan", ["random_goals", "quota"])
def test_a_scenario_that_a_plan_did_not_draw_for_a_system_is_no_hole(closed, campaign, tester, plan):
    """Three scenarios, of which the plan drew two for the system: one is scored, the other not."""
    score(closed, tester)
    entry = campaign.entries.get()
    second, _third = (campaign.scenarios.create(key=f"more-{n}", position=n) for n in (2, 3))
    Campaign.objects.update(free_choice=False, plan=plan)
    campaign.assignments.update(is_drawn=True)
    assert list(facts(campaign).holes) == []
    campaign.assignments.create(tester=tester, entry=entry, scenario=second, position=9)
    assert list(facts(campaign).holes) == [(f"{entry.alias} (Team Alpha)", 1, 2)]


def test_a_dialogue_that_the_fault_policy_leaves_out_is_a_hole_that_says_why_and_no_assignment_to_do(
    closed, campaign, tester
):
    score(closed, tester)
    entry, second = campaign.entries.get(), campaign.scenarios.create(key="second", position=2)
    now, name = timezone.now(), f"{entry.alias} (Team Alpha)"
    assignment = campaign.assignments.create(
        tester=tester, entry=entry, scenario=second, position=9, is_drawn=True, started_at=now
    )
    broken = Dialogue.objects.create(
        assignment=assignment, tester=tester, opened_at=now, closed_at=now, status="unfinished", reason="bot_failed"
    )
    broken.subtasks.create(index=1, kind="flight", turn_cap=3, turns_used=1, status="failed")
    score(broken, tester)
    Campaign.objects.update(free_choice=False)
    found = facts(campaign)
    assert (list(found.holes), list(found.left_out), list(found.weights)) == ([], [], [(name, 2)])
    Campaign.objects.update(broken_dialogues="left_out")
    found = facts(campaign)
    assert (list(found.holes), list(found.left_out), list(found.weights)) == ([(name, 1, 2)], [(name, 1)], [(name, 1)])
    # The bot's failure costs the bot: its assignment is done, and nobody is asked to do it again.
    assert found.n_not_done == 0
    Dialogue.objects.filter(pk=closed.pk).update(status="void")
    found = facts(campaign)
    assert (found.n_ranked, list(found.unranked)) == (0, [(name, "no scored dialogue yet")])


def test_low_agreement_is_what_was_stored(scored):
    criteria = {
        "fluency": {"alpha": 0.2, "n_shared": 5},
        "guidance": {"alpha": 0.1, "n_shared": 4},
        "satisfaction": {"alpha": None, "n_shared": None},
    }
    StoredBoard.objects.create(campaign=scored, key="agreement", rows={"criteria": criteria})
    assert facts(scored).alphas == [("Fluency", 0.2)]
    assert facts(scored).uncompared == ["Satisfaction"]


def test_statistics_of_older_figures_are_none(scored):
    assert not facts(scored).has_intervals
    StoredBoard.objects.create(
        campaign=scored, key="statistics", rows={"seed": 1}, scores_version=scored.scores_version
    )
    assert facts(scored).has_intervals
    Campaign.objects.update(scores_version=scored.scores_version + 1)
    assert not facts(scored).has_intervals


def test_gold_that_is_mixed_in_must_exist(scored):
    assert not facts(scored).lacks_gold
    Campaign.objects.update(gold_every=5)
    assert facts(scored).lacks_gold


def test_the_preflight_asks_equally_often_of_many_systems(scored):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as few:
        preflight(scored)
    add_records(scored, *[record(f"Team {n}", 1, True, 1) for n in range(20)])
    refresh_leaderboard(campaign=scored, at=timezone.now())
    with CaptureQueriesContext(connection) as many:
        preflight(scored)
    assert len(many) == len(few)


@pytest.fixture
def looks(monkeypatch):
    """How often the facts were read."""
    read = []
    monkeypatch.setattr(module, "facts_of", lambda campaign: read.append(1) or facts_of(campaign))
    return read


def test_a_second_view_looks_at_nothing_again_and_says_the_same(dialogue, campaign, looks):
    with override("en"):
        assert known_facts(campaign) == known_facts(campaign) == facts_of(campaign)
    assert len(looks) == 1
    with override("zh-hans"):
        known_facts(campaign)
    assert len(looks) == 2, "names and reasons are in the reader's language"


CHANGES = {
    "a dialogue closes": lambda campaign: Dialogue.objects.update(status="completed", closed_at=timezone.now()),
    "scores are handed in": lambda campaign: Dialogue.objects.update(scored_at=timezone.now()),
    "a dispute": lambda campaign: Dispute.objects.create(dialogue=Dialogue.objects.get(), opened_at=timezone.now()),
    "a bot is withdrawn": lambda campaign: campaign.entries.update(withdrawn_at=timezone.now()),
    "somebody pauses": lambda campaign: campaign.roles.filter(role="tester").update(
        paused_at=timezone.now(), paused_because="x"
    ),
    "a scenario": lambda campaign: campaign.scenarios.create(key="x", position=9),
    "a setting": lambda campaign: Campaign.objects.update(reviewed_by="panel"),
    "another board": lambda campaign: campaign.stored_boards.create(key="live", computed_at=timezone.now()),
    "the rubric": lambda campaign: campaign.rubric.criteria.update(name_en="x"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_of_what_it_looks_at_is_another_state(change, dialogue, campaign):
    before = state_of(campaign)
    assert state_of(campaign) == before
    change(campaign)
    assert state_of(campaign) != before


def test_asking_whether_anything_changed_takes_as_many_queries_as_there_are_tables(
    dialogue, campaign, looks, django_assert_num_queries
):
    known_facts(campaign)
    with django_assert_num_queries(17):
        known_facts(campaign)
    assert len(looks) == 1
