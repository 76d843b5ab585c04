"""When what may be done in a campaign: its dates, which phase a moment is in, and why something is not open now. Pure.

A date is open to the very second: what is allowed until 18:00:00 is allowed during that second. A date that nobody said
closes nothing, so a campaign without dates is always open.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol
from zoneinfo import ZoneInfo

from django.utils.translation import gettext, gettext_noop

from look.moments import moment_on
from serving.refused import Refused

DEFAULT_ZONE = "Asia/Shanghai"
# Dialogues that are open when testing ends may be finished for so long; then the platform closes them.
FINISHING = timedelta(minutes=30)
DATES = (
    "registration_from",
    "registration_until",
    "frozen_at",
    "testing_from",
    "testing_until",
    "review_from",
    "review_until",
    "publication_at",
    "ends_at",
)


class Calendar(Protocol):
    """What has the dates of a campaign: the campaign itself, or `Dates`."""

    @property
    def time_zone(self) -> str: ...
    @property
    def registration_from(self) -> datetime | None: ...
    @property
    def registration_until(self) -> datetime | None: ...
    @property
    def frozen_at(self) -> datetime | None: ...
    @property
    def testing_from(self) -> datetime | None: ...
    @property
    def testing_until(self) -> datetime | None: ...
    @property
    def review_from(self) -> datetime | None: ...
    @property
    def review_until(self) -> datetime | None: ...
    @property
    def publication_at(self) -> datetime | None: ...
    @property
    def ends_at(self) -> datetime | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The dates of a campaign that is not stored, or not stored so yet."""

    time_zone: str = DEFAULT_ZONE
    registration_from: datetime | None = None
    registration_until: datetime | None = None
    frozen_at: datetime | None = None
    testing_from: datetime | None = None
    testing_until: datetime | None = None
    review_from: datetime | None = None
    review_until: datetime | None = None
    publication_at: datetime | None = None
    ends_at: datetime | None = None


class Doing(StrEnum):
    """What people do, as far as dates decide about it."""

    REGISTER = "register"  # apply with a team
    ENTER_BOT = "enter_bot"  # register a bot or service, or change its address
    TEST = "test"  # open a dialogue
    FINISH = "finish"  # go on in a dialogue that is open
    SCORE_OWN = "score_own"  # a tester's scores of their own dialogue
    REVIEW = "review"  # score, decide and vet dialogues of others
    RUN = "run"  # hand in a run of an automatic task
    REPORT = "report"  # tell the organizers something
    PUBLISH = "publish"  # let everybody read a leaderboard, also once the campaign is over
    ORGANIZE = "organize"  # change the campaign, but for its calendar and its publication


class Phase(StrEnum):
    REGISTRATION = "registration"
    FREEZE = "freeze"
    TESTING = "testing"
    REVIEW = "review"
    PUBLICATION = "publication"
    END = "end"


@dataclass(frozen=True, slots=True)
class Window:
    """From the first moment to the last second, both inclusive; None is open on that side."""

    opens: datetime | None = None
    closes: datetime | None = None

    def is_open(self, at: datetime) -> bool:
        return not self.is_to_come(at) and not self.is_over(at)

    def is_to_come(self, at: datetime) -> bool:
        return self.opens is not None and at < self.opens

    def is_over(self, at: datetime) -> bool:
        return self.closes is not None and is_after(at, self.closes)


def is_after(at: datetime, deadline: datetime) -> bool:
    """Whether the second of the deadline is over."""
    return at.replace(microsecond=0) > deadline


class NotNow(Refused):
    """It is not the time for this; the message says when it was or will be. Nothing was changed."""

    code = "not_now"

    def __init__(self, doing: Doing, text: str, moment: datetime, zone: str) -> None:
        super().__init__(text)
        self.doing, self.text, self.moment, self.zone = doing, text, moment, zone

    @property
    def message(self) -> str:
        return gettext(self.text) % {"when": moment_in_zone(self.moment, self.zone)}

    @property
    def in_english(self) -> str:
        """For programs, whoever reads them."""
        return self.text % {"when": moment_in_zone(self.moment, self.zone)}

    def __str__(self) -> str:
        return self.message


