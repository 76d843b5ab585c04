"""A reviewer's queue: places in order, progress, pace; and a panel over the API, vetting and gold included."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from reviews.actions import save_draft
from reviews.actions.placing import draw_review_places, open_next_place
from reviews.desk import pace_s, progress_of, queue_of, status_of
from reviews.models import GoldReview, Remark, Review, ReviewChange, ReviewPlace, RevisionRequest
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, person, submit
from tests.reviews.test_api import Scorer

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def place(opened=None, done=None, expires=None, released=None, has_draft=False):
    return {
        "opened_at": opened,
        "done_at": done,
        "expires_at": expires,
        "released_at": released,
        "has_draft": has_draft,
    }


@pytest.mark.parametrize(
    ("row", "status"),
    [
        (place(), "new"),
        (place(opened=NOON, expires=NOON + MINUTE), "reserved"),
        (place(opened=NOON, expires=NOON + MINUTE, has_draft=True), "draft"),
        (place(opened=NOON, expires=NOON, has_draft=True), "expired"),
        (place(opened=NOON, expires=NOON + MINUTE, released=NOON), "expired"),
        (place(opened=NOON, done=NOON, expires=NOON), "done"),
    ],
)
def test_where_a_place_stands(row, status):
    assert status_of(row, NOON) == status


def test_the_pace_is_a_median_that_lunch_does_not_slow():
    assert pace_s([]) is None
    assert pace_s([60, 90, 4 * 3600]) == 90
    assert pace_s([1]) == 5
    assert pace_s([2 * 3600]) == 3600


def test_minutes_left_follow_the_reviewers_own_pace():
    done = [place(opened=NOON, done=NOON + n * MINUTE, expires=NOON) for n in (1, 2, 3)]
    assert progress_of([*done, *[place()] * 5]) == {"done": 3, "total": 8, "minutes_left": 10, "pace_s": 120}
    assert progress_of([place()] * 2) == {"done": 0, "total": 2, "minutes_left": None, "pace_s": None}
    assert progress_of([]) == {"done": 0, "total": 0, "minutes_left": None, "pace_s": None}


def test_the_queue_is_in_the_reviewers_order_under_aliases(campaign, tester):
    (reviewer,) = panel(campaign, 1, reservation_min=10)
    closed_dialogues(campaign, tester, 3)
    dialogue = open_next_place(campaign=campaign, reviewer=reviewer, at=NOON)
    with translation.override("en"):
        queue = queue_of(campaign, reviewer, NOON)
    assert queue["progress"] == {"done": 0, "total": 3, "minutes_left": None, "pace_s": None}
    assert queue["training"] is None
    first = queue["places"][0]
    assert first == {
        "id": ReviewPlace.objects.get(dialogue=dialogue).pk, "dialogue": str(dialogue.pk),
        "alias": campaign.entries.get().alias, "scenario": "Flight and hotel", "status": "reserved",
        "expires_at": (NOON + 10 * MINUTE).isoformat(),
    }  # fmt: skip
    assert [one["status"] for one in queue["places"]] == ["reserved", "new", "new"]
    save_draft(dialogue=dialogue, reviewer=reviewer, changes={"comment": "x"}, based_on_version=0, at=NOON)
    assert queue_of(campaign, reviewer, NOON)["places"][0]["status"] == "draft"
    submit(dialogue, reviewer, at=NOON + MINUTE)
    assert queue_of(campaign, reviewer, NOON)["progress"] == {"done": 1, "total": 3, "minutes_left": 2, "pace_s": 60}


def test_what_ran_out_and_can_be_had_back_is_still_shown(campaign, tester):
    (reviewer,) = panel(campaign, 1, reservation_min=10)
    closed_dialogues(campaign, tester, 1)
    open_next_place(campaign=campaign, reviewer=reviewer, at=NOON)
    other = person(campaign, "other", Role.REVIEWER)
    draw_review_places(campaign=campaign, at=NOON + 10 * MINUTE)
    assert [one["status"] for one in queue_of(campaign, reviewer, NOON)["places"]] == ["expired"]
    open_next_place(campaign=campaign, reviewer=other, at=NOON + 10 * MINUTE)
    assert queue_of(campaign, reviewer, NOON)["places"] == []


def test_a_queue_of_many_asks_the_database_no_more_often(campaign, tester):
    (reviewer,) = panel(campaign, 1, training_pass_percent=50)
    Campaign.objects.update(gold_every=2)

    def n_queries():
        draw_review_places(campaign=campaign, at=NOON)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert queue_of(campaign, reviewer, NOON)["places"]
        return len(queries)

    closed_dialogues(campaign, tester, 1)
    few = n_queries()
    closed_dialogues(campaign, tester, 9, first=3000)
    assert n_queries() == few


class Panelist(Scorer):
    """A reviewer's program."""

    def __init__(self, who, dialogue=None):
        super().__init__(who, dialogue or Dialogue())

    def queue(self, slug="small"):
        return self.client.get(f"/api/v1/reviews/queue/?campaign={slug}")

    def next(self, slug="small"):
        return self.client.post("/api/v1/reviews/next/", {"campaign": slug}, content_type="application/json")

    def go_to(self, dialogue):
        self.address = f"/api/v1/dialogues/{dialogue}/review/"

    def post(self, path, **body):
        return self.client.post(f"{self.address}{path}", body, content_type="application/json")


