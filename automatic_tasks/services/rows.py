"""The services of a table with how each stands, in a fixed number of queries and of rows per service."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from automatic_tasks.models import Service, ServiceCheck
from campaigns.models import Campaign
from campaigns.stages import Stage, stage_of, word_of
from conformance.documents import word_of as word_of_check
from conformance.models import HAS_CHANGED


@dataclass(frozen=True, slots=True)
class ServiceRow:
    """`check` is its latest one; `is_changed` says that it answers differently than when it was admitted."""

    service: Service
    stage: Stage
    since: datetime | None
    check: ServiceCheck | None
    is_changed: bool

    @property
    def word(self) -> str:
        return word_of(self.stage)

    @property
    def is_frozen(self) -> bool:
        return self.stage is Stage.FROZEN

    @property
    def takes_part(self) -> bool:
        return self.stage in {Stage.ADMITTED, Stage.FROZEN}

    @property
    def check_word(self) -> str:
        return word_of_check(self.check) if self.check else ""


def rows_of(services: Iterable[Service], campaign: Campaign, at: datetime) -> list[ServiceRow]:
    listed = list(services)
    those = Service.objects.filter(pk__in=[service.pk for service in listed])
    # What a check found is a hundred sentences and commands, which no row shows.
    checks = {check.service_id: check for check in those.latest_checks().defer("results")}
    changed = set(those.latest_prints().filter(HAS_CHANGED).values_list("service_id", flat=True))
    rows = []
    for service in listed:
        reached = stage_of(service, campaign, at)
        check, is_changed = checks.get(service.pk), service.pk in changed
        rows.append(ServiceRow(service, reached.stage, reached.since, check, is_changed))
    return rows
