"""REST: the campaign's file, and what loading it changes."""

from typing import Annotated, Any, NotRequired, TypedDict

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.answers import From, encoded
from api.describing import FileOf, describes
from api.parsers import StrictJSONParser, StrictMultiPartParser
from api.problems import problem_answer
from campaigns.access import OrganizersView
from campaigns.actions import PreviewIsOld
from campaigns.dumping import FORMATS
from organizing.file.previews import Upload, load_upload, preview_of
from organizing.file.views import file_for
from reading.checking import BadFile
from reading.kinds import Choice, Text
from reading.toml_text import NotToml

SAID = Choice(("0", "1", "true", "false", "on"))
LOAD = {"takes_over": SAID, "prunes": SAID, "previewed": Text(64, may_be_empty=True)}


class Placed(TypedDict):
    place: str
    message: str


class LoadedAnswer(TypedDict):
    """`digest` is what `previewed` wants to load exactly this."""

    changes: Annotated[list[str], From(lambda loaded: [change.message for change in loaded.report.changed])]
    left_alone: Annotated[list[str], From(lambda loaded: [left.message for left in loaded.report.left_alone])]
    digest: str


class LoadAnswer(LoadedAnswer):
    pruned: NotRequired[LoadedAnswer | None]
    pruning_problems: NotRequired[list[Placed]]


class CampaignFile(OrganizersView):
    """GET `?as=toml` (or json) gives the file, without secrets. POST `file` (multipart) says what loading it would change;
    `previewed` with one of the digests of that answer loads it. `prunes` and `takes_over` are those of `load_campaign`;
    `pruned` is answered where `prunes` asks for it.

    A file with problems is answered with 422 and all of them; one that would change something else by now with 409.
    """

    parser_classes = (StrictMultiPartParser, StrictJSONParser)

    @describes(
        "Gives the campaign's file, without secrets",
        FileOf(("application/toml", "application/json")),
        asks={"as": Choice(FORMATS)},
        refuses=(409,),
    )
    def get(self, request: Request) -> Response | HttpResponse:
        wanted = request.query_params.get("as", FORMATS[0])
        if wanted not in FORMATS:
            return problem_answer(400, "unknown_format", _("The file is given as toml or json."))
        try:
            return file_for(campaign=self.campaign, format=wanted, by=person_of(request))
        except NotToml as null:
            text = _("%(place)s is null, which TOML cannot say: download JSON.") % {"place": null.place}
            return problem_answer(409, "not_toml", text)

    @describes(
        "Says what loading a file would change; with `previewed`, loads it",
        LoadAnswer,
        uploads=LOAD,
        refuses=(409, 422),
    )
    def post(self, request: Request) -> Any:
        campaign, by, at = self.campaign, person_of(request), timezone.now()
        file = request.FILES.get("file")
        if file is None:
            return problem_answer(400, "no_file", _("Send the campaign file as `file` (multipart/form-data)."))
        said: Any = request.data
        upload = Upload(
            file.name or "", file.read(), takes_over=is_said(said, "takes_over"), prunes=is_said(said, "prunes")
        )
        if not said.get("previewed"):
            preview = preview_of(campaign, upload, by=by, at=at)
            if preview.loaded is None:
                raise BadFile(list(preview.problems))
            more = {"pruned": preview.pruned, "pruning_problems": preview.pruning_problems}
            return encoded(LoadedAnswer, preview.loaded) | more
        try:
            loaded = load_upload(campaign, upload, previewed=str(said["previewed"]), by=by, at=at)
        except PreviewIsOld:
            text = _("Something has changed in the meantime: ask again what the file would change.")
            return problem_answer(409, "preview_is_old", text)
        return encoded(LoadedAnswer, loaded)


def is_said(said: Any, name: str) -> bool:
    return str(said.get(name, "")).lower() in {"1", "true", "on"}
