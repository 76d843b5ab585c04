"""REST: tasks of a campaign, a team's runs, boards."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NotRequired, TypedDict
from uuid import UUID

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from api.paging import PAGES, SINCE, asked_in, listed
from api.parsers import StrictJSONParser, StrictMultiPartParser, fields_of
from api.problems import problem_answer
from automatic_tasks.access import board_is_visible, is_organizer, run_for, task_of, visible_scores
from automatic_tasks.actions import NotAccepted, check_run_file, start_service_run, submit_file_run
from automatic_tasks.boards.rescaling import UnknownScale, rescaled, rescaled_statistics, scale_of
from automatic_tasks.boards.statistics import shown_statistics
from automatic_tasks.boards.task_boards import UnknownFigure, board, to_json
from automatic_tasks.combined.access import published_for
from automatic_tasks.inputs import opens_at, prefetched_inputs
from automatic_tasks.messages import said
from automatic_tasks.models import AutomaticTask, Run, RunState, Split
from automatic_tasks.runs.queue import QueueSeen, RunWait
from automatic_tasks.runs.quotas import Allowance, allowances_of, runs_close_at, runs_open_at, why_no_runs
from campaigns.access import campaign_for, team_of
from campaigns.models import Campaign, Role
from leaderboards.board import with_english_names
from leaderboards.board_json import whys
from leaderboards.explanations import with_statistics
from participants.models import Team
from publication.board_api import WhichSnapshot, which_snapshot
from publication.documents import board_in
from publication.queries import Published
from reading.checking import BadFile
from reading.json_schemas import Id, Moment
from reading.kinds import ANY_TEXT, ANYTHING, Choice, Text
from reading.tables import Field, Table

TAKES_PART = (Role.PARTICIPANT, Role.ORGANIZER)


RUN_FORM = {"team": ANY_TEXT, "note": ANY_TEXT, "check_only": Choice(("true", "false"))}
RUN = Table(
    {"team": Field(ANY_TEXT, ""), "note": Field(ANY_TEXT, ""), "check_only": Field(ANYTHING, False)}, keeps_others=True
)


RUNS = {**PAGES, "state": Choice(RunState.values), "since": SINCE}


class Names(TypedDict):
    zh: str
    en: str


class RankingKeyAnswer(TypedDict):
    key: str
    better: str


class TaskQuota(TypedDict):
    total: int | None
    per_day: int | None


class TaskInput(TypedDict):
    """A data package, of a task that is open; a team downloads it from `…/team/packages/<id>/` from `opens_at` on, at once where that is null."""

    id: int
    file_name: str
    size: int
    sha256: str
    opens_at: Moment | None


class TaskAnswer(TypedDict):
    """When runs are accepted follows the campaign's dates and the task's own, whichever is narrower.

    `closed_because` says why none is accepted now, and is empty where they are. `left` is what the team has left of its
    quota; null for organizers. `handed_in_with` is the task in whose files its part stands, and whose quota holds for both.
    """

    key: str
    type: str
    name: Names
    is_open: bool
    runs_from: Moment | None
    runs_until: Moment | None
    closed_because: str
    is_service: bool
    handed_in_with: str | None
    splits: Sequence[str]
    is_released: bool
    ranking: list[RankingKeyAnswer]
    quota: TaskQuota
    left: Mapping[str, int] | None
    inputs: list[TaskInput]


class RunWaitAnswer(TypedDict):
    """`since` is null for a run that waits to be scored again."""

    since: Moment | None
    who: str
    until: str


class RunAnswer(TypedDict):
    """`waits` says what a run that is not over waits for; `scores` by split and figure, as far as the reader may see them.

    Runs of one file that was handed in for several tasks have one `submission`.
    """

    id: Id
    submission: Id
    run: str
    task: str
    number: int
    note: str
    state: str
    fault: str
    message: str
    warnings: list[str]
    done: int
    total: int
    submitted_at: Moment
    finished_at: Moment | None
    waits: RunWaitAnswer | None
    is_chosen: bool
    is_outdated: bool
    scores: Mapping[str, Mapping[str, float | None]]


class CheckedRun(TypedDict):
    """`parts` are the tasks that the file could be handed in for at once."""

    items: int
    warnings: list[str]
    parts: list[str]


class TaskBoardAnswer(TypedDict):
    """`snapshot` says which one it is of a board that was frozen and published; organizers get the board as it is now, with its version.

    `statistics` are of these figures; they are empty from `recomputing_since` until they are computed.
    """

    task: str
    split: str
    rule: list[RankingKeyAnswer]
    rows: list[dict[str, Any]]
    unranked: list[dict[str, Any]]
    why: list[dict[str, Any]]
    statistics: dict[str, Any]
    board_version: NotRequired[int]
    recomputing_since: NotRequired[Moment | None]
    snapshot: NotRequired[WhichSnapshot]


class Tasks(APIView):
    access = Access("roles", TAKES_PART)

    @describes("Lists the automatic tasks, with what is left of the team's quota", list[TaskAnswer], asks=PAGES)
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, *TAKES_PART)
        team = team_of(person_of(request), campaign)
        tasks = list(campaign.automatic_tasks.select_related("handed_in_with").prefetch_related(prefetched_inputs()))
        allowed = allowances_of(tasks, team, timezone.now()) if team else {}
        return listed(request, tasks, lambda task: task_as_json(task, allowed.get(task.pk)))


class Runs(APIView):
    """GET lists the team's runs (an organizer's: all). POST hands one in: multipart with `file`, or JSON for a service.

    With `check_only` = true the file is checked and nothing else: 200 with what stood out, and no quota is used.
    A file with problems is answered with 422 and all of them; a closed task or a used-up quota with 409.
    """

    access = Access("roles", TAKES_PART)
    parser_classes = (StrictMultiPartParser, StrictJSONParser)

    @describes("Lists the team's runs of a task, for organizers all; the latest first", list[RunAnswer], asks=RUNS)
    def get(self, request: Request, slug: str, key: str) -> Response:
        campaign = campaign_for(request.user, slug, *TAKES_PART)
        as_organizer = is_organizer(request.user, campaign)
        task = task_of(campaign, key)
        version, runs = task.score_version, task.runs.with_names().with_scores()
        if not as_organizer:
            runs = runs.of_team(team_of(person_of(request), campaign))
        asked = asked_in(request, RUNS)
        if "since" in asked:
            runs = runs.filter(submitted_at__gte=asked["since"])
        if "state" in asked:
            runs = runs.filter(state=asked["state"])
        queue = QueueSeen(timezone.now())
        return listed(request, runs, lambda run: run_as_json(run, version, as_organizer=as_organizer, queue=queue))

    @describes(
        "Hands a run in, or only checks its file (`check_only`)",
        RunAnswer,
        201,
        also={200: CheckedRun},
        reads=RUN,
        uploads=RUN_FORM,
        refuses=(409, 422),
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.PARTICIPANT)
        task = task_of(campaign, key)
        team, named = team_of(person_of(request), campaign), fields_of(request).get("team")
        if team is None or (named and named != team.name):
            return problem_answer(400, "no_team", lambda: _("You belong to no such team in this campaign."))
        try:
            if fields_of(request).get("check_only") in {"true", True}:
                return self._checked(request, task)
            run = self._start(request, task, team)
        except BadFile as bad:
            problems = [{"place": problem.place, "message": problem.message} for problem in bad.problems]
            return problem_answer(
                422, "bad_run", lambda: _("The run has problems; nothing was scored."), problems=problems
            )
        except NotAccepted as not_accepted:
            return problem_answer(409, not_accepted.code, partial(said, not_accepted))
        if run is None:
            return problem_answer(400, "no_file", lambda: _("Send the run as `file` (multipart/form-data)."))
        return Response(run_as_json(run, task.score_version, as_organizer=False), status=201)

    def _checked(self, request: Request, task: AutomaticTask) -> Response:
        file = request.FILES.get("file")
        if file is None:
            return problem_answer(400, "no_file", lambda: _("Send the run as `file` (multipart/form-data)."))
        checked = check_run_file(task=task, content=file.read(), at=timezone.now())
        parts = [one.key for one in checked.parts]
        warnings = [warning.in_full for warning in checked.warnings]
        return Response({"items": checked.n_items, "warnings": warnings, "parts": parts})

    def _start(self, request: Request, task: AutomaticTask, team: Team) -> Run | None:
        now, note = timezone.now(), str(fields_of(request).get("note", ""))
        file = request.FILES.get("file")
        if file is not None:
            return submit_file_run(
                task=task,
                team=team,
                person=person_of(request),
                content=file.read(),
                file_name=file.name or "",
                note=note,
                at=now,
            )
        service = task.services.filter(team=team).select_related("task", "team").first()
        return start_service_run(service=service, person=person_of(request), note=note, at=now) if service else None


class OneRun(APIView):
    access = Access("roles", TAKES_PART)

    @describes("Gives one run with the scores that the reader may see", RunAnswer)
    def get(self, request: Request, slug: str, run_id: UUID) -> Response:
        campaign = campaign_for(request.user, slug, *TAKES_PART)
        run = run_for(person_of(request), campaign, run_id)
        as_organizer = is_organizer(request.user, campaign)
        return Response(run_as_json(run, run.task.score_version, as_organizer=as_organizer))


class TaskBoard(APIView):
    access = Access("published")
    permission_classes = (AllowAny,)

    @describes(
        "Gives the board of a task, unrounded, or of distances −log2 of their means (`scale=minus-log2`)",
        TaskBoardAnswer,
        asks={"by": Text(60, may_be_empty=True), "scale": Text(20, may_be_empty=True)},
    )
    def get(self, request: Request, slug: str, key: str, split: str) -> Response:
        campaign = Campaign.objects.filter(slug=slug).first()
        if campaign is None:
            raise Http404
        task = task_of(campaign, key)
        try:
            scale = scale_of(request.query_params.get("scale", ""), task.task_type)
        except UnknownScale as unknown:
            name = str(unknown)
            return problem_answer(
                400, "unknown_scale", lambda: _("The figures of this task have no scale “%(name)s”.") % {"name": name}
            )
        if shown := published_for(request.user, task, split, timezone.now()):
            return Response(published_to_json(task, split, shown, scale))
        if split not in task.splits or not board_is_visible(request.user, task, split):
            raise Http404
        for_teams = not is_organizer(request.user, campaign)
        try:
            made = board(task, Split(split), by=request.query_params.get("by", ""), for_teams=for_teams)
        except UnknownFigure as unknown:
            named = str(unknown)
            return problem_answer(
                400, "unknown_figure", lambda: _("This task has no figure “%(name)s”.") % {"name": named}
            )
        statistics = shown_statistics(task, Split(split), for_teams=for_teams)
        if scale:
            made, statistics = rescaled(made), rescaled_statistics(statistics)
        # What is stored is of the task's own rule, not of a figure that a program asks for.
        why = whys(with_statistics(made, statistics), statistics) if not request.query_params.get("by") else []
        since = None if statistics or (for_teams and split == Split.DEVELOPMENT) else task.board_changed_at
        told = {"why": why, "statistics": statistics, "board_version": task.board_version}
        return Response(
            to_json(task, Split(split), made) | told | {"recomputing_since": since.isoformat() if since else None}
        )


def published_to_json(task: AutomaticTask, split: str, shown: Published, scale: str) -> dict[str, Any]:
    """As it was frozen, by the columns and the rule that it had then."""
    frozen = with_english_names(board_in(shown.document), task.campaign.english_team_names())
    statistics = shown.document["statistics"] or {}
    if scale:
        frozen, statistics = rescaled(frozen), rescaled_statistics(statistics)
    made = with_statistics(frozen, statistics)
    told = to_json(task, Split(split), made) | {"why": whys(made, statistics), "statistics": statistics}
    return told | {"snapshot": which_snapshot(shown)}


def task_as_json(task: AutomaticTask, allowed: Allowance | None) -> TaskAnswer:
    """A task as the API gives it to a member of the team, with the quota that holds for the team and what is left of it."""
    opens, closes = runs_open_at(task), runs_close_at(task.campaign, task)
    return {
        "key": task.key,
        "type": task.type,
        "name": {"zh": task.name_zh, "en": task.name_en},
        "is_open": task.is_open,
        "runs_from": opens.isoformat() if opens else None,
        "runs_until": closes.isoformat() if closes else None,
        "closed_because": why_no_runs(task, timezone.now()),
        "is_service": task.task_type.is_service,
        "handed_in_with": task.handed_in_with.key if task.handed_in_with else None,
        "splits": task.splits,
        "is_released": task.released_at is not None,
        "ranking": [{"key": key.figure, "better": key.better} for key in task.ranking_rule],
        "quota": {
            "total": allowed.total if allowed else task.quota_total,
            "per_day": allowed.per_day if allowed else task.quota_per_day,
        },
        "left": {"total": allowed.left, "today": allowed.today} if allowed else None,
        "inputs": [
            {
                "id": one.pk,
                "file_name": one.file_name,
                "size": one.size,
                "sha256": one.sha256,
                "opens_at": since.isoformat() if (since := opens_at(one)) else None,
            }
            for one in task.inputs.all()
        ],
    }


def run_as_json(run: Run, version: str, *, as_organizer: bool, queue: QueueSeen | None = None) -> RunAnswer:
    """A run as the API gives it; `version` is its task's `score_version`. Lists give the `queue`, which is read once."""
    wait = (queue or QueueSeen(timezone.now())).wait_of(run)
    return {
        "id": str(run.pk),
        "submission": str(run.submission),
        "run": run.name,
        "task": run.task.key,
        "number": run.number,
        "note": run.note,
        "state": run.state,
        "fault": run.fault,
        "message": "\n".join(reason.in_full for reason in run.why),
        "warnings": [finding.in_full for finding in run.findings],
        "done": run.n_done,
        "total": run.n_total,
        "submitted_at": run.submitted_at.isoformat(),
        "finished_at": run.finished_at.isoformat() if run.finished_at else None,
        "waits": _wait_document(wait) if wait else None,
        "is_chosen": run.is_chosen,
        "is_outdated": run.is_outdated(version),
        "scores": visible_scores(run, as_organizer=as_organizer),
    }


def _wait_document(wait: RunWait) -> RunWaitAnswer:
    return {"since": wait.since.isoformat() if wait.since else None, "who": wait.who, "until": wait.until}
