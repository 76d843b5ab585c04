"""Settings as a form shows, sends and reads them, what of them has to fit together, and storing what was changed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.actions import FixedByDialogues, NoSuchFigure, OnlyStaff, change_settings
from campaigns.actions.assigning import ground_of
from campaigns.campaign_file.campaign_settings import MOST_DRAWN, SETTINGS, settings_of
from campaigns.campaign_file.reader import NEEDED_BY, check_who_counts
from campaigns.campaign_file.setting import Setting
from campaigns.models import Campaign
from campaigns.planning.plan_sizes import PlanTooLarge, check_size
from campaigns.planning.plans import Plan, PlanKind
from reading.checking import Problems
from reading.digits import whole_or_none, whole_or_text
from reading.kinds import BothTexts, Choice, Flag, ListOf, TableOf, Texts, Whole, WholeOr

# What is changed elsewhere, and the page where: dates with a reason, failures after a preview, the leaderboard's publication.
ELSEWHERE = dict.fromkeys(settings_of("calendar"), "calendar") | {
    **dict.fromkeys(settings_of("faults"), "faults"),
    "is_published": "publication",
    "preset": "file",
}
FLAGS = {"yes": True, "no": False}


def control_of(setting: Setting) -> str:
    """Which control asks for the setting."""
    match setting.kind:
        case BothTexts():
            return "both"
        case Choice() | Flag():
            return "choice"
        case WholeOr():
            return "text"
        case Whole():
            return "number"
        case _ if setting.name == "ranking_rule":
            return "ranking"
    return "area"


def typed_of(value: Any) -> str:
    """The value as one field shows it: lists and tables have a line per entry."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return ""
        case tuple():
            return "\n".join(value)
        case Mapping():
            return "\n".join(f"{name} {number}" for name, number in value.items())
    return str(value)


