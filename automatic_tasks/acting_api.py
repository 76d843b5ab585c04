"""REST: what teams and organizers do with runs besides handing them in: choose one, start, score again."""

from functools import partial
from typing import NotRequired, TypedDict
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from api.parsers import StrictJSONParser, fields_of
from api.problems import problem_answer
from automatic_tasks.access import run_for, run_of_own_team, task_of
from automatic_tasks.actions import (
    NotAccepted,
    choose_run,
    score_again,
    score_all_again,
    score_baselines,
    start_all_service_runs,
)
from automatic_tasks.api import RunAnswer, run_as_json
from automatic_tasks.boards.task_boards import outdated_runs
from automatic_tasks.messages import said
from automatic_tasks.models import RunState
from campaigns.access import campaign_for
from campaigns.models import Role
from reading.kinds import Choice
from reading.tables import Field, Table

STARTED = ("baselines", "services", "outdated", "scored")


class StartedAnswer(TypedDict):
    """`left_out` are the teams whose services could not be called: a run is under way, the quota is used up, or it cannot be called now; withdrawn services are not listed."""

    n: int
    left_out: NotRequired[list[str]]


class ActingView(APIView):
    """A view whose body is read as JSON and whose act may be refused."""

    parser_classes = (StrictJSONParser,)

    def handle_exception(self, exc: Exception) -> Response:
        """What the platform does not accept now is a 409 with its code."""
        if isinstance(exc, NotAccepted):
            return problem_answer(409, exc.code, partial(said, exc))
        return super().handle_exception(exc)


class ChooseRun(ActingView):
    """POST makes the run the one that represents its team."""

    access = Access("roles", (Role.PARTICIPANT,))

    @describes("Makes a run the one that represents its team", RunAnswer, refuses=(409,))
    def post(self, request: Request, slug: str, run_id: UUID) -> Response:
        campaign = campaign_for(request.user, slug, Role.PARTICIPANT)
        run = run_of_own_team(person_of(request), campaign, run_id)
        chosen = choose_run(run=run, by=person_of(request))
        return Response(run_as_json(chosen, chosen.task.score_version, as_organizer=False))


class ScoreAgain(ActingView):
    """POST puts a run that is over in the queue once more."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Puts a run that is over in the queue once more", RunAnswer, refuses=(409,))
    def post(self, request: Request, slug: str, run_id: UUID) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        queued = score_again(run=run_for(person_of(request), campaign, run_id), by=person_of(request))
        return Response(run_as_json(queued, queued.task.score_version, as_organizer=True))


class StartRuns(ActingView):
    """POST `what`: `baselines`, `services`, `outdated` or `scored` (both are scored again). Gives how many are in the queue."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Starts runs of a task: its baselines, all services, or runs that are scored again",
        StartedAnswer,
        reads=Table({"what": Field(Choice(STARTED))}),
        refuses=(409,),
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        task = task_of(campaign_for(request.user, slug, Role.ORGANIZER), key)
        person, now = person_of(request), timezone.now()
        match fields_of(request).get("what"):
            case "baselines":
                return Response({"n": len(score_baselines(task=task, person=person, at=now))})
            case "services":
                started, left_out = start_all_service_runs(task=task, person=person, at=now)
                return Response({"n": len(started), "left_out": [team.name for team in left_out]})
            case "outdated":
                return Response({"n": len(score_all_again(runs=outdated_runs(task), by=person))})
            case "scored":
                scored = task.runs.filter(state=RunState.SCORED)
                return Response({"n": len(score_all_again(runs=scored, by=person))})
        known = ", ".join(STARTED)
        return problem_answer(
            400, "unknown_runs", lambda: _("Say under `what` which runs: %(known)s.") % {"known": known}
        )
