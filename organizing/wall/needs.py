"""What needs a person now: a sentence each, since when, for whom, until when, and where something can be done. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


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
class PersonAway:
    """Somebody who pauses while they test or review; so many assignments wait for them."""

    username: str
    since: datetime
    because: str
    n: int = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """`outage` is since when bots fail together, so that it is the platform's fault.

    `unconnected` are bots that connect themselves and have no connection; `tasks` are automatic tasks whose scores could not
    be compared, so that their boards are not up to date.
    `stuck` are turns that neither a bot nor the platform settled in time, `undrawn` dialogues that nobody will have."""

    outage: datetime | None = None
    failing: Sequence[BotInNeed] = ()
    paused: Sequence[BotInNeed] = ()
    unconnected: Sequence[BotInNeed] = ()
    away: Sequence[PersonAway] = ()
    stuck: Waiting = NOTHING
    problems: Waiting = NOTHING
    requests: Waiting = NOTHING
    panels: Waiting = NOTHING
    disputes: Waiting = NOTHING
    n_adjudicators: int = 0
    freeze_failed: Waiting = NOTHING
    freezing: Waiting = NOTHING
    tasks: Waiting = NOTHING
    runs_without_worker: Waiting = NOTHING
    undrawn: Waiting = NOTHING
    applications: Waiting = NOTHING
    submitted: Waiting = NOTHING
    changed: Waiting = NOTHING
    unchecked: Waiting = NOTHING
    services_submitted: Waiting = NOTHING
    services_changed: Waiting = NOTHING


@dataclass(frozen=True, slots=True)
class Need:
    """`key` for programs and tests; `page` is the route where it is acted on, `query` what it is asked for."""

    key: str
    since: datetime | None
    text: str
    who: str
    until: str
    page: str
    act: str
    query: Mapping[str, str] = field(default_factory=dict)

    def shown(self, url: str) -> dict[str, Any]:
        return {
            "key": self.key,
            "since": self.since.isoformat() if self.since else None,
            "text": self.text,
            "who": self.who,
            "until": self.until,
            "url": url,
            "act": self.act,
        }


def needs_of(facts: Facts) -> list[Need]:
    """The most pressing first, in the reader's language: what stops testers, then what stops reviewers, then the rest."""
    return [
        *_outage(facts),
        *_failing(facts),
        *_stuck(facts),
        *_paused(facts),
        *_unconnected(facts),
        *_away(facts),
        *_of_testers(facts),
        *_of_reviewers(facts),
        *_of_systems(facts),
        *_of_services(facts),
        *_of_the_rest(facts),
    ]


def _outage(facts: Facts) -> Iterator[Need]:
    if facts.outage is not None:
        yield Need(
            "outage",
            facts.outage,
            _("Several systems fail at once, so the fault is on our side"),
            _("their failures are booked to the platform, and testers are told"),
            _("until they answer; if it lasts, look at the network of the server"),
            "dialogues",
            _("See the dialogues"),
        )


def _failing(facts: Facts) -> Iterator[Need]:
    for bot in facts.failing:
        yield Need(
            f"failing:{bot.alias}",
            bot.since,
            _("%(alias)s does not answer") % {"alias": bot.alias},
            ngettext("%(n)d tester talks with it now", "%(n)d testers talk with it now", bot.n) % {"n": bot.n},
            _("until it answers, or you pause it"),
            "coverage",
            _("Pause or withdraw it"),
            {"chosen": bot.alias},
        )


def _stuck(facts: Facts) -> Iterator[Need]:
    if facts.stuck.n:
        n = facts.stuck.n
        yield Need(
            "stuck",
            facts.stuck.since,
            ngettext("%(n)d turn was not settled in time", "%(n)d turns were not settled in time", n) % {"n": n},
            _("for its tester, who cannot go on"),
            _("until the platform settles it; if it takes over a minute, look at the server"),
            "dialogues",
            _("See the dialogues"),
        )


def _paused(facts: Facts) -> Iterator[Need]:
    for bot in facts.paused:
        text = (
            _("%(alias)s failed several times in a row, so it is paused")
            if bot.is_probed
            else _("%(alias)s is paused: %(because)s")
        )
        yield Need(
            f"paused:{bot.alias}",
            bot.since,
            text % {"alias": bot.alias, "because": bot.because},
            ngettext("%(n)d assignment waits for it", "%(n)d assignments wait for it", bot.n) % {"n": bot.n},
            _("until it answers a probe, or you resume it") if bot.is_probed else _("until you resume it"),
            "coverage",
            _("Resume or withdraw it"),
            {"chosen": bot.alias},
        )


def _unconnected(facts: Facts) -> Iterator[Need]:
    for bot in facts.unconnected:
        yield Need(
            f"unconnected:{bot.alias}",
            bot.since,
            _("%(alias)s is not connected") % {"alias": bot.alias},
            ngettext("%(n)d assignment waits for it", "%(n)d assignments wait for it", bot.n) % {"n": bot.n},
            _("until its team's program connects"),
            "coverage",
            _("Pause or withdraw it"),
            {"chosen": bot.alias},
        )


def _away(facts: Facts) -> Iterator[Need]:
    for person in facts.away:
        yield Need(
            f"away:{person.username}",
            person.since,
            _("%(name)s pauses: %(because)s") % {"name": person.username, "because": person.because},
            ngettext("%(n)d assignment waits for them", "%(n)d assignments wait for them", person.n) % {"n": person.n},
            _("until you let them go on, or hand their work on"),
            "people",
            _("See the people"),
        )


