"""What was thought of it: reviews, single scores, and the trail of every change of them."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from leaderboards.exports.parts import PLACE, Export, Rows, parts, placed, places_of
from leaderboards.records import PERSON, verdicts_of
from leaderboards.stored_columns import Stored, columns_of, rows_of
from leaderboards.table_files.column_kinds import FLAG, IRREGULAR, TEXT, TIME, WHOLE, Columns, MapOf, Table
from leaderboards.table_files.text_files import Block
from rubrics.models import ScalePoint

REVIEW: Columns = {
    "reviewer": TEXT, "verdicts": MapOf(FLAG), "comment": TEXT, "version": WHOLE, "submitted_at": TIME, "part": TEXT,
    "is_counted": FLAG, "reviewer_kind": TEXT,
}  # fmt: skip
STORED_REVIEWS = Stored(
    f"reviews_review review JOIN {PERSON} person ON person.id = review.reviewer_id",
    dialogue="review.dialogue_id",
    only="review.is_submitted",
    in_order_of="review.id",
    columns={
        "review.id": "plain", "person.username": "plain", "review.comment": "plain", "review.version": "plain",
        "review.submitted_at": "time", "review.part": "plain", "review.is_counted": "flag", "person.kind": "plain",
    },
)  # fmt: skip


def reviews(campaign: Campaign) -> Rows:
    for part in parts(campaign):
        places = places_of(part)
        stored = rows_of(STORED_REVIEWS, list(places))
        verdicts = verdicts_of(list(places))
        for place, own in zip(places.values(), stored, strict=True):
            for review, reviewer, *told in own:
                held = {str(subtask): is_finished for subtask, is_finished in verdicts.get(review, {}).items()}
                yield (*place, reviewer, held, *told)


REVIEWS = Export("reviews", _("Scored dialogues"), {**PLACE, **REVIEW}, rows=reviews)


RATING: Columns = {
    "reviewer": TEXT, "criterion": TEXT, "score": WHOLE, "place": TEXT, "label": TEXT, "evidence_turn": WHOLE,
    "part": TEXT, "is_counted": FLAG, "reviewer_kind": TEXT,
}  # fmt: skip
STORED_RATINGS = Stored(
    "reviews_rating rating JOIN reviews_review review ON review.id = rating.review_id "
    f"JOIN {PERSON} person ON person.id = review.reviewer_id "
    "JOIN rubrics_criterion criterion ON criterion.id = rating.criterion_id",
    dialogue="review.dialogue_id",
    only="review.is_submitted",
    in_order_of="rating.review_id, criterion.position, rating.place",
    columns={
        "person.username": "plain", "criterion.key": "plain", "rating.score": "plain", "rating.place": "plain",
        "rating.evidence_turn": "plain", "review.part": "plain", "review.is_counted": "flag", "person.kind": "plain",
    },
)  # fmt: skip


def rating_blocks(campaign: Campaign) -> Iterator[Block]:
    """`place` is empty for the dialogue, `#2` its second subtask, `@3.bot` the bot in turn 3; `label` is that of a label set."""
    points = ScalePoint.objects.filter(criterion__rubric=campaign.rubric_id).exclude(key="")
    labels = {(criterion, score): key for criterion, score, key in points.values_list("criterion__key", "score", "key")}
    for part in parts(campaign):
        places = places_of(part)
        counts, (reviewers, criteria, scores, where, *rest) = columns_of(STORED_RATINGS, list(places))
        told = [labels.get(one) for one in zip(criteria, scores, strict=True)]
        yield from placed(places, counts, [reviewers, criteria, scores, where, told, *rest])


RATINGS = Export("ratings", _("Single scores"), {**PLACE, **RATING}, blocks=rating_blocks)


# A score or the key of a label by criterion and place, `coherence@3.bot`.
CONTENT = Table(
    {"ratings": MapOf(IRREGULAR), "evidence": MapOf(WHOLE), "verdicts": MapOf(FLAG), "comment": TEXT}
)  # fmt: skip
CHANGE: Columns = {
    "review": WHOLE, "reviewer": TEXT, "version": WHOLE, "kind": TEXT, "changed_by": TEXT, "changed_by_id": WHOLE,
    "at": TIME, "before": CONTENT, "after": CONTENT, "reason": TEXT, "salt": TEXT, "gone": TEXT, "digest": TEXT,
    "reviewer_kind": TEXT,
}  # fmt: skip
STORED_CHANGES = Stored(
    "reviews_reviewchange change JOIN reviews_review review ON review.id = change.review_id "
    f"JOIN {PERSON} person ON person.id = review.reviewer_id JOIN {PERSON} writer ON writer.id = change.changed_by_id",
    dialogue="review.dialogue_id",
    in_order_of="change.review_id, change.version",
    columns={
        "change.review_id": "plain", "person.username": "plain", "change.version": "plain", "change.kind": "plain",
        "writer.username": "plain", "change.changed_by_id": "plain", "change.at": "time", "change.before": "json",
        "change.after": "json", "change.reason": "plain", "change.salt": "plain", "change.gone": "plain", "change.digest": "plain",
        "person.kind": "plain",
    },
)  # fmt: skip


def change_blocks(campaign: Campaign) -> Iterator[Block]:
    """The audit trail of scores. Each digest covers its line and the digest before it in the same review (`reviews/trail.py`)."""
    for part in parts(campaign):
        places = places_of(part)
        yield from placed(places, *columns_of(STORED_CHANGES, list(places)))


CHANGES = Export("changes", _("Changes of scores"), {**PLACE, **CHANGE}, blocks=change_blocks)
