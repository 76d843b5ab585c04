"""REST: the requests for revisions of a campaign, for the organizer who answers them."""

from typing import TypedDict

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from api.paging import PAGES, asked_in, listed
from campaigns.access import campaign_for
from campaigns.models import Role
from reading.json_schemas import Id, Moment
from reading.kinds import Choice
from reviews.desk import requests_in
from reviews.models import RevisionRequest

STATES: dict[str, bool | None] = {"waiting": None, "granted": True, "refused": False}
ASKED = {**PAGES, "state": Choice(sorted(STATES))}


class RevisionRow(TypedDict):
    """`id` is what `POST revision-requests/<id>/` answers; `granted` is null until somebody has."""

    id: int
    dialogue: Id
    bot: str
    scenario: str
    reviewer: str
    reason: str
    asked_at: Moment
    granted: bool | None
    answered_by: str | None
    answered_at: Moment | None


class RevisionRequests(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes("Lists the requests for revisions, the oldest first", list[RevisionRow], asks=ASKED)
    def get(self, request: Request, slug: str) -> Response:
        found = requests_in(campaign_for(request.user, slug, Role.ORGANIZER), person_of(request))
        asked = asked_in(request, ASKED)
        if "state" in asked:
            found = found.filter(is_granted=STATES[asked["state"]])
        return listed(request, found, revision_row)


def revision_row(one: RevisionRequest) -> RevisionRow:
    assignment = one.review.dialogue.assignment
    return {
        "id": one.pk,
        "dialogue": str(one.review.dialogue_id),
        "bot": assignment.entry.alias,
        "scenario": assignment.scenario.key,
        "reviewer": one.review.reviewer.username,
        "reason": one.reason,
        "asked_at": one.asked_at.isoformat(),
        "granted": one.is_granted,
        "answered_by": one.answered_by.username if one.answered_by else None,
        "answered_at": one.answered_at.isoformat() if one.answered_at else None,
    }
