"""Facts of what waits in a campaign, and the needs that follow: a sentence each, since when, for whom, until when, and where something can be done. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from organizing.wall.rows import NeedShown


@dataclass(frozen=True, slots=True)
class Waiting:
    """`n` things of one kind that wait, the first of them since `since`."""

    n: int = 0
    since: datetime | None = None


NOTHING = Waiting()


@dataclass(frozen=True, slots=True)
class BotInNeed:
    """A bot that fails or is paused; `n` testers talk with it, or `n` assignments wait for it."""

    alias: str
    since: datetime | None
    n: int = 0
    because: str = ""
    # The platform paused it, and asks it again by itself.
    is_probed: bool = False


@dataclass(frozen=True, slots=True)
class PersonInNeed:
    """A person who pauses or was idle for long; `n` assignments or dialogues wait for them."""

    username: str
    since: datetime
    because: str = ""
    n: int = 0


@dataclass(frozen=True, slots=True)
class Lack:
    """What a campaign needs before anybody can start, and the route and the name of the act that brings it."""

    sentence: str
    page: str
    act: str


@dataclass(frozen=True, slots=True)
class Facts:
    """`unready` is what a campaign in which nothing is assigned lacks first. `outage` is since when bots fail together, so that it is the platform's fault.

    `unconnected` are bots that connect themselves and have no connection; `tasks` are automatic tasks whose scores could not
    be compared, so that their boards are not up to date; `services_failing` are services whose last run failed.
    `stuck` are turns that neither a bot nor the platform settled in time, `undrawn` dialogues that nobody will have,
    `barred` assignments whose testers have an interest in the bot.
    `idle` are reviewers who do nothing, `unvetted` dialogues on which the experts have not decided. `n_experts_needed` assess each;
    the one with the fewest experts who may has `n_experts`."""

    unready: Lack | None = None
    outage: datetime | None = None
    failing: Sequence[BotInNeed] = ()
    paused: Sequence[BotInNeed] = ()
    unconnected: Sequence[BotInNeed] = ()
    away: Sequence[PersonInNeed] = ()
    idle: Sequence[PersonInNeed] = ()
    stuck: Waiting = NOTHING
    problems: Waiting = NOTHING
    requests: Waiting = NOTHING
    objections: Waiting = NOTHING
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
    drifting: Waiting = NOTHING
    unchecked: Waiting = NOTHING
    services_submitted: Waiting = NOTHING
    services_changed: Waiting = NOTHING
    services_failing: Waiting = NOTHING


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

    def shown(self, url: str) -> NeedShown:
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
        *_unready(facts),
        *_outage(facts),
        *_failing(facts),
        *_stuck(facts),
        *_paused(facts),
        *_unconnected(facts),
        *_away(facts),
        *_of_testers(facts),
        *_of_reviewers(facts),
        *_of_experts(facts),
        *_of_systems(facts),
        *_of_services(facts),
        *_of_teams(facts),
        *_of_boards(facts),
    ]


def _if_any(waiting: Waiting, key: str, text: str, who: str, until: str, page: str, act: str) -> list[Need]:
    """The need that all things of a kind are together; none where nothing of it waits."""
    return [Need(key, waiting.since, text % {"n": waiting.n}, who, until, page, act)] if waiting.n else []


def _unready(facts: Facts) -> Iterator[Need]:
    if lack := facts.unready:
        yield Need("unready", None, lack.sentence, _("for you"), _("until then nobody can start"), lack.page, lack.act)


def _outage(facts: Facts) -> Iterator[Need]:
    if facts.outage is not None:
        yield Need(
            "outage",
            facts.outage,
            _("Several systems fail at once, so the fault is on our side"),
            _("their failures count against the platform, and testers are told"),
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


def _stuck(facts: Facts) -> list[Need]:
    n = facts.stuck.n
    return _if_any(
        facts.stuck,
        "stuck",
        ngettext("%(n)d turn was not settled in time", "%(n)d turns were not settled in time", n),
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
        n = ngettext("%(n)d assignment waits for them", "%(n)d assignments wait for them", person.n) % {"n": person.n}
        yield Need(
            f"away:{person.username}",
            person.since,
            _("%(name)s pauses: %(because)s") % {"name": person.username, "because": person.because},
            n if person.n else _("what they have not scored waits for them"),
            _("until you end their pause or reassign their work"),
            "people",
            _("See the people"),
        )


def _of_testers(facts: Facts) -> list[Need]:
    n, n_undrawn, n_barred = facts.problems.n, facts.undrawn.n, facts.barred.n
    barred = ngettext(
        "%(n)d assignment is not possible for its tester",
        "%(n)d assignments are not possible for their testers",
        n_barred,
    )
    reports = ngettext("%(n)d report from a tester is open", "%(n)d reports from testers are open", n)
    holes = ngettext(
        "%(n)d dialogue is missing and unassigned",
        "%(n)d dialogues are missing and unassigned",
        n_undrawn,
    )
    return [
        *_if_any(
            facts.problems, "problems", reports, _("for you"), _("until you settle it"), "problems", _("Read the reports")
        ),
        *_if_any(
            facts.barred, "barred", barred, _("their testers take part for a team"), _("until you give them to others"),
            "assignments", _("See the assignments"),
        ),
        *_if_any(
            facts.undrawn, "undrawn", holes, _("for you"), _("until you draw assignments"), "coverage",
            _("See the gaps"),
        ),
    ]  # fmt: skip


def _of_reviewers(facts: Facts) -> Iterator[Need]:
    n = facts.panels.n
    yield from _if_any(
        facts.panels, "panels", ngettext("%(n)d panel lacks a reviewer", "%(n)d panels lack a reviewer", n),
        _("nobody can be drawn for it"), _("until a reviewer joins, or you close it"), "panels", _("Open panels"),
    )  # fmt: skip
    for person in facts.idle:
        yield Need(
            f"idle:{person.username}",
            person.since,
            _("%(name)s has reviewed nothing for a day") % {"name": person.username},
            ngettext("%(n)d dialogue waits for them", "%(n)d dialogues wait for them", person.n) % {"n": person.n},
            _("until they return or you reassign their work"),
            "people",
            _("See the people"),
        )
    n = facts.requests.n
    yield from _if_any(
        facts.requests, "requests",
        ngettext("%(n)d reviewer asks to revise scores", "%(n)d requests to revise scores wait", n),
        _("for you"), _("until you answer"), "revisions", _("Answer"),
    )  # fmt: skip
    n = facts.objections.n
    yield from _if_any(
        facts.objections, "objections", ngettext("%(n)d objection of a team waits", "%(n)d objections of teams wait", n),
        _("for you"), _("until you answer"), "objections", _("Answer"),
    )  # fmt: skip
    n, has_any = facts.disputes.n, facts.n_adjudicators
    yield from _if_any(
        facts.disputes, "disputes", ngettext("%(n)d dispute waits to be settled", "%(n)d disputes wait to be settled", n),
        _("for an adjudicator") if has_any else _("for an adjudicator, and there is none"),
        _("until one decides") if has_any else _("until you name one"), "panels", _("Open panels"),
    )  # fmt: skip


def _of_experts(facts: Facts) -> list[Need]:
    """No dialogue is scored before all its experts have assessed it."""
    n, n_experts, n_needed = facts.unvetted.n, facts.n_experts, facts.n_experts_needed
    text = ngettext("%(n)d dialogue waits to be vetted", "%(n)d dialogues wait to be vetted", n)
    too_few = ngettext(
        "for %(needed)d experts, and there is %(n)d", "for %(needed)d experts, and there are %(n)d", n_experts
    )
    are_enough = n_experts >= n_needed
    who = _("for its experts") if are_enough else too_few % {"needed": n_needed, "n": n_experts}
    until = _("until all of them have answered") if are_enough else _("until you invite more")
    return _if_any(facts.unvetted, "unvetted", text, who, until, "people", _("See the people"))


def _of_systems(facts: Facts) -> list[Need]:
    unchecked = ngettext(
        "%(n)d system has no green report that is recent enough",
        "%(n)d systems have no green report that is recent enough",
        facts.unchecked.n,
    )
    changed = ngettext(
        "%(n)d system answers differently than when it was admitted",
        "%(n)d systems answer differently than when they were admitted",
        facts.changed.n,
    )
    drifting = ngettext("%(n)d system drifts", "%(n)d systems drift", facts.drifting.n)
    n = facts.submitted.n
    submitted = ngettext("%(n)d system waits to be admitted", "%(n)d systems wait to be admitted", n)
    return [
        *_if_any(
            facts.unchecked, "unchecked", unchecked, _("testers are not offered it"), _("until it is checked"), "teams",
            _("See the systems"),
        ),
        *_if_any(
            facts.changed, "changed", changed, _("for you"), _("until you accept it or send it back"), "teams",
            _("See the systems"),
        ),
        *_if_any(
            facts.drifting, "drifting", drifting, _("it answers its dialogues differently than it did"),
            _("until you say that it is known, or accept it"), "replays", _("See the sentinel"),
        ),
        *_if_any(
            facts.submitted, "submitted", submitted, _("for you"), _("until you admit it or send it back"), "teams",
            _("Answer"),
        ),
    ]  # fmt: skip


def _of_services(facts: Facts) -> list[Need]:
    changed = ngettext(
        "%(n)d service answers differently than when it was admitted",
        "%(n)d services answer differently than when they were admitted",
        facts.services_changed.n,
    )
    n = facts.services_submitted.n
    submitted = ngettext("%(n)d service waits to be admitted", "%(n)d services wait to be admitted", n)
    failing = ngettext(
        "The last run of %(n)d service failed", "The last runs of %(n)d services failed", facts.services_failing.n
    )
    return [
        *_if_any(
            facts.services_failing, "services-failing", failing, _("for its team, which has no score"),
            _("until another run succeeds, or a check is green"), "services", _("See the services"),
        ),
        *_if_any(
            facts.services_changed, "services-changed", changed, _("for you"),
            _("until you accept it or send it back"), "services", _("See the services"),
        ),
        *_if_any(
            facts.services_submitted, "services-submitted", submitted, _("for you"),
            _("until you admit it or send it back"), "services", _("Answer"),
        ),
    ]  # fmt: skip


def _of_teams(facts: Facts) -> list[Need]:
    n = facts.applications.n
    text = ngettext("%(n)d team asks to take part", "%(n)d teams ask to take part", n)
    return _if_any(facts.applications, "applications", text, _("for you"), _("until you answer"), "teams", _("Answer"))


def _of_boards(facts: Facts) -> list[Need]:
    tasks = ngettext(
        "The scores of %(n)d automatic task could not be compared",
        "The scores of %(n)d automatic tasks could not be compared",
        facts.tasks.n,
    )
    n = facts.runs_without_worker.n
    runs = ngettext("%(n)d run waits, and no worker is running", "%(n)d runs wait, and no worker is running", n)
    return [
        *_if_any(
            facts.freeze_failed, "freeze", _("The leaderboard could not be frozen"), _("for you"),
            _("until you order it again"), "publication", _("Publication"),
        ),
        *_if_any(
            facts.freezing, "freezing", _("The leaderboard is being frozen"), _("for the platform"),
            _("until its bundle is written; if scores keep coming in, it gives up after 5 minutes"), "publication",
            _("Publication"),
        ),
        *_if_any(
            facts.tasks, "task-troubles", tasks, _("its board is not up to date"),
            _("until a worker succeeds: it tries again by itself"), "tasks", _("Automatic evaluation"),
        ),
        *_if_any(
            facts.runs_without_worker, "worker", runs, _("for its team"), _("until a worker is started"), "tasks",
            _("Automatic evaluation"),
        ),
    ]  # fmt: skip
