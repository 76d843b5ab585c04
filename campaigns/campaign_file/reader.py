"""Reads a campaign file (TOML, or JSON of the same shape) into plain values: rows, then settings with what follows from them and the preset. Pure: every problem has its place."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from django.utils.translation import gettext_noop

from campaigns.calendar import DATES, DEFAULT_ZONE, Calendar, Dates
from campaigns.campaign_file.calendar_settings import NO_DATE, out_of_order
from campaigns.campaign_file.campaign_settings import (
    FREE,
    IMPORTED_SCENARIO,
    RESERVED_SLUGS,
    SETTINGS,
    TABLES,
    TURN_CAP,
    said_in,
    table_of_settings,
)
from campaigns.campaign_file.model_specs import MODELS, ModelSpec
from campaigns.campaign_file.setting import OF_PRESET, Changeable
from campaigns.campaign_file.study_specs import STUDIES, StudySpec
from campaigns.descriptions import DescriptionSpec
from campaigns.hours import HOURS
from campaigns.presets import PRESETS, CampaignPreset, check_ranking
from participants.bot_form import DIAL_OUT, IN_PARALLEL, MAPPING, NOT_NEEDED, SECRET, bot_url, check_scheme
from participants.limits import MESSAGE_LIMIT, NAME_LIMIT, SUBTASK_KIND_LIMIT
from participants.mappings import problems_of
from reading.checking import Problems, read_declared
from reading.findings import FILE
from reading.kinds import (
    ANY_TEXT,
    FLAG,
    NO_TEXTS,
    SLUG,
    BothTexts,
    Checked,
    Choice,
    FreeTable,
    ListOf,
    Notes,
    TableOf,
    Text,
    Texts,
)
from reading.tables import Field, Rows, Table, table_of
from rubrics.presets import RubricPreset
from rubrics.rubric_table import RUBRIC

# The rows that one file may hold; docs/campaign-file.md tells them.
BOTS, SCENARIOS, SUBTASKS, PEOPLE = 500, 5_000, 100, 2_000
KINDS = ("person", "program")
ROLES = ("organizer", "tester", "reviewer", "participant", "expert", "adjudicator")
# The setting that a plan needs beside its kind.
NEEDED_BY = {"random_goals": "dialogues_per_bot", "quota": "quota"}
USERNAME = Checked(
    Text(150),
    re.compile(r"[\w.@+-]{1,150}").fullmatch,
    gettext_noop("may hold letters, digits and @ . + - _ only"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSpec:
    """A bot that enters; None is what the file does not say.

    A `draft` waits for an organizer; of a bot that has entered, the file says nothing of that.
    """

    key: Annotated[str, SLUG]
    team: Annotated[str, Text(NAME_LIMIT)]
    name: Annotated[str, Text(NAME_LIMIT, may_be_empty=True)] = ""
    protocol: Annotated[str | None, ANY_TEXT] = None
    url: Annotated[str | None, bot_url(may_be_empty=True)] = None
    secret: Annotated[str | None, SECRET] = None
    options: Annotated[Mapping[str, Any] | None, FreeTable()] = None
    parallel: Annotated[int | None, IN_PARALLEL] = None
    draft: Annotated[bool, FLAG] = False


@dataclass(frozen=True, slots=True)
class SubtaskSpec:
    kind: Annotated[str, Text(SUBTASK_KIND_LIMIT)]
    turn_cap: Annotated[int | None, TURN_CAP] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSpec:
    key: Annotated[str, SLUG]
    title: Annotated[Texts, BothTexts(may_be_empty=True, limit=NAME_LIMIT)] = NO_TEXTS
    opening: Annotated[str, Text(MESSAGE_LIMIT, may_be_empty=True)] = ""
    opening_en: Annotated[str, Text(MESSAGE_LIMIT, may_be_empty=True)] = ""
    instructions: Annotated[Texts, BothTexts(may_be_empty=True)] = NO_TEXTS
    skill: Annotated[str, SLUG] = ""
    items: Annotated[tuple[str, ...], ListOf(Text(500))] = ()
    facts: Annotated[Mapping[str, Any], FreeTable()] = field(default_factory=dict)
    context: Annotated[Mapping[str, Any], FreeTable()] = field(default_factory=dict)
    practice: Annotated[bool, FLAG] = False
    subtasks: Annotated[tuple[SubtaskSpec, ...], Rows(table_of(SubtaskSpec), may_be_empty=False, most=SUBTASKS)]


@dataclass(frozen=True, slots=True)
class PersonSpec:
    username: Annotated[str, USERNAME]
    roles: Annotated[tuple[str, ...], ListOf(Choice(ROLES))] = ()
    team: Annotated[str, Text(NAME_LIMIT, may_be_empty=True)] = ""
    # Of an account that is new; one that is there stays what it is.
    kind: Annotated[str, Choice(KINDS)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursSpec:
    """When bots are open and testers on shift, by key and by user name; the others stay as they are."""

    bots: Annotated[Mapping[str, str], TableOf(SLUG, HOURS)] = field(default_factory=dict)
    testers: Annotated[Mapping[str, str], TableOf(USERNAME, HOURS)] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSpec:
    """A campaign; `settings` maps names to values, without those that the file leaves as they are.

    `said` are the settings that the file mentions itself. `own_rubric` and `own_ranking` are None where the file leaves them to the preset.
    """

    slug: str
    settings: Mapping[str, Any]
    said: frozenset[str] = frozenset()
    own_rubric: RubricPreset | None = None
    own_ranking: tuple[str, ...] | None = None
    description: DescriptionSpec | None = None
    hours: HoursSpec = HoursSpec()
    bots: tuple[BotSpec, ...] = ()
    scenarios: tuple[ScenarioSpec, ...] = ()
    people: tuple[PersonSpec, ...] = ()
    models: tuple[ModelSpec, ...] = ()
    studies: tuple[StudySpec, ...] = ()

    @property
    def preset(self) -> CampaignPreset:
        return PRESETS[self.settings["preset"]]

    @property
    def rubric(self) -> RubricPreset:
        return self.own_rubric or self.preset.rubric

    @property
    def ranking_rule(self) -> tuple[str, ...]:
        return self.preset.ranking_rule if self.own_ranking is None else self.own_ranking

    @property
    def subtask_cap(self) -> int | None:
        """The turn cap of a subtask for which the file says none."""
        return self.preset.subtask_cap if self.settings["cap_per"] == "subtask" else None

    @property
    def settings_when_new(self) -> dict[str, Any]:
        """With what the preset says where the file says nothing."""
        return {**self.preset.settings, **self.settings}


HEAD = Table({"slug": Field(SLUG), **table_of_settings("campaign").fields})
ROOT = Table(
    {
        **{name: Field(table, table.nothing) for name in TABLES for table in [table_of_settings(name)]},
        "campaign": Field(HEAD),
        "description": Field(table_of(DescriptionSpec), None),
        "hours": Field(table_of(HoursSpec), HoursSpec()),
        "rubric": Field(RUBRIC, None),
        "bots": Field(Rows(table_of(BotSpec), "key", most=BOTS), ()),
        "scenarios": Field(Rows(table_of(ScenarioSpec), "key", most=SCENARIOS), ()),
        "people": Field(Rows(table_of(PersonSpec), "username", most=PEOPLE), ()),
        "models": Field(Rows(table_of(ModelSpec), "key", most=MODELS), ()),
        "studies": Field(Rows(table_of(StudySpec), "key", most=STUDIES), ()),
    }
)


def read_campaign_file(name: str, content: bytes, protocols: tuple[str, ...]) -> CampaignSpec:
    """The campaign of a file; `protocols` are those that bots may speak. Errors: `BadFile`."""
    problems = Problems()
    root = problems.read(read_declared(name, content), FILE, ROOT) or ROOT.nothing
    said = said_in(root)
    preset = PRESETS[said.get("preset", SETTINGS["preset"].default)]
    campaign = CampaignSpec(
        slug=root["campaign"]["slug"],
        settings=settled(said, preset, problems),
        said=frozenset(said),
        own_rubric=root["rubric"],
        own_ranking=said.get("ranking_rule"),
        description=root["description"],
        hours=root["hours"],
        bots=root["bots"],
        scenarios=root["scenarios"],
        people=root["people"],
        models=root["models"],
        studies=root["studies"],
    )
    _check(campaign, protocols, problems)
    problems.refuse()
    return _completed(campaign)


def _check(campaign: CampaignSpec, protocols: tuple[str, ...], problems: Problems) -> None:
    """What one place of the file needs of another."""
    if campaign.slug in RESERVED_SLUGS:
        problems.note("[campaign] slug", gettext_noop("is the address of a page; choose another"))
    check_scenarios(campaign, problems)
    check_dates(dates_of(campaign.settings), problems)
    check_rule(campaign.own_ranking, campaign.own_rubric, campaign.preset, problems)
    if campaign.scenarios:
        skills = [scenario.skill for scenario in campaign.scenarios]
        check_skills(skills, campaign.settings.get("quota", {}), campaign.own_rubric, campaign.preset, problems)
    for number, bot in enumerate(campaign.bots, start=1):
        if bot.protocol is not None:
            Choice(protocols).read(bot.protocol, f"[[bots]] {number}", "protocol", problems)
        if bot.protocol == MAPPING and bot.options is not None:
            for problem in problems_of(bot.options):
                problems.add(replace(problem, place=f"[[bots]] {number} {problem.place}"))
        if bot.url and bot.protocol is not None and (bot.protocol != MAPPING or bot.options is not None):
            check_scheme(bot.url, bot.protocol, bot.options or {}, f"[[bots]] {number} url", problems)
        if bot.protocol == DIAL_OUT and (bot.url or bot.secret):
            problems.note(f"[[bots]] {number} {'url' if bot.url else 'secret'}", NOT_NEEDED)


def check_scenarios(campaign: CampaignSpec, problems: Problems) -> None:
    """What scenarios need of the campaign's settings."""
    _check_caps(campaign, problems)
    for number, scenario in enumerate(campaign.scenarios, start=1):
        if scenario.key == IMPORTED_SCENARIO:
            text = gettext_noop("is reserved for imported dialogues; choose another key")
            problems.note(f"[[scenarios]] {number} key", text)


