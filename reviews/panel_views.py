"""The organizer's page of panels that nobody can fill, and what is decided about them."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from reviews.actions import BadReview, NotReviewable
from reviews.actions.closing import close_panel, reopen_panel
from reviews.panel_survey import SHOWN, closed_panels, lacking_panels, shown_panels
from rubrics.scales import COMMENT_LIMIT


@for_roles(Role.ORGANIZER)
@require_GET
def panels(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _page(request, campaign)


def _page(
    request: HttpRequest, campaign: Campaign, refused: Mapping[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """`refused` says which panel was not closed, with what reason, and why."""
    short = shown_panels(lacking_panels(campaign, timezone.now()))
    has_form = refused is None or any(row.dialogue.pk == refused["dialogue"] for row in short.rows)
    shown = {
        "campaign": campaign,
        "short": short,
        "closed": closed_panels(campaign)[:SHOWN],
        "reason_limit": COMMENT_LIMIT,
        "not_closed": refused if has_form else None,
        "not_done": None if has_form else refused,
    }
    return render(request, "reviews/panels.html", shown, status=status)


@for_roles(Role.ORGANIZER)
@form_on("panels")
def change_panel(request: HttpRequest, campaign: Campaign, dialogue_id: UUID) -> HttpResponse:
    """Closes the panel of a dialogue with the reviews that it has, or reopens it."""
    dialogue = get_object_or_404(Dialogue.objects.of_campaign(campaign).with_names(), pk=dialogue_id)
    typed = {"dialogue": dialogue.pk, "because": request.POST.get("because", "")}
    try:
        _change(request, dialogue, request.POST.get("act", ""))
    except BadReview as bad:
        return _page(request, campaign, typed | {"wrong": " ".join(bad.fields.values())}, status=422)
    except NotReviewable as refused:
        if request.POST.get("act") == "close":
            return _page(request, campaign, typed | {"wrong": str(refused)}, status=409)
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
