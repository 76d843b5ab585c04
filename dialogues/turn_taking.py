"""The rules of taking turns: who may speak, what is charged, when a subtask or dialogue is over.

Pure functions on plain values: no database, no clock, no network. The database holds the same limits as constraints
(models.py); these rules say them first, in words that reach the tester.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Any, Protocol

from django.utils.translation import gettext, gettext_noop

from dialogues.masking import Masker
from participants.picture_lines import LINES_PER_REPLY, picture_said
from serving.refused import Refused

KEY_LIMIT = 64
REPLY_LIMIT = 8000
BUBBLE_LIMIT = 50
# The bot's opening, where the campaign has the bot speak first. It has no words of the tester's and spends no turn.
OPENING = 0
OPENING_KEY = ""
RETRIES_PER_TURN = 2
RETRIES_NOBODY_PAYS = 5
SLOW_AFTER_MS = 10_000


class RefusalCode(StrEnum):
    BAD_FRAME = "bad_frame"
    TOO_LONG = "too_long"
    CAP_REACHED = "cap_reached"
    TURN_IN_FLIGHT = "turn_in_flight"
    CLOSED = "closed"
    FORBIDDEN = "forbidden"
    RATE_LIMITED = "rate_limited"
    TOO_MANY_SOCKETS = "too_many_sockets"
    KEY_CONFLICT = "key_conflict"
    NOT_RETRYABLE = "not_retryable"
    NOT_CURRENT = "not_current"
    DRAINING = "draining"
    UNAVAILABLE = "unavailable"
    OPENING_FIRST = "opening_first"
    NOT_NOW = "not_now"
    NOT_ADMITTED = "not_admitted"
    NOT_ALL_USED = "not_all_used"


class Refusal(Refused):
    """The rules do not allow it; nothing was changed. `code` is what the `error` frame carries, in every language.

    `text` is English with `%(name)s` for the values; mark it with `gettext_noop` where it is written.
    """

    def __init__(self, code: RefusalCode, text: str, **values: Any) -> None:
        super().__init__(text)
        self.code, self.text, self.values = code, text, values

    @property
    def message(self) -> str:
        """Translated where it is shown, in the reader's language: the rules run on threads that have none."""
        return gettext(self.text) % self.values if self.values else gettext(self.text)

    def __str__(self) -> str:
        return self.message


def no_admission() -> Refusal:
    return Refusal(RefusalCode.FORBIDDEN, gettext_noop("You are logged out or no longer a tester here. Log in again."))


def not_admitted() -> Refusal:
    text = gettext_noop("An organizer has to admit this system again. Until then, testers cannot talk to it.")
    return Refusal(RefusalCode.NOT_ADMITTED, text)


def unavailable() -> Refusal:
    return Refusal(RefusalCode.UNAVAILABLE, gettext_noop("Not stored: our database is busy. Try again."))


def is_closed() -> Refusal:
    return Refusal(RefusalCode.CLOSED, gettext_noop("The dialogue is closed."))


def is_gone() -> Refusal:
    return Refusal(RefusalCode.CLOSED, gettext_noop("The dialogue is gone."))


class DialogueStatus(StrEnum):
    OPEN = "open"
    COMPLETED = "completed"
    UNFINISHED = "unfinished"
    VOID = "void"
    ABANDONED = "abandoned"
    RETURNED = "returned"


# Closed and not void: these can be scored.
REVIEWABLE = (DialogueStatus.COMPLETED, DialogueStatus.UNFINISHED)
# Dialogues of these outcomes count nowhere: their assignment is open again.
UNCOUNTED = (DialogueStatus.VOID, DialogueStatus.ABANDONED, DialogueStatus.RETURNED)


class SubtaskStatus(StrEnum):
    PENDING = "pending"
    OPEN = "open"
    FINISHED = "finished"
    GIVEN_UP = "given_up"
    CAP_REACHED = "cap_reached"
    FAILED = "failed"


class TurnStatus(StrEnum):
    WAITING = "waiting"
    ANSWERED = "answered"
    FAILED = "failed"


class EndReason(StrEnum):
    DONE = "done"
    GAVE_UP = "gave_up"


