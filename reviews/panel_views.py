"""The organizer's page of panels that nobody can fill, and what is decided about them."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.access import person_of
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from reviews.actions import BadReview, NotReviewable
from reviews.actions.closing import close_panel, reopen_panel
from reviews.panel_page import SHOWN, shown_panels
from reviews.panel_survey import closed_panels, lacking_panels
from rubrics.scales import COMMENT_LIMIT
from testing_console.models import Dialogue


@for_roles(Role.ORGANIZER)
@require_GET
def panels(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "short": shown_panels(lacking_panels(campaign, timezone.now())),
        "closed": closed_panels(campaign)[:SHOWN],
        "reason_limit": COMMENT_LIMIT,
    }
    return render(request, "reviews/panels.html", shown)


@for_roles(Role.ORGANIZER)
@require_POST
def change_panel(request: HttpRequest, campaign: Campaign, dialogue_id: UUID) -> HttpResponse:
    """Closes the panel of a dialogue with the reviews that it has, or reopens it."""
    dialogue = get_object_or_404(Dialogue.objects.of_campaign(campaign).with_names(), pk=dialogue_id)
    try:
        _change(request, dialogue, request.POST.get("act", ""))
    except BadReview as bad:
        messages.error(request, " ".join(bad.fields.values()))
    except NotReviewable as refused:
        messages.error(request, str(refused))
    return redirect("panels", slug=campaign.slug)


def _change(request: HttpRequest, dialogue: Dialogue, act: str) -> None:
    organizer, at = person_of(request), timezone.now()
    if act == "close":
        because = request.POST.get("because", "")
        closed = close_panel(dialogue=dialogue, organizer=organizer, because=because, at=at)
        messages.success(request, _("The panel counts with the reviews that it has: %(n)d.") % {"n": closed.n_reviews})
    elif act == "reopen":
        reopen_panel(dialogue=dialogue, organizer=organizer, at=at)
        messages.success(request, _("The panel waits for all its reviews again."))
    else:
        raise BadRequest(f"There is no act {act}.")
