"""The settings of a campaign as a page shows them, in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.campaign_file.setting import Setting
from campaigns.models import Campaign
from campaigns.presets import PRESETS
from look.moments import time_element
from measures.live import RECORD_FIGURES
from reading.kinds import Texts
from rubrics.bilingual import in_readers_language


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """A setting in the reader's language."""

    label: str
    about: str
    value: str


def shown_settings(campaign: Campaign) -> list[ShownSetting]:
    return [ShownSetting(_(one.label), _(one.about), _shown(one, campaign)) for one in SETTINGS.values()]


def _shown(setting: Setting, campaign: Campaign) -> str:
    value = setting.value_in(campaign)
    if setting.name == "preset" and value in PRESETS:
        rubric = PRESETS[value].rubric
        return in_readers_language(rubric.name_zh, rubric.name_en)
    if setting.name == "ranking_rule":
        letters = {figure.name: figure.letter for figure in RECORD_FIGURES}
        letters |= dict(campaign.rubric.criteria.values_list("key", "letter"))
        value = tuple(letters.get(name, name) for name in value)
    if isinstance(value, datetime):
        return time_element(ZoneInfo(campaign.time_zone), value)
    return in_words(value, setting.words)


def in_words(value: Any, words: Mapping[Any, str] | None = None) -> str:
    """A value; `words` names the choices."""
    match value:
        case str() if words and value in words:
            return _(words[value])
        case bool():
            return _("yes") if value else _("no")
        case Texts():
            return " / ".join(dict.fromkeys(filter(None, (value.zh, value.en)))) or "–"
        case tuple():
            return ", ".join(value) or "–"
        case Mapping():
            return ", ".join(f"{name} {number}" for name, number in value.items()) or "–"
        case None | "":
            return "–"
    return str(value)
