"""Search by words in what was said, in notes and in tags of dialogues: each word somewhere in the dialogue, whatever its case.

A search reads the texts of one campaign once per word, so it costs at most `MOST_WORDS` readings of them; nothing is indexed.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from dialogues.models import Attempt, Problem, Turn
from reviews.models import Rating, Remark, Review, Vetting
from rubrics.models import Criterion, ScalePoint

MOST_WORDS = 5
# Characters of a passage on either side of the word.
AROUND = 32
WHERE = {
    "said": _("what was said"),
    "notes": _("comments, remarks and reports"),
    "tags": _("labels and kinds of failures"),
}


def words_of(search: str) -> list[str]:
    """What is searched for: up to five words; what stands in quotation marks is one."""
    parts = search.split('"')
    found = [word for number, part in enumerate(parts) for word in ([part.strip()] if number % 2 else part.split())]
    return list(dict.fromkeys(word for word in found if word))[:MOST_WORDS]


Place = tuple["QuerySet[Any]", str]


def holding(campaign: Campaign, words: Iterable[str], where: str) -> Q:
    """Dialogues in which each of the words stands somewhere, or where one of `WHERE` is named, there."""
    found = Q()
    for word in words:
        anywhere = Q()
        for name, places in (("said", _said(word)), ("notes", _notes(word)), ("tags", _tags(campaign, word))):
            if where in ("", name):
                for rows, dialogue in places:
                    anywhere |= Q(Exists(rows.filter(**{dialogue: OuterRef("pk")})))
        found &= anywhere
    return found


def _said(word: str) -> Iterator[Place]:
    turns = Turn.objects.alias(answered=Cast("texts", TextField()))
    yield turns.filter(Q(text__icontains=word) | Q(answered__icontains=_in_json(word))), "dialogue"


def _in_json(word: str) -> str:
    """As the word stands in a list of texts: SQLite keeps the JSON as it was written, PostgreSQL the characters."""
    return json.dumps(word, ensure_ascii=connection.vendor == "sqlite")[1:-1]


def _notes(word: str) -> Iterator[Place]:
    yield Review.objects.filter(is_submitted=True, comment__icontains=word), "dialogue"
    yield Remark.objects.filter(text__icontains=word), "dialogue"
    yield Problem.objects.filter(text__icontains=word), "dialogue"
    yield Vetting.objects.filter(reason__icontains=word), "dialogue"


def _tags(campaign: Campaign, word: str) -> Iterator[Place]:
    """Labels that were given, by their key or name, and kinds of failures."""
    named = Q(key__icontains=word) | Q(label_zh__icontains=word) | Q(label_en__icontains=word)
    labels = ScalePoint.objects.filter(
        named, criterion__rubric=campaign.rubric_id, criterion__kind=Criterion.Kind.LABEL
    )
    given = labels.filter(criterion=OuterRef("criterion"), score=OuterRef("score"))
    yield Rating.objects.filter(Exists(given), review__is_submitted=True), "review__dialogue"
    yield Attempt.objects.filter(outcome=Attempt.Outcome.FAILURE, kind__icontains=word), "turn__dialogue"


@dataclass(frozen=True, slots=True)
class Passage:
    """Where the first of the words was said: the turn, and the text before, of and after it."""

    turn: int
    before: str
    word: str
    after: str

    @property
    def text(self) -> str:
        return self.before + self.word + self.after


def passages_of(ids: Sequence[UUID], words: Sequence[str]) -> dict[UUID, Passage]:
    """For the dialogues of a page, the first passage of each that holds one of the words, in one query."""
    found: dict[UUID, Passage] = {}
    turns = Turn.objects.filter(dialogue__in=ids if words else []).order_by("dialogue", "number")
    for dialogue, number, text, texts in turns.values_list("dialogue", "number", "text", "texts"):
        if dialogue not in found and (passage := _passage(number, [text, *texts], words)):
            found[dialogue] = passage
    return found


def _passage(number: int, texts: Iterable[str], words: Sequence[str]) -> Passage | None:
    for text in texts:
        for word in words:
            at = text.casefold().find(word.casefold())
            # Where folding changes the length of what stands before, the passage begins a little off, and ends within.
            if at >= 0:
                end = at + len(word)
                before = ("…" if at > AROUND else "") + text[max(0, at - AROUND) : at]
                return Passage(
                    number, before, text[at:end], text[end : end + AROUND] + ("…" if len(text) > end + AROUND else "")
                )
    return None
