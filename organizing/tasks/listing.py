"""What the table of a campaign's automatic tasks shows to organizers, and what the API says of one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count

from automatic_tasks.dumping import quota_document, task_document
from automatic_tasks.models import AutomaticTask
from campaigns.models import Campaign
from campaigns.origins import Origin


@dataclass(frozen=True, slots=True)
class Row:
    task: AutomaticTask
    n_runs: int
    n_quotas: int

    @property
    def n_development(self) -> int:
        return len(self.task.development_ids)

    @property
    def n_hidden(self) -> int:
        return self.task.n_items - self.n_development

    @property
    def origin(self) -> str:
        return str(Origin(self.task.origin).label)


def rows_of(campaign: Campaign) -> list[Row]:
    found = campaign.automatic_tasks.select_related("campaign").annotate(
        n_runs=Count("runs", distinct=True), n_quotas=Count("team_quotas", distinct=True)
    )
    # Said once more: a query that counts has no order of its own.
    ordered = found.order_by("position", "pk")
    return [Row(task, task.n_runs, task.n_quotas) for task in ordered]  # type: ignore[attr-defined]


# What the API says elsewhere: files are downloaded, and teams have addresses of their own.
NOT_OF_THE_DOCUMENT = ("gold", "noise", "services", "quotas", "open", "board_open")


def as_json(task: AutomaticTask) -> dict[str, Any]:
    """`task` is the table of a task file that may be sent back; beside it what it does not say."""
    document = {name: value for name, value in task_document(task).items() if name not in NOT_OF_THE_DOCUMENT}
    n_development = len(task.development_ids)
    return {
        "task": {name: _plain(value) for name, value in document.items()},
        "items": {"development": n_development, "hidden": task.n_items - n_development},
        "left_to_the_type": task.defaults,
        "origin": task.origin,
        "is_open": task.is_open,
        "board_is_open": task.board_is_open,
        "is_released": task.released_at is not None,
        "quotas": [quota_document(quota) for quota in task.team_quotas.all()],
    }


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
