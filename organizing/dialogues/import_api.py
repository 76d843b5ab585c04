"""REST: finished dialogues from a file, for a campaign's reviewers; what the command `import_dialogues` does."""

from typing import Any, TypedDict

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.describing import describes
from api.parsers import StrictJSONParser, StrictMultiPartParser, fields_of
from api.problems import problem_answer
from organizing.dialogues.api import OrganizersView
from organizing.imports.reading import ASKED, TooMany, dialogues_in, read_asked


class ImportedAnswer(TypedDict):
    """How many dialogues are new, and how many were imported before."""

    new: int
    known: int


class ImportedDialogues(OrganizersView):
    """POST `file` (multipart) with its `format`; `bot` and `team` are those of dialogues that name none.

    A file with problems is answered with 422 and all of them, one with too many dialogues with 413; then nothing is stored.
    """

    parser_classes = (StrictMultiPartParser, StrictJSONParser)

    @describes(
        "Imports finished dialogues for the campaign's reviewers",
        ImportedAnswer,
        201,
        uploads=ASKED,
        refuses=(422,),
    )
    def post(self, request: Request, slug: str) -> Response:
        campaign, file, asked = self.campaign(request, slug), request.FILES.get("file"), _asked_in(request)
        if file is None:
            return problem_answer(400, "no_file", _("Send the dialogues as `file` (multipart/form-data)."))
        try:
            bring = dialogues_in(
                campaign=campaign, content=file.read(), asked=asked, by=person_of(request), at=timezone.now()
            )
            brought = bring()
        except TooMany as too_many:
            return problem_answer(413, "too_many", str(too_many))
        return Response(ImportedAnswer(new=brought.n_new, known=brought.n_known), status=201)


def _asked_in(request: Request) -> dict[str, Any]:
    """Errors: `BadForm`."""
    said = fields_of(request)
    return read_asked({name: said[name] for name in said if name != "file"})
