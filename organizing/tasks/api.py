"""REST: automatic tasks as organizers set them up, by the same rules as the pages."""

from dataclasses import replace
from typing import Annotated, Any, NotRequired, TypedDict

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.answers import SAME, From, encoded
from api.describing import FileOf, describes
from api.file_views import FileView
from api.paging import PAGES, Page, page_of
from api.parsers import StrictJSONParser, StrictMultiPartParser, body_in, fields_of
from api.problems import problem_answer
from automatic_tasks.access import task_of
from automatic_tasks.actions import (
    CHANGES,
    IsNeeded,
    StoredTask,
    change_task,
    preview_task,
    remove_task,
    set_quota,
    store_task,
    take_back_quota,
)
from automatic_tasks.dumping import quota_document
from automatic_tasks.models import AutomaticTask, TeamQuota
from automatic_tasks.task_file import QuotaSpec, TaskSpec, completed
from campaigns.access import OrganizersView
from campaigns.actions import ReasonNeeded
from campaigns.models import Campaign
from organizing.file_page import is_said, limit_bytes, limit_mb
from organizing.tasks.downloads import archive_for, example_gold_of
from organizing.tasks.form import TABLE
from organizing.tasks.listing import as_json
from organizing.tasks.quota_views import quota_of
from organizing.tasks.requested_task import FILES, asked_for
from participants.limits import REASON_LIMIT
from reading.checking import BadFile, BadForm, Problems
from reading.findings import Finding
from reading.kinds import ANY_TEXT, FLAG, OBJECT, TEXT, Wrong
from reading.strict_json import NotJson, loads
from reading.tables import Field, Table

# What a document of the API says by other addresses, or by the files beside it.
NOT_HERE = ("gold", "noise", "services", "quotas")
DOCUMENT = replace(TABLE, fields={name: one for name, one in TABLE.fields.items() if name not in NOT_HERE})
# What a task opens with; of one that exists PATCH opens and closes it.
OPENED = ("open", "board_open")
# The key of a task that exists is that of its address.
NOT_CONTENTS = ("key", "type", *OPENED)
CONTENTS = replace(DOCUMENT, fields={name: one for name, one in DOCUMENT.fields.items() if name not in NOT_CONTENTS})
# What is missing is refused as what is empty.
TEAM_QUOTA = Table({name: Field(ANY_TEXT, "") for name in ("team", "because")}, keeps_others=True)
FORM = {"task": TEXT, "check_only": FLAG}


def warnings_in(stored: StoredTask) -> list[str]:
    return [warning.message for warning in stored.report.warnings]


class QuotaAnswer(TypedDict):
    team: str
    total: NotRequired[int]
    per_day: NotRequired[int]
    reason: str
    team_en: str


class Items(TypedDict):
    development: Annotated[int, From("n_development")]
    hidden: Annotated[int, From("n_hidden")]


class TaskSetupAnswer(TypedDict):
    """`task` is the table of a task file, and may be sent back; `changes` are said where something was stored."""

    task: dict[str, Any]
    items: Items
    left_to_the_type: dict[str, Any]
    origin: str
    is_open: bool
    board_is_open: bool
    is_released: bool
    quotas: list[QuotaAnswer]
    changes: NotRequired[list[str]]
    warnings: NotRequired[list[str]]


class CheckedTask(TypedDict):
    key: str
    changes: Annotated[list[str], From(lambda stored: [change.message for change in stored.report.changed])]
    warnings: Annotated[list[str], From(warnings_in)]
    items: Annotated[Items, SAME]


