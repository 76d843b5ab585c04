"""An organizer's judges that are models: declared, compared with people, withdrawn."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from judging.actions.declaring import declare_judge, withdraw_judge
from judging.actions.judgements import store_report
from judging.judge_form import read_form
from judging.limits import EPSILON, INSTRUCTIONS_LIMIT, MAKER_LIMIT, SAMPLES_LIMIT
from judging.models import Judge, JudgeReport
from judging.report_rows import criterion_rows, probe_rows
from judging.running import one_dialogue
from judging.workbench import report_of, state_of
from language_models.dry_run import at_most
from language_models.prompts import money
from reading.checking import BadForm
from serving.refused import Refused

USUAL = {"n_samples": "3", "temperature": "0", "share": "100", "seed": "0"}


def judges_of(campaign: Campaign) -> list[Judge]:
    """Each key's newest version first, then those that it took the place of."""
    found = Judge.objects.filter(campaign=campaign).select_related("endpoint", "account", "campaign__rubric", "report")
    return list(found.order_by("key", "-version"))


def judge_in(campaign: Campaign, judge_id: int) -> Judge:
    found = Judge.objects.select_related("campaign__rubric", "endpoint", "account")
    return get_object_or_404(found, campaign=campaign, pk=judge_id)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def judges(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _list(request, campaign, USUAL | {"language": campaign.language})
    try:
        said = read_form(request.POST)
        judge = declare_judge(campaign=campaign, by=person_of(request), at=timezone.now(), **said)
    except BadForm as bad:
        return _list(request, campaign, request.POST, {one.place: one.message for one in bad.problems}, status=422)
    except Refused as refused:
        messages.error(request, str(refused))
        return _list(request, campaign, request.POST, status=409)
    messages.success(request, _("The judge %(name)s is declared.") % {"name": judge.name})
    return redirect("judge", campaign.slug, judge.pk)


def _list(
    request: HttpRequest,
    campaign: Campaign,
    typed: Mapping[str, Any],
    wrong: Mapping[str, str] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "judges": judges_of(campaign),
        "models": [(one.key, one.key) for one in campaign.model_endpoints.in_use().order_by("key")],
        "languages": Judge.Language.choices,
        "typed": typed,
        "wrong": wrong or {},
        "samples_limit": SAMPLES_LIMIT,
        "instructions_limit": INSTRUCTIONS_LIMIT,
        "maker_limit": MAKER_LIMIT,
    }
    return render(request, "judging/judges.html", shown, status=status)


@for_roles(Role.ORGANIZER)
@require_GET
def judge(request: HttpRequest, campaign: Campaign, judge_id: int) -> HttpResponse:
    own = judge_in(campaign, judge_id)
    report = JudgeReport.objects.filter(judge=own).first()
    content = report.content if report else {}
    criteria = {one.key: one for one in campaign.rubric.criteria.all()}
    state, asked = state_of(own), one_dialogue(own)
    shown = {
        "campaign": campaign,
        "judge": own,
        "state": state,
        "cost": money(state["cost"]),
        "asked": asked,
        "asked_at_most": at_most(asked) if asked else "",
        "report": report,
        "criteria": criterion_rows(content, criteria),
        "probes": probe_rows(content),
    }
    return render(request, "judging/judge.html", shown)


@for_roles(Role.ORGANIZER)
@form_on("judges")
@tells_refusal
def compare(request: HttpRequest, campaign: Campaign, judge_id: int) -> HttpResponse:
    own = judge_in(campaign, judge_id)
    store_report(judge=own, content=report_of(own, epsilon=EPSILON), at=timezone.now())
    messages.success(request, _("The judge is compared with people as things stand now."))
    return redirect("judge", campaign.slug, own.pk)


@for_roles(Role.ORGANIZER)
@form_on("judges")
@tells_refusal
def withdraw(request: HttpRequest, campaign: Campaign, judge_id: int) -> HttpResponse:
    withdrawn = withdraw_judge(judge=judge_in(campaign, judge_id), by=person_of(request), at=timezone.now())
    messages.success(request, _("The judge %(name)s is withdrawn; what it scored stays.") % {"name": withdrawn.name})
    return redirect("judges", campaign.slug)
