"""When testers are on shift and bots are open: the organizers' form and its twin in the API."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from rest_framework.request import Request

from accounts.access import person_of
from api.describing import describes
from api.parsers import body_in
from campaigns.access import OrganizersView, for_roles
from campaigns.actions.hours import BadHours, change_hours
from campaigns.calendar import NotNow
from campaigns.hours import hours_of
from campaigns.models import Campaign, Entry, Role
from dialogues.pauses import until_opening
from participants.limits import NAME_LIMIT
from reading.kinds import ANY_TEXT, TableOf, Text
from reading.tables import Field, Table


@dataclass(frozen=True, slots=True)
class HoursRow:
    """`name` is how the form calls it: `bots.K7` or `testers.anna`; `was` is what is stored; `opens` is empty where it is open now."""

    name: str
    label: str
    beside: str
    typed: str
    was: str
    opens: str
    wrong: str = ""


def rows_of(
    campaign: Campaign, typed: Mapping[str, str], wrong: Mapping[str, str]
) -> tuple[list[HoursRow], list[HoursRow]]:
    """The testers by user name and the bots by alias, with what was typed for them."""
    at = timezone.now()

    def row(name: str, label: str, beside: str, stored: str) -> HoursRow:
        is_open = hours_of(stored).is_open(at, campaign.zone)
        opens = "" if is_open else until_opening(stored, campaign, at)
        return HoursRow(name, label, beside, typed.get(name, stored), stored, opens, wrong.get(name, ""))

    testers = campaign.roles.testers_and_programs().select_related("person").order_by("person__username")
    people = [
        row(f"testers.{one.person.username}", one.person.username, one.person.display_name, one.hours)
        for one in testers
    ]
    bots = [row(f"bots.{one.alias}", one.alias, one.bot.team.called, one.hours) for one in _entries(campaign)]
    return people, bots


def _entries(campaign: Campaign) -> list[Entry]:
    return list(campaign.entries.taking_part().select_related("bot__team").order_by("alias"))


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def hours(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _page(request, campaign, {}, {}, 200)
    sent = request.POST.dict()
    was = _under("was", sent)
    # The form sends every row: those that were left as they were shown are nobody's wish.
    sent = {name: said for name, said in sent.items() if said != was.get(name)}
    bots, testers = _under("bots", sent), _under("testers", sent)
    try:
        changed = change_hours(
            campaign=campaign, bots=bots, testers=testers, was=was, by=person_of(request), at=timezone.now()
        )
    except BadHours as bad:
        return _page(request, campaign, sent, bad.wrong, 422)
    except NotNow as over:
        messages.error(request, str(over))
        return _page(request, campaign, sent, {}, 409)
    if changed:
        messages.success(request, _("The hours are stored. Dialogues that are open go on."))
    else:
        messages.info(request, _("Nothing was different, so nothing was changed."))
    return redirect("hours", slug=campaign.slug)


def _under(kind: str, sent: Mapping[str, str]) -> dict[str, str]:
    """What was sent for the names under `kind.`."""
    return {name.removeprefix(f"{kind}."): said for name, said in sent.items() if name.startswith(f"{kind}.")}


def _page(
    request: HttpRequest, campaign: Campaign, typed: Mapping[str, str], wrong: Mapping[str, str], status: int
) -> HttpResponse:
    testers, bots = rows_of(campaign, typed, wrong)
    shown = {"campaign": campaign, "testers": testers, "bots": bots}
    return render(request, "organizing/people/hours.html", shown, status=status)


class HoursAnswer(TypedDict):
    """Hours by alias and by user name; empty is always. They are on the clocks of `time_zone`."""

    time_zone: str
    bots: dict[str, str]
    testers: dict[str, str]


NAMED = TableOf(Text(NAME_LIMIT), ANY_TEXT)
CHANGES = Table({"bots": Field(NAMED, {}), "testers": Field(NAMED, {})})


class HoursOfCampaign(OrganizersView):
    @describes("Gives when testers are on shift and systems are open", HoursAnswer)
    def get(self, request: Request) -> Mapping[str, Any]:
        return _answer(self.campaign)

    @describes("Changes the hours of those that it names", HoursAnswer, reads=CHANGES, refuses=(409,))
    def patch(self, request: Request) -> Mapping[str, Any]:
        change_hours(campaign=self.campaign, **body_in(request, CHANGES), by=person_of(request), at=timezone.now())
        return _answer(self.campaign)


def _answer(campaign: Campaign) -> Mapping[str, Any]:
    held = campaign.roles.testers_and_programs().order_by("person__username")
    return {
        "time_zone": campaign.time_zone,
        "bots": {one.alias: one.hours for one in _entries(campaign)},
        "testers": dict(held.values_list("person__username", "hours")),
    }
