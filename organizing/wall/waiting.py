"""What waits in a campaign for a person, by kind: what its needs are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Waiting:
    """So many things of one kind that wait, the first of them since then."""

    n: int = 0
    since: datetime | None = None


NOTHING = Waiting()


@dataclass(frozen=True, slots=True)
class BotInNeed:
    """A bot that fails or is paused; `n` testers talk with it, or so many assignments wait for it."""

    alias: str
    since: datetime | None
    n: int = 0
    because: str = ""
    # The platform paused it, and asks it again by itself.
    is_probed: bool = False


@dataclass(frozen=True, slots=True)
class PersonInNeed:
    """Somebody who pauses, or has done nothing for long; so many assignments or dialogues wait for them."""

    username: str
    since: datetime
    because: str = ""
    n: int = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """`outage` is since when bots fail together, so that it is the platform's fault.

    `unconnected` are bots that connect themselves and have no connection; `tasks` are automatic tasks whose scores could not
    be compared, so that their boards are not up to date; `services_failing` are services whose last run failed.
    `stuck` are turns that neither a bot nor the platform settled in time, `undrawn` dialogues that nobody will have,
    `barred` assignments whose testers have an interest in the bot.
    `idle` are reviewers who do nothing, `unvetted` dialogues on which the experts have not decided. `n_experts_needed` assess each;
    the one with the fewest experts who may has `n_experts`."""

    outage: datetime | None = None
    failing: Sequence[BotInNeed] = ()
    paused: Sequence[BotInNeed] = ()
    unconnected: Sequence[BotInNeed] = ()
    away: Sequence[PersonInNeed] = ()
    idle: Sequence[PersonInNeed] = ()
    stuck: Waiting = NOTHING
    problems: Waiting = NOTHING
    requests: Waiting = NOTHING
    panels: Waiting = NOTHING
    disputes: Waiting = NOTHING
    unvetted: Waiting = NOTHING
    n_experts: int = 0
    n_experts_needed: int = 0
    n_adjudicators: int = 0
    freeze_failed: Waiting = NOTHING
    freezing: Waiting = NOTHING
    tasks: Waiting = NOTHING
    runs_without_worker: Waiting = NOTHING
    undrawn: Waiting = NOTHING
    barred: Waiting = NOTHING
    applications: Waiting = NOTHING
    submitted: Waiting = NOTHING
    changed: Waiting = NOTHING
    unchecked: Waiting = NOTHING
    services_submitted: Waiting = NOTHING
    services_changed: Waiting = NOTHING
    services_failing: Waiting = NOTHING
