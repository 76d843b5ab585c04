"""The page of settings: what each one is now, what the preset says, whether it may still change; and changing them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from campaigns.access import for_roles
from campaigns.calendar import Doing, why_closed
from campaigns.campaign_settings import SETTINGS, TABLES, settings_of
from campaigns.models import Campaign, Role
from campaigns.presets import PRESETS
from campaigns.setting import OF_PRESET, Changeable, Setting
from campaigns.shown_settings import in_words, shown_settings
from measures.live import RECORD_FIGURES
from organizing.setting_up.settings_changes import changed_settings
from organizing.setting_up.settings_form import ELSEWHERE, control_of, read_settings, typed_of
from reading.kinds import Flag, Texts
from reading.tables import NEEDED

HEADS = {
    "campaign": gettext_noop("Campaign"),
    "calendar": gettext_noop("Calendar"),
    "plan": gettext_noop("Plan"),
    "reviewing": gettext_noop("Reviewing"),
    "faults": gettext_noop("Failures of systems"),
    "ranking": gettext_noop("Ranking"),
}


@dataclass(frozen=True, slots=True)
class SettingRow:
    """`fixed` says why it cannot change here; `page` is where it is changed instead."""

    name: str
    label: str
    about: str
    control: str
    typed: str
    now: str
    of_preset: str
    choices: tuple[tuple[str, str], ...]
    fixed: str
    page: str
    wrong: str
    pair: tuple[str, str] = ("", "")
    places: tuple[tuple[int, str], ...] = ()


def tables_of_settings(
    campaign: Campaign, at: datetime, sent: Mapping[str, str], wrong: Mapping[str, str]
) -> list[tuple[str, list[SettingRow]]]:
    """Grouped as in the campaign's file, with what was typed where something was sent."""
    shown = dict(zip(SETTINGS, shown_settings(campaign), strict=True))
    over, has_begun = why_closed(campaign, Doing.ORGANIZE, at), campaign.has_begun()
    figures = _figures(campaign)

    def row(setting: Setting) -> SettingRow:
        name, value = setting.name, setting.value_in(campaign)
        page = reverse(ELSEWHERE[name], args=[campaign.slug]) if name in ELSEWHERE else ""
        return SettingRow(
            name=name,
            label=shown[name].label,
            about=shown[name].about,
            control=control_of(setting),
            typed=sent.get(name, typed_of(value)),
            now=shown[name].value,
            of_preset=_of_preset(campaign, setting),
            choices=figures if name == "ranking_rule" else _choices(setting),
            fixed=over or _fixed(setting, has_begun=has_begun),
            page=page,
            wrong=wrong.get(name, ""),
            pair=_pair(setting, value, sent),
            places=_places(setting, value, sent, len(figures)),
        )

    return [(_(HEADS.get(table, table)), [row(setting) for setting in settings_of(table).values()]) for table in TABLES]


def _fixed(setting: Setting, *, has_begun: bool) -> str:
    if has_begun and setting.changeable is Changeable.BEFORE_DIALOGUES:
        return _("Dialogues were opened by this rule: it stays.")
    return ""


def _of_preset(campaign: Campaign, setting: Setting) -> str:
    preset = PRESETS.get(campaign.preset)
    if preset is None or setting.default is NEEDED or setting.name == "preset" or setting.table == "calendar":
        return ""
    value = preset.ranking_rule if setting.default is OF_PRESET else preset.value_of(setting.name)
    if setting.name == "ranking_rule":
        letters = dict(_figures(campaign))
        value = tuple(letters.get(name, name) for name in value)
    return in_words(value, setting.words)


def _choices(setting: Setting) -> tuple[tuple[str, str], ...]:
    if isinstance(setting.kind, Flag):
        return (("yes", _("yes")), ("no", _("no")))
    return tuple((one, in_words(one, setting.words)) for one in setting.stored_choices)


def _figures(campaign: Campaign) -> tuple[tuple[str, str], ...]:
    letters = {figure.name: figure.letter for figure in RECORD_FIGURES}
    letters |= dict(campaign.rubric.criteria.values_list("key", "letter"))
    return tuple((name, letters.get(name, name)) for name in campaign.figures())


def _pair(setting: Setting, value: Any, sent: Mapping[str, str]) -> tuple[str, str]:
    if not isinstance(value, Texts):
        return ("", "")
    return sent.get(f"{setting.name}_zh", value.zh), sent.get(f"{setting.name}_en", value.en)


def _places(setting: Setting, value: Any, sent: Mapping[str, str], n_figures: int) -> tuple[tuple[int, str], ...]:
    """The places of the ranking rule, the one that decides first in front; those that nothing stands in are empty."""
    if setting.name != "ranking_rule":
        return ()
    stored = dict(enumerate(value, start=1))
    return tuple((place, sent.get(f"ranking_rule_{place}", stored.get(place, ""))) for place in range(1, n_figures + 1))


NOTHING: Mapping[str, str] = {}


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _page(request, campaign, NOTHING, NOTHING, status=200)
    read, wrong = read_settings(request.POST.dict())
    changed: list[Setting] = []
    if not wrong:
        changed, wrong = changed_settings(campaign, read, by=person_of(request), at=timezone.now())
    if wrong:
        return _page(request, campaign, request.POST.dict(), wrong, status=422)
    if changed:
        names = ", ".join(_(one.label) for one in changed)
        messages.success(request, _("Changed: %(names)s.") % {"names": names})
    else:
        messages.info(request, _("Nothing was different, so nothing was changed."))
    if {one.name for one in changed} & {*settings_of("plan"), "free_choice"}:
        messages.warning(request, _("Assignments follow the plan once they are drawn again: Manage › Coverage."))
    return redirect("settings", slug=campaign.slug)


def _page(
    request: HttpRequest, campaign: Campaign, sent: Mapping[str, str], wrong: Mapping[str, str], *, status: int
) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "tables": tables_of_settings(campaign, timezone.now(), sent, wrong),
        "n_wrong": len(wrong),
    }
    return render(request, "organizing/setting_up/settings.html", shown, status=status)