class OfTasks(OrganizersView):
    parser_classes = (StrictJSONParser, StrictMultiPartParser)

    def store(self, request: Request, campaign: Campaign, task: AutomaticTask | None) -> Response:
        uploads = {name: file.read() for name in FILES if (file := request.FILES.get(name)) is not None}
        if sum(map(len, uploads.values())) > limit_bytes():
            return problem_answer(
                413, "too_large", lambda: _("The files are larger than %(n)s MB together.") % {"n": limit_mb()}
            )
        asked = asked_for(task, lambda files, problems: spec_of(request, task, files, problems), uploads)
        said: dict[str, Any] = {"campaign": campaign, "spec": asked.spec, "content_of": asked.content_of}
        if is_said(fields_of(request), "check_only"):
            return Response(encoded(CheckedTask, preview_task(**said, at=timezone.now()), key=asked.spec.key))
        if task is None and campaign.automatic_tasks.filter(key=asked.spec.key).exists():
            return problem_answer(409, "key_is_taken", lambda: _("is the key of another task"))
        stored = store_task(**said, by=person_of(request), at=timezone.now())
        made = task_of(campaign, asked.spec.key)
        changes = [change.message for change in stored.report.changed]
        told = {"changes": changes, "warnings": warnings_in(stored)}
        return Response(as_json(made) | told, status=200 if task else 201)