def _of_testers(facts: Facts) -> Iterator[Need]:
    if n := facts.problems.n:
        text = ngettext("%(n)d report from a tester is open", "%(n)d reports from testers are open", n)
        yield Need(
            "problems", facts.problems.since, text % {"n": n}, _("for you"), _("until you settle it"), "problems",
            _("Read the reports"),
        )  # fmt: skip
    if n := facts.undrawn.n:
        text = ngettext(
            "%(n)d dialogue is missing that nobody will have", "%(n)d dialogues are missing that nobody will have", n
        )
        yield Need(
            "undrawn", facts.undrawn.since, text % {"n": n}, _("for you"), _("until you draw the plan again"), "coverage",
            _("See the holes"),
        )  # fmt: skip


def _of_reviewers(facts: Facts) -> Iterator[Need]:
    if n := facts.panels.n:
        text = ngettext("%(n)d panel lacks a reviewer", "%(n)d panels lack a reviewer", n)
        yield Need(
            "panels", facts.panels.since, text % {"n": n}, _("nobody can be drawn for it"),
            _("until a reviewer joins, or you close it"), "panels", _("Open panels"),
        )  # fmt: skip
    if n := facts.requests.n:
        text = ngettext("%(n)d reviewer asks to revise scores", "%(n)d requests to revise scores wait", n)
        yield Need(
            "requests", facts.requests.since, text % {"n": n}, _("for you"), _("until you answer"), "revisions",
            _("Answer"),
        )  # fmt: skip
    if n := facts.disputes.n:
        text = ngettext("%(n)d dispute waits to be settled", "%(n)d disputes wait to be settled", n)
        has_any = facts.n_adjudicators
        yield Need(
            "disputes", facts.disputes.since, text % {"n": n},
            _("for an adjudicator") if has_any else _("for an adjudicator, and there is none"),
            _("until one decides") if has_any else _("until you name one"), "panels", _("Open panels"),
        )  # fmt: skip


def _of_systems(facts: Facts) -> Iterator[Need]:
    if n := facts.unchecked.n:
        text = ngettext(
            "%(n)d system has no green report that is recent enough",
            "%(n)d systems have no green report that is recent enough",
            n,
        )
        yield Need(
            "unchecked", facts.unchecked.since, text % {"n": n}, _("testers are not offered it"), _("until it is checked"),
            "teams", _("See the systems"),
        )  # fmt: skip
    if n := facts.changed.n:
        text = ngettext(
            "%(n)d system answers differently than when it was admitted",
            "%(n)d systems answer differently than when they were admitted",
            n,
        )
        yield Need(
            "changed", facts.changed.since, text % {"n": n}, _("for you"), _("until you accept it or send it back"),
            "teams", _("See the systems"),
        )  # fmt: skip
    if n := facts.submitted.n:
        text = ngettext("%(n)d system waits to be admitted", "%(n)d systems wait to be admitted", n)
        yield Need(
            "submitted", facts.submitted.since, text % {"n": n}, _("for you"), _("until you admit it or send it back"),
            "teams", _("Answer"),
        )  # fmt: skip


def _of_services(facts: Facts) -> Iterator[Need]:
    if n := facts.services_changed.n:
        text = ngettext(
            "%(n)d service answers differently than when it was admitted",
            "%(n)d services answer differently than when they were admitted",
            n,
        )
        yield Need(
            "services-changed", facts.services_changed.since, text % {"n": n}, _("for you"),
            _("until you accept it or send it back"), "services", _("See the services"),
        )  # fmt: skip
    if n := facts.services_submitted.n:
        text = ngettext("%(n)d service waits to be admitted", "%(n)d services wait to be admitted", n)
        yield Need(
            "services-submitted", facts.services_submitted.since, text % {"n": n}, _("for you"),
            _("until you admit it or send it back"), "services", _("Answer"),
        )  # fmt: skip


def _of_the_rest(facts: Facts) -> Iterator[Need]:
    if n := facts.applications.n:
        text = ngettext("%(n)d team asks to take part", "%(n)d teams ask to take part", n)
        yield Need(
            "applications", facts.applications.since, text % {"n": n}, _("for you"), _("until you answer"), "teams",
            _("Answer"),
        )  # fmt: skip
    if facts.freeze_failed.n:
        yield Need(
            "freeze", facts.freeze_failed.since, _("The leaderboard could not be frozen"), _("for you"),
            _("until you order it again"), "publication", _("Publication"),
        )  # fmt: skip
    if facts.freezing.n:
        yield Need(
            "freezing", facts.freezing.since, _("The leaderboard is being frozen"), _("for the platform"),
            _("until its bundle is written; if scores keep coming in, it gives up after 5 minutes"), "publication",
            _("Publication"),
        )  # fmt: skip
    if n := facts.tasks.n:
        text = ngettext(
            "The scores of %(n)d automatic task could not be compared",
            "The scores of %(n)d automatic tasks could not be compared",
            n,
        )
        yield Need(
            "task-troubles", facts.tasks.since, text % {"n": n}, _("its board is not up to date"),
            _("until a worker succeeds: it tries again by itself"), "tasks", _("Automatic evaluation"),
        )  # fmt: skip
    if n := facts.runs_without_worker.n:
        text = ngettext("%(n)d run waits, and no worker is running", "%(n)d runs wait, and no worker is running", n)
        yield Need(
            "worker", facts.runs_without_worker.since, text % {"n": n}, _("for its team"),
            _("until a worker is started"), "tasks", _("Automatic evaluation"),
        )  # fmt: skip
