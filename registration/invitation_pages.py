"""The page of an invitation: a newcomer makes an account, somebody with one accepts."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import open_to_all, person_of
from accounts.link_tokens import LinkUnusable
from accounts.passwords.views import unusable_link
from campaigns.actions.people import CannotHold
from campaigns.clocks import keep_clocks_of
from registration.actions.applying import NAME_IS_TAKEN, NameTaken
from registration.actions.inviting import OtherTeam, accept_invitation, invitation_of, join
from registration.models import Invitation
from registration.newcomer_form import NewcomerForm

BACKEND = "django.contrib.auth.backends.ModelBackend"


@open_to_all
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Following the link uses nothing up: programs that look at mails do so, too."""
    try:
        invited = invitation_of(token, timezone.now())
        if invited.campaign:
            keep_clocks_of(invited.campaign)
        if request.user.is_authenticated:
            return _of_somebody(request, token, invited)
        form = NewcomerForm(request.POST or None, initial={"email": invited.email})
        if not form.is_valid():
            return _page(request, invited, form=form)
        try:
            person = join(token=token, newcomer=form.newcomer, at=timezone.now())
        except NameTaken:
            form.add_error("username", _(NAME_IS_TAKEN))
            return _page(request, invited, form=form)
        except CannotHold as refused:
            return _page(request, invited, form=form, refused=str(refused))
        login(request, person, backend=BACKEND)
        return _welcome(request, invited)
    except LinkUnusable as unusable:
        return unusable_link(request, unusable.why)


def _of_somebody(request: HttpRequest, token: str, invited: Invitation) -> HttpResponse:
    if request.method != "POST":
        return _page(request, invited)
    try:
        accept_invitation(token=token, person=person_of(request), at=timezone.now())
    except OtherTeam:
        return _page(request, invited, is_in_other_team=True)
    except CannotHold as refused:
        return _page(request, invited, refused=str(refused))
    return _welcome(request, invited)


def _page(request: HttpRequest, invited: Invitation, **said: Any) -> HttpResponse:
    return render(request, "registration/invitation.html", {"invitation": invited} | said)


def _welcome(request: HttpRequest, invited: Invitation) -> HttpResponse:
    where = invited.campaign.name if invited.campaign else _("Huace")
    messages.success(request, _("You have joined “%(where)s”.") % {"where": where})
    return redirect("start")
