"""REST: what teams and organizers do with runs besides handing them in: choose one, start, score again."""

from typing import NotRequired, TypedDict
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import Access, person_of
from api.describing import describes
from api.parsers import fields_of
from api.problems import problem_answer
from automatic_tasks.access import run_for, run_of_own_team, task_of
from automatic_tasks.actions import (
    choose_run,
    score_again,
    score_all_again,
    score_baselines,
    start_all_service_runs,
)
from automatic_tasks.api import RunAnswer, RunShown, run_shown
from automatic_tasks.boards.task_boards import outdated_runs
from automatic_tasks.models import RunState
from campaigns.access import RolesView
from campaigns.models import Role
from reading.kinds import Choice
from reading.tables import Field, Table

STARTED = ("baselines", "services", "outdated", "scored")


class StartedAnswer(TypedDict):
    """`left_out` are the teams whose services could not be called: a run is under way, the quota is used up, or it cannot be called now; withdrawn services are not listed."""

    n: int
    left_out: NotRequired[list[str]]


class ChooseRun(RolesView):
    """POST makes the run the one that represents its team."""

    access = Access("roles", (Role.PARTICIPANT,))

    @describes("Makes a run the one that represents its team", RunAnswer, refuses=(409,))
    def post(self, request: Request, run_id: UUID) -> RunShown:
        run = run_of_own_team(person_of(request), self.campaign, run_id)
        return run_shown(choose_run(run=run, by=person_of(request)), as_organizer=False)


class ScoreAgain(RolesView):
    """POST puts a run that is over in the queue once more."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Puts a run that is over in the queue once more", RunAnswer, refuses=(409,))
    def post(self, request: Request, run_id: UUID) -> RunShown:
        queued = score_again(run=run_for(person_of(request), self.campaign, run_id), by=person_of(request))
        return run_shown(queued, as_organizer=True)


class StartRuns(RolesView):
    """POST `what`: `baselines`, `services`, `outdated` or `scored` (both are scored again). Gives how many are in the queue."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Starts runs of a task: its baselines, all services, or runs that are scored again",
        StartedAnswer,
        reads=Table({"what": Field(Choice(STARTED))}),
        refuses=(409,),
    )
    def post(self, request: Request, key: str) -> StartedAnswer | Response:
        task = task_of(self.campaign, key)
        person, now = person_of(request), timezone.now()
        match fields_of(request).get("what"):
            case "baselines":
                return {"n": len(score_baselines(task=task, person=person, at=now))}
            case "services":
                started, left_out = start_all_service_runs(task=task, person=person, at=now)
                return {"n": len(started), "left_out": [team.name for team in left_out]}
            case "outdated":
                return {"n": len(score_all_again(runs=outdated_runs(task), by=person))}
            case "scored":
                return {"n": len(score_all_again(runs=task.runs.filter(state=RunState.SCORED), by=person))}
        known = ", ".join(STARTED)
        return problem_answer(
            400, "unknown_runs", lambda: _("Say under `what` which runs: %(known)s.") % {"known": known}
        )
