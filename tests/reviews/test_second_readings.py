"""A dialogue comes to its reviewer once more: in time, without a word, and into no figure but the organizer's."""

from datetime import timedelta

import pytest
from django.urls import reverse

from dialogues.models import Dialogue
from leaderboards.records import counted_lines
from reviews.actions import BadReview, NotReviewable
from reviews.actions.contents import Conflict
from reviews.actions.placing import draw_review_places
from reviews.actions.second_readings import (
    n_second_readings,
    open_next,
    reading_named,
    remark_on_reading,
    submit_second_reading,
    undo_second_reading,
)
from reviews.actions.submitting import TooLate, add_remark, request_revision
from reviews.agreement import agreement_of
from reviews.desk import desk_of, own_scores, progress_at, queue_of, scores_of_reading
from reviews.models import Remark, Review, RevisionRequest, SecondReading
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, submit

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(("n", "every", "wanted"), [(9, 0, 0), (9, 10, 0), (20, 10, 0), (21, 10, 1), (35, 10, 2)])
def test_one_comes_before_each_block_but_the_first_two(n, every, wanted):
    assert n_second_readings(n, every) == wanted


@pytest.fixture
def reviewer(campaign):
    return panel(campaign, 1, second_reading_every=2)[0]


def score_next(campaign, reviewer, at, **changed):
    """Opens what comes next and hands scores in; gives it."""
    following = open_next(campaign=campaign, reviewer=reviewer, at=at)
    handed_in = {"ratings": SCORES, "verdicts": {}, "comment": "", "based_on_version": 0, "at": at + MINUTE} | changed
    if isinstance(following, SecondReading):
        submit_second_reading(reading=following, **handed_in)
    elif following:
        submit(following, reviewer, **handed_in)
    return following


@pytest.fixture
def all_done(campaign, tester, reviewer):
    """Everything that the queue of six dialogues brings, in its order; the second scores of satisfaction are one point lower."""
    closed_dialogues(campaign, tester, 7)
    draw_review_places(campaign=campaign, at=NOON)
    lower = {"ratings": SCORES | {"satisfaction": 1}}
    came = []
    for number in range(20):
        at = NOON + number * 5 * MINUTE
        is_again = isinstance(open_next(campaign=campaign, reviewer=reviewer, at=at), SecondReading)
        following = score_next(campaign, reviewer, at, **(lower if is_again else {}))
        if following is None:
            break
        came.append(following)
    return came


def test_a_dialogue_comes_again_after_a_block_and_never_one_of_the_last(all_done):
    is_again = [isinstance(one, SecondReading) for one in all_done]
    assert is_again == [False] * 4 + [True] + [False] * 2 + [True, False]
    first, second = (one.review.dialogue_id for one in all_done if isinstance(one, SecondReading))
    order = [one.pk for one in all_done if not isinstance(one, SecondReading)]
    assert order.index(first) < 2
    assert order.index(second) < 4
    assert first != second


def test_the_list_and_the_numbers_show_nothing_of_it(campaign, reviewer, tester, all_done):
    queue = queue_of(campaign, reviewer, NOON + timedelta(hours=3))
    assert [row["dialogue"] for row in queue["places"]] == [str(one.pk) for one in all_done]
    assert {frozenset(row) for row in queue["places"]} == {frozenset(queue["places"][0])}
    assert queue["progress"] | {"pace_s": 0, "minutes_left": 0} == {
        "done": 9,
        "total": 9,
        "pace_s": 0,
        "minutes_left": 0,
    }
    shown = [progress_at(campaign, reviewer, one.pk, 100) for one in all_done]
    assert [one.number for one in shown] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert {(one.done, one.total) for one in shown} == {(9, 9)}


