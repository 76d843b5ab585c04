"""REST: tasks of a campaign, a team's runs, boards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NotRequired, TypedDict
from uuid import UUID

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.answers import From, encoded
from api.describing import describes
from api.paging import PAGES, SINCE, Page, asked_in, page_of
from api.parsers import StrictJSONParser, StrictMultiPartParser, fields_of
from api.problems import problem_answer
from automatic_tasks.access import board_is_visible, is_organizer, run_for, task_of, visible_scores
from automatic_tasks.actions import check_run_file, start_service_run, submit_file_run
from automatic_tasks.boards.rescaling import UnknownScale, rescaled, rescaled_statistics, scale_of
from automatic_tasks.boards.statistics import shown_statistics
from automatic_tasks.boards.task_boards import UnknownFigure, board, to_json
from automatic_tasks.combined.access import published_for
from automatic_tasks.inputs import opens_at, prefetched_inputs
from automatic_tasks.models import AutomaticTask, Run, RunState, Split
from automatic_tasks.runs.queue import QueueSeen
from automatic_tasks.runs.quotas import Allowance, allowances_of, runs_close_at, runs_open_at, why_no_runs
from campaigns.access import RolesView, require_role, team_of
from campaigns.models import Campaign, Role
from leaderboards.board import with_english_names
from leaderboards.board_json import whys
from leaderboards.explanations import with_statistics
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
    zh: Annotated[str, From("name_zh")]
    en: Annotated[str, From("name_en")]


class RankingKeyAnswer(TypedDict):
    key: Annotated[str, From("figure")]
    better: str


class TaskQuota(TypedDict):
    total: int | None
    per_day: int | None


class TaskInput(TypedDict):
    """A data package, of a task that is open; a team downloads it from `…/team/packages/<id>/` from `opens_at` on, at once where that is null."""

    id: Annotated[int, From("pk")]
    file_name: str
    size: int
    sha256: str
    opens_at: Annotated[Moment | None, From(opens_at)]


@dataclass(frozen=True, slots=True)
class TaskShown:
    """A task for a member of the team, with the quota that holds for the team and what is left of it."""

    task: AutomaticTask
    allowed: Allowance | None

    @property
    def quota(self) -> TaskQuota:
        task, allowed = self.task, self.allowed
        return {
            "total": allowed.total if allowed else task.quota_total,
            "per_day": allowed.per_day if allowed else task.quota_per_day,
        }

    @property
    def left(self) -> Mapping[str, int] | None:
        return {"total": self.allowed.left, "today": self.allowed.today} if self.allowed else None


class TaskAnswer(TypedDict):
    """When runs are accepted follows the campaign's dates and the task's own, whichever is narrower.

    `closed_because` says why none is accepted now, and is empty where they are. `left` is what the team has left of its
    quota; null for organizers. `handed_in_with` is the task in whose files its part stands, and whose quota holds for both.
    """

    key: Annotated[str, From("task.key")]
    type: Annotated[str, From("task.type")]
    name: Annotated[Names, From("task")]
    is_open: Annotated[bool, From("task.is_open")]
    runs_from: Annotated[Moment | None, From(lambda one: runs_open_at(one.task))]
    runs_until: Annotated[Moment | None, From(lambda one: runs_close_at(one.task.campaign, one.task))]
    closed_because: Annotated[str, From(lambda one: why_no_runs(one.task, timezone.now()))]
    is_service: Annotated[bool, From("task.task_type.is_service")]
    handed_in_with: Annotated[str | None, From("task.handed_in_with.key")]
    splits: Annotated[Sequence[str], From("task.splits")]
    is_released: Annotated[bool, From(lambda one: one.task.released_at is not None)]
    ranking: Annotated[list[RankingKeyAnswer], From("task.ranking_rule")]
    quota: TaskQuota
    left: Mapping[str, int] | None
    inputs: Annotated[list[TaskInput], From("task.inputs.all")]


class RunWaitAnswer(TypedDict):
    """`since` is null for a run that waits to be scored again."""

    since: Moment | None
    who: str
    until: str


@dataclass(frozen=True, slots=True)
class RunShown:
    """`version` is its task's `score_version`; the queue is read once for all runs of a list."""

    run: Run
    version: str
    as_organizer: bool
    queue: QueueSeen


def run_shown(run: Run, *, as_organizer: bool) -> RunShown:
    return RunShown(run, run.task.score_version, as_organizer, QueueSeen(timezone.now()))


