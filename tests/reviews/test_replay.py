"""P9: replaying the trail gives every current score, after whatever was done; and the trail is a chain."""

import json
import random
from datetime import timedelta

import pytest

from campaigns.models import Role
from reviews.actions import BadReview, Conflict, NotReviewable, NotYours, TooLate, save_draft, undo_submission
from reviews.actions.contents import content_of, line_of
from reviews.actions.placing import draw_review_places
from reviews.actions.submitting import answer_revision, request_revision
from reviews.models import Dispute, Review, ReviewChange, ReviewPlace, RevisionRequest
from reviews.trail import digest_of
from tests.reviews.conftest import NOON, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db


def first_broken(lines):
    """The place (from 0) of the first line whose digest is not that of what it says; None where the chain holds."""
    previous = ""
    for place, (line, digest) in enumerate(lines):
        if digest_of(line, previous) != digest:
            return place
        previous = digest
    return None


LINES = [{"version": 1, "after": {"comment": "好"}}, {"version": 2, "after": None}, {"version": 3, "after": {}}]


def chained():
    previous, chain = "", []
    for line in LINES:
        previous = digest_of(line, previous)
        chain.append((line, previous))
    return chain


def test_a_chain_that_nobody_touched_holds():
    assert first_broken(chained()) is None
    assert first_broken([]) is None


def test_one_changed_byte_is_found_where_it_is():
    chain = chained()
    text = json.dumps(chain[1][0]).replace("null", "true")
    chain[1] = (json.loads(text), chain[1][1])
    assert first_broken(chain) == 1


def test_a_line_that_is_missing_or_moved_is_found():
    chain = chained()
    assert first_broken([chain[0], chain[2]]) == 1
    assert first_broken([chain[1], chain[0], chain[2]]) == 0


def test_the_digest_does_not_depend_on_the_order_of_keys():
    assert digest_of({"a": 1, "b": 2}, "") == digest_of({"b": 2, "a": 1}, "")


N_OPERATIONS = 120


REFUSED = (BadReview, Conflict, NotReviewable, NotYours, TooLate)


def replayed():
    """What the trail says of each review, and nothing else."""
    return {change.review_id: change.after for change in ReviewChange.objects.order_by("review", "version")}


def chain_of(review):
    return [(line_of(change), change.digest) for change in review.changes.order_by("version")]


def scores(rng):
    return {"satisfaction": rng.randint(-2, 2), "fluency": rng.randint(-1, 1), "guidance": rng.randint(0, 1)}


class Week:
    """Everybody does anything with any dialogue at any time; what is not allowed is refused."""

    def __init__(self, dialogues, people, organizer):
        self.dialogues, self.people, self.organizer = dialogues, people, organizer
        self.rng, self.at = random.Random(7), NOON
        self.n_done = 0

    def begin(self):
        """One of each kind, whatever chance brings afterwards."""
        dialogue, reviewer = self.dialogues[0], self.people[0]
        self.hand_in(dialogue, reviewer, 0)
        self.undo(dialogue, reviewer, 1)
        self.hand_in(dialogue, reviewer, 2)
        request = request_revision(dialogue=dialogue, reviewer=reviewer, reason="x", at=self.at)
        answer_revision(request=request, organizer=self.organizer, is_granted=True, at=self.at)
        self.hand_in(dialogue, reviewer, 3)

    def act(self):
        self.at += timedelta(seconds=self.rng.choice((1, 100, 400)))
        dialogue, reviewer = self.rng.choice(self.dialogues), self.rng.choice(self.people)
        review = Review.objects.filter(dialogue=dialogue, reviewer=reviewer).first()
        version = review.version if review and self.rng.random() < 0.9 else 0
        what = self.rng.choice((self.hand_in, self.hand_in, self.draft, self.undo, self.ask))
        try:
            what(dialogue, reviewer, version)
            self.n_done += 1
        except REFUSED:
            pass

    def hand_in(self, dialogue, reviewer, version):
        submit(dialogue, reviewer, ratings=scores(self.rng), based_on_version=version, at=self.at)

    def draft(self, dialogue, reviewer, version):
        changes = {"ratings": scores(self.rng)}
        save_draft(dialogue=dialogue, reviewer=reviewer, changes=changes, based_on_version=version, at=self.at)

    def undo(self, dialogue, reviewer, version):
        undo_submission(dialogue=dialogue, reviewer=reviewer, version=version, at=self.at)

    def ask(self, dialogue, reviewer, version):
        request = request_revision(dialogue=dialogue, reviewer=reviewer, reason="x", at=self.at)
        answer_revision(request=request, organizer=self.organizer, is_granted=self.rng.random() < 0.8, at=self.at)


