"""What teams object to: the organizers' page and its twin in the API. An answer changes no figure; what follows from it is decided on the dialogue."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, TypedDict

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET
from rest_framework.request import Request

from accounts.access import person_of
from accounts.form_routes import form_on
from accounts.models import Person
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView, for_roles
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Role
from dialogues.actions.objecting import answer_objection
from dialogues.models import Objection
from participants.limits import REASON_LIMIT
from reading.json_schemas import Id, Moment
from reading.kinds import ANY_TEXT, FLAG
from reading.tables import Field, Table
from serving.refused import Refused

ANSWER = Table({"upheld": Field(FLAG), "because": Field(ANY_TEXT, "")}, keeps_others=True)


class ObjectionAnswer(TypedDict):
    """`upheld` is null until somebody has answered."""

    id: Annotated[int, From("pk")]
    dialogue: Annotated[Id, From("dialogue_id")]
    turn: Annotated[int | None, From(lambda one: one.turn and one.turn.number)]
    team: Annotated[str, From("dialogue.assignment.entry.bot.team.name")]
    made_by: Annotated[str, From("made_by.username")]
    against: str
    text: str
    made_at: Moment
    upheld: Annotated[bool | None, From("is_upheld")]
    answer: str
    answered_at: Moment | None


def objections_in(campaign: Campaign, reader: Person) -> QuerySet[Objection]:
    """Open ones first, the latest of them on top; those of dialogues that an interest closes to the reader are left out."""
    about = "dialogue__assignment"
    found = Objection.objects.filter(**{f"{about}__campaign": campaign})
    found = found.exclude(**{f"{about}__entry__in": barred_entries(reader)})
    return found.select_related("made_by", "turn", f"{about}__scenario", f"{about}__entry__bot__team").order_by(
        "answered_at", "-made_at", "-pk"
    )


@for_roles(Role.ORGANIZER)
@require_GET
def objections(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _page(request, campaign)


def _page(
    request: HttpRequest, campaign: Campaign, typed: Mapping[str, Any] = MappingProxyType({}), status: int = 200
) -> HttpResponse:
    """`typed` is an answer that was refused, beside its objection."""
    found = objections_in(campaign, person_of(request))
    shown = {
        "campaign": campaign,
        "waiting": found.filter(is_upheld=None),
        "answered": found.exclude(is_upheld=None),
        "reason_limit": REASON_LIMIT,
        "typed": typed,
    }
    return render(request, "organizing/dialogues/objections.html", shown, status=status)


@for_roles(Role.ORGANIZER)
@form_on("objections")
def answer(request: HttpRequest, campaign: Campaign, objection_id: int) -> HttpResponse:
    objection = get_object_or_404(objections_in(campaign, person_of(request)), pk=objection_id)
    because, is_upheld = request.POST.get("because", ""), request.POST.get("upheld") == "yes"
    by, at = person_of(request), timezone.now()
    try:
        answer_objection(objection=objection, is_upheld=is_upheld, because=because, by=by, at=at)
    except Refused as refused:
        typed = {"objection": objection.pk, "because": because, "wrong": str(refused)}
        return _page(request, campaign, typed, status=409)
    return redirect("objections", slug=campaign.slug)


class Objections(OrganizersView):
    """GET lists what the teams of a campaign object to, but for dialogues that an interest closes."""

    @describes("Lists what the teams of a campaign object to, open ones first", list[ObjectionAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, objections_in(self.campaign, person_of(request)))


class OneObjection(OrganizersView):
    """POST answers an objection."""

    @describes("Answers an objection", ObjectionAnswer, reads=ANSWER, refuses=(409,))
    def post(self, request: Request, objection_id: int) -> Objection:
        objection = get_object_or_404(objections_in(self.campaign, person_of(request)), pk=objection_id)
        said = body_in(request, ANSWER)
        by, at = person_of(request), timezone.now()
        return answer_objection(objection=objection, is_upheld=said["upheld"], because=said["because"], by=by, at=at)
