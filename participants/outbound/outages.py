"""Whether bots failed by themselves: several that stop answering at once are no coincidence, what they share is the platform. Pure.

Decision 0043 says what is counted, and why.
"""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

# So many bots that stop answering within that time are an outage of ours.
BOTS_OF_AN_OUTAGE = 3
OUTAGE_WINDOW_S = 30.0

# What the caller books a failure by, and is given back where it is to be booked anew.
Booking = TypeVar("Booking")


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
    """What became of asking bots. `place` tells apart what can fail by itself; times are of one clock, in seconds.

    A bot counts from when it *stops* answering: one that is down for long says nothing about us, however often it is asked.
    Nor does one that stopped before the latest answer of a bot that we called: our network was there.
    """

    def __init__(self) -> None:
        # As many as there are addresses of bots that are asked.
        self._bots: dict[str, _Bot[Booking]] = {}
        self._answered_at = self._fell_at = float("-inf")

    def answered(self, place: str, at: float) -> None:
        """A bot that we called answered: so our way out is there."""
        self.recovered(place)
        self._answered_at = at

    def recovered(self, place: str) -> None:
        """A bot answered over a connection of its own: that says nothing about how we reach others."""
        self._bots[place] = _Bot(has_answered=True)

    def failed(self, place: str, booking: Booking, at: float) -> Verdict[Booking]:
        """Whose fault a failure is that would be its bot's, and what is to be booked anew."""
        bot = self._bots.setdefault(place, _Bot(has_answered=False))
        if bot.stopped_at is None:
            bot.stopped_at = at
        if not self.is_outage(at):
            bot.booked = [*_within(bot.booked, at), (at, booking)]
            return Verdict(is_ours=False)
        self._fell_at = max(self._fell_at, bot.stopped_at)
        return Verdict(is_ours=True, corrected=self._taken_back(at))

    def is_outage(self, at: float) -> bool:
        """Whether enough bots stopped within the last seconds, or did so before; no bot that we called has answered since."""
        stopped = [bot for bot in self._bots.values() if bot.stopped_at is not None]
        n_lately = sum(bot.stopped_at is not None and self._is_together(bot.stopped_at, at) for bot in stopped)
        if n_lately >= BOTS_OF_AN_OUTAGE:
            return True
        # It goes on for bots that answered before: where none ever did, nothing speaks for our network.
        n_lost = sum(bot.has_answered for bot in stopped)
        return self._fell_at > self._answered_at and n_lost >= BOTS_OF_AN_OUTAGE

    def _taken_back(self, at: float) -> tuple[Booking, ...]:
        """The failures of the window that were booked to bots since a bot last answered, each given once."""
        booked = (each for bot in self._bots.values() for each in bot.booked)
        taken = tuple(one for when, one in booked if self._is_together(when, at))
        for bot in self._bots.values():
            bot.booked = []
        return taken

    def _is_together(self, when: float, at: float) -> bool:
        return at - when < OUTAGE_WINDOW_S and when > self._answered_at


def _within(booked: list[tuple[float, Booking]], at: float) -> list[tuple[float, Booking]]:
    return [(when, one) for when, one in booked if at - when < OUTAGE_WINDOW_S]
