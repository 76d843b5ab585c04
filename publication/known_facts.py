"""What the preflight saw last: it looks again once something has changed that it looks at, and not at each view of its page.

Only the page asks here. Whoever freezes is told what is so at that moment.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

from django.core.cache import cache
from django.db.models import (
    Aggregate,
    BooleanField,
    Count,
    DateTimeField,
    ForeignKey,
    IntegerField,
    Max,
    Model,
    Q,
    QuerySet,
    Sum,
)
from django.utils.translation import get_language

from campaigns.models import Campaign, Entry, TeamMember
from dialogues.models import Dialogue
from publication.preflight import Facts, Finding, findings_of
from publication.readiness import facts_of
from reviews.models import ClosedPanel, Dispute, GoldReview, Review, ReviewPlace, RevisionRequest, Vetting

# Reserved places of panels end by the clock alone, which changes no row.
LOOKED_AT_LEAST_EVERY_S = 60


def known_findings(campaign: Campaign) -> list[Finding]:
    return findings_of(known_facts(campaign))


def known_facts(campaign: Campaign) -> Facts:
    # Read before the facts are: what changes meanwhile has another state, and is looked at again.
    key = f"preflight:{campaign.pk}:{get_language()}:{state_of(campaign)}"
    facts: Facts | None = cache.get(key)
    if facts is None:
        facts = facts_of(campaign)
        cache.set(key, facts, LOOKED_AT_LEAST_EVERY_S)
    return facts


def state_of(campaign: Campaign) -> str:
    """Another text as soon as a row has come, gone or changed that the preflight reads; one short query per table."""
    states = [_state_of_rows(rows) for rows in _tables(campaign)]
    own = Campaign.objects.filter(pk=campaign.pk).values_list().get()
    rubric = list(campaign.rubric.criteria.order_by("pk").values_list())
    return hashlib.sha256(repr((own, rubric, states)).encode()).hexdigest()


def _tables(campaign: Campaign) -> Iterator[QuerySet[Any]]:
    yield Dialogue.objects.of_campaign(campaign)
    for table in (Review, ReviewPlace, Dispute, Vetting, GoldReview, ClosedPanel):
        yield table._default_manager.filter(dialogue__assignment__campaign=campaign)
    yield RevisionRequest.objects.filter(review__dialogue__assignment__campaign=campaign)
    # Who has an interest, other campaigns of the same teams say as well.
    teams = campaign.entries.values("bot__team")
    yield Entry.objects.filter(bot__team__in=teams)
    yield TeamMember.objects.filter(Q(campaign=campaign) | Q(team__in=teams))
    for rows in (campaign.assignments, campaign.scenarios, campaign.roles, campaign.stored_boards):
        yield rows.all()
    yield campaign.imported_records.all()


def _state_of_rows(rows: QuerySet[Any]) -> dict[str, Any]:
    return rows.order_by().aggregate(n=Count("pk"), **dict(_sums(rows.model)))


def _sums(table: type[Model]) -> Iterator[tuple[str, Aggregate]]:
    """Aggregates that a change of any short column moves: the latest date and how many there are, sums, counts per choice."""
    for field in table._meta.concrete_fields:
        name, short = field.attname, field.name
        if isinstance(field, DateTimeField):
            yield f"{short}_latest", Max(name)
            yield f"{short}_there", Count(name)
        elif isinstance(field, BooleanField):
            yield f"{short}_true", Count("pk", filter=Q(**{name: True}))
        elif isinstance(field, IntegerField) or _is_of_numbers(field):
            yield f"{short}_sum", Sum(name)
        else:
            for number, (choice, _label) in enumerate(field.flatchoices):
                yield f"{short}_{number}", Count("pk", filter=Q(**{name: choice}))


def _is_of_numbers(field: Any) -> bool:
    return isinstance(field, ForeignKey) and isinstance(field.target_field, IntegerField)