def _check_caps(campaign: CampaignSpec, problems: Problems) -> None:
    """A cap stands where the campaign counts: in the campaign, or in each subtask."""
    _check_caps_of_utterances(campaign, problems)
    cap_per, turn_cap = campaign.settings["cap_per"], campaign.settings["turn_cap"]
    if cap_per == "subtask":
        if turn_cap is not None:
            text = gettext_noop('is only allowed where cap_per = "dialogue"; subtasks have their own')
            problems.note("[campaign] turn_cap", text)
        return
    if turn_cap is None:
        problems.note("[campaign] turn_cap", gettext_noop('is needed where cap_per = "dialogue"'))
    for number, scenario in enumerate(campaign.scenarios, start=1):
        for index, subtask in enumerate(scenario.subtasks, start=1):
            if subtask.turn_cap is not None:
                place = f"[[scenarios]] {number} subtasks[{index}] turn_cap"
                problems.note(place, gettext_noop('has no meaning where cap_per = "dialogue"'))


def _check_caps_of_utterances(campaign: CampaignSpec, problems: Problems) -> None:
    """The tester says something and is answered: an exchange is two utterances, after the bot's opening where it has one."""
    if campaign.settings["turns_are"] != "utterances":
        return
    with_opening = 3 if campaign.settings["opened_by"] == "bot" else 2
    caps = [("[campaign] turn_cap", campaign.settings["turn_cap"], with_opening)]
    for number, scenario in enumerate(campaign.scenarios, start=1):
        for index, subtask in enumerate(scenario.subtasks, start=1):
            least = with_opening if index == 1 else 2
            caps.append((f"[[scenarios]] {number} subtasks[{index}] turn_cap", subtask.turn_cap, least))
    for place, cap, least in caps:
        if cap is not None and cap < least:
            text = gettext_noop(
                "must be at least %(least)s utterances: what is said, its answer, and the system's opening first"
            )
            if least == 2:
                text = gettext_noop("must be at least %(least)s utterances: what is said, and its answer")
            problems.note(place, text, least=least)


