"""Imports a file of finished dialogues for the reviewers, or of records for the leaderboard: pages and API."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Protocol, TypedDict

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from accounts.models import Person
from api.answers import From
from api.describing import describes
from api.parsers import StrictJSONParser, StrictMultiPartParser, fields_of
from api.problems import problem_answer
from campaigns.access import OrganizersView, for_roles
from campaigns.models import Campaign, Role
from dialogues.actions import import_dialogues
from dialogues.dialogue_files import FORMATS
from leaderboards.actions import import_records
from leaderboards.record_files import read_record_lines
from pairs.actions.importing import import_battles
from pairs.board.battle_files import JUDGES, read_battles
from participants.limits import NAME_LIMIT
from reading.checking import BadFile, BadForm, Problems
from reading.findings import Finding
from reading.kinds import Choice, Kind, Text
from reading.tables import Field, Table

# All of a request is one transaction, and SQLite has one writer: this many dialogues or records hold it for about half a second.
MOST_DIALOGUES = 200
MOST_RECORDS = 5_000
MOST_BATTLES = 5_000
NAME = Text(NAME_LIMIT, may_be_empty=True)
ASKED: Mapping[str, Kind] = {"format": Choice(sorted(FORMATS)), "bot": NAME, "team": NAME}
ASKED_TABLE = Table({name: Field(kind, "huace" if name == "format" else "") for name, kind in ASKED.items()})
ASKED_OF_BATTLES: Mapping[str, Kind] = {"judges": Choice(list(JUDGES))}
ASKED_OF_BATTLES_TABLE = Table({name: Field(kind, "file") for name, kind in ASKED_OF_BATTLES.items()})
TOO_MANY_DIALOGUES = gettext_noop("The file holds %(n)s dialogues. A request takes at most %(most)s: split the file.")
TOO_MANY_RECORDS = gettext_noop("The file holds %(n)s records. A request takes at most %(most)s: split the file.")
TOO_MANY_BATTLES = gettext_noop("The file holds %(n)s comparisons. A request takes at most %(most)s: split the file.")


class TooMany(Exception):
    """The file would hold up everybody who writes meanwhile; as a sentence it says how many may come at once."""

    def __init__(self, text: str, n: int, most: int) -> None:
        super().__init__(text, n, most)
        self.finding = Finding("", text, {"n": n, "most": most})

    def __str__(self) -> str:
        return self.finding.message


class Brought(Protocol):
    """How many dialogues or records are new, and how many were imported before."""

    @property
    def n_new(self) -> int: ...
    @property
    def n_known(self) -> int: ...


# Stores what a file holds. Errors: `BadFile`; then nothing is stored.
Bring = Callable[[], Brought]


def dialogues_in(*, campaign: Campaign, content: bytes, asked: Mapping[str, Any], by: Person, at: datetime) -> Bring:
    """Reads a file of dialogues, before the writer is held; they are stored under the person who brings them. Errors: `BadFile`, `TooMany`."""
    dialogues = FORMATS[asked["format"]](content)
    if len(dialogues) > MOST_DIALOGUES:
        raise TooMany(TOO_MANY_DIALOGUES, len(dialogues), MOST_DIALOGUES)
    said = {"bot": asked["bot"], "team": asked["team"], "at": at}
    return partial(import_dialogues, campaign=campaign, dialogues=dialogues, importer=by, **said)


def records_in(*, campaign: Campaign, content: bytes, by: Person) -> Bring:
    """The same for records; the board follows by itself."""
    scales = {criterion.key: criterion.scores() for criterion in campaign.rubric.criteria.all()}
    lines = read_record_lines(content.splitlines(), scales)
    if len(lines) > MOST_RECORDS:
        raise TooMany(TOO_MANY_RECORDS, len(lines), MOST_RECORDS)
    return partial(import_records, campaign=campaign, lines=lines, by=by)


def battles_in(
    *, campaign: Campaign, name: str, content: bytes, asked: Mapping[str, Any], by: Person, at: datetime
) -> Bring:
    """The same for comparisons of systems; the file's name says its format."""
    battles = read_battles(name, content, asked["judges"])
    if len(battles) > MOST_BATTLES:
        raise TooMany(TOO_MANY_BATTLES, len(battles), MOST_BATTLES)
    return partial(import_battles, campaign=campaign, battles=battles, by=by, at=at)


def only_tried(bring: Bring) -> Brought:
    """What it would bring; nothing is stored. Errors: those of `bring`."""
    with transaction.atomic():
        brought = bring()
        transaction.set_rollback(True)
    return brought


def read_asked(said: Mapping[str, Any]) -> dict[str, Any]:
    """Format, bot and team as a form or a program names them. Errors: `BadForm`."""
    asked: dict[str, Any] = _read(said, ASKED_TABLE)
    return asked


def _read(said: Mapping[str, Any], table: Table) -> Any:
    problems = Problems()
    asked = problems.read(dict(said), "", table)
    problems.refuse(BadForm)
    return asked


