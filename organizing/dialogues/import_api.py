"""REST: finished dialogues from a file, for a campaign's reviewers; what the command `import_dialogues` does."""

from collections.abc import Mapping
from typing import Any, TypedDict

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from accounts.describing import describes
from accounts.parsers import StrictJSONParser, StrictMultiPartParser, fields_of
from accounts.problems import problem_answer
from organizing.dialogues.api import OrganizersView
from organizing.file.api import bad_file
from participants.limits import NAME_LIMIT
from scoring.checking import BadFile, BadForm, Problems
from scoring.kinds import Choice, Kind, Text
from scoring.tables import Field, Table
from testing_console.actions import import_dialogues
from testing_console.dialogue_files import FORMATS

# All of a request is one transaction, and SQLite has one writer: 200 dialogues hold it for half a second.
MOST_DIALOGUES = 200
NAME = Text(NAME_LIMIT, may_be_empty=True)
ASKED: Mapping[str, Kind] = {"format": Choice(sorted(FORMATS)), "bot": NAME, "team": NAME}
ASKED_TABLE = Table({name: Field(kind, "huace" if name == "format" else "") for name, kind in ASKED.items()})


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
            dialogues = FORMATS[asked["format"]](file.read())
            if len(dialogues) > MOST_DIALOGUES:
                return _too_many(len(dialogues))
            imported = import_dialogues(
                campaign=campaign,
                dialogues=dialogues,
                importer=person_of(request),
                bot=asked["bot"],
                team=asked["team"],
                at=timezone.now(),
            )
        except BadFile as bad:
            return bad_file(bad.problems)
        return Response(ImportedAnswer(new=imported.n_new, known=imported.n_known), status=201)


def _too_many(n: int) -> Response:
    text = _("The file holds %(n)s dialogues; a request takes at most %(most)s. Split the file and send it in parts.")
    return problem_answer(413, "too_many", text % {"n": n, "most": MOST_DIALOGUES})


def _asked_in(request: Request) -> dict[str, Any]:
    """Errors: `BadForm`."""
    said, problems = fields_of(request), Problems()
    asked: dict[str, Any] = problems.read({name: said[name] for name in said if name != "file"}, "", ASKED_TABLE)
    problems.refuse(BadForm)
    return asked
