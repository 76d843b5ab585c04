"""The settings of a campaign, page and API: what each one is now, whether it may still change; and changing them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.access import person_of
from api.describing import describes
from api.parsers import fields_of
from campaigns.access import OrganizersView, for_roles
from campaigns.calendar import Doing, why_closed
from campaigns.campaign_file.campaign_settings import SETTINGS, settings_of
from campaigns.campaign_file.setting import OF_PRESET, Changeable, Setting
from campaigns.campaign_file.shown_settings import in_words, shown_settings
from campaigns.models import Campaign, Role
from campaigns.presets import PRESETS
from measures.live import RECORD_FIGURES
from organizing.setting_up.settings_form import (
    ELSEWHERE,
    as_json,
    changed_settings,
    control_of,
    only_what_applies,
    read_settings,
    typed_of,
)
from reading.checking import Problems
from reading.kinds import Flag, Texts
from reading.tables import NEEDED, Field, Table

# Subjects, and the settings of `[campaign]` under them; other tables of the file are a subject of their own.
SUBJECTS: Mapping[str, tuple[str, ...]] = {
    gettext_noop("Name and visibility"): ("name", "preset", "language", "is_announced", "takes_applications", "is_published"),
    gettext_noop("Turns and endings"): (
        "cap_per", "turn_cap", "turns_are", "opened_by", "bot_may_end", "tester_may_end", "silence_limit_min",
    ),
    gettext_noop("Who talks to what"): (
        "free_choice", *settings_of("plan"), "open_dialogues_per_tester", "members_may_judge",
    ),
    gettext_noop("Systems"): (
        "admission", "green_report_hours", "reply_deadline_s", "pauses_failing_bots", "sends_goal", "context_message",
    ),
    gettext_noop("Scoring and reviewing"): tuple(settings_of("reviewing")),
    gettext_noop("Pairs side by side"): tuple(settings_of("pairs")),
    gettext_noop("Ranking and failures of systems"): (*settings_of("ranking"), *settings_of("faults")),
    gettext_noop("Replays and the sentinel"): tuple(settings_of("replays")),
    gettext_noop("Language models"): tuple(settings_of("model_budgets")),
    gettext_noop("Texts and privacy"): ("releases_transcripts", "texts_kept_days", "masked_words"),
    gettext_noop("Calendar"): tuple(settings_of("calendar")),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SettingRow:
    """`fixed` says why it cannot change here; `page` is where it is changed instead.

    It is hidden where it does not apply; `needs` says to the page's script what in other fields makes it apply.
    """

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
    applies: bool
    needs: str
    pair: tuple[str, str] = ("", "")
    places: tuple[tuple[int, str], ...] = ()

    @property
    def differs(self) -> bool:
        return self.applies and bool(self.of_preset) and self.of_preset != self.now


@dataclass(frozen=True, slots=True)
class Subject:
    label: str
    rows: list[SettingRow]
    is_open: bool

    @property
    def n_different(self) -> int:
        return sum(row.differs for row in self.rows)


def subjects_of(campaign: Campaign, at: datetime, sent: Mapping[str, str], wrong: Mapping[str, str]) -> list[Subject]:
    """The settings by subject, with what was typed where something was sent; what is wrong is in an open one."""
    shown = dict(zip(SETTINGS, shown_settings(campaign), strict=True))
    over, has_begun = why_closed(campaign, Doing.ORGANIZE, at), campaign.has_begun()
    figures = _figures(campaign)
    stored = {name: setting.value_in(campaign) for name, setting in SETTINGS.items()}
    now = stored | read_settings(sent)[0]

    def is_fixed(setting: Setting) -> bool:
        return has_begun and setting.changeable is Changeable.BEFORE_DIALOGUES

    def row(setting: Setting) -> SettingRow:
        name, value = setting.name, stored[setting.name]
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
            fixed=over or (_("Dialogues were opened by this rule: it stays.") if is_fixed(setting) else ""),
            page=page,
            wrong=wrong.get(name, ""),
            applies=setting.applies(now) or name in wrong,
            needs=";".join(f"{other}={','.join(map(typed_of, values))}" for other, values in setting.needs.items()),
            pair=_pair(setting, value, sent),
            places=_places(setting, value, sent, len(figures)),
        )

    named = {name for names in SUBJECTS.values() for name in names}
    first, found = next(iter(SUBJECTS)), []
    for subject, names in SUBJECTS.items():
        others = [name for name in SETTINGS if name not in named] if subject == first else []
        rows = [row(SETTINGS[name]) for name in (*names, *others)]
        found.append(Subject(_(subject), rows, subject == first or any(one.wrong for one in rows)))
    return found


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
    before = {name: setting.value_in(campaign) for name, setting in SETTINGS.items()}
    read, wrong = only_what_applies(*read_settings(request.POST.dict()), before)
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
        "subjects": subjects_of(campaign, timezone.now(), sent, wrong),
        "over": why_closed(campaign, Doing.ORGANIZE, timezone.now()),
        "n_wrong": len(wrong),
    }
    return render(request, "organizing/setting_up/settings.html", shown, status=status)


CHANGES = Table({name: Field(one.kind, None) for name, one in SETTINGS.items() if name not in ELSEWHERE})


class SettingAnswer(TypedDict):
    value: Any
    may_change: bool


class SettingsOfCampaign(OrganizersView):
    """GET gives each setting by name with whether it may still change; PATCH changes those that it names."""

    @describes("Gives each setting by name with whether it may still change", dict[str, SettingAnswer])
    def get(self, request: Request) -> dict[str, SettingAnswer]:
        return shown(self.campaign)

    @describes("Changes the settings that it names", dict[str, SettingAnswer], reads=CHANGES, refuses=(409,))
    def patch(self, request: Request) -> dict[str, SettingAnswer]:
        read, wrong = read_body(fields_of(request))
        if not wrong:
            _changed, wrong = changed_settings(self.campaign, read, by=person_of(request), at=timezone.now())
        if wrong:
            raise ValidationError({name: [text] for name, text in wrong.items()})
        return shown(self.campaign)


def read_body(body: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    read: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, value in body.items():
        if name not in SETTINGS:
            wrong[name] = _("There is no such setting.")
        elif name in ELSEWHERE:
            wrong[name] = _("This is changed at another address: %(page)s.") % {"page": ELSEWHERE[name]}
        elif name == "turn_cap" and value is None:
            read[name] = None
        else:
            problems = Problems()
            read[name] = SETTINGS[name].kind.read(value, "", name, problems)
            if problems:
                wrong[name] = problems.listed()[0].message
    return read, wrong


def shown(campaign: Campaign) -> dict[str, SettingAnswer]:
    has_begun = campaign.has_begun()
    return {
        name: {
            "value": as_json(setting.value_in(campaign)),
            "may_change": name not in ELSEWHERE
            and not (has_begun and setting.changeable is Changeable.BEFORE_DIALOGUES),
        }
        for name, setting in SETTINGS.items()
    }
