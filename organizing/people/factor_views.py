"""The second factor of somebody who lost it: an organizer resets it, with a reason."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.access import person_of
from accounts.form_routes import form_on
from accounts.second_factor.actions import reset_second_factor
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from campaigns.reasons import ReasonNeeded, reason_of
from organizing.people.password_links import may_make_password_link
from organizing.people.views import page_of, person_in


@for_roles(Role.ORGANIZER)
@form_on("person")
def reset_factor(request: HttpRequest, campaign: Campaign, person_id: int) -> HttpResponse:
    """For the same people as links for passwords: with both, somebody else could take the account."""
    shown, by = person_in(campaign, person_id), person_of(request)
    if not shown.has_second_factor or not may_make_password_link(by, shown):
        raise Http404
    because = request.POST.get("because", "")
    try:
        reset_second_factor(person=shown, by=by, because=reason_of(because), campaign=campaign.slug)
    except ReasonNeeded as wrong:
        return page_of(request, campaign, shown, wrong_factor_reason=str(wrong))
    messages.success(
        request, _("%(name)s logs in with the password alone until they set up a new one.") % {"name": shown.shown_name}
    )
    return redirect("person", slug=campaign.slug, person_id=shown.pk)
