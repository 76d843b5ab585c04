"""The kinds of systems that are checked: what the actions, the keeper and the pages of the lab have to know of one.

Bots stand here; services stand beside their tasks (`automatic_tasks/checked_services.py`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from audit.trail_acts import TrailAct, trail_act
from campaigns.bot_addresses import address_asked
from campaigns.models import Campaign, Entry
from conformance.canary_calls import limit_of_bot_s
from conformance.examiner import USUAL, Limits
from conformance.models import AnyCheck, AnyFingerprint, Check, CheckQuerySet, Fingerprint
from conformance.subjects import Subject


class TrailActs(NamedTuple):
    """What the trail says of a system of this kind."""

    check_asked: TrailAct
    checked: TrailAct
    changed: TrailAct
    change_accepted: TrailAct


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemKind:
    """`column` is the system's in the tables of its checks and fingerprints, `team` the path from the system to its team, `related` what
    is read together with it.

    `described` gives the trail's name of a system and its details, `counted` what the trail calls its canary questions. `systems_of` lists
    those of a campaign; `asked_unbidden` those whose fingerprints are taken at that time; a fingerprint is due after each of `moments`.
    `subject_of` raises `SecretLost` where the secret cannot be read.
    """

    checks: type[AnyCheck]
    fingerprints: type[AnyFingerprint]
    column: str
    team: str
    related: tuple[str, ...]
    acts: TrailActs
    described: Callable[[Any], tuple[str, dict[str, Any]]]
    counted: str
    systems_of: Callable[[Campaign], QuerySet[Any]]
    asked_unbidden: Callable[[datetime], QuerySet[Any]]
    moments: Callable[[Any], Iterable[datetime | None]]
    subject_of: Callable[[Any], Subject]
    limits_of: Callable[[Any], Limits]

    def checks_with_systems(self) -> CheckQuerySet:
        checks: CheckQuerySet = self.checks._default_manager.select_related(*self._paths)
        return checks

    def held(self, system: Any) -> Any:
        """The system as it is now, held until the commit: neither a check nor another act comes in between."""
        held = type(system)._default_manager.select_for_update(of=("self",), no_key=True)
        return held.select_related(*self.related).get(pk=system.pk)

    @property
    def _paths(self) -> Iterable[str]:
        return [f"{self.column}__{path}" for path in self.related]


# Other campaigns have no day: their systems would get calls that nobody asked for, without an end.
ASKS_BY_ITSELF = Q(frozen_at__isnull=False) | Q(testing_from__isnull=False) | Q(admission="organizer")


def goes_on_until(last: str, at: datetime) -> Q:
    """Of campaigns: neither the end nor that date, if they have one, is over."""
    return (Q(ends_at=None) | Q(ends_at__gte=at)) & (Q(**{last: None}) | Q(**{f"{last}__gte": at}))


def _bots_asked_unbidden(at: datetime) -> QuerySet[Entry]:
    campaigns = Campaign.objects.filter(ASKS_BY_ITSELF & goes_on_until("testing_until", at))
    return Entry.objects.with_address().filter(campaign__in=campaigns)


def _subject_of_bot(entry: Entry) -> Subject:
    """Errors: `SecretLost`."""
    bot = address_asked(entry)
    return Subject(entry.protocol, bot.url, bot.secret, bot.options, entry.campaign.language, bot.key)


def _limits_of_bot(entry: Entry) -> Limits:
    """By what its team declared and its campaign allows."""
    deadline_s = float(entry.campaign.reply_deadline_s)
    print_s = limit_of_bot_s(deadline_s, entry.parallel)
    return replace(USUAL, parallel=entry.parallel, deadline_s=deadline_s, print_s=print_s)


BOTS = SystemKind(
    checks=Check,
    fingerprints=Fingerprint,
    column="entry",
    team="bot__team",
    related=("campaign", "bot__team"),
    acts=TrailActs(
        trail_act("bot.check_asked", _("asked for a check of the system %(about)s")),
        trail_act("bot.checked", _("checked the system %(about)s")),
        trail_act("bot.changed", _("found the system %(about)s changed since its admission")),
        trail_act("bot.change_accepted", _("accepted the change of the system %(about)s")),
    ),
    described=lambda entry: (entry.alias, {"bot": entry.key}),
    counted="questions",
    systems_of=lambda campaign: campaign.entries.declared(),
    asked_unbidden=_bots_asked_unbidden,
    moments=lambda entry: (entry.campaign.testing_from, entry.admitted_at),
    subject_of=_subject_of_bot,
    limits_of=_limits_of_bot,
)
