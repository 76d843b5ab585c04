"""REST: applying for a place, as on the page."""

from datetime import datetime
from typing import Annotated, TypedDict

from django.http import Http404
from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import OPEN, PEOPLE, check_whole, person_of
from api.answers import From
from api.describing import describes
from api.parsers import fields_of
from reading.checking import BadForm
from reading.findings import Finding
from reading.tables import Table, table_of
from registration.actions import apply_as_newcomer, apply_for_place, check_takes_applications, withdraw_application
from registration.actions.applying import NAME_IS_TAKEN, NameTaken, Newcomer
from registration.application_form import ApplicationForm, read_application
from registration.applying_pages import campaign_to_apply_to, own_applications
from registration.models import Application
from registration.newcomer_form import NEWCOMER, account_form, check_rate, wrong_in

NEWCOMER_APPLICATION = Table({**NEWCOMER.fields, **table_of(ApplicationForm).fields})


class TeamNames(TypedDict):
    zh: Annotated[str, From("name_zh")]
    en: Annotated[str, From("name_en")]


class ApplicationAnswer(TypedDict):
    id: int
    name: Annotated[TeamNames, From("")]
    affiliation: str
    contact: str
    members: list[str]
    state: str
    applied_at: datetime
    answered_at: datetime | None
    because: str
    team: Annotated[str | None, From("team.name")]
    team_en: Annotated[str, From("team.name_en", "")]


class OwnApplication(APIView):
    """GET gives one's latest application, POST applies, DELETE withdraws the one that waits."""

    access = PEOPLE

    @describes("Gives one's latest application", ApplicationAnswer, refuses=(409,))
    def get(self, request: Request, slug: str) -> Application:
        check_whole(request)
        latest = own_applications(request, campaign_to_apply_to(request, slug)).with_names().last()
        if latest is None:
            raise Http404
        return latest

    @describes("Applies for a place", ApplicationAnswer, 201, reads=ApplicationForm, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Application:
        check_whole(request)
        campaign = campaign_to_apply_to(request, slug)
        form = read_application(fields_of(request))
        return apply_for_place(campaign=campaign, applicant=person_of(request), form=form, at=timezone.now())

    @describes("Withdraws the application that waits", ApplicationAnswer, refuses=(409,))
    def delete(self, request: Request, slug: str) -> Application:
        check_whole(request)
        waiting = own_applications(request, campaign_to_apply_to(request, slug)).waiting().first()
        if waiting is None:
            raise Http404
        return withdraw_application(application=waiting, at=timezone.now())


class NewcomerApplication(APIView):
    """POST makes an account from `username` and `password` and applies with it; `log-in/` then gives its token."""

    access = OPEN
    permission_classes = (AllowAny,)
    # People with an account apply at `application/`.
    authentication_classes = ()

    @describes(
        "Makes an account and applies with it",
        ApplicationAnswer,
        201,
        reads=NEWCOMER_APPLICATION,
        refuses=(409, 422, 429),
    )
    def post(self, request: Request, slug: str) -> Application:
        check_rate(request._request)
        campaign, at = campaign_to_apply_to(request, slug), timezone.now()
        check_takes_applications(campaign, at)
        newcomer, form = account_and_application(request)
        try:
            return apply_as_newcomer(campaign=campaign, newcomer=newcomer, form=form, at=at)
        except NameTaken as taken:
            raise BadForm([Finding("username", NAME_IS_TAKEN)]) from taken


def account_and_application(request: Request) -> tuple[Newcomer, ApplicationForm]:
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
