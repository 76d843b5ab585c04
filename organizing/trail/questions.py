"""What a reader asks of the trail: whose acts, which, about what, from when to when, and up to which line."""

from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from audit.acts import known_acts
from audit.models import TrailLineQuerySet

NAME_LIMIT = 200
# The last day whose end can still be told in every zone of the world.
LAST_DAY = date(9000, 1, 1)
FIRST_DAY = date(1900, 1, 1)


def _acts() -> list[tuple[str, Any]]:
    return [("", _("any act")), *((act.key, act.said_of("…")) for act in known_acts())]


class Day(forms.DateField):
    """A day on the clocks of the request: of the campaign, of the whole trail those of the site."""

    widget = forms.DateInput(attrs={"type": "date"})

    def clean(self, value: Any) -> date | None:
        day: date | None = super().clean(value)
        if day is not None and not FIRST_DAY <= day <= LAST_DAY:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return day


class Question(forms.Form):
    """The words of the question as they come in an address; all of them may be missing."""

    person = forms.CharField(label=_("Person"), required=False, max_length=150)
    act = forms.ChoiceField(label=_("Act"), required=False, choices=_acts)
    about = forms.CharField(label=_("Object"), required=False, max_length=NAME_LIMIT)
    since = Day(label=_("First day"), required=False)
    until = Day(label=_("Last day"), required=False)
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)


class WholeQuestion(Question):
    """Of the whole trail, across campaigns."""

    campaign = forms.CharField(label=_("Campaign"), required=False, max_length=60)


def answer(lines: TrailLineQuerySet, asked: dict[str, Any]) -> TrailLineQuerySet:
    """Those of the lines that the cleaned question asks for, the latest first."""
    if asked.get("campaign"):
        lines = lines.of_campaign(asked["campaign"])
    if asked["person"]:
        lines = lines.by_person(asked["person"])
    if asked["act"]:
        lines = lines.of_act(asked["act"])
    if asked["about"]:
        lines = lines.about_object(asked["about"], id=id_in(asked["about"]))
    if asked["since"]:
        lines = lines.filter(at__gte=_midnight(asked["since"]))
    if asked["until"]:
        lines = lines.filter(at__lt=_midnight(asked["until"] + timedelta(days=1)))
    if asked["before"]:
        lines = lines.filter(number__lt=asked["before"])
    return lines.latest_first()


def id_in(about: str) -> str:
    """The id of a dialogue or a run, where somebody asks by it."""
    try:
        return str(UUID(about))
    except ValueError:
        return ""


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
