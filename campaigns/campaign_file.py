"""Reads a campaign file (TOML, or JSON of the same shape) into plain values. Pure: every problem has its place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from django.utils.translation import gettext_noop

from campaigns.presets import PRESETS
from participants.header_text import is_header_text
from scoring.checking import Problems, read_declared
from scoring.findings import FILE
from scoring.kinds import (
    ANY_TEXT,
    FLAG,
    NO_TEXTS,
    SLUG,
    BothTexts,
    Checked,
    Choice,
    FreeTable,
    ListOf,
    Text,
    Texts,
    Whole,
    http_url,
)
from scoring.tables import Field, Rows, Table, table_of

ROLES = ("organizer", "tester", "reviewer", "participant")
TURN_CAP = Whole(1, 1000)
SECRET = Checked(
    Text(500, may_be_empty=True),
    is_header_text,
    gettext_noop(
        "is sent in an HTTP header: it must be ASCII on one line, without spaces at its ends; "
        "copy it again without the line break, or choose another"
    ),
)
USERNAME = Checked(
    Text(150),
    re.compile(r"[\w.@+-]{1,150}").fullmatch,
    gettext_noop("may hold letters, digits and @ . + - _ only"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSpec:
    """A bot that enters; None is what the file does not say."""

    key: Annotated[str, SLUG]
    team: Annotated[str, Text(200)]
    name: Annotated[str, Text(200, may_be_empty=True)] = ""
    protocol: Annotated[str | None, ANY_TEXT] = None
    url: Annotated[str | None, http_url(may_be_empty=True)] = None
    secret: Annotated[str | None, SECRET] = None
    options: Annotated[Mapping[str, Any] | None, FreeTable()] = None


@dataclass(frozen=True, slots=True)
class SubtaskSpec:
    kind: Annotated[str, Text(40)]
    turn_cap: Annotated[int | None, TURN_CAP] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSpec:
    key: Annotated[str, SLUG]
    title: Annotated[Texts, BothTexts(may_be_empty=True)] = NO_TEXTS
    opening: Annotated[str, Text(2000, may_be_empty=True)] = ""
    opening_en: Annotated[str, Text(2000, may_be_empty=True)] = ""
    instructions: Annotated[Texts, BothTexts(may_be_empty=True)] = NO_TEXTS
    facts: Annotated[Mapping[str, Any], FreeTable()] = field(default_factory=dict)
    context: Annotated[Mapping[str, Any], FreeTable()] = field(default_factory=dict)
    subtasks: Annotated[tuple[SubtaskSpec, ...], Rows(table_of(SubtaskSpec), may_be_empty=False)]


@dataclass(frozen=True, slots=True)
class PersonSpec:
    username: Annotated[str, USERNAME]
    roles: Annotated[tuple[str, ...], ListOf(Choice(ROLES))] = ()
    team: Annotated[str, Text(200, may_be_empty=True)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSpec:
    """A campaign; a setting that is None is one that the file does not say."""

    slug: Annotated[str, SLUG]
    name: Annotated[Texts, BothTexts()]
    preset: Annotated[str, Choice(PRESETS)] = "smp2018"
    cap_per: Annotated[str, Choice(("subtask", "dialogue"))] = "subtask"
    turn_cap: Annotated[int | None, TURN_CAP] = None
    free_choice: Annotated[bool | None, FLAG] = None
    reply_deadline_s: Annotated[int | None, Whole(1, 120)] = None
    open_dialogues_per_tester: Annotated[int | None, Whole(1, 1_000_000)] = None
    is_published: Annotated[bool | None, FLAG, "published"] = None
    masked_words: Annotated[tuple[str, ...] | None, ListOf(ANY_TEXT)] = None
    bots: tuple[BotSpec, ...] = ()
    scenarios: tuple[ScenarioSpec, ...] = ()
    people: tuple[PersonSpec, ...] = ()


ROOT = Table(
    {
        "campaign": Field(table_of(CampaignSpec)),
        "bots": Field(Rows(table_of(BotSpec), "key"), ()),
        "scenarios": Field(Rows(table_of(ScenarioSpec), "key"), ()),
        "people": Field(Rows(table_of(PersonSpec), "username"), ()),
    }
)


def read_campaign_file(name: str, content: bytes, protocols: tuple[str, ...]) -> CampaignSpec:
    """The campaign of a file; `protocols` are those that bots may speak. Errors: `BadFile`."""
    problems = Problems()
    root = problems.read(read_declared(name, content), FILE, ROOT) or ROOT.nothing
    campaign: CampaignSpec = replace(root.pop("campaign"), **root)
    _check_caps(campaign, problems)
    for number, bot in enumerate(campaign.bots, start=1):
        if bot.protocol is not None:
            Choice(protocols).read(bot.protocol, f"[[bots]] {number}", "protocol", problems)
    problems.refuse()
    return _completed(campaign)


def _check_caps(campaign: CampaignSpec, problems: Problems) -> None:
    """A cap stands where the campaign counts: in the campaign, or in each subtask."""
    if campaign.cap_per == "subtask":
        if campaign.turn_cap is not None:
            text = gettext_noop('is only allowed where cap_per = "dialogue"; subtasks have their own')
            problems.note("[campaign] turn_cap", text)
        return
    if campaign.turn_cap is None:
        problems.note("[campaign] turn_cap", gettext_noop('is needed where cap_per = "dialogue"'))
    for number, scenario in enumerate(campaign.scenarios, start=1):
        for index, subtask in enumerate(scenario.subtasks, start=1):
            if subtask.turn_cap is not None:
                place = f"[[scenarios]] {number} subtasks[{index}] turn_cap"
                problems.note(place, gettext_noop('has no meaning where cap_per = "dialogue"'))


def _completed(campaign: CampaignSpec) -> CampaignSpec:
    """With what follows from the rest of the file: a bot is called by its key, a subtask has its preset's cap."""
    cap = PRESETS[campaign.preset].subtask_cap if campaign.cap_per == "subtask" else None
    return replace(
        campaign,
        bots=tuple(replace(bot, name=bot.name or bot.key) for bot in campaign.bots),
        scenarios=tuple(
            replace(
                scenario,
                subtasks=tuple(replace(subtask, turn_cap=subtask.turn_cap or cap) for subtask in scenario.subtasks),
            )
            for scenario in campaign.scenarios
        ),
    )