class TaskSetup(OfTasks):
    """GET lists the tasks as they are set up. POST adds one: `task`, the table of a task file, with the files `gold`,
    `development` (the items with feedback, where they are apart) and `noise` in multipart/form-data.

    With `check_only` = true nothing is stored, and the answer says what would be. Problems are listed with their places: 422.
    """

    @describes("Lists the automatic tasks as they are set up", list[TaskSetupAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        found = self.campaign.automatic_tasks.select_related("campaign", "gold", "noise")
        page = page_of(request, found.prefetch_related("services__team", "team_quotas__team"))
        return replace(page, rows=map(as_json, page.rows))

    @describes(
        "Adds an automatic task with its gold, or says what would be stored (`check_only`)",
        TaskSetupAnswer,
        201,
        also={200: CheckedTask},
        reads=Table({"task": Field(DOCUMENT), "check_only": Field(FLAG, False)}),
        uploads=FORM,
        files={"gold": True, "development": False, "noise": False},
        refuses=(409, 422),
    )
    def post(self, request: Request) -> Response:
        return self.store(request, self.campaign, None)


class OneTask(OfTasks):
    """PUT gives it other contents; without files it keeps its own, and what scores depend on is fixed by the first run.

    PATCH opens or closes it (`is_open`, `board_is_open`, `released`); DELETE removes it where nothing depends on it.
    """

    @describes("Gives one automatic task as it is set up", TaskSetupAnswer)
    def get(self, request: Request, key: str) -> dict[str, Any]:
        return as_json(task_of(self.campaign, key))

    @describes(
        "Gives an automatic task other contents; without files it keeps its own",
        TaskSetupAnswer | CheckedTask,
        reads=Table({"task": Field(CONTENTS), "check_only": Field(FLAG, False)}),
        uploads=FORM,
        files={"gold": False, "development": False, "noise": False},
        refuses=(409, 422),
    )
    def put(self, request: Request, key: str) -> Response:
        return self.store(request, self.campaign, task_of(self.campaign, key))

    @describes(
        "Opens or closes an automatic task or its board, or releases its hidden scores",
        TaskSetupAnswer,
        reads=Table({name: Field(FLAG, None) for name in CHANGES}),
        refuses=(409, 422),
    )
    def patch(self, request: Request, key: str) -> dict[str, Any]:
        task, said = task_of(self.campaign, key), fields_of(request)
        wrong = [name for name in said if name not in CHANGES or not isinstance(said[name], bool)]
        if wrong or not said:
            text = gettext_noop("must be one of %(choices)s, with true or false")
            place = wrong[0] if wrong else "is_open"
            raise BadForm([Finding(place, text, {"choices": ", ".join(CHANGES)})])
        return as_json(change_task(task=task, changes=dict(said), at=timezone.now(), by=person_of(request)))

    @describes("Removes an automatic task that nothing depends on", None, 204, refuses=(409,))
    def delete(self, request: Request, key: str) -> Response:
        task = task_of(self.campaign, key)
        try:
            remove_task(task=task, by=person_of(request), at=timezone.now())
        except IsNeeded as needed:
            return problem_answer(
                409,
                "is_needed",
                lambda: _("Something depends on the task %(key)s by now: it stays.") % {"key": key},
                needed_by=list(needed.by),
            )
        return Response(status=204)


class TaskQuotas(OfTasks):
    """GET lists the teams with a quota of their own; POST gives one: `team`, `total`, `per_day` or both, and `reason`.

    DELETE takes it back: `team` and `because`.
    """

    @describes("Lists the teams that have a quota of their own for a task", list[QuotaAnswer], asks=PAGES)
    def get(self, request: Request, key: str) -> Page:
        page = page_of(request, task_of(self.campaign, key).team_quotas.select_related("team"))
        return replace(page, rows=map(quota_answer, page.rows))

    @describes("Gives a team a quota of its own, with a reason", QuotaAnswer, reads=QuotaSpec, refuses=(409, 422))
    def post(self, request: Request, key: str) -> dict[str, Any]:
        task = task_of(self.campaign, key)
        spec = quota_of(dict(fields_of(request)))
        return quota_answer(set_quota(task=task, spec=spec, by=person_of(request), at=timezone.now()))

    @describes(
        "Takes a team's own quota back, with a reason",
        None,
        204,
        reads=Table({"team": Field(TEXT), "because": Field(TEXT)}),
        refuses=(409, 422),
    )
    def delete(self, request: Request, key: str) -> Response:
        task = task_of(self.campaign, key)
        said = body_in(request, TEAM_QUOTA)
        quota = get_object_or_404(task.team_quotas.select_related("team"), team__name=said["team"])
        because = said["because"]
        try:
            take_back_quota(quota=quota, because=because, by=person_of(request), at=timezone.now())
        except ReasonNeeded as missing:
            wrong = gettext_noop("must say why, in at most %(n)d characters")
            raise BadForm([Finding("because", wrong, {"n": REASON_LIMIT})]) from missing
        return Response(status=204)


class TaskFiles(FileView, OrganizersView):
    """GET gives tasks.toml with the gold and noise that it names, as one archive."""

    @describes("Gives the task file with the gold and noise that it names", FileOf(("application/zip",)))
    def get(self, request: Request) -> HttpResponse:
        return archive_for(campaign=self.campaign, by=person_of(request))


class ExampleGold(FileView, OrganizersView):
    @describes("Downloads small gold of a task type, that of its example run", FileOf(("application/octet-stream",)))
    def get(self, request: Request, type: str) -> HttpResponse:
        return example_gold_of(type)


def spec_of(request: Request, task: AutomaticTask | None, files: set[str], problems: Problems) -> TaskSpec:
    """The task that a program asks for; its key is that of the address. What is wrong is noted."""
    document = document_in(fields_of(request).get("task"))
    if task is not None:
        document = {"type": task.type, **document, "key": task.key}
        for name in OPENED:
            if document.pop(name, None) is not None:
                problems.note(name, gettext_noop("has no place here: PATCH opens and closes a task and its board"))
    for name in NOT_HERE:
        if document.pop(name, None) is not None:
            problems.note(
                name, gettext_noop("has no place here: files are sent beside the task, the rest by its own address")
            )
    spec: TaskSpec = TABLE.read(document | {name: name for name in files}, "", "", problems)
    return completed(spec, "", problems) if spec.type else spec


def document_in(said: Any) -> dict[str, Any]:
    """The object under `task`: as it is in JSON, as a text in multipart/form-data. Errors: `BadFile`."""
    try:
        document: dict[str, Any] = OBJECT.value_of(loads(said.encode()) if isinstance(said, str) else said)
    except NotJson as bad:
        raise BadFile([bad.finding.within("task")]) from bad
    except Wrong as wrong:
        raise BadFile([wrong.at("task")]) from wrong
    return dict(document)


def quota_answer(quota: TeamQuota) -> dict[str, Any]:
    """As the file has it, and the team's English name."""
    return quota_document(quota) | {"team_en": quota.team.name_en}
