"""A program reads how far a panel agrees, with the names of the reviewers, as it was computed last."""

from datetime import timedelta

import pytest
from django.utils import timezone

from leaderboards.actions import refresh_outdated_leaderboards
from reviews.actions.gold import set_gold
from reviews.actions.placing import draw_review_places
from tests.leaderboards.test_agreement_board import scored
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, submit

__all__ = ["scored"]
pytestmark = pytest.mark.django_db
AGREEMENT = "/api/v1/campaigns/small/agreement/"


@pytest.fixture
def program(client, organizer):
    client.force_login(organizer)
    return client


def test_it_has_each_criterion_with_its_reviewers(scored, program):
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
