"""REST: records from elsewhere, for a campaign's leaderboard; what the command `import_records` does."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.access import person_of
from api.describing import describes
from api.parsers import StrictMultiPartParser, fields_of
from api.problems import problem_answer
from campaigns.access import OrganizersView
from organizing.dialogues.import_api import ImportedAnswer
from organizing.imports.reading import TooMany, records_in
from reading.checking import BadForm, Problems
from reading.tables import Table


class ImportedRecords(OrganizersView):
    """POST `file` (multipart), JSON Lines with one dialogue × reviewer per line.

    A file with problems is answered with 422 and all of them, one with too many records with 413; then nothing is stored.
    """

    parser_classes = (StrictMultiPartParser,)

    @describes(
        "Imports records from elsewhere, which the leaderboard then counts",
        ImportedAnswer,
        201,
        uploads={},
        refuses=(422,),
    )
    def post(self, request: Request) -> Any:
        file = request.FILES.get("file")
        refuse_other_fields(request)
        if file is None:
            return problem_answer(400, "no_file", _("Send the records as `file` (multipart/form-data)."))
        try:
            brought = records_in(campaign=self.campaign, content=file.read(), by=person_of(request))()
        except TooMany as too_many:
            return problem_answer(413, "too_many", str(too_many))
        return {"new": brought.n_new, "known": brought.n_known}


def refuse_other_fields(request: Request) -> None:
    """Errors: `BadForm` naming every field but the file: a misspelt one would be ignored."""
    problems = Problems()
    problems.read({name: said for name, said in fields_of(request).items() if name != "file"}, "", Table({}))
    problems.refuse(BadForm)
