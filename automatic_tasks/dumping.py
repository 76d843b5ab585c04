"""The automatic tasks of a campaign as their file: what loading it again would not change."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import prefetch_related_objects

from automatic_tasks.models import AutomaticTask, CombinedBoard, Service, StoredFile, TeamQuota
from campaigns.models import Campaign
from reading.toml_text import inline, toml_of

FILE_NAME = "tasks.toml"
OF_TEAMS = ("services__team", "team_quotas__team")


def files_of(campaign: Campaign) -> Iterator[tuple[str, bytes]]:
    """Name and content of the task file, and of the gold and noise that it names."""
    yield FILE_NAME, file_of(campaign).encode()
    for task in campaign.automatic_tasks.select_related("gold", "noise"):
        yield gold_name(task), bytes(task.gold.content)
        if task.noise is not None:
            yield noise_name(task), bytes(task.noise.content)


def file_of(campaign: Campaign) -> str:
    found = campaign.automatic_tasks.select_related("campaign", "gold", "noise", "handed_in_with")
    found = found.prefetch_related(*OF_TEAMS)
    document = {
        "tasks": [task_document(task) for task in found],
        "boards": [_board(board) for board in campaign.combined_boards.filter(is_of_preset=False)],
    }
    head = f"campaign = {inline(campaign.slug, 'campaign')}\n"
    tables = toml_of({name: rows for name, rows in document.items() if rows})
    return f"{head}\n{tables}" if tables else head


def task_document(task: AutomaticTask) -> dict[str, Any]:
    """The table `[[tasks]]` of the task, without what it leaves to its type."""
    # Asks nothing where a whole list was read so; of a single task, each service and quota would ask for its team.
    prefetch_related_objects([task], *OF_TEAMS)
    return {
        "key": task.key,
        "type": task.type,
        "name": {"zh": task.name_zh, "en": task.name_en},
        "gold": gold_name(task),
        **({"noise": noise_name(task)} if task.noise_id else {}),
        **({"handed_in_with": task.handed_in_with.key} if task.handed_in_with else {}),
        **_settings(task),
        **_split(task),
        **_dates(task),
        "open": task.is_open,
        "board_open": task.board_is_open,
        **_of_teams(task),
    }


def gold_name(task: AutomaticTask) -> str:
    return f"{task.key}-gold{_suffix(task.gold)}"


def noise_name(task: AutomaticTask) -> str:
    return f"{task.key}-noise.jsonl"


def _suffix(file: StoredFile) -> str:
    """JSON Lines have an object per line; gold that is one JSON value is a list."""
    return ".jsonl" if bytes(file.content)[:200].lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"{" else ".json"


def _settings(task: AutomaticTask) -> dict[str, Any]:
    values = {
        "options": task.options,
        "ranking": task.ranking,
        "quota_total": task.quota_total,
        "quota_per_day": task.quota_per_day,
        "decimals": task.decimals,
        "min_gain": task.min_gain,
        "batch_size": task.batch_size,
        "deadline_s": task.deadline_s,
        "noise_ratio": task.noise_ratio,
    }
    unsaid: dict[str, Any] = {"options": {}, "decimals": None, "min_gain": None}
    if task.noise_id is None:
        unsaid["noise_ratio"] = 0.0
    return {
        name: value
        for name, value in values.items()
        if name not in task.defaults and (name not in unsaid or value != unsaid[name])
    }


def _split(task: AutomaticTask) -> dict[str, Any]:
    """Nothing where the type's own share was drawn; else the ids, so that no other share draws others."""
    if "development_share" in task.defaults:
        return {}
    if task.development_ids:
        return {"development_ids": task.development_ids}
    return {"development_share": 0.0}


def _dates(task: AutomaticTask) -> dict[str, datetime]:
    zone = ZoneInfo(task.campaign.time_zone)
    dates = {"runs_from": task.runs_from, "runs_until": task.runs_until}
    return {name: moment.astimezone(zone) for name, moment in dates.items() if moment is not None}


def _of_teams(task: AutomaticTask) -> dict[str, list[dict[str, Any]]]:
    services = sorted(task.services.all(), key=lambda service: service.team.name)
    rows = {
        "services": [_service(service) for service in services],
        "quotas": [quota_document(quota) for quota in task.team_quotas.all()],
    }
    return {name: listed for name, listed in rows.items() if listed}


def _service(service: Service) -> dict[str, Any]:
    """Never with its secret, which its team names again. Loaded elsewhere, a draft would take part at once."""
    row = {"team": service.team.name, "url": service.url}
    return row | ({"draft": True} if service.draft_since else {})


def quota_document(quota: TeamQuota) -> dict[str, Any]:
    said = {"total": quota.total, "per_day": quota.per_day}
    return {
        "team": quota.team.name,
        **{name: number for name, number in said.items() if number is not None},
        "reason": quota.reason,
    }


# -- combined boards ------------------------------------------------------------------------------------------------


def _board(board: CombinedBoard) -> dict[str, Any]:
    return {
        "key": board.key,
        "name": {"zh": board.name_zh, "en": board.name_en},
        "columns": [_column(column) for column in board.columns],
        **({"total": _total(board.total)} if board.total else {}),
        "ranking": board.ranking,
        **({"interim": board.interim} if board.interim else {}),
    }


def _column(column: Mapping[str, Any]) -> dict[str, Any]:
    nothing: tuple[Any, ...] = ("", None, {"zh": "", "en": ""}, {})
    said = {name: value for name, value in column.items() if value not in nothing}
    if said.get("key") == column["figure"]:
        said.pop("key")
    if said.get("weight") == 1.0:
        said.pop("weight")
    return said


def _total(total: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in total.items() if value not in ({"zh": "", "en": ""}, {})}