def read_settings(sent: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The settings that were sent, by name, and a sentence for each that cannot be used."""
    read: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, setting in SETTINGS.items():
        said = _said(setting, sent)
        if said is None or name in ELSEWHERE:
            continue
        if setting.name == "turn_cap" and said == "":
            read[name] = None
            continue
        problems = Problems()
        value = setting.kind.read(said, "", name, problems)
        if problems:
            wrong[name] = problems.listed()[0].message
        else:
            read[name] = value
    return read, wrong


def only_what_applies(
    read: Mapping[str, Any], wrong: Mapping[str, str], before: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Without the fields that the page hides, by what is chosen in the others; two settings follow such a choice."""
    then = {**before, **read}
    applying = {name for name, setting in SETTINGS.items() if setting.applies(then)}
    kept = {name: value for name, value in read.items() if name in applying}
    if read.get("cap_per") == "subtask":
        kept["turn_cap"] = None
    if read.get("reviewed_by", "both") != "both":
        kept["counted_reviews"] = read["reviewed_by"]
    return kept, {name: text for name, text in wrong.items() if name in applying}


def _said(setting: Setting, sent: Mapping[str, str]) -> Any:
    """What the controls of a setting say, in the form that files have; None where the form had none."""
    name = setting.name
    match control_of(setting):
        case "both":
            if f"{name}_zh" not in sent:
                return None
            zh, en = sent[f"{name}_zh"].strip(), sent.get(f"{name}_en", "").strip()
            return {"zh": zh or en, "en": en or zh}
        case "ranking":
            places = [sent[key] for key in sorted(sent, key=_place_in_rule) if key.startswith(f"{name}_")]
            return [figure for figure in places if figure] if places else None
    if name not in sent:
        return None
    return _of_one_field(setting, sent[name])


def _of_one_field(setting: Setting, typed: str) -> Any:
    typed = typed.replace("\r\n", "\n")
    match setting.kind:
        case Flag():
            return FLAGS.get(typed, typed)
        case Whole():
            typed = typed.strip() or setting.word_for_null
            return whole_or_text(typed)
        case ListOf():
            return [line.strip() for line in typed.split("\n") if line.strip()]
        case TableOf():
            return {name: whole_or_text(number) for name, number in map(_pair, filter(str.strip, typed.split("\n")))}
    return typed


def _pair(line: str) -> tuple[str, str]:
    name, _between, number = line.strip().rpartition(" ")
    return (name.strip(), number) if name else (number, "")


def _place_in_rule(key: str) -> int:
    return whole_or_none(key.rpartition("_")[2]) or 0


def check_together(settings: Mapping[str, Any], before: Mapping[str, Any], *, has_scenarios: bool) -> dict[str, str]:
    """What would be wrong of all settings as they are to be, by the name of the setting."""
    wrong: dict[str, str] = {}
    _check_caps(settings, before, wrong, has_scenarios=has_scenarios)
    problems = Problems()
    check_who_counts(settings["reviewed_by"], settings["counted_reviews"], problems)
    if problems:
        wrong["counted_reviews"] = problems.listed()[0].message
    needed = None if settings["pairs_kind"] == "live" else NEEDED_BY.get(settings["plan"])
    if needed and not settings[needed]:
        wrong[needed] = gettext(gettext_noop("This plan needs it."))
    if not settings["ranking_rule"]:
        wrong["ranking_rule"] = gettext("Choose at least one figure.")
    elif len(set(settings["ranking_rule"])) != len(settings["ranking_rule"]):
        wrong["ranking_rule"] = gettext("A figure can decide only once.")
    return wrong


def _check_caps(
    settings: Mapping[str, Any], before: Mapping[str, Any], wrong: dict[str, str], *, has_scenarios: bool
) -> None:
    cap = settings["turn_cap"]
    if has_scenarios and settings["cap_per"] != before["cap_per"]:
        wrong["cap_per"] = gettext("The scenarios have their caps by this rule: change both with the campaign's file.")
    elif settings["cap_per"] == "subtask" and cap is not None:
        wrong["turn_cap"] = gettext("Leave it empty: each subtask has its own cap.")
    elif settings["cap_per"] == "dialogue" and cap is None:
        wrong["turn_cap"] = gettext("Say how many turns a dialogue may take.")
    if has_scenarios and settings["cap_per"] == "subtask" and settings["turns_are"] != before["turns_are"]:
        wrong["turns_are"] = gettext(
            "The scenarios have their caps by this rule: change both with the campaign's file."
        )
    least = 3 if settings["opened_by"] == "bot" else 2
    if settings["turns_are"] == "utterances" and cap is not None and cap < least:
        wrong["turn_cap"] = gettext("At least %(least)s utterances are needed.") % {"least": least}


def as_json(value: Any) -> Any:
    """The value as the API gives it."""
    match value:
        case Texts():
            return {"zh": value.zh, "en": value.en}
        case tuple():
            return list(value)
    return value


def changed_settings(
    campaign: Campaign, said: Mapping[str, Any], *, by: Person, at: datetime
) -> tuple[list[Setting], dict[str, str]]:
    """The settings that were changed, and what was wrong; where anything was, nothing is changed. Errors: `NotNow`."""
    before = {name: setting.value_in(campaign) for name, setting in SETTINGS.items()}
    changes = {name: value for name, value in said.items() if value != before[name]}
    wrong = check_together(before | changes, before, has_scenarios=campaign.scenarios.declared().exists())
    # What was wrong before and is not touched is nobody's to mend here.
    wrong = {name: text for name, text in wrong.items() if changes}
    if wrong:
        return [], wrong
    try:
        check_plan(campaign, before | changes, changes)
        return change_settings(campaign=campaign, changes=changes, by=by, at=at), {}
    except FixedByDialogues as fixed:
        text = _("Dialogues were opened by this rule: it stays.")
        return [], {setting.name: text for setting in fixed.settings}
    except PlanTooLarge as large:
        return [], {large.setting: str(large)}
    except OnlyStaff:
        text = _("Only staff of the platform let a plan have more than %(most)s assignments.")
        return [], {"plan_limit": text % {"most": f"{MOST_DRAWN:,}"}}
    except NoSuchFigure as unknown:
        return [], {"ranking_rule": _("The rubric gives no %(names)s.") % {"names": unknown}}


def check_plan(campaign: Campaign, settings: Mapping[str, Any], changes: Mapping[str, Any]) -> None:
    """A plan that cannot be drawn over the campaign as it is, is said where it is chosen. Errors: `PlanTooLarge`."""
    if settings["free_choice"] or not changes.keys() & {*settings_of("plan"), "free_choice"}:
        return
    plan = Plan(
        PlanKind(settings["plan"]), settings["testers_per_cell"], settings["dialogues_per_bot"], settings["quota"]
    )
    check_size(plan, ground_of(campaign), settings["plan_limit"])