_NOT_YET = {
    Doing.REGISTER: gettext_noop("Registration opens on %(when)s."),
    Doing.ENTER_BOT: gettext_noop("Registration opens on %(when)s: systems can be registered from then on."),
    Doing.TEST: gettext_noop("Testing begins on %(when)s."),
    Doing.REVIEW: gettext_noop("Reviewing begins on %(when)s."),
    Doing.RUN: gettext_noop("Runs are accepted from %(when)s."),
    Doing.PUBLISH: gettext_noop(
        "Results are published from %(when)s: choose that time or a later one, or move the date."
    ),
}
_OVER = {
    Doing.REGISTER: gettext_noop("Registration closed on %(when)s."),
    Doing.ENTER_BOT: gettext_noop("Systems are frozen since %(when)s: none can be registered or changed any more."),
    Doing.TEST: gettext_noop("Testing ended on %(when)s: no new dialogue can be opened."),
    Doing.FINISH: gettext_noop("The time to finish open dialogues ended on %(when)s."),
    Doing.SCORE_OWN: gettext_noop("Scores could be handed in until %(when)s."),
    Doing.REVIEW: gettext_noop("Reviewing ended on %(when)s: scores can no longer be changed."),
    Doing.RUN: gettext_noop("Runs were accepted until %(when)s."),
}
_ENDED = gettext_noop("The campaign ended on %(when)s: everything stays readable, nothing changes any more.")


def check_open(calendar: Calendar, doing: Doing, at: datetime) -> None:
    """Errors: `NotNow` where that has not begun yet or is over."""
    if doing != Doing.PUBLISH and calendar.ends_at is not None and is_after(at, calendar.ends_at):
        raise NotNow(doing, _ENDED, calendar.ends_at, calendar.time_zone)
    window = window_of(calendar, doing)
    if window.opens is not None and window.is_to_come(at):
        raise NotNow(doing, _NOT_YET[doing], window.opens, calendar.time_zone)
    if window.closes is not None and window.is_over(at):
        raise NotNow(doing, _OVER[doing], window.closes, calendar.time_zone)


def why_closed(calendar: Calendar, doing: Doing, at: datetime) -> str:
    """The sentence of why it is not open, in the reader's language; empty where it is open."""
    try:
        check_open(calendar, doing, at)
    except NotNow as closed:
        return closed.message
    return ""


def is_open(calendar: Calendar, doing: Doing, at: datetime) -> bool:
    return not why_closed(calendar, doing, at)


def window_of(calendar: Calendar, doing: Doing) -> Window:
    """When that is open, but for the end of the campaign, which closes everything."""
    match doing:
        case Doing.REGISTER:
            return Window(calendar.registration_from, calendar.registration_until or calendar.frozen_at)
        case Doing.ENTER_BOT:
            return Window(calendar.registration_from, calendar.frozen_at or calendar.registration_until)
        case Doing.TEST:
            return Window(calendar.testing_from, calendar.testing_until)
        case Doing.FINISH:
            return Window(None, finishing_until(calendar))
        case Doing.SCORE_OWN:
            # Testers score what they have just ended: that begins with the first dialogue, before any panel does.
            return Window(None, calendar.review_until)
        case Doing.REVIEW:
            return Window(calendar.review_from, calendar.review_until)
        case Doing.RUN:
            return Window(calendar.registration_from, calendar.publication_at)
        case Doing.PUBLISH:
            return Window(calendar.publication_at)
    return Window()


def finishing_until(calendar: Calendar) -> datetime | None:
    """Until when open dialogues may go on: for a while after testing, and never after the end."""
    after_testing = None if calendar.testing_until is None else calendar.testing_until + FINISHING
    return min((at for at in (after_testing, calendar.ends_at) if at is not None), default=None)


