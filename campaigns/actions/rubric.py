"""Gives a campaign another rubric, as long as nothing was said or scored by the one that it has."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.actions.changing import note_changed_scores
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign
from campaigns.presets import PRESETS
from campaigns.trail_acts import RUBRIC_CHANGED
from rubrics.actions import rubric_from_preset
from rubrics.models import Rubric
from rubrics.presets import RubricPreset
from serving.refused import Refused


class RubricIsFixed(Refused):
    """Dialogues were opened or records imported by the rubric: it stays."""

    code = "rubric_is_fixed"

    def __str__(self) -> str:
        return _("Dialogues were opened or records imported by this rubric: it stays.")


def has_fixed_rubric(campaign: Campaign) -> bool:
    return campaign.has_begun() or campaign.entries.filter(has_imported_records=True).exists()


def own_rubric_key(campaign: Campaign) -> str:
    """The key under which the campaign's changes are stored: a preset's rubric stays the preset's."""
    of_presets = {preset.rubric.key for preset in PRESETS.values()}
    if campaign.rubric.key not in of_presets:
        return campaign.rubric.key
    return f"{campaign.slug}-own" if campaign.slug in of_presets else campaign.slug


@transaction.atomic
def change_rubric(*, campaign: Campaign, wanted: RubricPreset, by: Person | None, at: datetime) -> Rubric:
    """Stores what is wanted as the next version of its key, unless it is stored, and gives it to the campaign.

    What the rule ranked by and the rubric no longer gives leaves the rule. Errors: `RubricIsFixed`, `NotNow`.
    """
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    if has_fixed_rubric(campaign):
        raise RubricIsFixed
    before, campaign.rubric = campaign.rubric, rubric_from_preset(wanted)
    if campaign.rubric == before:
        return before
    figures = campaign.figures()
    campaign.ranking_rule = [name for name in campaign.ranking_rule if name in figures] or ["completion"]
    campaign.save(update_fields=["rubric", "ranking_rule"])
    note_changed_scores(campaign=campaign)
    details = {"changes": [f"rubric {before} → {campaign.rubric}"]}
    record(RUBRIC_CHANGED, by=by, campaign=campaign.slug, about=campaign.slug, details=details)
    return campaign.rubric
