"""The rows of the list of dialogues, in a number of queries that does not grow with the campaign."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from campaigns.calendar import finishing_until
from campaigns.models import Campaign
from dialogues.models import Dialogue, Problem, Turn, TurnFlag
from dialogues.turn_policy import turn_policy_of
from organizing.dialogues.filters import failures
from organizing.dialogues.waiting import Wait, wait_of
from organizing.dialogues.words import LOOKS, STATES
from reviews.models import Review

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Row:
    """One dialogue in the list; `wait` is missing where it is closed."""

    dialogue: Dialogue
    n_turns: int
    n_failed: int
    n_flags: int
    n_reviews: int
    wait: Wait | None

    @property
    def state(self) -> str:
        return str(STATES[self.dialogue.status])

    @property
    def look(self) -> str:
        return LOOKS.get(self.dialogue.status, "")


def rows_of(campaign: Campaign, page: Iterable[UUID]) -> list[Row]:
    """One row per dialogue of a page, given by ids in their order, in seven queries.

    Names are read for the page alone: to sort whole rows of ten thousand dialogues takes a second.
    """
    ids, policy = list(page), turn_policy_of(campaign)
    named = Dialogue.objects.select_related("tester", "assignment__entry__bot__team", "assignment__scenario")
    found = named.in_bulk(ids)
    of_page = [found[one] for one in ids if one in found]
    n_failed = Counter(failures().filter(turn__dialogue__in=ids).values_list("turn__dialogue", flat=True))
    n_flags = Counter(TurnFlag.objects.filter(turn__dialogue__in=ids).values_list("turn__dialogue", flat=True))
    n_flags += Counter(Problem.objects.filter(dialogue__in=ids).order_by().values_list("dialogue", flat=True))
    handed_in = Review.objects.filter(dialogue__in=ids, is_submitted=True)
    n_reviews = Counter(handed_in.values_list("dialogue", flat=True))
    waits = waits_of(campaign, [one for one in of_page if one.is_open])
    return [
        Row(one, policy.turns(one.turns_used), n_failed[one.pk], n_flags[one.pk], n_reviews[one.pk], waits.get(one.pk))
        for one in of_page
    ]


def waits_of(campaign: Campaign, open_ones: Sequence[Dialogue]) -> dict[UUID, Wait]:
    """Whom each of those open dialogues waits for, in one query."""
    last = Turn.objects.filter(dialogue__in=[one.pk for one in open_ones], number=F("dialogue__turns_used"))
    turns = {turn.dialogue_id: turn for turn in last}
    closes_at = finishing_until(campaign)
    return {one.pk: wait_of(one.opened_at, turns.get(one.pk), campaign, closes_at) for one in open_ones}