def finished_before(at: datetime) -> tuple[datetime, datetime]:
    """For statements: open dialogues may no longer go on where testing ended before the first moment, or the campaign before the second."""
    second = at.replace(microsecond=0)
    return second - FINISHING, second


# -- phases ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """A moment at which a phase begins, or one that lasts is over."""

    phase: Phase
    at: datetime
    is_beginning: bool


@dataclass(frozen=True, slots=True)
class NowAndNext:
    """`now` are the phases at that moment with their last second, if one is said; `next` is what begins first, or else what ends."""

    now: tuple[tuple[Phase, datetime | None], ...]
    next: Change | None


LASTING = {
    Phase.REGISTRATION: ("registration_from", "registration_until"),
    Phase.TESTING: ("testing_from", "testing_until"),
    Phase.REVIEW: ("review_from", "review_until"),
}
MOMENTS = {Phase.FREEZE: "frozen_at", Phase.PUBLICATION: "publication_at", Phase.END: "ends_at"}


def has_dates(calendar: Calendar) -> bool:
    return any(getattr(calendar, name) is not None for name in DATES)


def phase_at(calendar: Calendar, at: datetime) -> tuple[Phase, ...]:
    """The phases that the moment is in, the earlier one first; several may overlap, and between two there is none.

    From its moment on, publication is the phase until the end; frozen systems are one only until testing begins.
    """
    if calendar.ends_at is not None and is_after(at, calendar.ends_at):
        return (Phase.END,)
    lasting = [phase for phase, names in LASTING.items() if _is_in(calendar, names, at)]
    if lasting:
        return tuple(lasting)
    if calendar.publication_at is not None and at >= calendar.publication_at:
        return (Phase.PUBLICATION,)
    is_before_testing = calendar.testing_from is not None and at < calendar.testing_from
    if calendar.frozen_at is not None and is_after(at, calendar.frozen_at) and is_before_testing:
        return (Phase.FREEZE,)
    return ()


def _is_in(calendar: Calendar, names: tuple[str, str], at: datetime) -> bool:
    """A phase of which nothing is said is none that a moment could be in."""
    window = Window(*(getattr(calendar, name) for name in names))
    return window != Window() and window.is_open(at)


def now_and_next(calendar: Calendar, at: datetime) -> NowAndNext:
    phases = phase_at(calendar, at)
    now = tuple((phase, getattr(calendar, LASTING[phase][1]) if phase in LASTING else None) for phase in phases)
    changes = sorted(_changes_after(calendar, at), key=lambda change: change.at)
    # Of a phase that is on, the last second is said with it; what comes next is rather what begins.
    others = [change for change in changes if change.is_beginning or change.phase not in phases]
    return NowAndNext(now, next(iter(others or changes), None))


def _changes_after(calendar: Calendar, at: datetime) -> Iterator[Change]:
    """What is still to come; of a phase that is on, its last second."""
    for phase, (opens, closes) in LASTING.items():
        for name, is_beginning in ((opens, True), (closes, False)):
            moment = getattr(calendar, name)
            if moment is not None and _is_to_come(moment, at, is_beginning=is_beginning):
                yield Change(phase, moment, is_beginning)
    for phase, name in MOMENTS.items():
        moment = getattr(calendar, name)
        if moment is not None and not is_after(at, moment):
            yield Change(phase, moment, is_beginning=True)


def _is_to_come(moment: datetime, at: datetime, *, is_beginning: bool) -> bool:
    return at < moment if is_beginning else not is_after(at, moment)


# -- order ----------------------------------------------------------------------------------------------------------


def moment_in_zone(moment: datetime, zone: str) -> str:
    """The moment on the clocks of the campaign, with their offset; seconds only where there are any."""
    return moment_on(ZoneInfo(zone), moment)
