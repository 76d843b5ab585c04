"""The pages of a campaign's people: everybody, one of them, and what somebody who leaves hands on."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on
from accounts.link_addresses import address_of, qr_image
from accounts.log_in.actions import lift_network_limit
from accounts.models import Person
from accounts.passwords.actions import HANDED_OVER_FOR, make_password_link
from accounts.second_factor.actions import reset_second_factor
from campaigns.access import for_roles
from campaigns.actions import ReasonNeeded
from campaigns.actions.people import (
    WITH_WORK,
    CannotHold,
    LastOrganizer,
    NothingToPause,
    give_role,
    pause_person,
    resume_person,
    take_role,
)
from campaigns.models import Campaign, Role
from campaigns.reasons import reason_of
from organizing.people.password_links import may_make_password_link
from organizing.people.people_page import PersonRow, people_of
from participants.limits import REASON_LIMIT
from registration.models import Invitation


@for_roles(Role.ORGANIZER)
@require_GET
def people(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    rows = people_of(campaign)
    testers = [row for row in rows if Role.TESTER in row.names]
    context = {
        "campaign": campaign,
        "rows": rows,
        "barred": [row for row in rows if row.barred_by],
        "counts": [(role.label, n) for role in Role if (n := sum(role in row.names for row in rows))],
        "n_pending": Invitation.objects.of_campaign(campaign).pending(timezone.now()).count(),
        "n_without_work": 0 if campaign.free_choice else sum(_has_nothing(row) for row in testers),
    }
    return render(request, "organizing/people/people.html", context)


def _has_nothing(row: PersonRow) -> bool:
    return not any(work.n_done or work.n_left for work in row.work if work.role == Role.TESTER)


@for_roles(Role.ORGANIZER)
@require_GET
def person(request: HttpRequest, campaign: Campaign, person_id: int) -> HttpResponse:
    return page_of(request, campaign, person_in(campaign, person_id))


def person_in(campaign: Campaign, person_id: int) -> Person:
    """A person with a role in the campaign; 404 for everybody else, whether or not there is such an account."""
    return get_object_or_404(Person.objects.filter(pk__in=campaign.roles.values("person")), pk=person_id)


def page_of(request: HttpRequest, campaign: Campaign, shown: Person, status: int = 200, **said: Any) -> HttpResponse:
    (row,) = people_of(campaign, [shown.pk])
    context = {
        "campaign": campaign,
        "row": row,
        "missing_roles": [role for role in Role if role not in row.names],
        "with_work": set(WITH_WORK),
        "can_pause": any(role.role in WITH_WORK and role.paused_at is None for role in row.roles),
        "may_make_link": may_make_password_link(person_of(request), shown),
        "reason_limit": REASON_LIMIT,
    }
    return render(request, "organizing/people/person.html", context | said, status=status)


@for_roles(Role.ORGANIZER)
@form_on("person")
def change_person(request: HttpRequest, campaign: Campaign, person_id: int) -> HttpResponse:
    """Gives or takes a role, pauses the person or lets them go on; which of them, `act` says."""
    shown = person_in(campaign, person_id)
    try:
        _change(request, campaign, shown, request.POST.get("act", ""))
    except ReasonNeeded:
        return _without_reason(request, campaign, shown)
    except CannotHold as refused:
        typed = {"because": request.POST.get("because", ""), "role": request.POST.get("role"), "wrong": str(refused)}
        return page_of(request, campaign, shown, 409, not_given=typed)
    except NothingToPause:
        wrong = _("%(name)s has nothing to pause: the pause is for testers and reviewers at work.") % _named(shown)
        return page_of(request, campaign, shown, 409, wrong_reason=wrong, because=request.POST.get("because", ""))
    except LastOrganizer:
        messages.error(request, _("%(name)s is the last organizer: give somebody else the role first.") % _named(shown))
    is_there = campaign.roles.filter(person=shown).exists()
    return (
        redirect("person", slug=campaign.slug, person_id=shown.pk)
        if is_there
        else redirect("people", slug=campaign.slug)
    )


def _change(request: HttpRequest, campaign: Campaign, shown: Person, act: str) -> None:
    who: dict[str, Any] = {"campaign": campaign, "person": shown, "by": person_of(request), "at": timezone.now()}
    because = request.POST.get("because", "")
    if act == "pause":
        pause_person(because=because, **who)
        messages.success(request, _("%(name)s is paused.") % _named(shown))
    elif act == "resume":
        resume_person(because=because, **who)
        messages.success(request, _("%(name)s goes on.") % _named(shown))
    elif act == "give":
        role = role_named(request.POST.get("role", ""))
        give_role(role=role, because=because, **who)
        messages.success(request, _("%(name)s has the role now: %(role)s.") % _named(shown, role))
    elif act == "take":
        role = role_named(request.POST.get("role", ""))
        if role in WITH_WORK:
            raise BadRequest("Testers and reviewers hand on their work.")
        take_role(role=role, because=because, **who)
        messages.success(request, _("%(name)s no longer has the role: %(role)s.") % _named(shown, role))
    else:
        raise BadRequest("There is no such act.")


def _without_reason(request: HttpRequest, campaign: Campaign, shown: Person) -> HttpResponse:
    """The page, with what is missing beside the field where it is missing."""
    act, typed = request.POST.get("act"), {"because": request.POST.get("because", "")}
    wrong = str(ReasonNeeded())
    if act in {"give", "take"}:
        refused = typed | {"wrong": wrong, "role": request.POST.get("role")}
        return page_of(request, campaign, shown, 409, **{"not_given" if act == "give" else "not_taken": refused})
    return page_of(request, campaign, shown, 409, wrong_reason=wrong, **typed)


def _named(shown: Person, role: Role | None = None) -> dict[str, str]:
    return {"name": shown.shown_name, "role": str(role.label) if role else ""}


def role_named(name: str) -> Role:
    try:
        return Role(name)
    except ValueError as unknown:
        raise BadRequest("There is no such role.") from unknown


@for_roles(Role.ORGANIZER)
@never_cache
@form_on("person")
def password_link(request: HttpRequest, campaign: Campaign, person_id: int) -> HttpResponse:
    """The one page on which the link can be read."""
    shown, by = person_in(campaign, person_id), person_of(request)
    if not may_make_password_link(by, shown):
        messages.error(
            request, _("%(name)s takes part elsewhere, too: only an organizer of the site may do that.") % _named(shown)
        )
        return redirect("person", slug=campaign.slug, person_id=shown.pk)
    token = make_password_link(person=shown, by=by, at=timezone.now(), campaign=campaign.slug)
    address = address_of(reverse("set-password", args=[token]), request)
    link = {"address": address, "qr": qr_image(address), "days": HANDED_OVER_FOR.days}
    return page_of(request, campaign, shown, link=link, shown_once=True)


@for_roles(Role.ORGANIZER)
@form_on("person")
def reset_factor(request: HttpRequest, campaign: Campaign, person_id: int) -> HttpResponse:
    """For the same people as links for passwords: with both, somebody else could take the account."""
    shown, by = person_in(campaign, person_id), person_of(request)
    if not shown.has_second_factor or not may_make_password_link(by, shown):
        raise Http404
    because = request.POST.get("because", "")
    try:
        reset_second_factor(person=shown, by=by, because=reason_of(because), campaign=campaign.slug)
    except ReasonNeeded as wrong:
        return page_of(request, campaign, shown, wrong_factor_reason=str(wrong))
    messages.success(
        request, _("%(name)s logs in with the password alone until they set up a new one.") % _named(shown)
    )
    return redirect("person", slug=campaign.slug, person_id=shown.pk)


@for_roles(Role.ORGANIZER)
@form_on("people")
def lift_limit(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Wrong passwords in one network keep strange browsers there out: the organizer lifts that for the campaign's people."""
    lift_limit_of(campaign, person_of(request))
    messages.success(request, _("For an hour, this campaign's people can log in from any network."))
    return redirect("people", slug=campaign.slug)


def lift_limit_of(campaign: Campaign, by: Person) -> datetime:
    people = Person.objects.filter(pk__in=campaign.roles.values("person"))
    return lift_network_limit(people=list(people), by=by, at=timezone.now(), campaign=campaign.slug)
