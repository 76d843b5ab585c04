"""What the table of a campaign's scenarios shows."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from campaigns.campaign_file.dumping import scenario_document
from campaigns.labels import kind_label
from campaigns.models import Campaign, Scenario
from campaigns.origins import Origin


@dataclass(frozen=True, slots=True)
class Row:
    scenario: Scenario
    kinds: str
    caps: str
    n_dialogues: int

    @property
    def may_change(self) -> bool:
        """Once a dialogue is open about it, only its titles and instructions may."""
        return self.n_dialogues == 0

    @property
    def origin(self) -> str:
        return str(Origin(self.scenario.origin).label)


def rows_of(campaign: Campaign) -> list[Row]:
    begun = Count("assignments", filter=Q(assignments__started_at__isnull=False))
    found = campaign.scenarios.declared().prefetch_related("subtasks").annotate(n_begun=begun)
    # Said once more: a query that counts has no order of its own.
    found = found.order_by("position", "pk")
    return [row_of(one, one.n_begun) for one in found]


def documents_of(campaign: Campaign) -> dict[str, dict[str, Any]]:
    """The scenarios by key, as a campaign file says them."""
    found = campaign.scenarios.declared().prefetch_related("subtasks")
    return {one.key: scenario_document(one) for one in found}


def row_of(scenario: Scenario, n_dialogues: int) -> Row:
    parts = scenario.subtasks.all()
    caps = [part.turn_cap for part in parts]
    kinds = " → ".join(kind_label(part.kind) for part in parts)
    return Row(scenario, kinds, " + ".join(str(cap) for cap in caps if cap is not None) or "–", n_dialogues)