def test_the_total_does_not_grow_when_one_comes(campaign, reviewer, tester):
    closed_dialogues(campaign, tester, 7)
    draw_review_places(campaign=campaign, at=NOON)
    totals = set()
    for number in range(9):
        totals.add(queue_of(campaign, reviewer, NOON)["progress"]["total"])
        one = score_next(campaign, reviewer, NOON + number * MINUTE)
        totals.add(progress_at(campaign, reviewer, one.pk, 100).total)
    assert totals == {9}


def test_it_counts_nowhere_and_shows_how_far_somebody_agrees_with_themselves(campaign, reviewer, all_done):
    assert Review.objects.count() == 7
    assert sum(1 for _ in counted_lines(campaign, Dialogue.objects.of_campaign(campaign))) == 7
    figures = agreement_of(campaign)
    assert figures["reviewers"][str(reviewer.pk)]["n"] == 7
    assert figures["conduct"][str(reviewer.pk)] == {
        # Satisfaction is at the top of its scale, fluency at the bottom of its own.
        **{"straight": 0.0, "longest_run": 7, "hurried": 0.0},
        **{"n_again": 2, "again_exact": pytest.approx(2 / 3), "again_points": pytest.approx(1 / 3)},
    }


def test_it_is_undone_like_any_other_and_only_in_time(campaign, reviewer, all_done):
    reading = reading_named(all_done[4].pk, reviewer)
    done_at = reading.done_at
    with pytest.raises(NotReviewable):
        submit_second_reading(
            reading=reading, ratings=SCORES, verdicts={}, comment="", based_on_version=1, at=done_at + MINUTE
        )
    with pytest.raises(Conflict):
        undo_second_reading(reading=reading, version=7, at=done_at + MINUTE)
    with pytest.raises(TooLate):
        undo_second_reading(reading=reading, version=1, at=done_at + 11 * MINUTE)
    undone = undo_second_reading(reading=reading, version=1, at=done_at + MINUTE)
    assert (undone.content, undone.draft["ratings"]["satisfaction"], undone.done_at) == (None, 1, None)
    assert open_next(campaign=campaign, reviewer=reviewer, at=done_at + 2 * MINUTE) == undone


def test_the_page_and_every_answer_are_those_of_a_dialogue(client, campaign, tester, reviewer):
    closed_dialogues(campaign, tester, 5)
    draw_review_places(campaign=campaign, at=NOON)
    client.force_login(reviewer)
    for number in range(4):
        score_next(campaign, reviewer, NOON + number * MINUTE)
    following = client.post("/api/v1/reviews/next/", {"campaign": "small"}, "application/json").json()
    reading = SecondReading.objects.get(pk=following["dialogue"])
    assert following["page"] == reverse("review", args=[reading.pk])
    shown = client.get(following["page"])
    assert shown.status_code == 200
    assert str(reading.review.dialogue_id) not in shown.content.decode()
    assert shown.context["heading"].endswith("5")
    address = f"/api/v1/dialogues/{reading.pk}/review/"
    assert client.get(address).json()["chosen"]["ratings"] == {}
    draft = {"ratings": {"fluency": 1}, "comment": "so", "version": 0}
    assert client.patch(address, draft, "application/json").json() == {"version": 0}
    assert client.get(address).json()["chosen"] == {
        **{"ratings": {"fluency": 1}, "evidence": {}, "verdicts": {}, "comment": "so"}
    }
    assert client.get(f"{address}sheet/").json()["turns"][0]["text"] == "你好"
    handed_in = client.post(address, {"ratings": SCORES, "version": 0}, "application/json")
    assert (handed_in.status_code, handed_in.json()["version"]) == (201, 1)
    assert 590 < handed_in.json()["undo_s"] <= 600
    undone = client.post(f"{address}undo/", {"version": 1}, "application/json").json()
    assert (undone["is_submitted"], undone["version"]) == (False, 2)
    remark = client.post(
        f"/api/v1/dialogues/{reading.pk}/remark/", {"kind": "cannot_judge", "text": "?"}, "application/json"
    )
    assert remark.json() == {"kind": "cannot_judge", "text": "?"}
    last = client.post("/api/v1/reviews/next/", {"campaign": "small"}, "application/json").json()
    assert not SecondReading.objects.filter(pk=last["dialogue"]).exists()


