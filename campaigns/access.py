"""Who may open what: every view, API route and socket declares its rule here, and a matrix test reads it.

@open_to_all           anybody
@for_people            anybody with an account
@for_roles(Role.…)     those roles of the campaign in the URL; everybody else gets 404
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from rest_framework.request import Request

from campaigns.models import Campaign, CampaignRole
from participants.models import Person

View = Callable[..., HttpResponseBase]


@dataclass(frozen=True, slots=True)
class Access:
    """The declared rule of a route. `roles` is empty where a role is not asked for."""

    kind: str
    roles: tuple[str, ...] = ()


OPEN = Access("open")
PEOPLE = Access("people")


def open_to_all(view: View) -> View:
    view.access = OPEN  # type: ignore[attr-defined]
    return view


def for_people(view: View) -> View:
    guarded = login_required(view)
    guarded.access = PEOPLE  # type: ignore[attr-defined]
    return guarded


def for_roles(*roles: str) -> Callable[[View], View]:
    """Turns the `slug` of the URL into the campaign, for people who hold one of the roles there."""

    def guard(view: View) -> View:
        @login_required
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponseBase:
            return view(request, campaign=campaign_for(request.user, slug, *roles), **kwargs)

        guarded.access = Access("roles", roles)  # type: ignore[attr-defined]
        return guarded

    return guard


def campaign_for(person: Any, slug: str, *roles: str) -> Campaign:
    """The campaign, or 404 for whoever holds none of the roles in it: that it exists is not their business."""
    campaign = Campaign.objects.filter(slug=slug).select_related("rubric").first()
    if campaign is None or not has_role(person, campaign, *roles):
        raise Http404
    return campaign


def person_of(request: HttpRequest | Request) -> Person:
    """Who is asking, behind a rule that lets in people with an account only."""
    assert isinstance(request.user, Person)
    return request.user


def has_role(person: Person, campaign: Campaign, *roles: str) -> bool:
    return CampaignRole.objects.filter(person=person, campaign=campaign, role__in=roles).exists()
