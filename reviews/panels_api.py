"""REST: panels that nobody can fill, and those that were closed with the reviews that they have."""

from collections.abc import Sequence
from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from api.describing import describes
from api.paging import PAGES, listed
from campaigns.access import campaign_for
from campaigns.models import Role
from reading.json_schemas import Id, Moment
from reviews.models import ClosedPanel
from reviews.panel_page import PanelRow, row_of
from reviews.panel_survey import closed_panels, short_panels


class LackingPanelAnswer(TypedDict):
    """Numbers of reviews; `why` and `ways` are sentences in the language of the request."""

    dialogue: Id
    bot: str
    scenario: str
    since: Moment
    needed: int
    scored: int
    at_work: int
    to_draw: int
    short: int
    may_be_closed: bool
    why: Sequence[str]
    ways: Sequence[str]


class ClosedPanelAnswer(TypedDict):
    dialogue: Id
    bot: str
    scenario: str
    n_reviews: int
    because: str
    closed_by: str
    closed_at: Moment


class PanelsView(APIView):
    access = Access("roles", (Role.ORGANIZER,))


class LackingPanels(PanelsView):
    @describes(
        "Lists the panels that nobody can fill as things are, the longest at rest first",
        list[LackingPanelAnswer],
        asks=PAGES,
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return listed(request, short_panels(campaign, timezone.now()), lambda one: lacking_document(row_of(one)))


class ClosedPanels(PanelsView):
    @describes(
        "Lists the panels that count with the reviews that they have, the last closed first",
        list[ClosedPanelAnswer],
        asks=PAGES,
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return listed(request, closed_panels(campaign), closed_document)


def lacking_document(row: PanelRow) -> LackingPanelAnswer:
    assignment, gap = row.dialogue.assignment, row.gap
    return {
        "dialogue": str(row.dialogue.pk),
        "bot": assignment.entry.alias,
        "scenario": assignment.scenario.key,
        "since": row.since.isoformat(),
        "needed": gap.n_needed,
        "scored": gap.n_scored,
        "at_work": gap.n_at_work,
        "to_draw": gap.n_to_draw,
        "short": gap.n_short,
        "may_be_closed": gap.may_be_closed,
        "why": row.why,
        "ways": row.ways,
    }


def closed_document(closed: ClosedPanel) -> ClosedPanelAnswer:
    assignment = closed.dialogue.assignment
    return {
        "dialogue": str(closed.dialogue_id),
        "bot": assignment.entry.alias,
        "scenario": assignment.scenario.key,
        "n_reviews": closed.n_reviews,
        "because": closed.because,
        "closed_by": closed.closed_by.username,
        "closed_at": closed.closed_at.isoformat(),
    }
