"""The form on which somebody without an account applies: the account and the application in one."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.calendar import Doing, why_closed
from campaigns.models import Campaign
from participants.limits import NAME_LIMIT
from reading.checking import BadForm
from registration.actions import apply_as_newcomer, check_takes_applications
from registration.actions.newcomers import NAME_IS_TAKEN, NameTaken
from registration.application_form import ApplicationForm, said_on_page, wrong_fields
from registration.invitation_pages import BACKEND
from registration.newcomer_form import NewcomerForm
from registration.newcomer_rate import check_rate
from serving.refused import NotYet, Refused


def application_of_newcomer(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _page(request, campaign, NewcomerForm())
    try:
        check_rate(request)
    except NotYet as refused:
        answer = _refused(request, campaign, refused, status=refused.status)
        answer.headers["Retry-After"] = str(refused.after_s)
        return answer
    return _applied(request, campaign)


def _applied(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    try:
        check_takes_applications(campaign, timezone.now())
    except Refused as refused:
        return _refused(request, campaign, refused, status=409)
    account, wrong = NewcomerForm(request.POST), {}
    try:
        form = said_on_page(request.POST)
    except BadForm as bad:
        form, wrong = None, wrong_fields(bad)
    if not account.is_valid() or form is None:
        return _page(request, campaign, account, wrong, status=422)
    return _let_in(request, campaign, account, form)


def _let_in(request: HttpRequest, campaign: Campaign, account: NewcomerForm, form: ApplicationForm) -> HttpResponse:
    try:
        made = apply_as_newcomer(campaign=campaign, newcomer=account.newcomer, form=form, at=timezone.now())
    except NameTaken:
        account.add_error("username", _(NAME_IS_TAKEN))
        return _page(request, campaign, account, status=422)
    except Refused as refused:
        return _refused(request, campaign, refused, status=409)
    login(request, made.applicant, backend=BACKEND)
    messages.success(request, _("Your application is with the organizers."))
    return redirect("apply", campaign.slug)


def _refused(request: HttpRequest, campaign: Campaign, refused: Refused, status: int) -> HttpResponse:
    """The page with what was typed; passwords are typed again."""
    messages.error(request, str(refused))
    return _page(request, campaign, NewcomerForm(initial=request.POST.dict()), status=status)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    account: NewcomerForm,
    wrong: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    closed = why_closed(campaign, Doing.REGISTER, timezone.now())
    return render(
        request,
        "registration/apply.html",
        {
            "campaign": campaign,
            "form": account,
            "closed": closed,
            "may_apply": campaign.takes_applications and not closed,
            "typed": request.POST,
            "wrong": wrong or {},
            "name_limit": NAME_LIMIT,
        },
        status=status,
    )