PROBLEMS_SHOWN = 200
FORMAT_NAMES = {"huace": "JSON Lines", "ntcir": "NTCIR STC-3", "mobilecs": "MobileCS"}


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def dialogues(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """POST imports finished dialogues; with `then=check` it only says what it would bring."""
    typed = {name: request.POST.get(name, "") for name in ASKED}
    if request.method != "POST":
        return _page(request, campaign, "imports", typed)

    def read(content: bytes) -> Bring:
        asked, by = read_asked(typed), person_of(request)
        return dialogues_in(campaign=campaign, content=content, asked=asked, by=by, at=timezone.now())

    return _brought(request, campaign, "imports", typed, read)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def records(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """POST imports records; with `then=check` it only says what it would bring."""
    if request.method != "POST":
        return _page(request, campaign, "import-records")

    def read(content: bytes) -> Bring:
        return records_in(campaign=campaign, content=content, by=person_of(request))

    return _brought(request, campaign, "import-records", {}, read)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def battles(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """POST imports comparisons of systems; with `then=check` it only says what it would bring."""
    typed = {"judges": request.POST.get("judges", "file")}
    if request.method != "POST":
        return _page(request, campaign, "import-battles", typed)

    def read(content: bytes) -> Bring:
        file, by = request.FILES.get("file"), person_of(request)
        name, asked = (file and file.name) or "", _read(typed, ASKED_OF_BATTLES_TABLE)
        return battles_in(campaign=campaign, name=name, content=content, asked=asked, by=by, at=timezone.now())

    return _brought(request, campaign, "import-battles", typed, read)


def _brought(
    request: HttpRequest, campaign: Campaign, page: str, typed: Mapping[str, str], read: Callable[[bytes], Bring]
) -> HttpResponse:
    file = request.FILES.get("file")
    if file is None or (file.size or 0) > settings.UPLOAD_LIMIT_BYTES:
        said = _("The file is larger than %(n)s MB.") % {"n": _limit_mb()} if file else _("Choose a file first.")
        messages.error(request, said)
        return redirect(page, slug=campaign.slug)
    content, name = file.read(), (file.name or "")[:200]
    try:
        if request.POST.get("then") == "check":
            tried = only_tried(read(content))
            text = _("%(name)s is right: %(new)s new, %(known)s imported before. Nothing was stored.")
            messages.success(request, text % {"name": name, "new": tried.n_new, "known": tried.n_known})
            return _page(request, campaign, page, typed)
        done = read(content)()
    except (BadFile, BadForm) as bad:
        return _page(request, campaign, page, typed, bad.problems)
    except TooMany as too_many:
        return _page(request, campaign, page, typed, [too_many.finding])
    text = _("%(name)s is imported: %(new)s new, %(known)s imported before.")
    messages.success(request, text % {"name": name, "new": done.n_new, "known": done.n_known})
    return redirect(page, slug=campaign.slug)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    page: str,
    typed: Mapping[str, str] | None = None,
    problems: Sequence[Any] = (),
) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "part": page,
        "typed": typed or {},
        "problems": problems[:PROBLEMS_SHOWN],
        "n_problems": len(problems),
        "formats": [(name, FORMAT_NAMES[name]) for name in FORMATS],
        "name_limit": NAME_LIMIT,
        "limit_bytes": settings.UPLOAD_LIMIT_BYTES,
        "limit_mb": _limit_mb(),
    }
    return render(request, "organizing/imports/imports.html", shown, status=422 if problems else 200)


def _limit_mb() -> str:
    return f"{settings.UPLOAD_LIMIT_BYTES / 1024 / 1024:g}"


class ImportedAnswer(TypedDict):
    """How many dialogues or records are new, and how many were imported before."""

    new: Annotated[int, From("n_new")]
    known: Annotated[int, From("n_known")]


class ImportView(OrganizersView):
    """A file with problems is answered with 422 and all of them, one that holds too much with 413; then nothing is stored."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, TooMany):
            return problem_answer(413, "too_many", exc.__str__)
        return super().handle_exception(exc)


class ImportedDialogues(ImportView):
    """POST `file` (multipart) with its `format`; `bot` and `team` are those of dialogues that name none."""

    parser_classes = (StrictMultiPartParser, StrictJSONParser)

    @describes(
        "Imports finished dialogues for the campaign's reviewers",
        ImportedAnswer,
        201,
        uploads=ASKED,
        refuses=(422,),
    )
    def post(self, request: Request) -> Any:
        file, asked = request.FILES.get("file"), read_asked(_beside_file(request))
        if file is None:
            return problem_answer(400, "no_file", lambda: _("Send the dialogues as `file` (multipart/form-data)."))
        content, by = file.read(), person_of(request)
        return dialogues_in(campaign=self.campaign, content=content, asked=asked, by=by, at=timezone.now())()


class ImportedRecords(ImportView):
    """POST `file` (multipart), JSON Lines with one dialogue × reviewer per line."""

    parser_classes = (StrictMultiPartParser,)

    @describes(
        "Imports records from elsewhere, which the leaderboard then counts",
        ImportedAnswer,
        201,
        uploads={},
        refuses=(422,),
    )
    def post(self, request: Request) -> Any:
        # A misspelt field would be ignored.
        _read(_beside_file(request), Table({}))
        file = request.FILES.get("file")
        if file is None:
            return problem_answer(400, "no_file", lambda: _("Send the records as `file` (multipart/form-data)."))
        return records_in(campaign=self.campaign, content=file.read(), by=person_of(request))()


class ImportedBattles(ImportView):
    """POST `file` (multipart) whose name ends in .csv, .json or .jsonl; `judges` says whose votes it holds where its rows do not."""

    parser_classes = (StrictMultiPartParser,)

    @describes(
        "Imports comparisons of two systems each; the board of pairs then counts those of people",
        ImportedAnswer,
        201,
        uploads=ASKED_OF_BATTLES,
        refuses=(422,),
    )
    def post(self, request: Request) -> Any:
        file, asked = request.FILES.get("file"), _read(_beside_file(request), ASKED_OF_BATTLES_TABLE)
        if file is None:
            return problem_answer(400, "no_file", lambda: _("Send the comparisons as `file` (multipart/form-data)."))
        name, content, by = file.name or "", file.read(), person_of(request)
        return battles_in(campaign=self.campaign, name=name, content=content, asked=asked, by=by, at=timezone.now())()


def _beside_file(request: Request) -> dict[str, Any]:
    return {name: said for name, said in fields_of(request).items() if name != "file"}
