"""The line of the platform's trail for changed scores: which review, which version, which criteria; never what was said of them."""

from collections.abc import Mapping
from typing import Any

from audit.actions import record
from audit.acts import Act
from dialogues.acts import of_dialogue
from dialogues.models import Dialogue
from reviews.acts import SCORES_ADJUDICATED, SCORES_HANDED_IN, SCORES_REVISED, SCORES_UNDONE
from reviews.models import Review, ReviewChange
from reviews.rating_places import criterion_of


def record_scores(dialogue: Dialogue, review: Review, change: ReviewChange) -> None:
    """Comes last in the transaction, after the campaign's row."""
    said = of_dialogue(
        dialogue,
        review=review.pk,
        version=change.version,
        part=str(review.part),
        changed=changed_criteria(change.before, change.after),
        digest=change.digest,
    )
    record(_act_of(review, change), by=change.changed_by, at=change.at, because=change.reason, **said)


def _act_of(review: Review, change: ReviewChange) -> Act:
    if change.kind == ReviewChange.Kind.UNDONE:
        return SCORES_UNDONE
    if review.part == Review.Part.ADJUDICATION:
        return SCORES_ADJUDICATED
    is_first = change.kind == ReviewChange.Kind.HANDED_IN and change.before is None
    return SCORES_HANDED_IN if is_first else SCORES_REVISED


def changed_criteria(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> list[str]:
    """The keys of the criteria whose scores or evidence differ, and "verdicts" where those do."""
    was, now = before or {}, after or {}
    differing = {
        criterion_of(key)
        for part in ("ratings", "evidence")
        for key in {*was.get(part, {}), *now.get(part, {})}
        if was.get(part, {}).get(key) != now.get(part, {}).get(key)
    }
    has_other_verdicts = was.get("verdicts", {}) != now.get("verdicts", {})
    return [*sorted(differing), *(["verdicts"] if has_other_verdicts else [])]
