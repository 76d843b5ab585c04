"""REST: how far two rankings go together."""

from typing import TypedDict

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from api.describing import describes
from api.paging import asked_in
from api.problems import problem_answer
from campaigns.access import campaign_for
from campaigns.models import Role
from organizing.comparing.rankings import choices, chosen, compare, document_of
from reading.kinds import ANY_TEXT

ASKED = {"one": ANY_TEXT, "other": ANY_TEXT}


class ComparedRow(TypedDict):
    """The ranks of a team or system on both boards."""

    name: str
    name_en: str
    one: int
    other: int


class BoardChoice(TypedDict):
    key: str
    name: str


class ComparedBoards(TypedDict):
    """Kendall's tau-b of the ranks on two boards, with its bootstrap interval over the rows; null where nothing can be said.

    `by` is `system` where both rank systems, else `team`. `boards` are those that can be named by `one` and `other`.
    """

    one: str
    other: str
    by: str
    n: int
    tau: float | None
    interval: list[float] | None
    p: float | None
    rows: list[ComparedRow]
    only_one: list[str]
    only_other: list[str]
    boards: list[BoardChoice]


class CompareBoards(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes("Gives Kendall's tau of the rankings of two boards", ComparedBoards, asks=ASKED)
    def get(self, request: Request, slug: str) -> Response:
        campaign, asked = campaign_for(request.user, slug, Role.ORGANIZER), asked_in(request, ASKED)
        found = choices(campaign)
        try:
            one, other = chosen(found, asked.get("one", ""), asked.get("other", ""))
        except KeyError as unknown:
            known = ", ".join(choice.key for choice in found)
            said = {"name": unknown.args[0], "known": known}
            return problem_answer(400, "unknown_board", _("There is no board “%(name)s”; there are %(known)s.") % said)
        boards = [{"key": choice.key, "name": choice.name} for choice in found]
        return Response(document_of(compare(campaign, one, other)) | {"boards": boards})
