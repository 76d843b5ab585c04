"""Who organizes the whole site: page and API by which they add one another and remove one."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from rest_framework.request import Request

from accounts.access import for_staff, person_of
from accounts.actions import make_site_organizer, remove_site_organizer
from accounts.form_routes import form_on, tells_refusal
from accounts.models import Person
from api.answers import From
from api.describing import describes
from api.parsers import body_in
from operating.address_api import StaffView
from participants.limits import PERSON_LIMIT
from reading.kinds import Text
from reading.tables import Field, Table
from serving.refused import Refused


def organizers_of_the_site() -> QuerySet[Person]:
    return Person.objects.filter(is_staff=True, is_active=True).order_by("username")


@for_staff
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def site_organizers(request: HttpRequest) -> HttpResponse:
    """POST makes the account with that name one."""
    if request.method != "POST":
        return _page(request)
    name = request.POST.get("username", "").strip()
    try:
        person = make_site_organizer(username=name, by=person_of(request), at=timezone.now())
    except Refused as refused:
        return _page(request, typed=name, wrong=str(refused), status=409)
    messages.success(request, _("%(name)s organizes the site now.") % {"name": person.shown_name})
    return redirect("site-organizers")


def _page(request: HttpRequest, *, status: int = 200, **said: Any) -> HttpResponse:
    found = list(organizers_of_the_site())
    return render(request, "operating/site_organizers.html", {"organizers": found, **said}, status=status)


@for_staff
@form_on("site-organizers")
@tells_refusal
def remove_organizer(request: HttpRequest, person_id: int) -> HttpResponse:
    person = get_object_or_404(organizers_of_the_site(), pk=person_id)
    remove_site_organizer(person=person, by=person_of(request), at=timezone.now())
    messages.success(request, _("%(name)s no longer organizes the site.") % {"name": person.shown_name})
    return redirect("home" if person == request.user else "site-organizers")


class SiteOrganizerAnswer(TypedDict):
    id: Annotated[int, From("pk")]
    username: str
    name: Annotated[str, From("shown_name")]


class SiteOrganizersAnswer(TypedDict):
    organizers: list[SiteOrganizerAnswer]


ADDED = Table({"username": Field(Text(PERSON_LIMIT))})


class SiteOrganizers(StaffView):
    @describes("Lists who organizes the whole site", SiteOrganizersAnswer)
    def get(self, request: Request) -> Mapping[str, Any]:
        return {"organizers": list(organizers_of_the_site())}

    @describes("Makes an account an organizer of the site", SiteOrganizerAnswer, 201, reads=ADDED, refuses=(409,))
    def post(self, request: Request) -> Person:
        return make_site_organizer(**body_in(request, ADDED), by=person_of(request), at=timezone.now())


class OneSiteOrganizer(StaffView):
    @describes("Removes an organizer of the site; their log-ins and tokens end", None, 204, refuses=(409,))
    def delete(self, request: Request, person_id: int) -> None:
        person = get_object_or_404(organizers_of_the_site(), pk=person_id)
        remove_site_organizer(person=person, by=person_of(request), at=timezone.now())
