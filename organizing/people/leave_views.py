"""A person leaves: a preview of what moves, and the act itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import person_of
from accounts.models import Person
from campaigns.access import for_roles
from campaigns.actions import PreviewIsOld, ReasonNeeded
from campaigns.actions.leaving import CannotTakeOver, leave_as_tester, may_name_an_heir, preview_leave
from campaigns.actions.people import WITH_WORK
from campaigns.interests import Interests
from campaigns.models import Campaign, Role
from campaigns.planning.redrawing import Changes, tallies
from dialogues.queries import void_assignments
from organizing.people.views import person_in
from participants.limits import REASON_LIMIT
from reviews.actions.placing import Share, leave_as_reviewer, preview_reviewer_leave


@dataclass(frozen=True, slots=True)
class Preview:
    """What moves: `shares` say what everybody has to do that is not begun, now and afterwards."""

    role: Role
    shares: Sequence[Share]
    n_moved: int
    n_short: int
    digest: str

    @property
    def n_not_begun(self) -> int:
        """What the leaver has not begun is what they lose."""
        return sum(max(0, share.n_now - share.n_then) for share in self.shares)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, campaign: Campaign, person_id: int) -> HttpResponse:
    """GET says who gets what; POST does exactly that, or shows what would move by now: with `act=show` nothing more."""
    leaver = person_in(campaign, person_id)
    asked = request.POST if request.method == "POST" else request.GET
    role, because, wrong = role_with_work(campaign, leaver, asked.get("role", "")), asked.get("because", ""), None
    heirs = heirs_of(campaign, leaver, role)
    to = next((heir for heir in heirs if heir.username == asked.get("to", "")), None)
    if asked.get("to") and to is None:
        messages.warning(request, _("Nobody of that name can take it over: it goes to the others."))
    is_done = request.method == "POST" and asked.get("act") != "show"
    if is_done and (to is not None or not asked.get("to")):
        try:
            do_leave(campaign, leaver, role, to, asked.get("previewed", ""), because, person_of(request))
        except ReasonNeeded as needed:
            wrong = {"because": because, "wrong": str(needed)}
        except (PreviewIsOld, CannotTakeOver):
            changed = _("Something has changed in the meantime. This is what would move now.")
            messages.warning(request, changed)
            wrong = {"because": because, "wrong": changed}
        else:
            text = _("%(name)s no longer has the role: %(role)s. What was not begun is handed on.")
            messages.success(request, text % {"name": leaver.shown_name, "role": role.label})
            return redirect("people", slug=campaign.slug)
    try:
        preview = preview_of(campaign, leaver, role, to)
    except CannotTakeOver:
        messages.warning(request, _("Nobody of that name can take it over: it goes to the others."))
        to, preview = None, preview_of(campaign, leaver, role, None)
    said = {"campaign": campaign, "leaver": leaver, "role": role, "heirs": heirs, "to": to, "preview": preview}
    reason = {"because": because, "wrong_reason": wrong, "reason_limit": REASON_LIMIT}
    return render(request, "organizing/people/leave.html", said | reason, status=409 if wrong else 200)


def role_with_work(campaign: Campaign, leaver: Person, name: str) -> Role:
    """The role that is named, else the first one with work that the person has; 404 where there is none."""
    held = campaign.roles.filter(person=leaver, role__in=WITH_WORK).values_list("role", flat=True)
    roles = [role for role in WITH_WORK if role in set(held) and name in {"", role}]
    if not roles:
        raise Http404
    return roles[0]


def heirs_of(campaign: Campaign, leaver: Person, role: Role) -> list[Person]:
    """Who can be named to take over; nobody where the plan is shared out anyway."""
    if role == Role.TESTER and not may_name_an_heir(campaign):
        return []
    at_work = Interests(campaign).judging(role).at_work().exclude(person=leaver)
    return [one.person for one in at_work.select_related("person").order_by("person__username")]


def preview_of(campaign: Campaign, leaver: Person, role: Role, to: Person | None) -> Preview:
    """Errors: those of the actions, where the named person cannot take over."""
    if role == Role.REVIEWER:
        reviewing = preview_reviewer_leave(campaign=campaign, person=leaver, to=to, at=timezone.now())
        return Preview(role, reviewing.shares, len(reviewing.moved), 0, reviewing.digest())
    testing = preview_leave(campaign=campaign, person=leaver, to=to, void=void_assignments(campaign))
    n_short = sum(one.n for one in testing.changes.short)
    shares = _shares(campaign, testing.changes, leaver, {row.id: row.tester for row in testing.moved})
    return Preview(role, shares, len(testing.moved), n_short, testing.digest())


def _shares(campaign: Campaign, changes: Changes, leaver: Person, moved: dict[int, str]) -> list[Share]:
    rows = campaign.assignments.filter(started_at=None, is_drawn=True).values_list("pk", "tester__username")
    now: dict[str, int] = {}
    for _pk, name in rows:
        now[name] = now.get(name, 0) + 1
    then = dict(now)
    for name in moved.values():
        then[name] = then.get(name, 0) + 1
        then[leaver.username] -= 1
    for tally in tallies(changes, lambda row: row.tester):
        then[tally.name] = then.get(tally.name, 0) + tally.n_added - tally.n_taken
    return [Share(name, now.get(name, 0), then.get(name, 0)) for name in sorted(now.keys() | then.keys())]


def do_leave(
    campaign: Campaign, leaver: Person, role: Role, to: Person | None, previewed: str, because: str, by: Person
) -> None:
    """Errors: those of the actions."""
    who: dict[str, Any] = {
        "campaign": campaign,
        "person": leaver,
        "to": to,
        "previewed": previewed,
        "because": because,
        "by": by,
        "at": timezone.now(),
    }
    if role == Role.REVIEWER:
        leave_as_reviewer(**who)
    else:
        leave_as_tester(void=void_assignments(campaign), **who)