class RunAnswer(TypedDict):
    """`waits` says what a run that is not over waits for; `scores` by split and figure, as far as the reader may see them.

    Runs of one file that was handed in for several tasks have one `submission`.
    """

    id: Annotated[Id, From("run.pk")]
    submission: Annotated[Id, From("run.submission")]
    run: Annotated[str, From("run.name")]
    task: Annotated[str, From("run.task.key")]
    number: Annotated[int, From("run.number")]
    note: Annotated[str, From("run.note")]
    state: Annotated[str, From("run.state")]
    fault: Annotated[str, From("run.fault")]
    message: Annotated[str, From(lambda one: "\n".join(reason.in_full for reason in one.run.why))]
    warnings: Annotated[list[str], From(lambda one: [finding.in_full for finding in one.run.findings])]
    done: Annotated[int, From("run.n_done")]
    total: Annotated[int, From("run.n_total")]
    submitted_at: Annotated[Moment, From("run.submitted_at")]
    finished_at: Annotated[Moment | None, From("run.finished_at")]
    waits: Annotated[RunWaitAnswer | None, From(lambda one: one.queue.wait_of(one.run))]
    is_chosen: Annotated[bool, From("run.is_chosen")]
    is_outdated: Annotated[bool, From(lambda one: one.run.is_outdated(one.version))]
    scores: Annotated[
        Mapping[str, Mapping[str, float | None]],
        From(lambda one: visible_scores(one.run, as_organizer=one.as_organizer)),
    ]


class CheckedRun(TypedDict):
    """`parts` are the tasks that the file could be handed in for at once."""

    items: Annotated[int, From("n_items")]
    warnings: Annotated[list[str], From(lambda checked: [warning.in_full for warning in checked.warnings])]
    parts: Annotated[list[str], From(lambda checked: [one.key for one in checked.parts])]


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


class Tasks(RolesView):
    access = Access("roles", TAKES_PART)

    @describes("Lists the automatic tasks, with what is left of the team's quota", list[TaskAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        team, found = team_of(person_of(request), self.campaign), self.campaign.automatic_tasks
        tasks = list(found.select_related("handed_in_with").prefetch_related(prefetched_inputs()))
        allowed = allowances_of(tasks, team, timezone.now()) if team else {}
        return page_of(request, [TaskShown(task, allowed.get(task.pk)) for task in tasks])


class Runs(RolesView):
    """GET lists the team's runs (an organizer's: all). POST hands one in: multipart with `file`, or JSON for a service.

    With `check_only` = true the file is checked and nothing else: 200 with what stood out, and no quota is used.
    A file with problems is answered with 422 and all of them; a closed task or a used-up quota with 409.
    """

    access = Access("roles", TAKES_PART)
    parser_classes = (StrictMultiPartParser, StrictJSONParser)

    @describes("Lists the team's runs of a task, for organizers all; the latest first", list[RunAnswer], asks=RUNS)
    def get(self, request: Request, key: str) -> Page:
        as_organizer = is_organizer(request.user, self.campaign)
        task = task_of(self.campaign, key)
        version, runs = task.score_version, task.runs.with_names().with_scores()
        if not as_organizer:
            runs = runs.of_team(team_of(person_of(request), self.campaign))
        asked = asked_in(request, RUNS)
        if "since" in asked:
            runs = runs.filter(submitted_at__gte=asked["since"])
        if "state" in asked:
            runs = runs.filter(state=asked["state"])
        queue, page = QueueSeen(timezone.now()), page_of(request, runs)
        return replace(page, rows=[RunShown(run, version, as_organizer, queue) for run in page.rows])

    @describes(
        "Hands a run in, or only checks its file (`check_only`)",
        RunAnswer,
        201,
        also={200: CheckedRun},
        reads=RUN,
        uploads=RUN_FORM,
        refuses=(409, 422),
    )
    def post(self, request: Request, key: str) -> RunShown | Response:
        require_role(request.user, self.campaign, Role.PARTICIPANT)
        task = task_of(self.campaign, key)
        team, sent, file = team_of(person_of(request), self.campaign), fields_of(request), request.FILES.get("file")
        if team is None or (sent.get("team") and sent["team"] != team.name):
            return problem_answer(400, "no_team", lambda: _("You belong to no such team in this campaign."))
        handed_in: dict[str, Any] = {
            "person": person_of(request),
            "note": str(sent.get("note", "")),
            "at": timezone.now(),
        }
        try:
            if sent.get("check_only") in {"true", True}:
                if file is None:
                    return no_file()
                checked = check_run_file(task=task, content=file.read(), at=timezone.now())
                return Response(encoded(CheckedRun, checked))
            if file is not None:
                content, name = file.read(), file.name or ""
                run = submit_file_run(task=task, team=team, content=content, file_name=name, **handed_in)
            else:
                service = task.services.filter(team=team).select_related("task", "team").first()
                if service is None:
                    return no_file()
                run = start_service_run(service=service, **handed_in)
        except BadFile as bad:
            problems = [{"place": problem.place, "message": problem.message} for problem in bad.problems]
            return problem_answer(
                422, "bad_run", lambda: _("The run has problems; nothing was scored."), problems=problems
            )
        return run_shown(run, as_organizer=False)


def no_file() -> Response:
    return problem_answer(400, "no_file", lambda: _("Send the run as `file` (multipart/form-data)."))


class OneRun(RolesView):
    access = Access("roles", TAKES_PART)

    @describes("Gives one run with the scores that the reader may see", RunAnswer)
    def get(self, request: Request, run_id: UUID) -> RunShown:
        run = run_for(person_of(request), self.campaign, run_id)
        return run_shown(run, as_organizer=is_organizer(request.user, self.campaign))


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
