"""REST: the campaign's file, and what loading it changes."""

from typing import Any, NotRequired, TypedDict

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import FileOf, describes
from api.parsers import StrictJSONParser, StrictMultiPartParser
from api.problems import problem_answer
from campaigns.access import campaign_for
from campaigns.actions import Loaded, PreviewIsOld
from campaigns.dumping import FORMATS
from campaigns.models import Role
from organizing.file.downloading import file_for
from organizing.file.previews import Upload, load_upload, preview_of
from reading.checking import BadFile
from reading.findings import Finding
from reading.kinds import Choice, Text
from reading.toml_text import NotToml

SAID = Choice(("0", "1", "true", "false", "on"))
LOAD = {"takes_over": SAID, "prunes": SAID, "previewed": Text(64, may_be_empty=True)}


class Placed(TypedDict):
    place: str
    message: str


class LoadedAnswer(TypedDict):
    """`digest` is what `previewed` wants to load exactly this."""

    changes: list[str]
    left_alone: list[str]
    digest: str


class LoadAnswer(LoadedAnswer):
    pruned: NotRequired[LoadedAnswer | None]
    pruning_problems: NotRequired[list[Placed]]


class CampaignFile(APIView):
    """GET `?as=toml` (or json) gives the file, without secrets. POST `file` (multipart) says what loading it would change;
    `previewed` with one of the digests of that answer loads it. `prunes` and `takes_over` are those of `load_campaign`;
    `pruned` is answered where `prunes` asks for it.

    A file with problems is answered with 422 and all of them; one that would change something else by now with 409.
    """

    access = Access("roles", (Role.ORGANIZER,))
    parser_classes = (StrictMultiPartParser, StrictJSONParser)

    @describes(
        "Gives the campaign's file, without secrets",
        FileOf(("application/toml", "application/json")),
        asks={"as": Choice(FORMATS)},
        refuses=(409,),
    )
    def get(self, request: Request, slug: str) -> Response | HttpResponse:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        wanted = request.query_params.get("as", FORMATS[0])
        if wanted not in FORMATS:
            return problem_answer(400, "unknown_format", _("The file is given as toml or json."))
        try:
            return file_for(campaign=campaign, format=wanted, by=person_of(request))
        except NotToml as null:
            text = _("%(place)s is null, which TOML cannot say: download JSON.") % {"place": null.place}
            return problem_answer(409, "not_toml", text)

    @describes(
        "Says what loading a file would change; with `previewed`, loads it",
        LoadAnswer,
        uploads=LOAD,
        refuses=(409, 422),
    )
    def post(self, request: Request, slug: str) -> Response:
        campaign, at = campaign_for(request.user, slug, Role.ORGANIZER), timezone.now()
        file = request.FILES.get("file")
        if file is None:
            return problem_answer(400, "no_file", _("Send the campaign file as `file` (multipart/form-data)."))
        said: Any = request.data
        upload = Upload(
            file.name or "", file.read(), takes_over=is_said(said, "takes_over"), prunes=is_said(said, "prunes")
        )
        if not said.get("previewed"):
            preview = preview_of(campaign, upload, by=person_of(request), at=at)
            if preview.loaded is None:
                return bad_file(preview.problems)
            pruned = as_json(preview.pruned) if preview.pruned else None
            problems = [problem_as_json(problem) for problem in preview.pruning_problems]
            return Response({**as_json(preview.loaded), "pruned": pruned, "pruning_problems": problems})
        try:
            loaded = load_upload(campaign, upload, previewed=str(said["previewed"]), by=person_of(request), at=at)
        except BadFile as bad:
            return bad_file(bad.problems)
        except PreviewIsOld:
            text = _("Something has changed in the meantime: ask again what the file would change.")
            return problem_answer(409, "preview_is_old", text)
        return Response(as_json(loaded))


def is_said(said: Any, name: str) -> bool:
    return str(said.get(name, "")).lower() in {"1", "true", "on"}


def as_json(loaded: Loaded) -> LoadedAnswer:
    report = loaded.report
    return {
        "changes": [change.message for change in report.changed],
        "left_alone": [left.message for left in report.left_alone],
        "digest": loaded.digest,
    }


def problem_as_json(problem: Finding) -> Placed:
    return {"place": problem.place, "message": problem.message}


def bad_file(problems: Any) -> Response:
    listed = [problem_as_json(problem) for problem in problems]
    return problem_answer(422, "bad_file", _("The file has problems; nothing was changed."), problems=listed)