# Why a dialogue is over that an organizer ended or declared void.
ENDED_BY_ORGANIZER, VOIDED = "ended_by_organizer", "voided"
# Why a dialogue is abandoned that was still open when its campaign's time to finish was over.
TIME_OVER = "time_over"


@dataclass(frozen=True, slots=True)
class Budget:
    """What the current subtask (or the dialogue, where one cap spans it) has spent of its turn cap."""

    spent: int
    cap: int

    @property
    def is_used_up(self) -> bool:
        return self.spent >= self.cap


class HasCaps(Protocol):
    """A dialogue's counters; `turn_cap` stands where one cap spans the dialogue."""

    @property
    def turns_used(self) -> int: ...
    @property
    def turn_cap(self) -> int | None: ...
    @property
    def subtask_turns(self) -> int: ...
    @property
    def subtask_cap(self) -> int | None: ...


def budget_of(dialogue: HasCaps) -> Budget:
    """What counts against the cap in force: the whole dialogue or the current subtask."""
    if dialogue.turn_cap is not None:
        return Budget(dialogue.turns_used, dialogue.turn_cap)
    return Budget(dialogue.subtask_turns, dialogue.subtask_cap or 0)


def check_may_speak(status: str, last_turn_status: str | None, budget: Budget) -> None:
    """A tester may speak in an open dialogue, with no turn in flight and budget left.

    A failed turn keeps its number: the tester retries it, ends, or leaves it behind and speaks on.
    """
    if status != DialogueStatus.OPEN:
        raise is_closed()
    if last_turn_status == TurnStatus.WAITING:
        raise Refusal(RefusalCode.TURN_IN_FLIGHT, gettext_noop("The system has not answered the last turn yet."))
    if budget.is_used_up:
        raise Refusal(RefusalCode.CAP_REACHED, gettext_noop("All %(n)d turns are used."), n=budget.cap)


def check_opening_has_begun(is_due: bool) -> None:
    """Where the bot speaks first, nothing of the tester's comes before its opening, or that would be lost for good."""
    if is_due:
        raise Refusal(RefusalCode.OPENING_FIRST, gettext_noop("The system opens this dialogue: wait for what it says."))


def check_opening_is_over(may_be_asked_again: bool) -> None:
    """Where the bot speaks first and failed, the tester begins only once the bot may not be asked again."""
    if may_be_asked_again:
        text = gettext_noop("The system opens this dialogue and has failed: have it asked again.")
        raise Refusal(RefusalCode.OPENING_FIRST, text)


def retries_left(n_by_bot: int, n_by_nobody: int = 0) -> int:
    """How often a turn that failed so often may be asked again, at least: twice after its first failure of the bot.

    Failures of the platform are not counted at all. Those that are nobody's have a limit of their own, or a bot that
    hangs up each time would never be done with. The first failure is not yet followed by a retry.
    """
    return max(0, min(RETRIES_PER_TURN + 1 - n_by_bot, RETRIES_NOBODY_PAYS + 1 - n_by_nobody))


def subtask_after_reply(budget: Budget) -> SubtaskStatus:
    """A subtask whose cap is reached by an answered turn closes unfinished."""
    return SubtaskStatus.CAP_REACHED if budget.is_used_up else SubtaskStatus.OPEN


def closed_by_tester(is_finished: bool) -> SubtaskStatus:
    return SubtaskStatus.FINISHED if is_finished else SubtaskStatus.GIVEN_UP


def next_subtask(statuses: Sequence[str]) -> int | None:
    """The 1-based index of the first subtask still to be done; None when all are closed and the dialogue ends."""
    for index, status in enumerate(statuses, start=1):
        if status in {SubtaskStatus.PENDING, SubtaskStatus.OPEN}:
            return index
    return None


# The setting by which a dialogue goes on until everything given is used; also the reason of a dialogue that ended so.
ALL_USED = "all_used"
# The reason of a dialogue that its tester gave up before that: it counts nowhere and is done again.
ENDED_EARLY = "ended_early"


def is_too_early(tester_may_end: str, *, has_used_all: bool, budget: Budget) -> bool:
    """Whether the campaign has the dialogue go on.

    MSDE (section 3) has a dialogue go on until all given information took part or ten rounds are over. Where nothing was
    given, only the turns end it.
    """
    return tester_may_end == ALL_USED and not has_used_all and not budget.is_used_up


