import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone, translation

from dialogues.actions import end_dialogue
from dialogues.models import Dialogue
from dialogues.turn_taking import EndReason
from leaderboards.live_board import leaderboard
from reviews.actions import BadReview, Conflict, NotReviewable, NotYours, checking
from reviews.actions import checking as capacities
from reviews.models import Rating, Review, ReviewChange
from tests.reviews.conftest import SCORES, submit

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
    for module in (checking, capacities):
        monkeypatch.setattr(module, "_", lambda text: f"译: {text}")
    with pytest.raises(BadReview) as bad:
        submit(closed, tester, ratings={"fluency": 5, "taste": 1}, verdicts={"1": "yes", "9": True}, comment="x" * 5000)
    assert bad.value.fields["ratings.fluency"] == "译: 5 is not on the scale -1…1."
    assert all(sentence.startswith("译: ") for sentence in bad.value.fields.values())
    Dialogue.objects.filter(pk=closed.pk).update(status="void")
    with pytest.raises(NotReviewable, match="译: "):
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
