"""Removes what reviewers wrote; scores, verdicts, versions and the chain of changes stay as they are.

The digest of a change's texts stays in its line, so that the chain holds without them (`reviews/trail.py`).
"""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from reviews.actions.contents import line_of
from reviews.models import GoldReview, Review, ReviewChange, SecondReading

Content = dict[str, Any] | None


@transaction.atomic
def change_review_texts(*, reviews: QuerySet[Review], change: Callable[[str], str], keeps_drafts: bool = True) -> int:
    """Puts what `change` makes of them in place of comments and reasons; gives how many reviews had any.

    Without `keeps_drafts` what was not handed in goes as a whole.
    """
    n_changed = 0
    for review in reviews.prefetch_related("changes").iterator(chunk_size=500):
        draft = (_with_comment(review.draft, change) if review.draft else review.draft) if keeps_drafts else None
        comment = change(review.comment)
        n_lines = sum(_change_line(one, change) for one in review.changes.all())
        if n_lines or (comment, draft) != (review.comment, review.draft):
            Review.objects.filter(pk=review.pk).update(comment=comment, draft=draft)
            n_changed += 1
    for again in SecondReading.objects.filter(review__in=reviews):
        kept = {"content": _with_comment(again.content, change), "draft": _with_comment(again.draft, change)}
        SecondReading.objects.filter(pk=again.pk).update(**kept | ({} if keeps_drafts else {"draft": None}))
    return n_changed


def _change_line(stored: ReviewChange, change: Callable[[str], str]) -> bool:
    left = {
        "before": _with_comment(stored.before, change),
        "after": _with_comment(stored.after, change),
        "reason": change(stored.reason),
    }
    if all(getattr(stored, name) == said for name, said in left.items()):
        return False
    ReviewChange.objects.filter(pk=stored.pk).update(**left, salt="", gone=line_of(stored)["texts"])
    return True


def _with_comment(content: Content, change: Callable[[str], str]) -> Content:
    if content is None or "comment" not in content:
        return content
    return content | {"comment": change(content["comment"])}


def change_gold_texts(*, gold: QuerySet[GoldReview], change: Callable[[str], str]) -> None:
    for one in gold:
        if (content := _with_comment(one.content, change)) != one.content:
            GoldReview.objects.filter(pk=one.pk).update(content=content)
