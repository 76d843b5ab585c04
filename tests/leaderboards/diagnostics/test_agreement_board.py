"""The organizer's page of a panel's agreement shows what is stored, and says from when."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import note_changed_scores
from campaigns.models import Campaign
from leaderboards import actions
from leaderboards.actions import import_records, refresh_agreement, refresh_outdated_leaderboards
from leaderboards.diagnostics import agreement_board
from leaderboards.diagnostics.agreement_board import agreed, scores_fit, stored_agreement
from leaderboards.models import StoredBoard
from leaderboards.record_files import read_record_lines
from measures import agreement as measured
from publication.document_now import head_of
from reviews import agreement
from reviews.actions.gold import set_gold
from reviews.actions.placing import draw_review_places
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, submit
from tests.reviews.test_agreement import Scores

pytestmark = pytest.mark.django_db

PAGE = "/campaigns/small/agreement/"


@pytest.fixture
def scored(campaign, tester):
    Campaign.objects.update(reviewed_by="panel", counted_reviews="panel")
    scores = Scores(campaign, tester)
    for name, score in (("ann", 1), ("ben", -1)):
        scores.add(Person.objects.create_user(name), 0, {"fluency": score})
    note_changed_scores(campaign=campaign)
    campaign.refresh_from_db()
    return campaign


def shown(client, organizer, campaign):
    client.force_login(organizer)
    return client.get(PAGE, headers={"accept-language": "en"}).content.decode()


def test_scores_of_a_panel_have_its_agreement_computed_and_stored(scored):
    assert stored_agreement(scored).is_outdated
    assert refresh_outdated_leaderboards(at=timezone.now()) == 2
    stored = stored_agreement(scored)
    assert not stored.is_outdated
    assert stored.rows["criteria"]["fluency"]["raw"] == 0
    assert refresh_outdated_leaderboards(at=timezone.now()) == 0


def test_loading_the_libraries_is_no_cost_of_the_first_board(scored, monkeypatch):
    """The clock stands at 0 until they are loaded, and their loading takes 100 s."""
    clock = iter([100.0, 100.0])
    loaded = []
    monkeypatch.setattr(actions, "load_libraries", lambda: loaded.append(True))
    monkeypatch.setattr(actions.time, "monotonic", lambda: next(clock) if loaded else 0.0)
    now = timezone.now()
    assert refresh_agreement(campaign=scored, at=now).next_at == now


def test_where_only_testers_score_nothing_is_computed(scored):
    Campaign.objects.update(reviewed_by="self")
    assert refresh_outdated_leaderboards(at=timezone.now()) == 1
    assert not StoredBoard.objects.filter(key="agreement").exists()


def test_the_page_shows_reviewers_and_figures_and_from_when_they_are(scored, organizer, client, few_are_enough):
    page = shown(client, organizer, scored)
    assert "This page updates by itself" in page
    refresh_outdated_leaderboards(at=timezone.now())
    page = shown(client, organizer, scored)
    assert "This page updates by itself" not in page
    assert "As of" in page
    for text in (
        "ann",
        "ben",
        "F Fluency",
        "−1.00",
        "0.000",
        "Equal scores, reviewer by reviewer",
        'shade-0">0.00<small>1</small>',
    ):
        assert text in page, text


def test_of_too_few_things_the_page_and_the_board_tell_no_agreement(scored, organizer, client):
    refresh_agreement(campaign=scored, at=timezone.now())
    page = " ".join(shown(client, organizer, scored).split())
    assert "shown once 4 more are scored by several" in page
    assert "−1.00" in page
    assert ("0.000" in page, "shade-0" in page) == (False, False)
    rows = stored_agreement(scored).rows
    rows["criteria"]["fluency"] |= {"alpha": 0.5, "n_shared": 4}
    assert agreed(rows) == {}
    rows["criteria"]["fluency"]["n_shared"] = 5
    assert agreed(rows) == {"fluency": 0.5}
    StoredBoard.objects.filter(key="agreement").update(rows=rows)
    assert "0.500" in shown(client, organizer, scored)


def test_where_one_reviewer_scores_each_dialogue_the_page_promises_no_agreement(scored, organizer, client):
    Campaign.objects.update(reviewers_per_dialogue=1)
    refresh_agreement(campaign=scored, at=timezone.now())
    page = shown(client, organizer, scored)
    assert ("Fluency" in page, "shown once" in page) == (True, False)
    line = {"team": "A", "scenario": "1", "reviewer": "r", "subtasks": [], "ratings": {"fluency": 1}}
    import_records(campaign=scored, lines=read_record_lines([json.dumps(line).encode()], {}))
    assert "shown once" in shown(client, organizer, scored)


def test_pairs_are_compared_up_to_so_many_reviewers(scored, organizer, client, monkeypatch):
    """Two reviewers: compared where two are the most, and where one is, neither compared nor stored, which the page says."""
    line = "Equal scores are shown reviewer by reviewer for up to"
    refresh_agreement(campaign=scored, at=timezone.now())
    stored = stored_agreement(scored).rows["criteria"]["fluency"]["pairs"]
    assert sorted(next(iter(pair.values())) for pair in stored.values()) == [[0.0, 1], [0.0, 1]]
    assert line not in shown(client, organizer, scored)
    monkeypatch.setattr(agreement, "MOST_IN_PAIRS", 1)
    monkeypatch.setattr(agreement_board, "MOST_IN_PAIRS", 1)
    monkeypatch.setattr(measured, "agreement_by_pair", None)
    refresh_agreement(campaign=scored, at=timezone.now())
    assert stored_agreement(scored).rows["criteria"]["fluency"]["pairs"] == {}
    assert f"{line} 1 reviewers." in " ".join(shown(client, organizer, scored).split())


def test_a_campaign_without_a_panel_says_so(campaign, organizer, client):
    page = shown(client, organizer, campaign)
    assert (
        "there is no panel to compare" in page,
        f'primary" href="/campaigns/{campaign.slug}/settings/"' in page,
    ) == (True, True)
    Campaign.objects.update(reviewed_by="both")
    page = shown(client, organizer, campaign)
    assert "No review of the panel was handed in yet" in page
    assert f'primary" href="/campaigns/{campaign.slug}/panels/"' in page


def test_reviewers_do_not_see_how_far_they_agree(scored, reviewer, tester, client):
    for person in (reviewer, tester):
        client.force_login(person)
        assert client.get(PAGE).status_code == 404


def test_how_far_reviewers_are_from_gold_is_stored_and_shown(campaign, tester, organizer, client, monkeypatch):
    """Four gold dialogues of Ann alone: a point too mild on satisfaction at first, then right; she scores nothing else."""
    (ann,) = panel(campaign, 1, training_pass_percent=1)
    dialogues = closed_dialogues(campaign, tester, 4)
    for dialogue in dialogues:
        set_gold(dialogue=dialogue, organizer=organizer, content={"ratings": SCORES | {"satisfaction": 1}}, at=NOON)
    campaign.refresh_from_db()
    assert campaign.scores_version == 4
    draw_review_places(campaign=campaign, at=NOON)
    for number, (dialogue, score) in enumerate(zip(dialogues, (2, 2, 1, 1), strict=True)):
        submit(dialogue, ann, ratings=SCORES | {"satisfaction": score}, at=NOON + timedelta(minutes=number))
    refresh_outdated_leaderboards(at=timezone.now())
    figures = stored_agreement(campaign).rows["gold"][str(ann.pk)]
    assert (figures["n"], figures["exact"]) == (4, round(10 / 12, 6))
    # Deviations 1, 1, 0, 0: slope −2/5 per hand-in.
    assert (figures["criteria"]["satisfaction"]["bias"], figures["criteria"]["fluency"]["bias"]) == (0.5, 0)
    assert figures["criteria"]["satisfaction"]["drift"][0] == -40
    monkeypatch.setattr("reviews.training.gold_tries", None)
    page = shown(client, organizer, campaign)
    for text in ("Against gold", "0.833", "0.50", "−40.00", "Sa Satisfaction"):
        assert text in page, text


def test_reviewers_of_imported_records_have_their_agreement_beside_the_board(
    campaign, organizer, client, few_are_enough
):
    """Fluency 1 1, 0 0 and 1 0, and a line that nobody else scored."""
    assert campaign.reviewed_by == "self"
    scores = {"1": (1, 1), "2": (0, 0), "3": (1, 0), "4": (1,)}
    lines = [
        {"team": "A", "scenario": case, "reviewer": f"r{place}", "subtasks": [], "ratings": {"fluency": score}}
        for case, own in scores.items()
        for place, score in enumerate(own)
    ]
    import_records(campaign=campaign, lines=read_record_lines([json.dumps(line).encode() for line in lines], {}))
    assert refresh_outdated_leaderboards(at=timezone.now()) == 2
    figures = stored_agreement(campaign).rows["criteria"]["fluency"]
    # Of 6 values that can be paired 3 are 1: 1 − (6 − 1) · 2 / (2 · 3 · 3).
    assert (figures["alpha"], figures["n_ratings"], figures["n_shared"]) == (round(1 - 10 / 18, 6), 7, 3)
    page = shown(client, organizer, campaign)
    assert "Imported records on criteria that no panel scored" in page
    assert "0.444" in page
    board = client.get("/campaigns/small/leaderboard/", headers={"accept-language": "en"}).content.decode()
    assert "α 0.44" in board
    assert head_of(campaign)["agreement"] == {"fluency": round(1 - 10 / 18, 6)}


def test_a_table_of_reviewers_and_things_is_compared_up_to_its_limit(monkeypatch):
    """Two reviewers, three things: six cells, however many are filled."""
    monkeypatch.setattr(agreement, "LARGEST_TABLE", 6)
    scores = [("r", ("1", "a", ""), 1.0), ("s", ("1", "b", ""), 0.0), ("s", ("2", "a", ""), 0.0)]
    assert scores_fit(scores)
    assert not scores_fit([*scores, ("t", ("1", "a", ""), 1.0)])


__all__ = ["scored"]
AGREEMENT = "/api/v1/campaigns/small/agreement/"


@pytest.fixture
def program(client, organizer):
    client.force_login(organizer)
    return client


def test_of_too_few_things_it_gives_no_agreement(scored, program):
    refresh_outdated_leaderboards(at=timezone.now())
    (fluency,) = program.get(AGREEMENT).json()["criteria"]
    assert (fluency["n_shared"], fluency["alpha"], fluency["kappa"], fluency["raw"]) == (1, None, None, None)
    for one in fluency["reviewers"]:
        assert (one["agreement"], one["alpha_without"]) == (None, None)
        assert one["severity"]


def test_it_has_each_criterion_with_its_reviewers(scored, program, few_are_enough):
    before = program.get(AGREEMENT).json()
    assert (before["has_panel"], before["computed_at"], before["criteria"]) == (True, None, [])
    refresh_outdated_leaderboards(at=timezone.now())
    told = program.get(AGREEMENT).json()
    (fluency,) = told["criteria"]
    assert (fluency["criterion"], fluency["level"], fluency["n_ratings"], fluency["raw"]) == (
        "fluency",
        "ordinal",
        2,
        0,
    )
    assert [(one["reviewer"], one["severity"]) for one in fluency["reviewers"]] == [("ann", -1.0), ("ben", 1.0)]
    assert [one["reviewer"] for one in told["reviewers"]] == ["ann", "ben"]
    assert (told["gold"], told["is_outdated"]) == ([], False)
    assert told["computed_at"]


def test_it_has_how_far_reviewers_are_from_gold(campaign, tester, organizer, program):
    (ann,) = panel(campaign, 1, training_pass_percent=1)
    dialogues = closed_dialogues(campaign, tester, 4)
    for dialogue in dialogues:
        set_gold(dialogue=dialogue, organizer=organizer, content={"ratings": SCORES | {"satisfaction": 1}}, at=NOON)
    draw_review_places(campaign=campaign, at=NOON)
    for number, (dialogue, score) in enumerate(zip(dialogues, (2, 2, 1, 1), strict=True)):
        submit(dialogue, ann, ratings=SCORES | {"satisfaction": score}, at=NOON + timedelta(minutes=number))
    refresh_outdated_leaderboards(at=timezone.now())
    (row,) = program.get(AGREEMENT).json()["gold"]
    assert (row["reviewer"], row["n"], row["exact"]) == (ann.username, 4, round(10 / 12, 6))
    assert row["criteria"]["satisfaction"]["bias"] == 0.5
