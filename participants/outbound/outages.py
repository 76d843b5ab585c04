"""Whether bots failed by themselves: bots of several teams that fall silent at once are no coincidence, what they share is the platform. Pure.

Only a call to which nothing came back can be an outage; every answer, good or bad, shows that our network is there.
Decision 0006 says what is counted, and why.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from participants.failures import BotFailure, FailureKind, Fault

# Bots of as many teams, on as many hosts, that fall silent within that time are an outage of ours.
TEAMS_OF_AN_OUTAGE = 3
OUTAGE_WINDOW_S = 30.0
# What a call comes to where the network is gone. TLS is among them: what breaks it for several teams at once stands between
# us and all of them, as a network that wants somebody to log in, or a clock of ours that is wrong.
WITHOUT_AN_ANSWER = {FailureKind.DNS, FailureKind.CONNECT, FailureKind.TLS, FailureKind.TIMEOUT_FIRST_BYTE}

# What the caller books a failure by, and is given back where it is to be booked anew.
Booking = TypeVar("Booking")


def is_unanswered(failure: BotFailure) -> bool:
    """Whether the call looks as it would without a network: in none of its requests came a byte back.

    What is nobody's fault, or ours anyway, tells nothing.
    """
    return failure.fault is Fault.BOT and failure.kind in WITHOUT_AN_ANSWER and failure.heard_ago_s is None


class Place(NamedTuple):
    """What bots share that fail for one reason of theirs: who runs them, and the host that they are on."""

    team: int
    host: str


@dataclass(slots=True)
class _Bot(Generic[Booking]):
    """`stopped_at` is empty while the bot answers; `booked` holds the failures booked to it since, with their times."""

    has_answered: bool
    stopped_at: float | None = None
    booked: list[tuple[float, Booking]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Verdict(Generic[Booking]):
    """`is_ours` is about this failure, `corrected` holds earlier ones that were booked to bots and are ours as well."""

    is_ours: bool
    corrected: tuple[Booking, ...] = ()


class Outages(Generic[Booking]):
    """What became of asking bots. Times are of one clock, in seconds.

    A bot counts from when it *stops* answering: one that is down for long says nothing about us, however often it is asked.
    Nor does one that stopped before the latest answer of a bot that we called: our network was there.
    """

    def __init__(self) -> None:
        # As many as there are addresses of bots that are asked.
        self._bots: dict[Place, _Bot[Booking]] = {}
        self._answered_at = self._fell_at = float("-inf")

    def answered(self, place: Place, at: float) -> None:
        """A bot that we called was heard last at that time, whatever it said: our way out was there, and an outage of before is over."""
        self.recovered(place, at)
        self._answered_at = max(self._answered_at, at)

    def recovered(self, place: Place, at: float) -> None:
        """A bot was heard over a connection of its own: that says nothing about how we reach others."""
        bot = self._bots.get(place)
        if bot is None or bot.stopped_at is None or bot.stopped_at < at:
            self._bots[place] = _Bot(has_answered=True)

    def heard_elsewhere(self, at: float) -> None:
        """Another process got an answer at that time: its way out is ours."""
        self._answered_at = max(self._answered_at, at)

    def unanswered(self, place: Place, booking: Booking, at: float) -> Verdict[Booking]:
        """Whose fault a failure is that would be its bot's, and what is to be booked anew."""
        bot = self._bots.setdefault(place, _Bot(has_answered=False))
        if bot.stopped_at is None:
            bot.stopped_at = at
        if not self.is_outage(at):
            bot.booked = [*_within(bot.booked, at), (at, booking)]
            return Verdict(is_ours=False)
        self._fell_at = max(self._fell_at, bot.stopped_at)
        return Verdict(is_ours=True, corrected=self._taken_back(at))

    def is_outage(self, at: float, *, and_silent: Place | None = None) -> bool:
        """Whether enough bots stopped within the last seconds, or did so before; no bot that we called has answered since.

        With `and_silent` whether it would be one if that bot is silent now, too.
        """
        stopped = {place: bot.stopped_at for place, bot in self._bots.items() if bot.stopped_at is not None}
        if and_silent is not None:
            stopped.setdefault(and_silent, at)
        lately = [place for place, stopped_at in stopped.items() if self._is_together(stopped_at, at)]
        if _n_apart(lately) >= TEAMS_OF_AN_OUTAGE:
            return True
        # It goes on for bots that answered before: where none ever did, nothing speaks for our network.
        lost = [place for place in stopped if place in self._bots and self._bots[place].has_answered]
        return self._fell_at > self._answered_at and _n_apart(lost) >= TEAMS_OF_AN_OUTAGE

    def _taken_back(self, at: float) -> tuple[Booking, ...]:
        """The failures of the window that were booked to bots since a bot last answered, each given once."""
        booked = (each for bot in self._bots.values() for each in bot.booked)
        taken = tuple(one for when, one in booked if self._is_together(when, at))
        for bot in self._bots.values():
            bot.booked = []
        return taken

    def _is_together(self, when: float, at: float) -> bool:
        return at - when < OUTAGE_WINDOW_S and when > self._answered_at


def _n_apart(places: Collection[Place]) -> int:
    """How many of them can fail each by itself: a team's hosts are one, and so are the teams on one host."""
    return min(len({place.team for place in places}), len({place.host for place in places}))


def _within(booked: list[tuple[float, Booking]], at: float) -> list[tuple[float, Booking]]:
    return [(when, one) for when, one in booked if at - when < OUTAGE_WINDOW_S]
