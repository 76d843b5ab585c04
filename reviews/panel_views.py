"""The organizer's page of panels that nobody can fill, and what is decided about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
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
from reviews.panel_gaps import Gap
from reviews.panel_sentences import what_fills, why_sentences
from reviews.panel_survey import LackingPanel, closed_panels, short_panels
from rubrics.scales import COMMENT_LIMIT
from testing_console.models import Dialogue

SHOWN = 100


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A panel that is short, as pages show it."""

    dialogue: Dialogue
    gap: Gap
    since: datetime
    why: Sequence[str]
    ways: Sequence[str]


@dataclass(frozen=True, slots=True)
class ShortPanels:
    """The first rows of all panels that are short; `since` is when the longest of them came to rest."""

    n: int
    rows: Sequence[PanelRow]

    @property
    def since(self) -> datetime | None:
        return self.rows[0].since if self.rows else None


def shown_panels(campaign: Campaign, at: datetime, *, most: int = SHOWN) -> ShortPanels:
    short = short_panels(campaign, at)
    return ShortPanels(len(short), [row_of(one) for one in short[:most]])


def row_of(one: LackingPanel) -> PanelRow:
    return PanelRow(one.dialogue, one.gap, one.since, why_sentences(one.panel), what_fills(one.panel, one.gap))


@for_roles(Role.ORGANIZER)
@require_GET
def panels(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "short": shown_panels(campaign, timezone.now()),
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
