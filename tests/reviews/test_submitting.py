"""Hand-ins, drafts and undo: what is stored, what counts, what is refused, and what the trail keeps."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone, translation

from dialogues.actions import end_dialogue
from dialogues.models import Dialogue
from dialogues.turn_taking import EndReason
from leaderboards.live_board import leaderboard
from reviews.actions import BadReview, Conflict, NotReviewable, NotYours, TooLate, checking, save_draft, undo_submission
from reviews.actions.submitting import REVIEWER_WINDOW_S, seconds_to_undo
from reviews.models import Rating, Review, ReviewChange
from tests.reviews.conftest import NOON, SCORES, submit

pytestmark = pytest.mark.django_db


def test_verdicts_follow_the_ledger_where_the_reviewer_says_nothing(closed, tester):
    review = submit(closed, tester)
    assert list(review.verdicts.values_list("subtask", "is_finished")) == [(1, True), (2, False)]
    assert Dialogue.objects.get(pk=closed.pk).scored_at is not None


def test_scores_reach_the_leaderboard_with_charged_turns(closed, tester):
    submit(closed, tester)
    (row,) = leaderboard(closed.assignment.campaign).rows
    assert row.figures == {"completion": 0, "mean_turns": 2 + 2, **SCORES}


def test_the_reviewers_verdict_is_what_counts(closed, tester):
    submit(closed, tester, verdicts={"1": True, "2": True})
    (row,) = leaderboard(closed.assignment.campaign).rows
    assert (row.figures["completion"], row.figures["mean_turns"]) == (1, 3)


@pytest.mark.parametrize("score", [3, -3, 0.5, "1", "２", None, True, [1]])
def test_a_score_off_the_scale_is_refused_with_its_place(closed, tester, score):
    with pytest.raises(BadReview) as bad:
        submit(closed, tester, ratings=SCORES | {"satisfaction": score})
    assert list(bad.value.fields) == ["ratings.satisfaction"]
    assert not Rating.objects.exists()


def test_every_wrong_field_is_named_at_once(closed, tester):
    with pytest.raises(BadReview) as bad:
        submit(closed, tester, ratings={"fluency": 5, "taste": 1}, verdicts={"1": "yes", "9": True}, comment="x" * 5000)
    assert set(bad.value.fields) == {
        "ratings.satisfaction", "ratings.fluency", "ratings.guidance", "ratings.taste", "verdicts.1", "verdicts.9", "comment",
    }  # fmt: skip


def test_a_comment_that_cannot_be_stored_is_not_called_too_long(closed, tester):
    said = {}
    for comment in ("x" * 4001, "a\x00b", "\ud800"):
        with pytest.raises(BadReview) as bad, translation.override("en"):
            submit(closed, tester, comment=comment)
        said[comment] = bad.value.fields["comment"]
    unstorable = "The comment holds a character that cannot be stored (NUL or half a surrogate pair)."
    assert list(said.values()) == ["The comment has 4001 characters; 4000 are the most.", unstorable, unstorable]


def test_what_is_wrong_is_said_in_the_readers_language(closed, tester, monkeypatch):
    monkeypatch.setattr(checking, "_", lambda text: f"译: {text}")
    with pytest.raises(BadReview) as bad:
        submit(closed, tester, ratings={"fluency": 5, "taste": 1}, verdicts={"1": "yes", "9": True}, comment="x" * 5000)
    assert bad.value.fields["ratings.fluency"] == "译: 5 is not on the scale -1…1."
    assert all(sentence.startswith("译: ") for sentence in bad.value.fields.values())
    Dialogue.objects.filter(pk=closed.pk).update(status="void")
    with pytest.raises(NotReviewable):
        submit(closed, tester)


def test_the_database_holds_scores_to_their_scale_too(closed, tester):
    submit(closed, tester)
    with pytest.raises(IntegrityError), transaction.atomic():
        Rating.objects.update(score=9)


def test_two_tabs_never_overwrite_each_other(closed, tester):
    submit(closed, tester)
    with pytest.raises(Conflict) as conflict:
        submit(closed, tester, ratings=SCORES | {"fluency": 1})
    assert conflict.value.current["ratings"] == SCORES
    again = submit(closed, tester, ratings=SCORES | {"fluency": 1}, based_on_version=1)
    assert again.version == 2


def test_every_change_is_in_the_trail_and_its_replay_gives_the_current_scores(closed, tester):
    submit(closed, tester)
    submit(closed, tester, ratings=SCORES | {"fluency": 1}, based_on_version=1, comment="doch flüssig")
    first, second = ReviewChange.objects.all()
    assert first.before is None
    assert second.before == first.after
    assert second.after["ratings"] == SCORES | {"fluency": 1}
    assert {r.criterion.key: r.score for r in Rating.objects.select_related("criterion")} == second.after["ratings"]


def test_only_ones_own_closed_dialogues_are_scored(dialogue, tester, reviewer, admission):
    with pytest.raises(NotReviewable):
        submit(dialogue, tester)
    end_dialogue(dialogue_id=dialogue.pk, admission=admission, reason=EndReason.GAVE_UP, at=timezone.now())
    with pytest.raises(NotYours):
        submit(dialogue, reviewer)
    assert not Review.objects.exists()


def test_a_void_dialogue_is_not_scored_and_never_in_any_mean(closed, tester):
    submit(closed, tester)
    Dialogue.objects.filter(pk=closed.pk).update(status="void")
    assert leaderboard(closed.assignment.campaign).rows == ()
    with pytest.raises(NotReviewable):
        submit(closed, tester, based_on_version=1)


def choose(dialogue, person, *, version=0, **changes):
    return save_draft(dialogue=dialogue, reviewer=person, changes=changes, based_on_version=version, at=NOON)


def test_every_choice_is_stored_and_none_of_the_others_is_lost(closed, tester):
    choose(closed, tester, ratings={"satisfaction": 2})
    choose(closed, tester, verdicts={"1": False})
    choose(closed, tester, comment="三次问预算")
    choose(closed, tester, ratings={"fluency": -1, "satisfaction": 1})
    assert Review.objects.get().draft == {
        "ratings": {"satisfaction": 1, "fluency": -1},
        "evidence": {},
        "verdicts": {"1": False},
        "comment": "三次问预算",
    }


def test_a_choice_can_be_taken_back(closed, tester):
    choose(closed, tester, ratings={"satisfaction": 2}, verdicts={"1": True})
    choose(closed, tester, ratings={"satisfaction": None}, verdicts={"1": None})
    assert Review.objects.get().draft == {"ratings": {}, "evidence": {}, "verdicts": {}, "comment": ""}


def test_a_draft_counts_nowhere_and_leaves_no_trail(closed, tester):
    choose(closed, tester, ratings=SCORES)
    assert leaderboard(closed.assignment.campaign).rows == ()
    assert not ReviewChange.objects.exists()
    closed.refresh_from_db()
    assert closed.scored_at is None


def test_handing_in_drops_the_draft(closed, tester):
    choose(closed, tester, ratings={"satisfaction": -2})
    assert submit(closed, tester).draft is None


def test_a_draft_of_a_revision_begins_with_what_was_handed_in(closed, tester):
    submit(closed, tester, comment="gut")
    choose(closed, tester, version=1, ratings={"fluency": 1})
    assert Review.objects.get().draft == {
        "ratings": SCORES | {"fluency": 1},
        "evidence": {},
        "verdicts": {"1": True, "2": False},
        "comment": "gut",
    }
    assert leaderboard(closed.assignment.campaign).rows[0].figures.items() >= SCORES.items()


def test_a_page_that_saw_an_older_version_cannot_draft_over_a_newer_one(closed, tester):
    submit(closed, tester)
    with pytest.raises(Conflict) as conflict:
        choose(closed, tester, ratings={"fluency": 1})
    assert (conflict.value.version, conflict.value.current["ratings"]) == (1, SCORES)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"ratings": {"satisfaction": 3}}, "ratings.satisfaction"),
        ({"ratings": {"satisfaction": True}}, "ratings.satisfaction"),
        ({"ratings": {"taste": None}}, "ratings.taste"),
        ({"verdicts": {"1": 1}}, "verdicts.1"),
        ({"verdicts": {"9": True}}, "verdicts.9"),
        ({"comment": "x" * 4001}, "comment"),
    ],
)
def test_what_could_never_be_handed_in_is_no_draft(closed, tester, changes, wrong):
    with pytest.raises(BadReview) as bad:
        choose(closed, tester, **changes)
    assert list(bad.value.fields) == [wrong]
    assert not Review.objects.exists()


def test_only_ones_own_closed_dialogues_have_a_draft(dialogue, tester, reviewer, admission):
    with pytest.raises(NotReviewable):
        choose(dialogue, tester, comment="x")
    end_dialogue(dialogue_id=dialogue.pk, admission=admission, reason=EndReason.GAVE_UP, at=NOON)
    with pytest.raises(NotYours):
        choose(dialogue, reviewer, comment="x")


def test_after_publication_scores_can_be_handed_in_but_not_revised(closed, tester):
    campaign = closed.assignment.campaign
    campaign.is_published = True
    campaign.save()
    choose(closed, tester, ratings=SCORES)
    submit(closed, tester)
    with pytest.raises(NotReviewable):
        choose(closed, tester, version=1, ratings={"fluency": 1})
    with pytest.raises(NotReviewable):
        submit(closed, tester, ratings=SCORES | {"fluency": 1}, based_on_version=1)


def undo(dialogue, person, *, version=1, after_s=3.0):
    at = NOON + timedelta(seconds=after_s)
    return undo_submission(dialogue=dialogue, reviewer=person, version=version, at=at)


def test_an_undone_hand_in_counts_no_more_and_is_a_draft_again(closed, tester):
    submit(closed, tester, comment="zu früh")
    review = undo(closed, tester)
    assert not review.is_submitted
    assert review.draft == {
        "ratings": SCORES, "evidence": {}, "verdicts": {"1": True, "2": False}, "comment": "zu früh",
    }  # fmt: skip
    assert leaderboard(closed.assignment.campaign).rows == ()
    assert Dialogue.objects.get(pk=closed.pk).scored_at is None


def test_the_trail_keeps_the_hand_in_and_its_undoing(closed, tester):
    submit(closed, tester)
    undo(closed, tester)
    first, second = ReviewChange.objects.all()
    assert (first.version, first.kind, first.before) == (1, "handed_in", None)
    assert (second.version, second.kind, second.before, second.after) == (2, "undone", first.after, None)
    again = submit(closed, tester, based_on_version=2, at=NOON + timedelta(seconds=20))
    assert (again.version, again.is_submitted) == (3, True)


def test_undoing_a_revision_brings_the_scores_before_it_back(closed, tester):
    submit(closed, tester, comment="erst", at=NOON - timedelta(hours=1))
    submit(closed, tester, ratings=SCORES | {"fluency": 1}, comment="dann", based_on_version=1)
    review = undo(closed, tester, version=2)
    assert {rating.criterion.key: rating.score for rating in review.ratings.all()} == SCORES
    assert (review.comment, review.is_submitted, review.version) == ("erst", True, 3)
    assert review.submitted_at == NOON - timedelta(hours=1)
    assert review.draft["comment"] == "dann"
    assert ReviewChange.objects.last().after["ratings"] == SCORES
    assert Dialogue.objects.get(pk=closed.pk).scored_at == NOON - timedelta(hours=1)


def test_leaderboards_hear_of_an_undone_hand_in(closed, tester):
    submit(closed, tester)
    campaign = closed.assignment.campaign
    campaign.refresh_from_db()
    before = campaign.scores_version
    undo(closed, tester)
    campaign.refresh_from_db()
    assert campaign.scores_version == before + 1


def test_the_server_keeps_the_ten_seconds(closed, tester):
    submit(closed, tester)
    with pytest.raises(TooLate):
        undo(closed, tester, after_s=10)
    assert Review.objects.get().is_submitted
    undo(closed, tester, after_s=9.9)


def test_an_undoing_is_not_undone(closed, tester):
    submit(closed, tester)
    undo(closed, tester)
    with pytest.raises(Conflict):
        undo(closed, tester, version=2)


def test_only_the_stored_version_is_undone(closed, tester):
    submit(closed, tester)
    submit(closed, tester, based_on_version=1)
    with pytest.raises(Conflict) as conflict:
        undo(closed, tester, version=1)
    assert conflict.value.version == 2


def test_nothing_is_undone_that_was_not_handed_in(closed, tester, reviewer):
    with pytest.raises(NotReviewable):
        undo(closed, tester)
    with pytest.raises(NotYours):
        undo(closed, reviewer)


def test_published_results_are_not_undone(closed, tester):
    submit(closed, tester)
    campaign = closed.assignment.campaign
    campaign.is_published = True
    campaign.save()
    with pytest.raises(NotReviewable):
        undo(closed, tester)


def test_a_revision_keeps_the_time_at_which_the_dialogue_was_first_scored(closed, tester):
    submit(closed, tester)
    submit(closed, tester, based_on_version=1, at=NOON + timedelta(days=1))
    assert Dialogue.objects.get(pk=closed.pk).scored_at == NOON


def test_undoing_a_second_revision_brings_the_time_of_what_holds_again_back(closed, tester):
    hours = [NOON - timedelta(hours=n) for n in (4, 3, 2)]
    submit(closed, tester, comment="first", at=hours[0])
    submit(closed, tester, comment="second", based_on_version=1, at=hours[1])
    undo_submission(dialogue=closed, reviewer=tester, version=2, at=hours[1] + timedelta(seconds=5))
    submit(closed, tester, comment="third", based_on_version=3, at=hours[2])
    review = undo_submission(dialogue=closed, reviewer=tester, version=4, at=hours[2] + timedelta(seconds=5))
    assert (review.comment, review.submitted_at) == ("first", hours[0])


def test_undoing_a_revision_of_a_revision_brings_the_time_of_the_first_revision_back(closed, tester):
    for version, hour in enumerate((4, 3)):
        submit(closed, tester, based_on_version=version, at=NOON - timedelta(hours=hour))
    submit(closed, tester, based_on_version=2)
    assert undo(closed, tester, version=3).submitted_at == NOON - timedelta(hours=3)


@pytest.mark.parametrize(
    ("later_s", "left"), [(0, 10), (0.2, 10), (1, 9), (9, 1), (9.999, 1), (10, 0), (3600, 0), (-5, 10)]
)
def test_a_hand_in_can_be_undone_for_ten_seconds(later_s, left):
    assert seconds_to_undo(NOON, NOON + timedelta(seconds=later_s)) == left


@pytest.mark.parametrize(("later_s", "left"), [(0, 600), (1, 599), (599.5, 1), (600, 0), (-5, 600)])
def test_a_reviewer_has_ten_minutes(later_s, left):
    assert seconds_to_undo(NOON, NOON + timedelta(seconds=later_s), REVIEWER_WINDOW_S) == left
