"""Redacts words of a dialogue: they go wherever they occur in it, and in what reviewers wrote of it.

A span names them: `3.tester`, what the tester said in turn 3; `3.bot:5-17`, the characters 5 to 17 of the answer.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import erase_texts, record
from audit.models import TrailLine
from campaigns.reasons import reason_of
from dialogues.actions.ledger import held
from dialogues.models import Attempt, Dialogue, Objection
from dialogues.pictures import removing_unnamed
from language_models.actions.calls import forget_answers
from pairs.models import PairVote
from privacy.actions.talks import SHOWN_OTHERWISE, erase_words
from privacy.stand_ins import SHORTEST_SEARCHED, Change, in_json, stand_in, without_words
from privacy.trail_acts import WORDS_REDACTED
from reviews.actions.erasing import change_gold_texts, change_review_texts
from reviews.models import GoldReview, GuideExample, Remark, Review, RevisionRequest, Vetting
from serving.refused import Refused

TESTER, BOT = "tester", "bot"
_SPAN = re.compile(r"(\d{1,6})\.(tester|bot)(?::(\d{1,6})-(\d{1,6}))?", re.ASCII)


class CannotRedact(Refused):
    """The span names nothing, or the dialogue is not over; the sentence says which."""

    code = "cannot_redact"


@dataclass(frozen=True, slots=True)
class Span:
    """Characters are counted from 1; without `first` all that was said."""

    turn: int
    speaker: str
    first: int | None = None
    last: int | None = None

    def __str__(self) -> str:
        return f"{self.turn}.{self.speaker}" + ("" if self.first is None else f":{self.first}-{self.last}")


def span_of(said: str) -> Span:
    """Errors: `CannotRedact`."""
    matched = _SPAN.fullmatch(said.strip())
    if matched is None:
        raise CannotRedact(gettext_noop("A span is written like %(examples)s."), examples="3.tester, 3.bot, 3.bot:5-17")
    turn, speaker, first, last = matched.groups()
    return Span(int(turn), speaker, *(None if one is None else int(one) for one in (first, last)))


def words_at(dialogue: Dialogue, span: Span) -> list[str]:
    """The words that the span names; an answer of several texts is counted through. Errors: `CannotRedact`."""
    turn = dialogue.turns.filter(number=span.turn).first()
    texts = [] if turn is None else [turn.text] if span.speaker == TESTER else [str(one) for one in turn.texts]
    if span.first is not None and span.last is not None:
        texts = _cut(texts, span.first - 1, span.last)
    words = [text for text in texts if text]
    if not words:
        raise CannotRedact(gettext_noop("There is nothing at %(span)s in this dialogue."), span=span)
    return words


def _cut(texts: list[str], start: int, end: int) -> list[str]:
    if start < 0 or end <= start:
        return []
    cut, passed = [], 0
    for text in texts:
        cut.append(text[max(0, start - passed) : max(0, end - passed)])
        passed += len(text)
    return cut


@transaction.atomic
def redact(*, dialogue: Dialogue, span: Span, because: str, by: Person | None, at: datetime) -> int:
    """Removes the words from the dialogue, its requests, its ledger and what was written of it; gives how many characters.

    Words of fewer than four characters go at the span alone. Errors: `ReasonNeeded`; `CannotRedact`, also while the dialogue is open.
    """
    because, dialogue = reason_of(because), held(dialogue.pk)
    if dialogue.is_open:
        raise CannotRedact(gettext_noop("The dialogue is open: redact it once it is over."))
    words = words_at(dialogue, span)
    searched = [word for word in words if len(word) >= SHORTEST_SEARCHED]
    with removing_unnamed([dialogue.pk]):
        _redact_turn(dialogue, span, words)
        erase_words(dialogue.pk, searched)
    change = without_words(searched, key=settings.SECRET_KEY)
    _redact_writings(dialogue, change)
    campaign = dialogue.assignment.campaign
    forget_answers(campaigns=[campaign])
    n = sum(map(len, words))
    details = {"dialogue": str(dialogue.pk), "span": str(span), "characters": n}
    line = record(
        WORDS_REDACTED,
        by=by,
        at=at,
        campaign=campaign.slug,
        about=dialogue.assignment.entry.alias,
        because=because,
        details=details,
    )
    erase_texts(
        said_by=line,
        without=lambda one: {"because": change(one.because), "details": in_json(one.details, change)},
        # Nobody could write while the whole trail is read.
        among=TrailLine.objects.filter(details__dialogue=str(dialogue.pk)),
    )
    return n


def _redact_turn(dialogue: Dialogue, span: Span, words: list[str]) -> None:
    """At the very place, also where the words are too short to be searched for."""
    turn = dialogue.turns.get(number=span.turn)
    whole = [turn.text] if span.speaker == TESTER else [str(one) for one in turn.texts]
    start, end = (0, sum(map(len, whole))) if span.first is None or span.last is None else (span.first - 1, span.last)
    left, passed = [], 0
    for text in whole:
        from_, to = max(0, start - passed), max(0, end - passed)
        cut = text[from_:to]
        left.append(text[:from_] + stand_in(cut, key=settings.SECRET_KEY) + text[to:] if cut else text)
        passed += len(text)
    if span.speaker == TESTER:
        turn.text = left[0]
        turn.save(update_fields=["text"])
    else:
        # The reply as it came went with what was shown of it: the turn stands for both now.
        turn.texts, turn.flags = left, [flag for flag in turn.flags if flag not in SHOWN_OTHERWISE]
        turn.save(update_fields=["texts", "flags"])
        turn.attempts.filter(outcome=Attempt.Outcome.REPLY).delete()


def _redact_writings(dialogue: Dialogue, change: Change) -> None:
    change_review_texts(reviews=Review.objects.filter(dialogue=dialogue), change=change)
    change_gold_texts(gold=GoldReview.objects.filter(dialogue=dialogue), change=change)
    for rows, column in (
        (Objection.objects.filter(dialogue=dialogue), "text"),
        (Objection.objects.filter(dialogue=dialogue), "answer"),
        (Remark.objects.filter(dialogue=dialogue), "text"),
        (Vetting.objects.filter(dialogue=dialogue), "reason"),
        (RevisionRequest.objects.filter(review__dialogue=dialogue), "reason"),
        (GuideExample.objects.filter(dialogue=dialogue), "reason"),
        (PairVote.objects.filter(pair__left_dialogue=dialogue), "reason"),
        (PairVote.objects.filter(pair__right_dialogue=dialogue), "reason"),
    ):
        for row in rows:
            rows.model._base_manager.filter(pk=row.pk).update(**{column: change(getattr(row, column))})
