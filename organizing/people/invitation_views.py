"""The page of a campaign's invitations: a pasted list becomes links, each shown once; withdraw and renew."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on
from accounts.link_tokens import LinkUnusable
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from participants.models import Team
from reading.digits import whole_or_none
from registration.actions.inviting import DAYS, MOST_DAYS, Invited, invite, renew_invitation, withdraw_invitation
from registration.invitation_lines import LINES_AT_ONCE, BadInvitations, is_one_name, read_invitees
from registration.invitation_texts import letter_of, role_words
from registration.models import Application, Invitation

PER_PAGE = 100


@for_roles(Role.ORGANIZER)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitations(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _page(request, campaign, typed=_members_of_application(request, campaign))
    typed: dict[str, Any] = {
        "pasted": request.POST.get("pasted", ""),
        "chosen": [role for role in request.POST.getlist("role") if role in Role.values],
        "team": request.POST.get("team", "").strip(),
        "days": days_of(request.POST.get("days", "")),
    }
    try:
        invitees = read_invitees(typed["pasted"], roles=typed["chosen"], team=typed["team"], role_words=role_words())
        invited = invite(
            campaign=campaign, invitees=invitees, by=person_of(request), at=timezone.now(), days=typed["days"]
        )
    except BadInvitations as bad:
        return _page(request, campaign, typed=typed, problems=bad.problems, status=400)
    return _page(request, campaign, invited=invited)


def _members_of_application(request: HttpRequest, campaign: Campaign) -> dict[str, Any] | None:
    """The form filled in for those whom an approved application names, where the address names one."""
    number = whole_or_none(request.GET.get("application", ""))
    if number is None:
        return None
    approved = campaign.applications.filter(pk=number, state=Application.State.APPROVED).select_related("team").first()
    if approved is None:
        return None
    team = approved.team.name if approved.team else ""
    # An outsider wrote them: a line that says more than a name would bring a role of its own.
    pasted = "\n".join(member for member in approved.members if is_one_name(member))
    return {"pasted": pasted, "chosen": [Role.PARTICIPANT.value], "team": team, "days": DAYS}


def days_of(said: str) -> int:
    """How long the links are valid; what is no number of days in the limits is the usual."""
    days = whole_or_none(said)
    return days if days is not None and 1 <= days <= MOST_DAYS else DAYS


def _page(
    request: HttpRequest,
    campaign: Campaign,
    *,
    invited: Sequence[Invited] = (),
    typed: dict[str, Any] | None = None,
    status: int = 200,
    **said: Any,
) -> HttpResponse:
    """The one page on which a link can be read: only its hash is stored."""
    at = timezone.now()
    listed = Paginator(Invitation.objects.of_campaign(campaign).with_names(), PER_PAGE).get_page(
        request.GET.get("page")
    )
    asked_role = request.GET.get("role")
    usual_role = asked_role if asked_role in Role.values else Role.TESTER.value
    context = {
        "campaign": campaign,
        "letters": [letter_of(one, request) for one in invited],
        "rows": [(one, one.state_at(at)) for one in listed],
        "listed": listed,
        "typed": typed or {"pasted": "", "chosen": [usual_role], "team": "", "days": DAYS},
        "roles": Role.choices,
        "teams": Team.objects.filter(members__campaign=campaign).distinct().order_by("name"),
        "most_days": MOST_DAYS,
        "lines_at_once": LINES_AT_ONCE,
        "shown_once": bool(invited),
    }
    return render(request, "organizing/people/invitations.html", context | said, status=status)


@for_roles(Role.ORGANIZER)
@form_on("invitations")
def withdraw(request: HttpRequest, campaign: Campaign, invitation_id: int) -> HttpResponse:
    invitation = invitation_in(campaign, invitation_id)
    try:
        withdraw_invitation(invitation=invitation, by=person_of(request), at=timezone.now())
    except LinkUnusable:
        messages.warning(request, _("This invitation was used or withdrawn in the meantime."))
    else:
        messages.success(request, _("The invitation is withdrawn: its link opens nothing any more."))
    return redirect("invitations", slug=campaign.slug)


@for_roles(Role.ORGANIZER)
@never_cache
@form_on("invitations")
def renew(request: HttpRequest, campaign: Campaign, invitation_id: int) -> HttpResponse:
    invitation = invitation_in(campaign, invitation_id)
    try:
        renewed = renew_invitation(invitation=invitation, by=person_of(request), at=timezone.now())
    except LinkUnusable:
        messages.warning(request, _("This invitation was used or withdrawn in the meantime."))
        return redirect("invitations", slug=campaign.slug)
    return _page(request, campaign, invited=[renewed])


def invitation_in(campaign: Campaign, invitation_id: int) -> Invitation:
    return get_object_or_404(Invitation.objects.of_campaign(campaign), pk=invitation_id)