def _completed(campaign: CampaignSpec) -> CampaignSpec:
    """With what follows from the rest of the file: a bot is called by its key."""
    return replace(campaign, bots=tuple(replace(bot, name=bot.name or bot.key) for bot in campaign.bots))


def settled(said: Mapping[str, Any], preset: CampaignPreset, problems: Problems) -> dict[str, Any]:
    """The settings that a load stores: what the file says, what follows from it, and the rules of dialogues whatever it says.

    Other settings that it does not say keep what is stored. The ranking rule is not among them: it goes with the rubric.
    """
    settings = {name: value for name, value in said.items() if name != "ranking_rule"}
    _follow_plan(settings, preset, problems)
    if "reviewed_by" in settings:
        settings.setdefault("counted_reviews", settings["reviewed_by"])
    if "reviewed_by" in settings:
        check_who_counts(settings["reviewed_by"], settings["counted_reviews"], problems)
    for name, setting in SETTINGS.items():
        if setting.changeable is Changeable.BEFORE_DIALOGUES and setting.default is not OF_PRESET:
            settings.setdefault(name, preset.value_of(name))
    if "turn_cap" not in said and settings["cap_per"] == "subtask":
        settings["turn_cap"] = None
    return settings


def _follow_plan(settings: dict[str, Any], preset: CampaignPreset, problems: Problems) -> None:
    """The plan says whether testers choose for themselves; what it needs stands beside it or in the preset."""
    if "plan" not in settings:
        return
    plan = settings["plan"]
    if plan == FREE:
        settings["plan"] = SETTINGS["plan"].default
        if settings.setdefault("free_choice", True) is False:
            problems.note(SETTINGS["plan"].place, gettext_noop('is "free", but free_choice is false'))
    settings.setdefault("free_choice", False)
    # Where testers talk to two systems at once, no single dialogue need be planned.
    has_pairs = settings.get("pairs_kind", preset.value_of("pairs_kind")) == "live"
    needed = None if has_pairs else NEEDED_BY.get(plan)
    if needed and not settings.get(needed, preset.value_of(needed)):
        text = gettext_noop('is needed where kind = "%(kind_of_plan)s"')
        problems.note(SETTINGS[needed].place, text, kind_of_plan=plan)


