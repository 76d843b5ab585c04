"""Who may open what of a campaign, declared beside the view (accounts/access.py says how).

@for_roles(Role.…)   those roles of the campaign in the URL; everybody else gets 404
OF_PUBLIC            holders of a role in it, and everybody once it is public: `readable_campaign`

Operations of the API derive from `RolesView`, those of organizers from `OrganizersView`.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import Access, View
from campaigns.clocks import keep_clocks_of
from campaigns.models import Campaign, CampaignRole, Role
from participants.models import Team

OF_PUBLIC = Access("published", tuple(Role.values))


def for_roles(*roles: str) -> Callable[[View], View]:
    """Turns the `slug` of the URL into the campaign, for people who hold one of the roles there."""

    def guard(view: View) -> View:
        @login_required
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponseBase:
            if must_set_up_first(request.user, slug, *roles):
                return redirect("second-factor")
            return view(request, campaign=campaign_for(request.user, slug, *roles), **kwargs)

        guarded.access = Access("roles", roles)  # type: ignore[attr-defined]
        return guarded

    return guard


class RolesView(APIView):
    """Turns the `slug` of the URL into `self.campaign`, for people who hold one of the roles of `access` there."""

    access: Access
    campaign: Campaign

    def dispatch(self, request: Any, slug: str, **kwargs: Any) -> Any:
        self.slug = slug
        return super().dispatch(request, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.campaign = campaign_for(request.user, self.slug, *self.access.roles)


class OrganizersView(RolesView):
    access = Access("roles", (Role.ORGANIZER,))


def must_set_up_first(person: Any, slug: str, *roles: str) -> bool:
    """Whether nothing but a second factor keeps an organizer out."""
    if Role.ORGANIZER not in roles or not person.must_set_up_second_factor():
        return False
    held = CampaignRole.objects.filter(person=person, campaign__slug=slug)
    return held.filter(role=Role.ORGANIZER).exists() and not held.filter(role__in={*roles} - {Role.ORGANIZER}).exists()


def campaign_for(person: Any, slug: str, *roles: str) -> Campaign:
    """The campaign, or 404 without any of the roles in it: outsiders must not learn that it exists."""
    campaign = Campaign.objects.filter(slug=slug).select_related("rubric").first()
    if campaign is None:
        raise Http404
    require_role(person, campaign, *roles)
    return campaign


def readable_campaign(person: Any, slug: str) -> tuple[Campaign, frozenset[str]]:
    """The campaign and the roles of the reader in it; 404 for who holds none, unless everybody may know of it."""
    campaign = Campaign.objects.filter(slug=slug).select_related("rubric").first()
    roles = roles_of(person, campaign) if campaign else frozenset()
    if campaign is None or not (roles or campaign.is_public):
        raise Http404
    keep_clocks_of(campaign)
    return campaign, roles


def require_role(person: Any, campaign: Campaign, *roles: str) -> None:
    """404 without any of the roles, for a campaign that was read together with another row.

    The request goes on on the campaign's clocks.
    """
    if not has_role(person, campaign, *roles):
        raise Http404
    keep_clocks_of(campaign)


def has_role(person: Any, campaign: Campaign, *roles: str) -> bool:
    return CampaignRole.objects.held_by(person).filter(campaign=campaign, role__in=roles).exists()


def pause_of(person: Any, campaign: Campaign, role: str) -> CampaignRole | None:
    """The person's role where it pauses, with since when and why; None where it does not."""
    return CampaignRole.objects.held_by(person).filter(campaign=campaign, role=role).exclude(paused_at=None).first()


def roles_of(person: Any, campaign: Campaign) -> frozenset[str]:
    """The roles of the reader; none without a login."""
    return frozenset(CampaignRole.objects.held_by(person).filter(campaign=campaign).values_list("role", flat=True))


def team_of(person: Any, campaign: Campaign) -> Team | None:
    """The team that the person takes part for in this campaign now; a team they left before gives them nothing."""
    return Team.objects.filter(members__person=person, members__campaign=campaign).first()
