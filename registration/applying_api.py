"""REST: applying for a place, as on the page."""

from typing import TypedDict

from django.http import Http404
from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import OPEN, PEOPLE, check_whole, person_of
from api.describing import describes
from api.parsers import fields_of
from reading.checking import BadForm
from reading.findings import Finding
from reading.json_schemas import Moment
from reading.tables import Table, table_of
from registration.actions import apply_as_newcomer, apply_for_place, check_takes_applications, withdraw_application
from registration.actions.applying import NAME_IS_TAKEN, NameTaken, Newcomer
from registration.application_form import ApplicationForm, read_application
from registration.applying_pages import campaign_to_apply_to, own_applications
from registration.models import Application
from registration.newcomer_fields import NEWCOMER, account_form, wrong_in
from registration.newcomer_form import check_rate

NEWCOMER_APPLICATION = Table({**NEWCOMER.fields, **table_of(ApplicationForm).fields})


class TeamNames(TypedDict):
    zh: str
    en: str


class ApplicationAnswer(TypedDict):
    id: int
    name: TeamNames
    affiliation: str
    contact: str
    members: list[str]
    state: str
    applied_at: Moment
    answered_at: Moment | None
    because: str
    team: str | None
    team_en: str


class OwnApplication(APIView):
    """GET gives the latest application of whoever asks, POST applies, DELETE withdraws the one that waits."""

    access = PEOPLE

    @describes("Gives one's latest application", ApplicationAnswer, refuses=(409,))
    def get(self, request: Request, slug: str) -> Response:
        check_whole(request)
        latest = own_applications(request, campaign_to_apply_to(request, slug)).with_names().last()
        if latest is None:
            raise Http404
        return Response(application_document(latest))

    @describes("Applies for a place", ApplicationAnswer, 201, reads=ApplicationForm, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Response:
        check_whole(request)
        campaign = campaign_to_apply_to(request, slug)
        form = read_application(fields_of(request))
        made = apply_for_place(campaign=campaign, applicant=person_of(request), form=form, at=timezone.now())
        return Response(application_document(made), status=201)

    @describes("Withdraws the application that waits", ApplicationAnswer, refuses=(409,))
    def delete(self, request: Request, slug: str) -> Response:
        check_whole(request)
        waiting = own_applications(request, campaign_to_apply_to(request, slug)).waiting().first()
        if waiting is None:
            raise Http404
        return Response(application_document(withdraw_application(application=waiting, at=timezone.now())))


class NewcomerApplication(APIView):
    """POST makes an account from `username` and `password` and applies with it; `log-in/` then gives its token."""

    access = OPEN
    permission_classes = (AllowAny,)
    # Whoever has an account applies with it, at `application/`.
    authentication_classes = ()

    @describes(
        "Makes an account and applies with it",
        ApplicationAnswer,
        201,
        reads=NEWCOMER_APPLICATION,
        refuses=(409, 422, 429),
    )
    def post(self, request: Request, slug: str) -> Response:
        check_rate(request._request)
        campaign, at = campaign_to_apply_to(request, slug), timezone.now()
        check_takes_applications(campaign, at)
        newcomer, form = _said(request)
        try:
            made = apply_as_newcomer(campaign=campaign, newcomer=newcomer, form=form, at=at)
        except NameTaken as taken:
            raise BadForm([Finding("username", NAME_IS_TAKEN)]) from taken
        return Response(application_document(made), status=201)


def _said(request: Request) -> tuple[Newcomer, ApplicationForm]:
    """The account and the application. Errors: `BadForm` naming every wrong field of both."""
    said, account = fields_of(request), account_form(request)
    wrong = [Finding(name, "%(said)s", {"said": one}) for name, many in wrong_in(account).items() for one in many]
    try:
        form = read_application({name: said[name] for name in said if name not in NEWCOMER.fields})
    except BadForm as bad:
        raise BadForm([*wrong, *bad.problems]) from bad
    if wrong:
        raise BadForm(wrong)
    return account.newcomer, form


def application_document(application: Application) -> ApplicationAnswer:
    return {
        "id": application.pk,
        "name": {"zh": application.name_zh, "en": application.name_en},
        "affiliation": application.affiliation,
        "contact": application.contact,
        "members": application.members,
        "state": application.state,
        "applied_at": application.applied_at.isoformat(),
        "answered_at": application.answered_at.isoformat() if application.answered_at else None,
        "because": application.because,
        "team": application.team.name if application.team else None,
        "team_en": application.team.name_en if application.team else "",
    }
