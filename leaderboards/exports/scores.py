"""What was thought of it: reviews, single scores, and the trail of every change of them."""

from campaigns.models import Campaign
from leaderboards.column_kinds import FLAG, IRREGULAR, TEXT, TIME, WHOLE, Columns, MapOf, Table
from leaderboards.exports.parts import IN_ORDER, Rows, iso, parts, places_of
from reviews.actions.contents import line_of
from reviews.models import Rating, Review, ReviewChange
from rubrics.models import ScalePoint

REVIEW: Columns = {
    "reviewer": TEXT, "verdicts": MapOf(FLAG), "comment": TEXT, "version": WHOLE, "submitted_at": TIME, "part": TEXT,
    "is_counted": FLAG,
}  # fmt: skip


def reviews(campaign: Campaign) -> Rows:
    for part in parts(campaign):
        places = places_of(part)
        wanted = Review.objects.filter(is_submitted=True, dialogue__in=list(places)).select_related("reviewer")
        for review in wanted.prefetch_related("verdicts").order_by(*IN_ORDER, "pk"):
            verdicts = {str(verdict.subtask): verdict.is_finished for verdict in review.verdicts.all()}
            told = (review.reviewer.username, verdicts, review.comment, review.version, iso(review.submitted_at))
            yield (*places[review.dialogue_id], *told, review.part, review.is_counted)


RATING: Columns = {
    "reviewer": TEXT, "criterion": TEXT, "score": WHOLE, "place": TEXT, "label": TEXT, "evidence_turn": WHOLE,
    "part": TEXT, "is_counted": FLAG,
}  # fmt: skip
STORED_RATING = (
    "review__reviewer__username", "criterion__key", "score", "place", "evidence_turn", "review__part",
    "review__is_counted",
)  # fmt: skip


def ratings(campaign: Campaign) -> Rows:
    """`place` is empty for the dialogue, `#2` its second subtask, `@3.bot` the bot in turn 3; `label` is that of a label set."""
    points = ScalePoint.objects.filter(criterion__rubric=campaign.rubric_id).exclude(key="")
    labels = {(criterion, score): key for criterion, score, key in points.values_list("criterion__key", "score", "key")}
    for part in parts(campaign):
        places = places_of(part)
        wanted = Rating.objects.filter(review__is_submitted=True, review__dialogue__in=list(places))
        in_order = wanted.order_by(
            *(f"review__{name}" for name in IN_ORDER), "review_id", "criterion__position", "place"
        )
        for dialogue, who, criterion, score, *place, evidence, capacity, counts in in_order.values_list(
            "review__dialogue_id", *STORED_RATING
        ):
            label = labels.get((criterion, score))
            yield (*places[dialogue], who, criterion, score, *place, label, evidence, capacity, counts)


# A score or the key of a label by criterion and place, `coherence@3.bot`.
CONTENT = Table(
    {"ratings": MapOf(IRREGULAR), "evidence": MapOf(WHOLE), "verdicts": MapOf(FLAG), "comment": TEXT}
)  # fmt: skip
CHANGE: Columns = {
    "review": WHOLE, "reviewer": TEXT, "version": WHOLE, "kind": TEXT, "changed_by": TEXT, "changed_by_id": WHOLE,
    "at": TIME, "before": CONTENT, "after": CONTENT, "reason": TEXT, "digest": TEXT,
}  # fmt: skip


def changes(campaign: Campaign) -> Rows:
    """The audit trail of scores. Each digest covers its line and the digest before it in the same review (`reviews/trail.py`)."""
    for part in parts(campaign):
        places = places_of(part)
        wanted = ReviewChange.objects.filter(review__dialogue__in=list(places)).select_related(
            "review__reviewer", "changed_by"
        )
        for change in wanted.order_by(*(f"review__{name}" for name in IN_ORDER), "review_id", "version"):
            line = line_of(change)
            who = (line["review"], change.review.reviewer.username, line["version"], line["kind"])
            by = (change.changed_by.username, line["changed_by"], line["at"])
            yield (
                *places[change.review.dialogue_id],
                *who,
                *by,
                line["before"],
                line["after"],
                line["reason"],
                change.digest,
            )
