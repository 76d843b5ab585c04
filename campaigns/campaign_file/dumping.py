"""A stored campaign as the content of its file: what loading it again would not change."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from accounts.models import Person
from campaigns.campaign_file.campaign_settings import TABLES, settings_of
from campaigns.campaign_file.file_parts import PARTS
from campaigns.models import Campaign, Description, Entry, Role, Scenario
from reading.kinds import NO_TEXTS, Texts
from reading.toml_text import toml_of
from rubrics.actions import preset_of
from rubrics.rubric_table import rubric_document

FORMATS = ("toml", "json")


def file_of(campaign: Campaign, format: str, *, with_secrets: bool) -> str:
    """The text of the campaign's file. Errors: `NotToml` for a null, which only JSON can say."""
    document = document_of(campaign, with_secrets=with_secrets)
    if format == "json":
        return json.dumps(document, ensure_ascii=False, indent=2, default=datetime.isoformat) + "\n"
    return toml_of(document)


def document_of(campaign: Campaign, *, with_secrets: bool) -> dict[str, Any]:
    """The tables of the campaign's file, in a fixed order. Records that were imported are no part of a file."""
    settings = {name: _settings(campaign, name) for name in TABLES}
    settings["campaign"] = {"slug": campaign.slug} | settings["campaign"]
    entries = sorted(campaign.entries.declared().select_related("bot__team"), key=lambda entry: entry.key)
    scenarios = campaign.scenarios.declared().prefetch_related("subtasks")
    tables = {
        **settings,
        "description": description_document(campaign.descriptions.first()),
        "rubric": rubric_document(preset_of(campaign.rubric)),
        "bots": [_bot(entry, with_secrets) for entry in entries],
        "scenarios": [scenario_document(scenario) for scenario in scenarios],
        "people": _people(campaign),
        "hours": _hours(campaign, entries),
        **{part.name: part.document(campaign, with_secrets) for part in PARTS.values()},
    }
    return {name: table for name, table in tables.items() if table}


def _settings(campaign: Campaign, table: str) -> dict[str, Any]:
    zone = ZoneInfo(campaign.time_zone)
    values = {setting.key_in_file: _plain(setting.value_in(campaign), zone) for setting in settings_of(table).values()}
    return {key: value for key, value in values.items() if value is not None}


def _plain(value: Any, zone: ZoneInfo) -> Any:
    if isinstance(value, Texts):
        return {"zh": value.zh, "en": value.en}
    if isinstance(value, datetime):
        return value.astimezone(zone)
    return list(value) if isinstance(value, tuple) else value


def description_document(description: Description | None) -> dict[str, Any]:
    """The parts that say anything."""
    texts = description.texts() if description else {}
    return {part: {"zh": said.zh, "en": said.en} for part, said in texts.items() if said != NO_TEXTS}


def _hours(campaign: Campaign, entries: Sequence[Entry]) -> dict[str, dict[str, str]]:
    """Of those that are not always open, or on shift."""
    held = campaign.roles.filter(role=Role.TESTER).exclude(hours="").order_by("person__username")
    bots = {entry.key: entry.hours for entry in entries if entry.hours}
    testers = dict(held.values_list("person__username", "hours"))
    return {name: said for name, said in (("bots", bots), ("testers", testers)) if said}


def _bot(entry: Entry, with_secrets: bool) -> dict[str, Any]:
    row = {
        "key": entry.key,
        "team": entry.bot.team.name,
        "name": entry.bot.name,
        "protocol": entry.protocol,
        "url": entry.url,
        "options": entry.options,
        "parallel": entry.parallel,
    }
    # Loaded elsewhere, a draft would take part at once.
    row |= {"draft": True} if entry.draft_since else {}
    has_own = with_secrets and entry.has_secret and not entry.has_lost_its_secret()
    return row | ({"secret": entry.secret} if has_own else {})


def scenario_document(scenario: Scenario) -> dict[str, Any]:
    row = {
        "key": scenario.key,
        "title": {"zh": scenario.title_zh, "en": scenario.title_en},
        "opening": scenario.opening,
        "opening_en": scenario.opening_en,
        "instructions": {"zh": scenario.instructions_zh, "en": scenario.instructions_en},
        "skill": scenario.skill,
        "items": scenario.items,
        "facts": scenario.facts,
        "context": scenario.context,
        "practice": scenario.is_practice,
    }
    said = {name: value for name, value in row.items() if value not in ("", [], {}, {"zh": "", "en": ""}, False)}
    return said | {"subtasks": [_subtask(one.kind, one.turn_cap) for one in scenario.subtasks.all()]}


def _subtask(kind: str, turn_cap: int | None) -> dict[str, Any]:
    return {"kind": kind} | ({} if turn_cap is None else {"turn_cap": turn_cap})


def _people(campaign: Campaign) -> list[dict[str, Any]]:
    """Everybody who holds a lasting role or takes part for a team."""
    teams = dict(campaign.team_members.values_list("person__username", "team__name"))
    programs = set(campaign.roles.filter(person__kind=Person.Kind.PROGRAM).values_list("person__username", flat=True))
    roles: dict[str, list[str]] = {name: [] for name in teams}
    for name, role in campaign.roles.lasting().values_list("person__username", "role"):
        roles.setdefault(name, []).append(role)
    return [
        {"username": name, "roles": sorted(roles[name], key=Role.values.index)}
        | ({"team": teams[name]} if name in teams else {})
        | ({"kind": Person.Kind.PROGRAM.value} if name in programs else {})
        for name in sorted(roles)
    ]
