"""The settings of a campaign file: with what follows from them and from the preset, and checked against each other. Pure."""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from campaigns.calendar import DATES, DEFAULT_ZONE, Calendar, Dates
from campaigns.calendar_settings import NO_DATE, out_of_order
from campaigns.campaign_settings import FREE, SETTINGS
from campaigns.presets import CampaignPreset, check_ranking
from campaigns.setting import OF_PRESET, Changeable
from reading.checking import Problems
from reading.kinds import Notes
from rubrics.presets import RubricPreset

# The setting that a plan needs beside its kind.
NEEDED_BY = {"random_goals": "dialogues_per_bot", "quota": "quota"}


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
    needed = NEEDED_BY.get(plan)
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
