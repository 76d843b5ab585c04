"""Search by words in what was said, in notes and in tags of dialogues: each word somewhere in the dialogue, whatever its case.

A search reads the texts of one campaign once per word, so it costs at most `MOST_WORDS` readings of them; nothing is indexed.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextField
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


def holding(campaign: Campaign, words: Iterable[str], where: str) -> Q:
    """Dialogues in which each of the words stands somewhere, or where one of `WHERE` is named, there."""
    found = Q()
    for word in words:
        anywhere = Q()
        for name, places in (("said", _said), ("notes", _notes), ("tags", _tags)):
            if where in ("", name):
                for place in places(campaign, word):
                    anywhere |= Exists(place.filter(of_dialogue=OuterRef("pk")))
        found &= anywhere
    return found


def _said(campaign: Campaign, word: str) -> Iterator["QuerySet[Turn]"]:
    turns = Turn.objects.alias(of_dialogue=F("dialogue"), answered=Cast("texts", TextField()))
    yield turns.filter(Q(text__icontains=word) | Q(answered__icontains=_in_json(word)))


def _in_json(word: str) -> str:
    """As the word stands in a list of texts: SQLite keeps the JSON as it was written, PostgreSQL the characters."""
    return json.dumps(word, ensure_ascii=connection.vendor == "sqlite")[1:-1]


def _notes(
    campaign: Campaign, word: str
) -> Iterator["QuerySet[Review] | QuerySet[Remark] | QuerySet[Problem] | QuerySet[Vetting]"]:
    own = {"of_dialogue": F("dialogue")}
    yield Review.objects.alias(**own).filter(is_submitted=True, comment__icontains=word)
    yield Remark.objects.alias(**own).filter(text__icontains=word)
    yield Problem.objects.alias(**own).filter(text__icontains=word)
    yield Vetting.objects.alias(**own).filter(reason__icontains=word)


def _tags(campaign: Campaign, word: str) -> Iterator["QuerySet[Rating] | QuerySet[Attempt]"]:
    named = Q(key__icontains=word) | Q(label_zh__icontains=word) | Q(label_en__icontains=word)
    labels = ScalePoint.objects.filter(
        named, criterion__rubric=campaign.rubric_id, criterion__kind=Criterion.Kind.LABEL
    )
    given = Rating.objects.alias(of_dialogue=F("review__dialogue")).filter(review__is_submitted=True)
    yield given.filter(Exists(labels.filter(criterion=OuterRef("criterion"), score=OuterRef("score"))))
    failed = Attempt.objects.alias(of_dialogue=F("turn__dialogue")).filter(outcome=Attempt.Outcome.FAILURE)
    yield failed.filter(kind__icontains=word)


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
