"""REST: the settings of a campaign, and changing some of them: the page's rules, in the form that campaign files have."""

from collections.abc import Mapping
from typing import Any, TypedDict

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.access import person_of
from api.describing import describes
from api.parsers import fields_of
from campaigns.access import OrganizersView
from campaigns.campaign_settings import SETTINGS
from campaigns.models import Campaign
from campaigns.setting import Changeable
from organizing.setting_up.settings_changes import changed_settings
from organizing.setting_up.settings_form import ELSEWHERE, as_json
from reading.checking import Problems
from reading.tables import Field, Table

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
