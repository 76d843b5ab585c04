"""Ten minutes of undo for reviewers, afterwards a request that an organizer answers; remarks instead of scores."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import translation

from campaigns.models import Campaign, Role
from reviews.actions import BadReview, NotReviewable, NotYours, TooLate, save_draft, undo_submission
from reviews.actions.placing import draw_review_places, next_place
from reviews.actions.submitting import add_remark, answer_revision, request_revision
from reviews.models import Remark, Review, ReviewChange, ReviewPlace, RevisionRequest
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)


CHANGED = SCORES | {"satisfaction": -2}


@pytest.fixture
def scored(campaign, tester):
    (reviewer,) = panel(campaign, 1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, reviewer)
    return dialogue, reviewer


def ask(dialogue, reviewer, reason="两条看混了", at=LATER):
    return request_revision(dialogue=dialogue, reviewer=reviewer, reason=reason, at=at)


def answer(request, organizer, is_granted=True, at=LATER):
    return answer_revision(request=request, organizer=organizer, is_granted=is_granted, at=at)


def test_a_reviewer_undoes_within_ten_minutes_and_has_the_place_again(scored):
    dialogue, reviewer = scored
    at = NOON + timedelta(minutes=9, seconds=59)
    review = undo_submission(dialogue=dialogue, reviewer=reviewer, version=1, at=at)
    assert (review.is_submitted, review.is_counted, review.draft["ratings"]) == (False, False, SCORES)
    place = ReviewPlace.objects.get()
    assert (place.done_at, place.expires_at) == (None, at + timedelta(minutes=60))
    assert Review.objects.get().is_counted is False
    assert submit(dialogue, reviewer, based_on_version=2, at=LATER).version == 3
    assert Review.objects.get().is_counted


def test_after_ten_minutes_it_is_too_late(scored):
    dialogue, reviewer = scored
    with translation.override("en"), pytest.raises(TooLate, match="Ask for a revision"):
        undo_submission(dialogue=dialogue, reviewer=reviewer, version=1, at=NOON + timedelta(minutes=10))


def test_without_undo_or_request_nothing_of_a_hand_in_changes(scored):
    dialogue, reviewer = scored
    with pytest.raises(NotReviewable):
        submit(dialogue, reviewer, ratings=CHANGED, based_on_version=1)
    with pytest.raises(NotReviewable):
        save_draft(dialogue=dialogue, reviewer=reviewer, changes={"comment": "x"}, based_on_version=1, at=NOON)


def test_a_granted_request_allows_one_revision_and_the_trail_says_why(scored, organizer):
    dialogue, reviewer = scored
    request = answer(ask(dialogue, reviewer), organizer)
    assert (request.is_granted, request.answered_by, request.answered_at) == (True, organizer, LATER)
    save_draft(dialogue=dialogue, reviewer=reviewer, changes={"comment": "x"}, based_on_version=1, at=LATER)
    submit(dialogue, reviewer, ratings=CHANGED, based_on_version=1, at=LATER)
    change = ReviewChange.objects.last()
    assert (change.kind, change.reason, change.before["ratings"], change.after["ratings"]) == (
        "revised", "两条看混了", SCORES, CHANGED,
    )  # fmt: skip
    with pytest.raises(NotReviewable):
        submit(dialogue, reviewer, based_on_version=2, at=LATER)


def test_an_undone_revision_gives_the_old_scores_and_the_grant_back(scored, organizer):
    dialogue, reviewer = scored
    answer(ask(dialogue, reviewer), organizer)
    submit(dialogue, reviewer, ratings=CHANGED, based_on_version=1, at=LATER)
    review = undo_submission(dialogue=dialogue, reviewer=reviewer, version=2, at=LATER)
    assert (review.is_submitted, review.draft["ratings"]) == (True, CHANGED)
    assert ReviewChange.objects.last().after["ratings"] == SCORES
    assert submit(dialogue, reviewer, ratings=CHANGED, based_on_version=3, at=LATER).version == 4


def test_a_refused_request_changes_nothing_and_another_may_follow(scored, organizer):
    dialogue, reviewer = scored
    answer(ask(dialogue, reviewer), organizer, is_granted=False)
    with pytest.raises(NotReviewable):
        submit(dialogue, reviewer, based_on_version=1, at=LATER)
    answer(ask(dialogue, reviewer, "真的看混了"), organizer)
    assert submit(dialogue, reviewer, based_on_version=1, at=LATER).version == 2


def test_one_request_is_open_at_a_time_and_says_why(scored, organizer):
    dialogue, reviewer = scored
    for reason in ("", "  ", "x" * 5000, "a\x00"):
        with pytest.raises(BadReview) as bad:
            ask(dialogue, reviewer, reason)
        assert list(bad.value.fields) == ["reason"]
    request = ask(dialogue, reviewer)
    with pytest.raises(NotReviewable):
        ask(dialogue, reviewer)
    answer(request, organizer)
    with pytest.raises(NotReviewable):
        ask(dialogue, reviewer)


def test_only_an_organizer_answers_and_only_once(scored, organizer, tester):
    dialogue, reviewer = scored
    request = ask(dialogue, reviewer)
    for stranger in (reviewer, tester):
        with pytest.raises(NotYours):
            answer(request, stranger)
    answer(request, organizer, is_granted=False)
    with pytest.raises(NotReviewable):
        answer(request, organizer)


def test_nothing_to_ask_for_before_a_hand_in_or_after_publication_or_of_ones_own(scored, campaign, closed, tester):
    dialogue, reviewer = scored
    Campaign.objects.update(is_published=True)
    with pytest.raises(NotReviewable):
        ask(dialogue, reviewer)
    Campaign.objects.update(is_published=False, reviewed_by="both")
    with pytest.raises(NotReviewable):
        ask(closed, tester)
    submit(closed, tester)
    with pytest.raises(NotReviewable):
        ask(closed, tester)


REQUESTS = "/api/v1/campaigns/small/revision-requests/"


@pytest.fixture
def asked(campaign, tester):
    """Two requests of one reviewer, the second an answered one."""
    (reviewer,) = panel(campaign, 1)
    dialogues = closed_dialogues(campaign, tester, 2)
    draw_review_places(campaign=campaign, at=NOON)
    for dialogue in dialogues:
        submit(dialogue, reviewer)
        ask(dialogue, reviewer, reason=f"about {dialogue.pk}")
    return list(RevisionRequest.objects.order_by("pk"))


@pytest.fixture
def program(client, organizer):
    client.force_login(organizer)
    return client


def test_a_program_learns_the_id_that_an_answer_needs(asked, program, campaign):
    first = program.get(REQUESTS).json()[0]
    dialogue = asked[0].review.dialogue
    assert first == {
        "id": asked[0].pk,
        "dialogue": str(dialogue.pk),
        "bot": campaign.entries.get().alias,
        "scenario": "flight-then-hotel",
        "reviewer": "reviewer",
        "reason": f"about {dialogue.pk}",
        "asked_at": LATER.isoformat(),
        "granted": None,
        "answered_by": None,
        "answered_at": None,
    }
    answered = program.post(
        f"/api/v1/revision-requests/{first['id']}/", {"granted": True}, content_type="application/json"
    )
    assert (answered.status_code, answered.json()) == (200, {"granted": True})
    row = program.get(REQUESTS).json()[0]
    assert (row["granted"], row["answered_by"], bool(row["answered_at"])) == (True, "organizer", True)


def test_the_state_tells_what_waits_from_what_was_granted_and_refused(asked, program, organizer):
    answer_revision(request=asked[0], organizer=organizer, is_granted=False, at=LATER)

    def listed(state):
        return [row["id"] for row in program.get(REQUESTS, {"state": state}).json()]

    assert (listed("waiting"), listed("granted"), listed("refused")) == ([asked[1].pk], [], [asked[0].pk])
    assert program.get(REQUESTS, {"state": "lost"}).status_code == 400


def test_the_reviewer_who_asked_does_not_read_the_list(asked, client):
    client.force_login(asked[0].review.reviewer)
    assert client.get(REQUESTS).status_code == 404


def test_an_organizer_with_an_interest_reads_no_request_of_a_dialogue_that_is_closed_to_them(
    asked, program, campaign, organizer
):
    answer_revision(request=asked[1], organizer=organizer, is_granted=False, at=LATER)
    page = "/campaigns/small/revisions/"
    assert program.get(page).content.decode().count("about ") == 2
    campaign.team_members.create(team=campaign.entries.get().bot.team, person=organizer)
    assert program.get(REQUESTS).json() == []
    assert "about " not in program.get(page).content.decode()


@pytest.fixture
def given(campaign, tester):
    (reviewer,) = panel(campaign, 1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    return dialogue, reviewer


def remark(dialogue, reviewer, kind="leaked", text="它自报家门"):
    return add_remark(dialogue=dialogue, reviewer=reviewer, kind=kind, text=text, at=NOON)


def test_a_maker_that_shows_is_noted_and_the_dialogue_is_still_scored(given):
    dialogue, reviewer = given
    remark(dialogue, reviewer)
    remark(dialogue, reviewer, text="第 3 轮")
    assert [(one.kind, one.text) for one in Remark.objects.all()] == [("leaked", "第 3 轮")]
    assert submit(dialogue, reviewer).is_submitted


def test_who_cannot_judge_gives_the_place_back_and_another_gets_it(given, campaign):
    dialogue, reviewer = given
    remark(dialogue, reviewer, "cannot_judge")
    assert ReviewPlace.objects.get().released_because == "cannot_judge"
    with pytest.raises(NotYours):
        submit(dialogue, reviewer)
    assert draw_review_places(campaign=campaign, at=NOON) == 0
    other = person(campaign, "other", Role.REVIEWER)
    draw_review_places(campaign=campaign, at=NOON)
    assert Counter(ReviewPlace.objects.held().values_list("reviewer", flat=True)) == {other.pk: 1}
    assert next_place(campaign, reviewer) is None


def test_what_was_handed_in_was_judged(given):
    dialogue, reviewer = given
    submit(dialogue, reviewer)
    with pytest.raises(NotReviewable):
        remark(dialogue, reviewer, "cannot_judge")
    assert not Remark.objects.exists()


def test_a_tester_may_say_that_the_maker_shows_and_must_judge(closed, tester):
    assert remark(closed, tester).kind == "leaked"
    with pytest.raises(NotReviewable):
        remark(closed, tester, "cannot_judge")


def test_bad_remarks_and_strangers(given, organizer):
    dialogue, reviewer = given
    with pytest.raises(BadReview) as bad:
        remark(dialogue, reviewer, "boring", "x" * 5000)
    assert set(bad.value.fields) == {"kind", "text"}
    with pytest.raises(NotYours):
        remark(dialogue, organizer)