def test_a_remark_stands_beside_that_of_the_first_time(campaign, tester, reviewer):
    closed_dialogues(campaign, tester, 5)
    draw_review_places(campaign=campaign, at=NOON)
    for number in range(4):
        score_next(campaign, reviewer, NOON + number * MINUTE)
    at = NOON + 5 * MINUTE
    reading = open_next(campaign=campaign, reviewer=reviewer, at=at)
    first = add_remark(dialogue=reading.review.dialogue, reviewer=reviewer, kind="leaked", text="turn 1", at=NOON)
    Remark.objects.update(settled_at=NOON)
    for bad in ({"kind": "boring", "text": ""}, {"kind": "cannot_judge", "text": "x" * 5000}):
        with pytest.raises(BadReview):
            remark_on_reading(reading=reading, at=at, **bad)
    remark_on_reading(reading=reading, kind="leaked", text="turn 2", at=at)
    remark_on_reading(reading=reading, kind="cannot_judge", text="noise", at=at)
    told = Remark.objects.order_by("is_again", "kind").values_list("kind", "is_again", "text", "settled_at")
    assert list(told) == [
        ("leaked", False, "turn 1", NOON),
        ("cannot_judge", True, "noise", None),
        ("leaked", True, "turn 2", None),
    ]
    assert Remark.objects.get(settled_at=NOON) == first
    with pytest.raises(NotReviewable):
        remark_on_reading(reading=reading, kind="cannot_judge", text="noise", at=at)


def test_a_request_to_revise_joins_nothing(client, campaign, reviewer, all_done):
    """Asked about the first scores, it shows there alone; about the second, it is refused."""
    reading, at = reading_named(all_done[4].pk, reviewer), NOON + timedelta(hours=3)
    first = reading.review.dialogue
    asked = request_revision(dialogue=first, reviewer=reviewer, reason="mistaken", at=at)
    assert own_scores(first, reviewer, at)["revision"]["reason"] == "mistaken"
    assert scores_of_reading(reading, at)["revision"] is None
    rows = {row.place["dialogue"]: row for row in desk_of(campaign, reviewer, at).done}
    assert (rows[str(reading.pk)].request, rows[str(first.pk)].request) == (None, asked)
    client.force_login(reviewer)
    address = f"/api/v1/dialogues/{reading.pk}/review/revision/"
    refused = client.post(address, {"reason": "mistaken"}, "application/json", headers={"accept-language": "en"})
    assert (refused.status_code, refused.json()["detail"]) == (409, "These scores can no longer be changed.")
    assert client.post(address, {"reason": " "}, "application/json").status_code == 400
    assert RevisionRequest.objects.get() == asked


def test_one_that_an_interest_closes_is_passed_over(campaign, tester, reviewer):
    closed_dialogues(campaign, tester, 5)
    draw_review_places(campaign=campaign, at=NOON)
    for number in range(4):
        score_next(campaign, reviewer, NOON + number * MINUTE)
    begun = open_next(campaign=campaign, reviewer=reviewer, at=NOON + 5 * MINUTE)
    assert isinstance(begun, SecondReading)
    campaign.team_members.create(person=reviewer, team=campaign.entries.get().bot.team)
    assert open_next(campaign=campaign, reviewer=reviewer, at=NOON + 6 * MINUTE) is None
    assert queue_of(campaign, reviewer, NOON + 6 * MINUTE)["places"] == []


def test_it_is_nobody_elses(client, campaign, reviewer, tester, organizer, all_done):
    for somebody in (tester, organizer):
        client.force_login(somebody)
        assert client.get(reverse("review", args=[all_done[4].pk])).status_code == 404
        assert client.get(f"/api/v1/dialogues/{all_done[4].pk}/review/").status_code in (403, 404)
