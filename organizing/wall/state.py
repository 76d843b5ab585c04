"""Rows, figures and pace of the live wall, computed from a look at a campaign, and the changes between two looks. Pure.

A look (`reading.py`) gives a `Seen`; `Wall.take` keeps what stays; `Wall.sections` gives the rows by their keys.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal, cast

from organizing.wall.health import CallOutcome, Health
from organizing.wall.rows import AllSections, BotRow, Figures, StandingShown, TalkRow, TesterRow, WorkShown

# Fewer dialogues, or a shorter time, tell nothing about a pace.
LEAST_DONE = 3
LEAST_HOURS = 0.25


@dataclass(frozen=True, slots=True)
class Pace:
    """`n_done` dialogues in `hours`. `per_hour` is None where that is too little to tell."""

    n_done: int
    hours: float

    @property
    def per_hour(self) -> float | None:
        if self.n_done < LEAST_DONE or self.hours < LEAST_HOURS:
            return None
        return self.n_done / self.hours

    def hours_for(self, n_left: int) -> float | None:
        """The hours that `n_left` dialogues take at this pace; None where it is unknown."""
        return n_left / self.per_hour if self.per_hour else None


def pace_of(n_done: int, first_at: datetime | None, until: datetime) -> Pace:
    """The pace of what was done from the opening of the day's first dialogue on."""
    return Pace(n_done, max(0.0, (until - first_at).total_seconds() / 3600) if first_at else 0.0)


BOT: Final = "bot"
TESTER: Final = "tester"
# By the section's name, rows by their key: `AllSections`, for code that treats all alike.
Sections = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a campaign says of waiting: how long a bot may take, when a silent dialogue is closed, until when testing goes on
    and until when open dialogues do."""

    reply_deadline: timedelta
    silence_limit: timedelta
    closes_at: datetime | None = None
    finishing_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class SeenTalk:
    """An open dialogue. `since` is when something last happened in it; `turns` and `cap` count as its campaign does."""

    id: str
    tester: str
    bot: str
    scenario: str
    part: int
    n_parts: int
    turns: int
    cap: int
    waits_for: Literal["bot", "tester"]
    since: datetime
    attempt: int = 1
    extended_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class SeenBot:
    alias: str
    paused_at: datetime | None = None
    because: str = ""
    withdrawn_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """The dialogues of one tester with one bot. `last_at` is the last time that one of them was opened or done today."""

    tester: str
    bot: str
    n_done: int = 0
    n_today: int = 0
    n_unscored: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look found; `outcomes` are those since the last one, by alias, in the order of their times.

    `assigned` counts assignments per tester and alias; `needed` is None where testers choose freely.
    `online` has the testers with an open console.
    """

    at: datetime
    talks: Sequence[SeenTalk] = ()
    bots: Sequence[SeenBot] = ()
    testers: Sequence[str] = ()
    tallies: Sequence[Tally] = ()
    assigned: Mapping[tuple[str, str], int] = field(default_factory=dict)
    needed: int | None = None
    outcomes: Sequence[tuple[str, CallOutcome]] = ()
    online: frozenset[str] = frozenset()
    seen_at: Mapping[str, datetime] = field(default_factory=dict)


