"""Rehearses a stored campaign before its day: its own rules, scenarios and registered bots, scripted people, a database of its own."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from campaigns.campaign_file.dumping import document_of
from campaigns.models import Campaign
from demo.setting_up import CampaignFile, Company, read_file
from participants.bot_form import DIAL_OUT

# What belongs to the day and to real people: a rehearsal is open at once, and tells nobody.
NOT_REHEARSED = {
    "campaign": ("announced", "published", "takes_applications", "texts_kept_days", "green_report_hours", "admission"),
    "reviewing": ("training_pass_percent", "gold_every"),
}
TABLES_LEFT_OUT = ("calendar", "hours", "people", "description")


@dataclass(frozen=True, slots=True)
class Scripted:
    """The file of the rehearsal, and why bots of the campaign are not in it, by their aliases."""

    file: CampaignFile
    left_out: Mapping[str, str]


def file_of_rehearsal(campaign: Campaign, *, n_scenarios: int) -> Scripted:
    """The campaign as it would be played: each bot that takes part meets the first scenarios once."""
    document = document_of(campaign, with_secrets=True)
    for table, keys in NOT_REHEARSED.items():
        document[table] = {key: value for key, value in document.get(table, {}).items() if key not in keys}
    document["campaign"] |= {"free_choice": False}
    document["plan"] = {"kind": "per_cell", "testers_per_cell": 1}
    left_out = dict(_not_called(campaign))
    taking_part = {one.key for one in campaign.entries.taking_part() if one.alias not in left_out}
    document["bots"] = [bot for bot in document.get("bots", []) if bot["key"] in taking_part]
    talked_about = [one for one in document.get("scenarios", []) if not one.get("practice")]
    document["scenarios"] = talked_about[:n_scenarios]
    document["people"] = list(_cast(campaign))
    kept = {name: table for name, table in document.items() if name not in TABLES_LEFT_OUT or name == "people"}
    content = json.dumps(kept, ensure_ascii=False).encode()
    return Scripted(read_file("rehearsal.json", content), left_out)


def _not_called(campaign: Campaign) -> Iterator[tuple[str, str]]:
    for entry in campaign.entries.declared().filter(withdrawn_at=None):
        if entry.protocol == DIAL_OUT:
            yield entry.alias, "it connects by itself, to the site alone"
        elif entry.draft_since is not None:
            yield entry.alias, "it is a draft"
        elif entry.has_secret and entry.has_lost_its_secret():
            yield entry.alias, "its secret cannot be read"


def _cast(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """One person per role and place: who they are is nobody's real account."""
    numbers = {
        "organizer": 1,
        "tester": 2,
        "reviewer": campaign.panel_size,
        "expert": campaign.experts_per_dialogue,
        "adjudicator": 1 if campaign.adjudicated_over is not None else 0,
    }
    for role, n in numbers.items():
        for number in range(1, n + 1):
            yield {"username": f"rehearsal-{role}-{number}", "roles": [role]}


@dataclass
class BotReport:
    """How a bot did; `failed` counts its failures by kind."""

    key: str
    n_dialogues: int = 0
    n_turns: int = 0
    n_void: int = 0
    failed: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        failures = ", ".join(f"{kind} × {n}" for kind, n in sorted(self.failed.items())) or "no failure"
        void = f", {self.n_void} void" if self.n_void else ""
        return f"{self.key}: {self.n_dialogues} dialogues, {self.n_turns} turns{void}; {failures}"


async def report_of(company: Company, bots: Sequence[Mapping[str, Any]]) -> list[BotReport]:
    """By the pages that an organizer has, in the order of the bots."""
    reports = {bot["alias"]: BotReport(bot["key"]) for bot in bots}
    async with company.organizer() as organizer:
        for row in await _all(organizer, f"{company.place}dialogues/"):
            report = reports[row["bot"]]
            report.n_dialogues += 1
            report.n_turns += row["turns"]
            report.n_void += row["status"] == "void"
        failures: Mapping[str, Mapping[str, int]] = (await organizer.get(f"{company.place}failures/"))["per_bot"]
        for alias, kinds in failures.items():
            reports[alias].failed.update(kinds)
    return list(reports.values())


async def _all(organizer: Any, path: str) -> Iterable[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = []
    page, n_pages = 1, 1
    while page <= n_pages:
        answer = await organizer.get(f"{path}?page={page}")
        rows += answer["results"]
        page, n_pages = page + 1, answer["pages"]
    return rows
