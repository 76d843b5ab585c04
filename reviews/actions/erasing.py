"""Removes what reviewers wrote; scores, verdicts, versions and the chain of changes stay as they are.

The digest of a change's texts stays in its line, so that the chain holds without them (`reviews/trail.py`).
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from dialogues.models import Dialogue
from reviews.actions.contents import line_of
from reviews.models import GoldReview, Review, ReviewChange, SecondReading

Content = dict[str, Any] | None


def reviews_to_change(change: Callable[[str], str]) -> list[int]:
    """The reviews, by id, of whose texts `change` makes something else; reads all that was ever written, and holds nothing."""
    written = (
        Review.objects.values_list("pk", "comment", "draft"),
        ReviewChange.objects.order_by().values_list("review", "reason", "before", "after"),
        SecondReading.objects.values_list("review", "content", "draft"),
    )
    rows: Iterable[Any] = chain.from_iterable(one.iterator(chunk_size=1000) for one in written)
    return sorted({review for review, *texts in rows if any(_changed(one, change) != one for one in texts)})


def last_change() -> int:
    return ReviewChange.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def written_since(last: int, at: datetime) -> QuerySet[Review]:
    """The reviews that may have other texts than at `at`, when `last` was the latest change. Drafts tell no time."""
    # A change commits after its time and its number were taken.
    lately = at - timedelta(minutes=1)
    again = Q(second_reading__done_at__gte=lately) | Q(second_reading__draft__isnull=False)
    changed = ReviewChange.objects.filter(Q(pk__gt=last) | Q(at__gte=lately)).order_by().values("review")
    return Review.objects.filter(Q(pk__in=changed) | Q(draft__isnull=False) | again)


@transaction.atomic
def change_review_texts(*, reviews: QuerySet[Review], change: Callable[[str], str], keeps_drafts: bool = True) -> int:
    """Puts what `change` makes of them in place of comments and reasons; gives how many reviews had any.

    Without `keeps_drafts` what was not handed in goes as a whole.
    """
    # Before anything is read: what is handed in meanwhile would be put back to what it was.
    own = Dialogue.everything.filter(pk__in=reviews.order_by().values("dialogue"))
    list(own.select_for_update(of=("self",)).order_by("pk").values_list("pk"))
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


def _changed(text: str | Content, change: Callable[[str], str]) -> str | Content:
    return change(text) if isinstance(text, str) else _with_comment(text, change)


def _with_comment(content: Content, change: Callable[[str], str]) -> Content:
    if content is None or "comment" not in content:
        return content
    return content | {"comment": change(content["comment"])}


def change_gold_texts(*, gold: QuerySet[GoldReview], change: Callable[[str], str]) -> None:
    for one in gold:
        if (content := _with_comment(one.content, change)) != one.content:
            GoldReview.objects.filter(pk=one.pk).update(content=content)
