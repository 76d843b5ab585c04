"""Who sees which task, service, run and score. What they may not see (what is another team's, hidden scores) is a 404."""

from typing import Any
from uuid import UUID

from django.http import Http404

from accounts.models import Person
from automatic_tasks.boards.feedback import rounded
from automatic_tasks.checked_services import SERVICES
from automatic_tasks.models import AutomaticTask, Run, RunQuerySet, Service, Split
from campaigns.access import has_role, roles_of, team_of
from campaigns.models import Campaign, Role
from conformance.access import system_for


def task_of(campaign: Campaign, key: str) -> AutomaticTask:
    """Errors: `Http404`."""
    task = campaign.automatic_tasks.filter(key=key).select_related("campaign").first()
    if task is None:
        raise Http404
    return task


def is_organizer(person: Any, campaign: Campaign) -> bool:
    return has_role(person, campaign, Role.ORGANIZER)


def service_of_own_team(person: Person, campaign: Campaign, service_id: int) -> Service:
    """The service, for who is a member of its team now. Errors: `Http404`."""
    service: Service = system_for(SERVICES, person, campaign, service_id)
    if service.team != team_of(person, campaign):
        raise Http404
    return service


def run_for(person: Person, campaign: Campaign, run_id: UUID) -> Run:
    """The run, for organizers and members of its team. Errors: `Http404`."""
    if is_organizer(person, campaign):
        return _run_among(Run.objects.all(), campaign, run_id)
    return run_of_own_team(person, campaign, run_id)


def run_of_own_team(person: Person, campaign: Campaign, run_id: UUID) -> Run:
    """The run, for current members of its team, also if another member handed it in. Errors: `Http404`."""
    return _run_among(Run.objects.of_team(team_of(person, campaign)), campaign, run_id)


def _run_among(runs: RunQuerySet, campaign: Campaign, run_id: UUID) -> Run:
    run = runs.with_names().with_scores().filter(pk=run_id, task__campaign=campaign).first()
    if run is None:
        raise Http404
    return run


def board_is_visible(person: Any, task: AutomaticTask, split: str) -> bool:
    """Organizers always; teams once it is open to them or, for hidden scores, released; everybody once published."""
    return split in visible_boards(task, roles_of(person, task.campaign))


def visible_boards(task: AutomaticTask, roles: frozenset[str]) -> list[Split]:
    """The splits of the task whose boards somebody with these roles may see."""
    if Role.ORGANIZER in roles or (task.campaign.is_published and task.released_at is not None):
        return task.splits
    if Role.PARTICIPANT not in roles:
        return []
    return [split for split in task.splits if _is_out(task, split)]


def _is_out(task: AutomaticTask, split: str) -> bool:
    return task.released_at is not None or (split != Split.HIDDEN and task.board_is_open)


def visible_scores(run: Run, *, as_organizer: bool) -> dict[str, dict[str, float | None]]:
    """Figures by split, as far as the reader may see them: rounded and revealed for the team, whole for organizers."""
    shown: dict[str, dict[str, float | None]] = {}
    for score in run.scores.all():
        if as_organizer:
            shown[score.split] = score.figures
        elif score.split == Split.HIDDEN:
            if run.task.released_at is not None:
                shown[score.split] = score.figures
        elif run.is_revealed or run.task.released_at is not None:
            shown[score.split] = rounded(score.figures, None if run.task.released_at else run.task.decimals)
    return dict(sorted(shown.items()))
