"""Words, waits and rows of the list of dialogues; the number of queries does not grow with the campaign."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from campaigns.calendar import finishing_until
from campaigns.models import Campaign
from dialogues.models import Dialogue, Problem, Turn, TurnFlag
from dialogues.turn_policy import turn_policy_of
from dialogues.turn_taking import TurnStatus
from organizing.dialogues.filters import BOT, TESTER, failures
from organizing.dialogues.words import Passage, passages_of
from reviews.models import Review

PER_PAGE = 50

STATES = {
    "open": _("in progress"),
    "completed": _("finished"),
    "unfinished": _("not finished"),
    "void": _("void"),
    "abandoned": _("abandoned"),
    "returned": _("returned"),
}
# The colour of each state's pill.
LOOKS = {"open": "now", "completed": "good", "void": "care", "abandoned": "care", "returned": "care"}
REASONS = {
    "done": _("its tester ended it as done"),
    "gave_up": _("its tester gave up"),
    "cap_reached": _("all turns were used"),
    "bot_failed": _("the system failed permanently"),
    "bot_ended": _("the system ended it"),
    "all_used": _("everything given was used"),
    "ended_early": _("its tester gave up before everything was used"),
    "silence": _("nothing was said for too long"),
    "time_over": _("the time to finish it was over"),
    "returned": _("experts sent it back"),
    "imported": _("imported"),
    "voided": _("an organizer declared it void"),
    "ended_by_organizer": _("an organizer ended it"),
}
OUTCOMES = {
    "reply": _("answer"),
    "failure": _("failure"),
    "resent": _("sent again"),
    "late": _("too late"),
}
FLAGS = {
    "empty": _("empty"),
    "cut": _("cut"),
    "masked": _("masked"),
    "slow": _("slow"),
}
PARTS = {
    "self": _("own scores"),
    "panel": _("panel"),
    "adjudication": _("adjudication"),
    "gold": _("gold"),
}


class LastTurn(Protocol):
    @property
    def status(self) -> str: ...
    @property
    def asked_at(self) -> datetime: ...
    @property
    def settled_at(self) -> datetime | None: ...


class Limits(Protocol):
    """A campaign."""

    @property
    def reply_deadline_s(self) -> int: ...
    @property
    def silence_limit_min(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Wait:
    """At `until` the turn fails, or the dialogue closes as abandoned. A turn that was asked again waits since its last failure."""

    who: str
    since: datetime
    until: datetime

    def seconds(self, at: datetime) -> int:
        return max(0, round((at - self.since).total_seconds()))


def wait_of(
    opened_at: datetime,
    last: LastTurn | None,
    limits: Limits,
    closes_at: datetime | None = None,
    extended_until: datetime | None = None,
) -> Wait:
    """For the bot while its answer is due, else for the tester since the last thing that happened.

    At `closes_at` open dialogues may no longer go on, but for one with more time; a turn that is in flight then is waited for.
    """
    if last is not None and last.status == TurnStatus.WAITING:
        since = max(last.asked_at, last.settled_at or last.asked_at)
        return Wait(BOT, since, since + timedelta(seconds=limits.reply_deadline_s))
    since = opened_at if last is None else last.settled_at or last.asked_at
    silent_until = since + timedelta(minutes=limits.silence_limit_min)
    until = silent_until if closes_at is None else min(silent_until, closes_at)
    return Wait(TESTER, since, until if extended_until is None else max(until, extended_until))


@dataclass(frozen=True, slots=True)
class Row:
    """One dialogue in the list; `wait` is missing where it is closed."""

    dialogue: Dialogue
    n_turns: int
    n_failed: int
    n_flags: int
    n_reviews: int
    wait: Wait | None
    passage: Passage | None = None

    @property
    def state(self) -> str:
        return str(STATES[self.dialogue.status])

    @property
    def look(self) -> str:
        return LOOKS.get(self.dialogue.status, "")


def rows_of(campaign: Campaign, page: Iterable[UUID], words: Sequence[str] = ()) -> list[Row]:
    """One row per dialogue of a page, given by ids in their order, in eight queries; with the first passage that holds one of the words.

    Names are read for the page alone: to sort whole rows of ten thousand dialogues takes a second.
    """
    ids, policy = list(page), turn_policy_of(campaign)
    named = Dialogue.with_programs.select_related("tester", "assignment__entry__bot__team", "assignment__scenario")
    found = named.in_bulk(ids)
    of_page = [found[one] for one in ids if one in found]
    n_failed = Counter(failures().filter(turn__dialogue__in=ids).values_list("turn__dialogue", flat=True))
    n_flags = Counter(TurnFlag.objects.filter(turn__dialogue__in=ids).values_list("turn__dialogue", flat=True))
    n_flags += Counter(Problem.objects.filter(dialogue__in=ids).order_by().values_list("dialogue", flat=True))
    handed_in = Review.objects.filter(dialogue__in=ids, is_submitted=True)
    n_reviews = Counter(handed_in.values_list("dialogue", flat=True))
    waits = waits_of(campaign, [one for one in of_page if one.is_open])
    passages = passages_of(ids, words) if words else {}
    return [
        Row(
            one,
            policy.turns(one.turns_used),
            n_failed[one.pk],
            n_flags[one.pk],
            n_reviews[one.pk],
            waits.get(one.pk),
            passages.get(one.pk),
        )
        for one in of_page
    ]


def waits_of(campaign: Campaign, open_ones: Sequence[Dialogue]) -> dict[UUID, Wait]:
    """Whom each of those open dialogues waits for, in one query."""
    last = Turn.objects.filter(dialogue__in=[one.pk for one in open_ones], number=F("dialogue__turns_used"))
    turns = {turn.dialogue_id: turn for turn in last}
    closes_at = finishing_until(campaign)
    return {
        one.pk: wait_of(one.opened_at, turns.get(one.pk), campaign, closes_at, one.extended_until) for one in open_ones
    }
