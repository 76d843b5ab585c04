"""Reads a campaign file (TOML, or JSON of the same shape) into plain values. Pure: every problem has its place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaigns.presets import PRESETS
from campaigns.table_reader import Problem, TableReader, Texts, parsed_file

ROLES = ("organizer", "tester", "reviewer", "participant")
USERNAME = re.compile(r"[\w.@+-]{1,150}")
DEADLINE_LIMITS_S = (1, 120)


class BadCampaignFile(Exception):
    """The file cannot be loaded; `problems` names every reason found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot that enters; None is what the file does not say."""

    key: str
    team: str
    name: str
    protocol: str | None
    url: str | None
    secret: str | None
    options: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class SubtaskSpec:
    kind: str
    turn_cap: int | None


@dataclass(frozen=True, slots=True)
class ScenarioSpec:
    key: str
    title: Texts
    opening: str
    opening_en: str
    instructions: Texts
    facts: Mapping[str, Any]
    context: Mapping[str, Any]
    subtasks: tuple[SubtaskSpec, ...]


@dataclass(frozen=True, slots=True)
class PersonSpec:
    username: str
    roles: tuple[str, ...]
    team: str = ""


@dataclass(frozen=True, slots=True)
class CampaignSpec:
    """A campaign; a setting that is None is one that the file does not say."""

    slug: str
    name: Texts
    preset: str
    cap_per: str
    turn_cap: int | None
    free_choice: bool | None
    reply_deadline_s: int | None
    open_dialogues_per_tester: int | None
    is_published: bool | None
    masked_words: tuple[str, ...] | None
    bots: tuple[BotSpec, ...]
    scenarios: tuple[ScenarioSpec, ...]
    people: tuple[PersonSpec, ...]


def read_campaign_file(name: str, content: bytes, protocols: tuple[str, ...]) -> CampaignSpec:
    """The campaign of a file; `protocols` are those that bots may speak. Errors: `BadCampaignFile`."""
    try:
        parsed = parsed_file(name, content)
    except ValueError as bad:
        raise BadCampaignFile([Problem(name, f"cannot be read: {bad}")]) from bad
    reader = _Reader(protocols)
    spec = reader.campaign(parsed)
    if reader.problems:
        raise BadCampaignFile(reader.problems)
    return spec


class _Reader(TableReader):
    """Reads the tables of a campaign."""

    def __init__(self, protocols: tuple[str, ...]) -> None:
        super().__init__()
        self.protocols = protocols

    def campaign(self, parsed: Any) -> CampaignSpec:
        root = self.table(parsed, "file", {"campaign", "bots", "scenarios", "people"})
        head = self.table(
            root.get("campaign"),
            "[campaign]",
            {
                "slug", "name", "preset", "free_choice", "reply_deadline_s", "cap_per", "turn_cap",
                "open_dialogues_per_tester", "published", "masked_words",
            },
        )  # fmt: skip
        preset = self.choice(head, "preset", "[campaign]", tuple(PRESETS), "smp2018")
        cap_per = self.choice(head, "cap_per", "[campaign]", ("subtask", "dialogue"), "subtask")
        turn_cap = self.number(head, "turn_cap", "[campaign]", (1, 1000), None)
        if cap_per == "dialogue" and turn_cap is None:
            self.note("[campaign] turn_cap", 'is needed where cap_per = "dialogue"')
        if cap_per == "subtask" and turn_cap is not None:
            self.note("[campaign] turn_cap", 'is only allowed where cap_per = "dialogue"; subtasks have their own')
        subtask_cap = PRESETS[preset].subtask_cap if cap_per == "subtask" else None
        return CampaignSpec(
            slug=self.slug(head, "slug", "[campaign]"),
            name=self.texts(head, "name", "[campaign]"),
            preset=preset,
            cap_per=cap_per,
            turn_cap=turn_cap,
            free_choice=self.flag(head, "free_choice", "[campaign]") if "free_choice" in head else None,
            reply_deadline_s=self.number(head, "reply_deadline_s", "[campaign]", DEADLINE_LIMITS_S, None),
            open_dialogues_per_tester=self.number(
                head, "open_dialogues_per_tester", "[campaign]", (1, 1_000_000), None
            ),
            is_published=self.flag(head, "published", "[campaign]") if "published" in head else None,
            masked_words=tuple(self.strings(head, "masked_words", "[campaign]")) if "masked_words" in head else None,
            bots=self.rows(root, "bots", self.bot, lambda bot: bot.key),
            scenarios=self.rows(
                root,
                "scenarios",
                lambda row, place: self.scenario(row, place, subtask_cap),
                lambda scenario: scenario.key,
            ),
            people=self.rows(root, "people", self.person, lambda person: person.username),
        )

    def bot(self, row: Any, place: str) -> BotSpec:
        row = self.table(row, place, {"key", "team", "name", "protocol", "url", "secret", "options"})
        key = self.slug(row, "key", place)
        url = self.string(row, "url", place, limit=2000) if "url" in row else None
        if url and not url.startswith(("http://", "https://")):
            self.note(f"{place} url", "must start with http:// or https://")
        elif url and any(character.isspace() or not character.isprintable() for character in url):
            self.note(f"{place} url", "contains a space or a line break; copy it again without them")
        return BotSpec(
            key=key,
            team=self.string(row, "team", place, limit=200, needed=True),
            name=self.string(row, "name", place, limit=200) or key,
            protocol=self.choice(row, "protocol", place, self.protocols, "") if "protocol" in row else None,
            url=url,
            secret=self.secret(row, "secret", place) if "secret" in row else None,
            options=self.free_table(row, "options", place) if "options" in row else None,
        )

    def scenario(self, row: Any, place: str, subtask_cap: int | None) -> ScenarioSpec:
        row = self.table(
            row,
            place,
            {"key", "title", "opening", "opening_en", "instructions", "facts", "context", "subtasks"},
        )
        subtasks = row.get("subtasks")
        if not isinstance(subtasks, list) or not subtasks:
            self.note(f"{place} subtasks", "must be a list of at least one subtask")
            subtasks = []
        return ScenarioSpec(
            key=self.slug(row, "key", place),
            title=self.texts(row, "title", place, needed=False),
            opening=self.string(row, "opening", place, limit=2000),
            opening_en=self.string(row, "opening_en", place, limit=2000),
            instructions=self.texts(row, "instructions", place, needed=False),
            facts=self.free_table(row, "facts", place),
            context=self.free_table(row, "context", place),
            subtasks=tuple(
                self.subtask(subtask, f"{place} subtasks[{i}]", subtask_cap)
                for i, subtask in enumerate(subtasks, start=1)
            ),
        )

    def subtask(self, row: Any, place: str, default_cap: int | None) -> SubtaskSpec:
        row = self.table(row, place, {"kind", "turn_cap"})
        cap = self.number(row, "turn_cap", place, (1, 1000), default_cap)
        if default_cap is None and cap is not None:
            self.note(f"{place} turn_cap", 'has no meaning where cap_per = "dialogue"')
        return SubtaskSpec(self.string(row, "kind", place, limit=40, needed=True), cap)

    def person(self, row: Any, place: str) -> PersonSpec:
        row = self.table(row, place, {"username", "roles", "team"})
        username = self.string(row, "username", place, limit=150, needed=True)
        if username and not USERNAME.fullmatch(username):
            self.note(f"{place} username", "may hold letters, digits and @ . + - _ only")
        roles = self.strings(row, "roles", place)
        for role in roles:
            if role not in ROLES:
                self.note(f"{place} roles", f"{role!r} is not a role; there are {', '.join(ROLES)}")
        return PersonSpec(username, tuple(dict.fromkeys(roles)), self.string(row, "team", place, limit=200))
