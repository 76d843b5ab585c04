import pytest
from django.test import Client

from reviews.models import Review
from tests.reviews.conftest import SCORES, submit

pytestmark = pytest.mark.django_db


class Scorer:
    """A browser of the tester that talks to the API of one dialogue's scores."""

    def __init__(self, person, dialogue):
        self.client = Client()
        self.client.force_login(person)
        self.address = f"/api/v1/dialogues/{dialogue.pk}/review/"

    def get(self):
        return self.client.get(self.address).json()

    def choose(self, **changes):
        return self.client.patch(self.address, changes, content_type="application/json")

    def hand_in(self, **content):
        content = {"ratings": SCORES} | content
        return self.client.post(self.address, content, content_type="application/json")

    def undo(self, version):
        return self.client.post(f"{self.address}undo/", {"version": version}, content_type="application/json")


@pytest.fixture
def scorer(closed, tester):
    return Scorer(tester, closed)


def test_the_api_names_wrong_fields_and_what_comes_next(closed, tester, client):
    client.force_login(tester)
    address = f"/api/v1/dialogues/{closed.pk}/review/"
    refused = client.post(address, {"ratings": {"fluency": 9}}, content_type="application/json")
    assert refused.status_code == 400
    assert set(refused.json()["fields"]) == {"ratings.fluency", "ratings.satisfaction", "ratings.guidance"}
    stored = client.post(address, {"ratings": SCORES}, content_type="application/json")
    assert stored.status_code == 201
    assert stored.json() == {"version": 1, "undo_s": 10, "next": None, "list": "/campaigns/small/testing/"}
    again = client.post(address, {"ratings": SCORES}, content_type="application/json")
    assert again.status_code == 409
    assert again.json()["code"] == "conflict"


def test_a_draft_outlives_the_log_out_and_reaches_another_machine(scorer, closed, tester):
    assert scorer.choose(ratings={"satisfaction": 1}).status_code == 200
    assert scorer.choose(comment="später weiter").status_code == 200
    scorer.client.post("/preferences/", {"language": "en", "theme": "dark", "next": "/"})
    scorer.client.post("/logout/")
    elsewhere = Scorer(tester, closed).get()
    assert elsewhere["chosen"] == {
        "ratings": {"satisfaction": 1}, "evidence": {}, "verdicts": {}, "comment": "später weiter",
    }  # fmt: skip
    assert (elsewhere["version"], elsewhere["is_submitted"], elsewhere["is_draft"]) == (0, False, True)


def test_ones_own_scores_can_be_seen_and_revised(scorer):
    scorer.hand_in(comment="gut")
    seen = scorer.get()
    assert (seen["is_submitted"], seen["may_be_changed"], seen["is_draft"]) == (True, True, False)
    assert seen["chosen"] == {
        "ratings": SCORES, "evidence": {}, "verdicts": {"1": True, "2": False}, "comment": "gut",
    }  # fmt: skip
    assert scorer.hand_in(ratings=SCORES | {"fluency": 1}, version=1).json()["version"] == 2
    assert scorer.get()["chosen"]["ratings"]["fluency"] == 1


def test_a_hand_in_is_undone_over_the_api(scorer):
    assert scorer.hand_in().json()["undo_s"] == 10
    undone = scorer.undo(1)
    assert (undone.status_code, undone.json()["version"], undone.json()["is_draft"]) == (200, 2, True)
    assert scorer.get()["undo_s"] == 0
    assert scorer.undo(1).status_code == 409


def test_too_late_is_said_in_words(scorer, closed, tester):
    submit(closed, tester)
    late = scorer.undo(1)
    assert (late.status_code, late.json()["code"]) == (409, "too_late")


def test_published_scores_are_seen_and_no_longer_changed(scorer, closed):
    scorer.hand_in()
    campaign = closed.assignment.campaign
    campaign.is_published = True
    campaign.save()
    seen = scorer.get()
    assert (seen["may_be_changed"], seen["undo_s"]) == (False, 0)
    refused = scorer.choose(ratings={"fluency": 1}, version=1)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_reviewable")


def test_a_draft_of_an_older_version_is_a_conflict(scorer):
    scorer.hand_in()
    refused = scorer.choose(ratings={"fluency": 1})
    assert (refused.status_code, refused.json()["version"]) == (409, 1)


@pytest.mark.parametrize("body", [{"ratings": [1]}, {"ratings": {"fluency": 9}}, {"comment": None}, {"version": "1"}])
def test_a_bad_choice_is_a_400_and_stores_nothing(scorer, body):
    assert scorer.choose(**body).status_code == 400
    assert not Review.objects.exists()


def test_somebody_elses_scores_are_not_there(scorer, outsider, closed):
    stranger = Scorer(outsider, closed)
    assert stranger.client.get(stranger.address).status_code == 404
    assert stranger.choose(comment="x").status_code == 404
    assert stranger.undo(1).status_code == 404


def test_ones_scores_are_no_longer_there_for_whoever_lost_the_role(scorer, closed, tester):
    scorer.hand_in()
    closed.assignment.campaign.roles.filter(person=tester).delete()
    assert scorer.client.get(scorer.address).status_code == 404
    assert scorer.choose(comment="x", version=1).status_code == 404
