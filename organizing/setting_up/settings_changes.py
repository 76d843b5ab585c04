"""Stores what a form or a program changes of the settings, or says what is wrong by the name of the setting."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.actions import FixedByDialogues, NoSuchFigure, OnlyStaff, change_settings
from campaigns.actions.assigning import ground_of
from campaigns.campaign_settings import MOST_DRAWN, SETTINGS, settings_of
from campaigns.models import Campaign
from campaigns.plan_sizes import PlanTooLarge, check_size
from campaigns.plans import Plan, PlanKind
from campaigns.setting import Setting
from organizing.setting_up.settings_form import check_together


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