def check_who_counts(by: str, counted: str, problems: Problems) -> None:
    """Scores can only count if somebody gives them, and somebody's count where they are given."""
    if counted == by or (by == "both" and counted != "nobody"):
        return
    text = gettext_noop('is "%(counted)s", but by = "%(by)s" gives no such scores')
    if counted == "nobody":
        text = gettext_noop('is "nobody", but by = "%(by)s" gives scores that would rank nothing')
    problems.note(SETTINGS["counted_reviews"].place, text, counted=counted, by=by)


def check_dates(calendar: Calendar, problems: Notes) -> None:
    """Each date that comes before one that it must follow is named with it."""
    for wrong in out_of_order(calendar):
        problems.note(SETTINGS[wrong.later].place, wrong.text, earlier=wrong.earlier)


def dates_of(settings: Mapping[str, Any]) -> Dates:
    """The calendar that settings by name say."""
    said = {name: settings[name] for name in DATES if settings.get(name, NO_DATE) != NO_DATE}
    return Dates(time_zone=settings.get("time_zone", DEFAULT_ZONE), **said)


def check_rule(
    said: tuple[str, ...] | None, own_rubric: RubricPreset | None, preset: CampaignPreset, problems: Problems
) -> None:
    """A rule ranks by what the rubric gives; with another rubric the preset's rule may not do."""
    rubric = own_rubric or preset.rubric
    if said is not None:
        if not said:
            problems.note("[ranking] keys", gettext_noop("must hold at least one figure"))
        check_ranking(said, rubric, problems)
        return
    if own_rubric is None:
        return
    misfits = Problems()
    check_ranking(preset.ranking_rule, rubric, misfits)
    if misfits:
        text = gettext_noop("is missing: the preset ranks by %(rule)s, which this rubric does not give")
        problems.note("[ranking] keys", text, rule=", ".join(preset.ranking_rule))


def check_skills(
    skills: Collection[str],
    quota: Mapping[str, int],
    own_rubric: RubricPreset | None,
    preset: CampaignPreset,
    problems: Problems,
) -> None:
    """A skill that neither a scenario nor the preset knows is a slip of the pen; `skills` are those of the scenarios."""
    known = set(skills) | set(preset.value_of("quota"))
    known |= {skill for criterion in preset.rubric.criteria for skill in criterion.skills}
    asked = [(f"[plan] quota {skill}", skill) for skill in quota]
    for number, criterion in enumerate(own_rubric.criteria if own_rubric else (), start=1):
        asked += [(f"[rubric] criteria[{number}] skills", skill) for skill in criterion.skills]
    for place, skill in asked:
        if skill not in known:
            problems.note(place, gettext_noop("no scenario has the skill “%(skill)s”"), skill=skill)