@pytest.fixture
def week(campaign, tester, organizer):
    people = panel(campaign, 2, adjudicated_over=1, reviewed_by="both", counted_reviews="both", reservation_min=5)
    dialogues = closed_dialogues(campaign, tester, 4)
    draw_review_places(campaign=campaign, at=NOON)
    people += [tester, person(campaign, "adjudicator", Role.ADJUDICATOR)]
    week = Week(dialogues, people, organizer)
    week.begin()
    return week


def test_after_any_week_the_replay_of_the_trail_is_what_is_stored_and_what_counts_follows(week):
    for _ in range(N_OPERATIONS):
        week.act()
    assert week.n_done > N_OPERATIONS / 5
    current = {review.pk: content_of(review) if review.is_submitted else None for review in Review.objects.all()}
    assert {pk: content for pk, content in current.items() if content} == {
        pk: after for pk, after in replayed().items() if after
    }
    assert set(ReviewChange.objects.values_list("kind", flat=True)) == {"handed_in", "undone", "revised"}
    assert RevisionRequest.objects.filter(used_at__isnull=False).exists()
    for review in Review.objects.all():
        assert [change.version for change in review.changes.all()] == list(range(1, review.version + 1))
        assert first_broken(chain_of(review)) is None
    # The places that are done are those handed in, and disputes say what the panel says.
    for place in ReviewPlace.objects.all():
        handed_in = Review.objects.filter(dialogue=place.dialogue, reviewer=place.reviewer, is_submitted=True)
        assert (place.done_at is not None) == handed_in.exists()
    for dialogue in week.dialogues:
        given = list(
            Review.objects.filter(dialogue=dialogue, part="panel", is_submitted=True, ratings__criterion__key="satisfaction")
            .values_list("ratings__score", flat=True)
        )  # fmt: skip
        dispute = Dispute.objects.filter(dialogue=dialogue).first()
        if len(given) == 2 and max(given) - min(given) > 1:
            assert "satisfaction" in dispute.criteria or dispute.settled_by
        waits = dispute is not None and dispute.settled_at is None
        counted = set(Review.objects.filter(dialogue=dialogue, is_counted=True).values_list("part", flat=True))
        assert counted <= ({"self"} if waits else {"self", "panel", "adjudication"})
        assert not {"panel", "adjudication"} <= counted


@pytest.mark.parametrize("field", ["before", "after", "reason", "changed_by", "at", "kind", "version", "salt"])
def test_a_line_of_the_trail_that_somebody_changed_is_found(week, field, organizer):
    dialogue, reviewer = week.dialogues[1], week.people[0]
    submit(dialogue, reviewer)
    undo_submission(dialogue=dialogue, reviewer=reviewer, version=1, at=NOON)
    submit(dialogue, reviewer, based_on_version=2)
    forged = {
        "before": {"ratings": {}}, "after": {"ratings": {}}, "reason": "x", "changed_by": organizer,
        "at": NOON + timedelta(microseconds=1), "kind": "revised", "version": 9, "salt": "x",
    }[field]  # fmt: skip
    review = Review.objects.get(dialogue=dialogue)
    ReviewChange.objects.filter(review=review, version=2).update(**{field: forged})
    assert first_broken(chain_of(review)) == 1


def test_a_comment_that_somebody_changed_is_found_and_one_whose_digest_stays_may_go(week):
    dialogue, reviewer = week.dialogues[1], week.people[0]
    submit(dialogue, reviewer, comment="said once")
    change = ReviewChange.objects.get(review__dialogue=dialogue)
    kept = covered_texts(change)
    after = change.after | {"comment": "said otherwise"}
    ReviewChange.objects.filter(pk=change.pk).update(after=after)
    assert first_broken(chain_of(change.review)) == 0
    ReviewChange.objects.filter(pk=change.pk).update(salt="", gone=kept)
    assert first_broken(chain_of(change.review)) is None
    ReviewChange.objects.filter(pk=change.pk).update(gone="0" * 64)
    assert first_broken(chain_of(change.review)) == 0


def covered_texts(change):
    return line_of(change)["texts"]
