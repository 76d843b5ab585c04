"""The pages on which a team applies, with an account or with a new one, and reads the outcome."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import for_people, open_to_all, person_of
from accounts.form_routes import form_on, tells_refusal
from campaigns.access import has_role, team_of
from campaigns.calendar import Doing, why_closed
from campaigns.clocks import keep_clocks_of
from campaigns.models import Campaign, Role
from participants.limits import NAME_LIMIT
from reading.checking import BadForm
from registration.actions import apply_as_newcomer, apply_for_place, check_takes_applications, withdraw_application
from registration.actions.applying import NAME_IS_TAKEN, NameTaken
from registration.application_form import said_on_page, wrong_fields
from registration.invitation_pages import BACKEND
from registration.models import Application
from registration.models.applications import ApplicationQuerySet
from registration.newcomer_form import NewcomerForm, TooManyNewcomers, check_rate
from serving.refused import Refused


def application_of_newcomer(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _newcomer_page(request, campaign, NewcomerForm())
    account, at = NewcomerForm(request.POST), timezone.now()
    try:
        check_rate(request)
        check_takes_applications(campaign, at)
        form = said_on_page(request.POST)
        if not account.is_valid():
            return _newcomer_page(request, campaign, account, status=422)
        made = apply_as_newcomer(campaign=campaign, newcomer=account.newcomer, form=form, at=at)
    except BadForm as bad:
        return _newcomer_page(request, campaign, account, wrong_fields(bad), status=422)
    except NameTaken:
        account.add_error("username", _(NAME_IS_TAKEN))
        return _newcomer_page(request, campaign, account, status=422)
    except TooManyNewcomers as refused:
        answer = _refused(request, campaign, refused, status=refused.status)
        answer.headers["Retry-After"] = str(refused.after_s)
        return answer
    except Refused as refused:
        return _refused(request, campaign, refused, status=409)
    login(request, made.applicant, backend=BACKEND)
    messages.success(request, _("Your application is with the organizers."))
    return redirect("apply", campaign.slug)


def _refused(request: HttpRequest, campaign: Campaign, refused: Refused, status: int) -> HttpResponse:
    """The page with what was typed; passwords are typed again."""
    messages.error(request, str(refused))
    return _newcomer_page(request, campaign, NewcomerForm(initial=request.POST.dict()), status=status)


def _newcomer_page(
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


@open_to_all
@require_http_methods(["GET", "HEAD", "POST"])
@tells_refusal
def application(request: HttpRequest, slug: str) -> HttpResponse:
    """GET shows the form or what became of the own application; POST applies, with a new account for who has none."""
    campaign = campaign_to_apply_to(request, slug)
    if not request.user.is_authenticated:
        return application_of_newcomer(request, campaign)
    if request.method != "POST":
        return _page(request, campaign)
    try:
        form = said_on_page(request.POST)
    except BadForm as bad:
        return _page(request, campaign, wrong_fields(bad), status=422)
    apply_for_place(campaign=campaign, applicant=person_of(request), form=form, at=timezone.now())
    messages.success(request, _("Your application is with the organizers."))
    return redirect("apply", campaign.slug)


@for_people
@form_on("apply")
@tells_refusal
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = campaign_to_apply_to(request, slug)
    waiting = own_applications(request, campaign).waiting().first()
    if waiting is None:
        raise Http404
    withdraw_application(application=waiting, at=timezone.now())
    messages.success(request, _("Your application is withdrawn."))
    return redirect("apply", campaign.slug)


def campaign_to_apply_to(request: HttpRequest, slug: str) -> Campaign:
    """A campaign that takes applications, or in which the person has applied. Errors: `Http404`."""
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None or not (campaign.takes_applications or own_applications(request, campaign).exists()):
        raise Http404
    keep_clocks_of(campaign)
    return campaign


def own_applications(request: HttpRequest, campaign: Campaign) -> ApplicationQuerySet:
    if not request.user.is_authenticated:
        return Application.objects.none()
    return Application.objects.of_campaign(campaign).filter(applicant=person_of(request))


def _page(
    request: HttpRequest, campaign: Campaign, wrong: dict[str, str] | None = None, status: int = 200
) -> HttpResponse:
    person = person_of(request)
    latest = own_applications(request, campaign).with_names().last()
    closed = why_closed(campaign, Doing.REGISTER, timezone.now())
    is_waiting = latest is not None and latest.state == Application.State.WAITING
    team = team_of(person, campaign)
    return render(
        request,
        "registration/apply.html",
        {
            "campaign": campaign,
            "latest": latest,
            "team": team if has_role(person, campaign, Role.PARTICIPANT) else None,
            "closed": closed,
            "may_apply": campaign.takes_applications and not closed and not is_waiting and team is None,
            "typed": request.POST,
            "wrong": wrong or {},
            "name_limit": NAME_LIMIT,
        },
        status=status,
    )