@pytest.fixture
def one(campaign, tester):
    (reviewer,) = panel(campaign, 1)
    closed_dialogues(campaign, tester, 2)
    return Panelist(reviewer)


def test_a_reviewer_works_through_the_queue(one):
    opened = one.next()
    first = opened.json()["dialogue"]
    assert (opened.status_code, opened.json()["page"]) == (200, f"/reviews/{first}/")
    one.go_to(first)
    assert one.get()["version"] == 0
    assert one.choose(ratings={"satisfaction": 1}).status_code == 200
    assert one.queue().json()["places"][0]["status"] == "draft"
    stored = one.hand_in()
    (other,) = {place["dialogue"] for place in one.queue().json()["places"]} - {first}
    assert (stored.status_code, stored.json()) == (
        201, {"version": 1, "undo_s": 600, "next": other, "list": "/campaigns/small/review/"},
    )  # fmt: skip
    assert one.queue().json()["progress"]["done"] == 1
    assert one.undo(1).json()["undo_s"] == 0
    one.hand_in(version=2)
    one.go_to(one.next().json()["dialogue"])
    assert one.hand_in().json()["next"] is None
    assert one.next().status_code == 204


def test_the_sheet_shows_what_is_said_and_asked_and_nobodys_scores(one, campaign, tester):
    campaign.scenarios.update(context={"kb": "云栖"}, items=["预算"])
    one.go_to(one.next().json()["dialogue"])
    sheet = one.client.get(f"{one.address}sheet/", headers={"accept-language": "en"}).json()
    assert sheet["alias"] == campaign.entries.get().alias
    assert (sheet["context"], sheet["scenario"]["items"]) == ({"kb": "云栖"}, ["预算"])
    assert sheet["turns"] == [{"number": 1, "subtask": 1, "text": "你好", "texts": ["好的"], "failed": False}]
    assert sheet["subtasks"][0].items() >= {"index": 1, "kind": "flight", "status": "finished"}.items()
    assert [(row["key"], row["letter"], row["places"]) for row in sheet["criteria"]] == [
        ("satisfaction", "Sa", [""]), ("fluency", "F", [""]), ("guidance", "G", [""]),
    ]  # fmt: skip
    assert sheet["criteria"][2]["points"][0].items() >= {"score": 0, "label": "no guidance", "speaker": ""}.items()
    assert sheet["asks_for_verdicts"]
    Campaign.objects.update(reviewed_by="both")
    own = Scorer(tester, Dialogue.objects.first())
    assert own.client.get(f"{own.address}sheet/").json()["context"] is None


def test_latency_is_shown_where_the_rubric_asks_for_it(one, campaign):
    campaign.rubric.shows_latency = True
    campaign.rubric.save()
    one.go_to(one.next().json()["dialogue"])
    assert "latency_ms" in one.client.get(f"{one.address}sheet/").json()["turns"][0]


def test_of_two_tabs_one_is_stored_and_the_other_sees_both_values(one):
    one.go_to(one.next().json()["dialogue"])
    assert one.hand_in().status_code == 201
    other = SCORES | {"fluency": 1}
    refused = one.hand_in(ratings=other, comment="zweiter")
    error = refused.json()
    assert (refused.status_code, error["code"], error["version"]) == (409, "conflict", 1)
    assert error["current"]["ratings"] == SCORES
    assert error["yours"] == {"ratings": other, "comment": "zweiter"}
    assert Review.objects.get().changes.count() == 1


def test_a_revision_is_asked_for_and_granted(one, organizer):
    one.go_to(one.next().json()["dialogue"])
    one.hand_in()
    refused = one.hand_in(version=1)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_reviewable")
    assert one.post("revision/", reason="").status_code == 400
    asked = one.post("revision/", reason="看混了")
    assert asked.status_code == 201
    assert one.get()["revision"] == {"reason": "看混了", "granted": None, "used": False}
    assert not one.get()["may_be_changed"]
    address = f"/api/v1/revision-requests/{asked.json()['id']}/"
    assert one.client.post(address, {"granted": True}, content_type="application/json").status_code == 404
    boss = Panelist(organizer)
    assert boss.client.post(address, {"granted": "yes"}, content_type="application/json").status_code == 400
    granted = boss.client.post(address, {"granted": True}, content_type="application/json")
    assert (granted.status_code, granted.json()) == (200, {"granted": True})
    assert one.get()["may_be_changed"]
    assert one.hand_in(version=1, ratings=SCORES | {"fluency": 0}).json()["version"] == 2
    assert ReviewChange.objects.last().reason == "看混了"
    assert boss.client.post(address, {"granted": False}, content_type="application/json").status_code == 409
    assert RevisionRequest.objects.get().used_at is not None