class Wall:
    """The state of one campaign's wall for one day."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.health: dict[str, Health] = defaultdict(Health)
        self.seen: Seen | None = None
        # The rows of dialogues in which nothing happened since: there are hundreds of them, and a few that go on.
        self._rows: dict[SeenTalk, TalkRow] = {}

    def take(self, seen: Seen) -> None:
        self.seen = seen
        for alias, outcome in seen.outcomes:
            self.health[alias].hear(outcome)

    def sections(self) -> Sections:
        assert self.seen is not None, "a wall is shown after its first look"
        bots = bot_rows(self.seen, self.health)
        self._rows = {talk: self._rows.get(talk) or talk_row(talk, self.terms) for talk in self.seen.talks}
        found: AllSections = {
            "figures": {"all": figures(self.seen, bots, self.terms)},
            "dialogues": {talk.id: row for talk, row in self._rows.items()},
            "bots": bots,
            "testers": tester_rows(self.seen),
        }
        return cast(Sections, found)


def talk_row(talk: SeenTalk, terms: Terms) -> TalkRow:
    """Whom the dialogue waits for, since when, and until when: then the call fails, or the dialogue is closed."""
    return {
        "tester": talk.tester,
        "bot": talk.bot,
        "scenario": talk.scenario,
        "part": talk.part,
        "parts": talk.n_parts,
        "turns": talk.turns,
        "cap": talk.cap,
        "waits_for": talk.waits_for,
        "attempt": talk.attempt,
        "since": talk.since.isoformat(),
        "until": _until(talk, terms).isoformat(),
    }


def _until(talk: SeenTalk, terms: Terms) -> datetime:
    if talk.waits_for == BOT:
        return talk.since + terms.reply_deadline
    silent_until = talk.since + terms.silence_limit
    until = silent_until if terms.finishing_until is None else min(silent_until, terms.finishing_until)
    return until if talk.extended_until is None else max(until, talk.extended_until)


def bot_rows(seen: Seen, health: Mapping[str, Health]) -> dict[str, BotRow]:
    done, assigned = Counter[str](), Counter[str]()
    for tally in seen.tallies:
        done[tally.bot] += tally.n_done
    for (_tester, alias), n in seen.assigned.items():
        assigned[alias] += n
    live = Counter(talk.bot for talk in seen.talks)
    return {
        bot.alias: {
            **_standing(bot, health.get(bot.alias) or Health()),
            **(health.get(bot.alias) or Health()).shown(seen.at),
            "done": done[bot.alias],
            "assigned": assigned[bot.alias],
            "live": live[bot.alias],
        }
        for bot in seen.bots
    }


def _standing(bot: SeenBot, health: Health) -> StandingShown:
    """The state that an organizer has to know first: a bot that was withdrawn or paused asks for nothing any more."""
    state: Literal["normal", "not_asked", "failing", "paused", "withdrawn"] = "normal"
    since = None
    if bot.withdrawn_at is not None:
        state, since = "withdrawn", bot.withdrawn_at
    elif bot.paused_at is not None:
        state, since = "paused", bot.paused_at
    elif health.is_failing:
        state, since = "failing", health.failing_since
    elif not health.n_answered and not health.n_failed:
        state = "not_asked"
    return {"state": state, "since": since.isoformat() if since else None, "because": bot.because}


def tester_rows(seen: Seen) -> dict[str, TesterRow]:
    of_each: dict[str, list[Tally]] = defaultdict(list)
    for tally in seen.tallies:
        of_each[tally.tester].append(tally)
    assigned, talking = Counter[str](), defaultdict(list)
    for (tester, _alias), n in seen.assigned.items():
        assigned[tester] += n
    for talk in seen.talks:
        talking[talk.tester].append(talk.bot)
    return {
        name: {
            **_work_of(of_each[name], seen.seen_at.get(name)),
            "assigned": assigned[name],
            "talking": sorted(talking[name]),
            "online": name in seen.online,
        }
        for name in seen.testers
    }


def _work_of(tallies: Sequence[Tally], seen_at: datetime | None) -> WorkShown:
    """A tester's pace ends with the last thing that they did: who went home does not get slower."""
    first = min((one.first_at for one in tallies if one.first_at), default=None)
    last = max((at for at in (*(one.last_at for one in tallies), seen_at) if at), default=None)
    n_today = sum(one.n_today for one in tallies)
    per_hour = pace_of(n_today, first, last).per_hour if last else None
    return {
        "done": sum(one.n_done for one in tallies),
        "today": n_today,
        "unscored": sum(one.n_unscored for one in tallies),
        "per_hour": None if per_hour is None else round(per_hour, 1),
        "seen_at": last.isoformat() if last else None,
    }


def figures(seen: Seen, bots: Mapping[str, BotRow], terms: Terms) -> Figures:
    n_done, n_today = sum(one.n_done for one in seen.tallies), sum(one.n_today for one in seen.tallies)
    first = min((one.first_at for one in seen.tallies if one.first_at), default=None)
    last = max((one.last_at for one in seen.tallies if one.last_at), default=None)
    n_left = None if seen.needed is None else max(0, seen.needed - n_done)
    pace = pace_of(n_today, first, last or seen.at)
    hours = pace.hours_for(n_left) if n_left is not None else None
    return {
        "done": n_done,
        "needed": seen.needed,
        "today": n_today,
        "unscored": sum(one.n_unscored for one in seen.tallies),
        "live": len(seen.talks),
        "waiting_for_bots": sum(talk.waits_for == BOT for talk in seen.talks),
        "failing": sorted(alias for alias, row in bots.items() if row["state"] == "failing"),
        "failed": sum(row["failed"] for row in bots.values()),
        "called": sum(row["failed"] + row["answered"] for row in bots.values()),
        "left": n_left,
        "hours_left": None if hours is None else round(hours, 1),
        "pace_hours": round(pace.hours, 1),
        "pace_since": first.isoformat() if first else None,
        "closes_at": terms.closes_at.isoformat() if terms.closes_at else None,
    }


@dataclass(frozen=True, slots=True)
class Change:
    """Rows that are new or different, and the keys of those that are gone, by section."""

    rows: Sections
    gone: dict[str, list[str]]

    def __bool__(self) -> bool:
        return bool(self.rows or self.gone)


def change_between(before: Sections, after: Sections) -> Change:
    rows, gone = {}, {}
    for name, now in after.items():
        was = before.get(name, {})
        if changed := {key: row for key, row in now.items() if (old := was.get(key)) is not row and old != row}:
            rows[name] = changed
        if left := [key for key in was if key not in now]:
            gone[name] = left
    return Change(rows, gone)


def changed(before: Sections, change: Change) -> Sections:
    """The sections with the change applied: what a browser does that hears of it."""
    return {
        name: {key: row for key, row in rows.items() if key not in change.gone.get(name, ())}
        | dict(change.rows.get(name, {}))
        for name, rows in before.items()
    }
