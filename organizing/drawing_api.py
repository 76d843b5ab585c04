"""REST: what drawing the assignments would change, and drawing them."""

from typing import TypedDict

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from api.parsers import body_in
from campaigns.access import campaign_for
from campaigns.actions import PreviewIsOld, draw_assignments, preview_drawing
from campaigns.models import Campaign, Role
from campaigns.redrawing import Changes
from dialogues.queries import void_assignments
from reading.kinds import Text
from reading.tables import Field, Table

PREVIEWED = Table({"previewed": Field(Text(64, may_be_empty=True), "")})


class DrawnAnswer(TypedDict):
    tester: str
    bot: str
    scenario: str


class DrawingAnswer(TypedDict):
    """Bots by their aliases. `digest` is what `previewed` wants to draw exactly this."""

    add: list[DrawnAnswer]
    take_away: list[DrawnAnswer]
    n_left: int
    n_short: int
    digest: str


class NotNow(APIException):
    status_code = 409


class Drawing(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes("Says what drawing the assignments would change", DrawingAnswer, refuses=(409,))
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return Response(changes_document(campaign, preview_drawing(campaign=campaign, void=void_assignments(campaign))))

    @describes(
        "Draws the assignments, if `previewed` still says what changes",
        DrawingAnswer,
        201,
        reads=PREVIEWED,
        refuses=(409, 422),
    )
    def post(self, request: Request, slug: str) -> Response:
        campaign, said = campaign_for(request.user, slug, Role.ORGANIZER), body_in(request, PREVIEWED)
        void, by = void_assignments(campaign), person_of(request)
        try:
            changes = draw_assignments(campaign=campaign, void=void, previewed=said["previewed"], by=by)
        except PreviewIsOld as old:
            text = _("Something has changed in the meantime: ask again what drawing would change.")
            raise NotNow(text, "preview_is_old") from old
        return Response(changes_document(campaign, changes), status=201)


def changes_document(campaign: Campaign, changes: Changes) -> DrawingAnswer:
    aliases = dict(campaign.entries.values_list("key", "alias"))
    return {
        "add": [{"tester": row.tester, "bot": aliases[row.bot], "scenario": row.scenario} for row in changes.add],
        "take_away": [
            {"tester": row.tester, "bot": aliases[row.bot], "scenario": row.scenario} for row in changes.take_away
        ],
        "n_left": len(changes.leave),
        "n_short": sum(short.n for short in changes.short),
        "digest": changes.digest(),
    }