def test_who_cannot_judge_says_so_and_the_next_one_comes(one):
    first = one.next().json()["dialogue"]
    one.client.post(f"/api/v1/dialogues/{first}/remark/", {"kind": "leaked", "text": "x"}, "application/json")
    given = one.client.post(f"/api/v1/dialogues/{first}/remark/", {"kind": "cannot_judge"}, "application/json")
    assert (given.status_code, given.json()) == (201, {"kind": "cannot_judge", "text": ""})
    assert one.next().json()["dialogue"] != first
    one.go_to(first)
    assert one.client.get(one.address).status_code == 404
    assert Remark.objects.count() == 2


def test_nobody_else_finds_anything(one, campaign, outsider, tester, organizer):
    dialogue = one.next().json()["dialogue"]
    another = person(campaign, "another", Role.REVIEWER)
    for stranger in (outsider, another, tester, organizer):
        client = Panelist(stranger)
        client.go_to(dialogue)
        assert client.client.get(client.address).status_code == 404
        assert client.client.get(f"{client.address}sheet/").status_code == 404
        assert client.choose(comment="x").status_code == 404
        assert client.hand_in().status_code == 404
        assert client.post("revision/", reason="x").status_code == 404
        remark = client.client.post(
            f"/api/v1/dialogues/{dialogue}/remark/", {"kind": "leaked"}, content_type="application/json"
        )
        assert remark.status_code == 404
    assert Panelist(outsider).queue().status_code == 404
    assert Panelist(tester).next().status_code == 404
    assert one.queue("nowhere").status_code == 404
    assert one.next("nowhere").status_code == 404


def test_a_reviewer_who_lost_the_role_finds_nothing(one, campaign):
    one.go_to(one.next().json()["dialogue"])
    campaign.roles.filter(role=Role.REVIEWER).delete()
    assert one.client.get(one.address).status_code == 404
    assert one.queue().status_code == 404


def test_experts_vet_over_the_api(campaign, tester):
    panel(campaign, 1, experts_per_dialogue=1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    expert = Panelist(person(campaign, "expert", Role.EXPERT))
    address = f"/api/v1/dialogues/{dialogue.pk}/vetting/"
    assert expert.client.get(f"/api/v1/dialogues/{dialogue.pk}/review/sheet/").status_code == 200
    said = {"fluent": True, "natural": False, "appropriate": True, "coherent": True, "correct": True}
    for wrong in (
        said,
        said | {"natural": "no", "reason": "太短"},
        {"natural": False, "reason": "太短"},
        {"accepted": True},
    ):
        assert expert.client.post(address, wrong, content_type="application/json").status_code == 400
    returned = expert.client.post(address, said | {"reason": "太短"}, content_type="application/json")
    assert (returned.status_code, returned.json()) == (201, {"yours": False, "accepted": False})
    assert Dialogue.objects.get().status == "returned"
    stranger = Panelist(tester).client.post(address, said | {"natural": True}, content_type="application/json")
    assert stranger.status_code == 404


def test_an_organizer_makes_gold_over_the_api(campaign, tester, organizer):
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    address = f"/api/v1/dialogues/{dialogue.pk}/gold/"
    boss = Panelist(organizer).client
    assert boss.post(address, {}, content_type="application/json").status_code == 409
    assert boss.post(address, {"ratings": {"fluency": 9}}, content_type="application/json").status_code == 400
    made = boss.post(address, {"ratings": SCORES, "for_training": False}, content_type="application/json")
    assert (made.status_code, made.json()["for_training"]) == (201, False)
    assert made.json()["content"]["ratings"] == SCORES
    assert Panelist(tester).client.post(address, {}, content_type="application/json").status_code == 404
    assert GoldReview.objects.get().set_by == organizer


def test_an_adjudicator_scores_over_the_api(campaign, tester):
    one, two = panel(campaign, 2, adjudicated_over=1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    adjudicator = Panelist(person(campaign, "adjudicator", Role.ADJUDICATOR), dialogue)
    assert adjudicator.client.get(adjudicator.address).status_code == 404
    draw_review_places(campaign=campaign, at=timezone.now())
    submit(dialogue, one, at=NOON)
    submit(dialogue, two, ratings=SCORES | {"satisfaction": 0}, at=NOON)
    assert adjudicator.get()["version"] == 0
    stored = adjudicator.hand_in()
    assert (stored.status_code, stored.json()["undo_s"], stored.json()["next"]) == (201, 600, None)
    assert Review.objects.get(is_counted=True).part == "adjudication"
