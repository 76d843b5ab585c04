"""The organizer's page of what a bot's failures cost: the policy, what another one would move, and what the last change moved."""

from dataclasses import asdict, dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on
from campaigns.access import for_roles
from campaigns.campaign_settings import settings_of
from campaigns.models import Campaign, Role
from dialogues.fault_policy import FaultPolicy, fault_policy_of
from leaderboards.actions import ask_what_would_move, change_fault_policy
from leaderboards.fault_previews import movements_in, policy_said, stored_change, stored_preview
from leaderboards.live_board import columns_of


@for_roles(Role.ORGANIZER)
@require_GET
def faults(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    asked = policy_said(request.GET)
    preview, changed = (asked and stored_preview(campaign, asked)), stored_change(campaign)
    in_force = fault_policy_of(campaign)
    return render(
        request,
        "leaderboards/faults.html",
        {
            "campaign": campaign,
            "fields": fields_of(asked or in_force),
            "asked": asked and asdict(asked),
            "asked_in_words": asked and in_words(asked),
            "is_in_force": asked == in_force,
            "keys": columns_of(campaign),
            "preview": preview,
            "would_move": movements_in(campaign, preview) if preview and preview.computed_at else (),
            "changed": changed,
            "changed_in_words": changed and (in_words(FaultPolicy(**changed.rows[side])) for side in ("from", "to")),
            "moved": movements_in(campaign, changed) if changed else (),
        },
    )


@dataclass(frozen=True, slots=True)
class Field:
    """One setting of the form; `choices` are values with their words."""

    name: str
    label: str
    about: str
    value: str
    choices: list[tuple[str, str]]


def fields_of(policy: FaultPolicy) -> list[Field]:
    said = asdict(policy)
    return [
        Field(
            name, _(one.label), _(one.about), said[name], [(value, _(one.words[value])) for value in one.stored_choices]
        )
        for name, one in settings_of("faults").items()
    ]


def in_words(policy: FaultPolicy) -> str:
    said = asdict(policy)
    return " · ".join(f"{_(one.label)}: {_(one.words[said[name]])}" for name, one in settings_of("faults").items())


@for_roles(Role.ORGANIZER)
@form_on("faults")
def preview_faults(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    policy = policy_said(request.POST)
    if policy is None:
        return _unknown(request)
    ask_what_would_move(campaign=campaign, policy=policy)
    return HttpResponseRedirect(f"{reverse('faults', args=[campaign.slug])}?{urlencode(asdict(policy))}")


@for_roles(Role.ORGANIZER)
@form_on("faults")
def change_faults(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    policy = policy_said(request.POST)
    if policy is None:
        return _unknown(request)
    change_fault_policy(campaign=campaign, policy=policy, at=timezone.now(), by=person_of(request))
    return redirect("faults", slug=campaign.slug)


def _unknown(request: HttpRequest) -> HttpResponse:
    return render(request, "error.html", {"title": _("This choice is not known")}, status=400)