def check_may_finish(*, is_early: bool, n_items: int) -> None:
    """Refuses "done" while the dialogue has to go on; its tester can still give it up."""
    if not is_early:
        return
    if n_items:
        text = gettext_noop("Not everything that you were given is used. Go on, and tick it off once it is used.")
    else:
        text = gettext_noop("This dialogue goes on until its turns are used up.")
    raise Refusal(RefusalCode.NOT_ALL_USED, text)


def statuses_at_end(statuses: Sequence[str], reason: EndReason, current_has_reply: bool) -> list[SubtaskStatus]:
    """What the subtasks become when the tester ends the dialogue.

    `done` says that what was being done is done: the current subtask is finished if the bot answered in it at all.
    Everything else that is not closed is given up.
    """
    current = next_subtask(statuses)
    ended = []
    for index, status in enumerate(statuses, start=1):
        if status not in {SubtaskStatus.PENDING, SubtaskStatus.OPEN}:
            ended.append(SubtaskStatus(status))
        elif index == current and reason is EndReason.DONE and current_has_reply:
            ended.append(SubtaskStatus.FINISHED)
        else:
            ended.append(SubtaskStatus.GIVEN_UP)
    return ended


def outcome(statuses: Iterable[str], *, is_broken_by_platform: bool) -> DialogueStatus:
    """The outcome of an ended dialogue: one that a platform failure broke is void, since no team pays for it."""
    if is_broken_by_platform:
        return DialogueStatus.VOID
    if all(status == SubtaskStatus.FINISHED for status in statuses):
        return DialogueStatus.COMPLETED
    return DialogueStatus.UNFINISHED


@dataclass(frozen=True, slots=True)
class ShownReply:
    """A reply as testers and reviewers see it, with what was noticed (`empty`, `cut`, `masked`, `slow`)."""

    texts: tuple[str, ...]
    flags: tuple[str, ...]


def shown_reply(texts: Sequence[str], masker: Masker, latency_ms: int) -> ShownReply:
    """Masks words that name the maker and cuts at the limits of a reply, but none of the pictures that it ends with; the original is kept elsewhere.

    Its cost has a bound: what lies beyond the limits is not looked at.
    """
    flags = []
    pictures = [*takewhile(picture_said, reversed(texts[-LINES_PER_REPLY:]))][::-1]
    words = texts[: len(texts) - len(pictures)]
    kept = cut_to_limit(words[: BUBBLE_LIMIT - len(pictures)], REPLY_LIMIT - sum(map(len, pictures)))
    masked = [masker.mask_beginning(text, len(beginning)) for text, beginning in zip(words, kept, strict=False)]
    cut, shown = [*kept, *pictures], [*masked, *pictures]
    if shown != cut:
        flags.append("masked")
    if cut != list(texts):
        flags.append("cut")
    if not any(text.strip() for text in texts):
        flags.append("empty")
    if latency_ms > SLOW_AFTER_MS:
        flags.append("slow")
    return ShownReply(tuple(shown), tuple(flags))


def cut_to_limit(texts: Sequence[str], limit: int = REPLY_LIMIT) -> list[str]:
    left, kept = limit, []
    for text in texts:
        if len(text) > left:
            kept.append(text[: _boundary(text, left)])
            break
        kept.append(text)
        left -= len(text)
    return kept


def _boundary(text: str, at: int) -> int:
    """The last place at or before `at` that does not part a character from its marks, joiners or flag half."""
    while at > 0 and (_continues(text[at]) or text[at - 1] == "\u200d" or _is_inside_flag(text, at)):
        at -= 1
    return at


def _continues(character: str) -> bool:
    is_mark = unicodedata.category(character) in {"Mn", "Mc", "Me"}
    return is_mark or character == "\u200d" or "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_inside_flag(text: str, at: int) -> bool:
    """A flag is two regional indicators: an odd number of them before `at` and one more behind it."""
    n_before = 0
    while n_before < at and _is_flag_half(text[at - 1 - n_before]):
        n_before += 1
    return _is_flag_half(text[at]) and n_before % 2 == 1


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
