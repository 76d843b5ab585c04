"""The rubric of a campaign, page and API: criteria with their points, the form as reviewers will see it, and storing another one."""

from typing import Any, TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from rest_framework.request import Request

from accounts.access import person_of
from api.describing import describes
from api.parsers import body_in
from campaigns.access import OrganizersView, for_roles
from campaigns.actions.rubric import RubricIsFixed, change_rubric, has_fixed_rubric, own_rubric_key
from campaigns.calendar import NotNow
from campaigns.campaign_file.reader import check_skills
from campaigns.models import Campaign, Role
from campaigns.presets import PRESETS
from organizing.setting_up.rubric_form import PointRow, RubricForm, form_of, preview_criteria, rubric_of, typed_in
from reading.checking import BadFile, Problems
from reading.findings import Finding
from reading.tables import Field, Table
from reviews.review_page import criterion_row
from rubrics.actions import preset_of
from rubrics.presets import RubricPreset
from rubrics.rubric_table import RUBRIC, rubric_document
from testing_console.score_axis import shared_axis

PREVIEW = "organizing/setting_up/_rubric_preview.html"
CHOICES = {
    "kinds": {"scale": gettext_lazy("a scale, whose mean can rank"), "label": gettext_lazy("a set of labels")},
    "scopes": {
        "dialogue": gettext_lazy("the dialogue"),
        "subtask": gettext_lazy("each part"),
        "turn": gettext_lazy("each turn"),
    },
    "directions": {"higher": gettext_lazy("higher is better"), "lower": gettext_lazy("lower is better")},
    "speakers": {
        "": gettext_lazy("of both"),
        "tester": gettext_lazy("of the tester"),
        "bot": gettext_lazy("of the system"),
    },
}


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def rubric(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    if request.method != "POST":
        return _page(request, campaign, form_of(preset_of(campaign.rubric)))
    form, act = typed_in(request.POST), request.POST.get("act")
    if act == "draw":
        return render(request, PREVIEW, preview_of(form))
    if act:
        return _page(request, campaign, form.rearranged(act))
    try:
        wanted = checked(campaign, rubric_of(form, own_rubric_key(campaign)))
        stored = change_rubric(campaign=campaign, wanted=wanted, by=person_of(request), at=timezone.now())
    except BadFile as bad:
        return _page(request, campaign, form.refused(bad), status=422)
    except (RubricIsFixed, NotNow) as refused:
        messages.error(request, str(refused))
        return _page(request, campaign, form, status=409)
    messages.success(request, _("The rubric is stored as %(rubric)s.") % {"rubric": stored})
    return redirect("rubric", slug=campaign.slug)


def checked(campaign: Campaign, wanted: RubricPreset) -> RubricPreset:
    """The same. Errors: `BadFile`, where a criterion is asked for a skill that nothing has."""
    problems, preset = Problems(), PRESETS.get(campaign.preset)
    skills = list(campaign.scenarios.declared().values_list("skill", flat=True))
    if preset and skills:
        check_skills(skills, {}, wanted, preset, problems)
    problems.refuse()
    return wanted


def preview_of(form: RubricForm) -> dict[str, Any]:
    criteria = [one for one in preview_criteria(form, (get_language() or "").startswith("zh")) if one["points"]]
    asked = [one for one in criteria if one["scope"] != "turn"]
    shared = shared_axis([[point["score"] for point in one["points"]] for one in asked if one["kind"] == "scale"])
    rows = [{"row": criterion_row(one, "", None, shared)} for one in asked]
    return {"rows": rows, "of_turns": [one for one in criteria if one["scope"] == "turn"]}


def _page(request: HttpRequest, campaign: Campaign, form: RubricForm, *, status: int = 200) -> HttpResponse:
    def points(nth: int) -> list[tuple[int, PointRow, list[Finding]]]:
        found = enumerate(form.criteria[nth].points)
        return [(number, point, form.problems.get(f"{nth}.{number}", [])) for number, point in found]

    wrong = {place.partition(".")[0] for place in form.problems}
    criteria = [
        (nth, row, form.problems.get(str(nth), []), points(nth), str(nth) in wrong)
        for nth, row in enumerate(form.criteria)
    ]
    shown = {
        "campaign": campaign,
        "form": form,
        "criteria": criteria,
        "problems": form.problems.get("", []),
        "is_refused": bool(form.problems),
        "is_fixed": has_fixed_rubric(campaign),
        "stored_as": own_rubric_key(campaign),
        "drawn": render_to_string(PREVIEW, preview_of(form), request),
        **CHOICES,
    }
    return render(request, "organizing/setting_up/rubric.html", shown, status=status)


class RubricAnswer(TypedDict):
    """`rubric` is the table `[rubric]` of a campaign file."""

    key: str
    version: int
    may_change: bool
    rubric: dict[str, Any]


WANTED = Table({"rubric": Field(RUBRIC)})


class RubricOfCampaign(OrganizersView):
    """GET gives the rubric as a campaign file has it; PUT stores another one, as long as nothing was said or scored."""

    @describes("Gives the rubric of a campaign, as the table of a campaign file", RubricAnswer)
    def get(self, request: Request) -> RubricAnswer:
        return answer_of(self.campaign)

    @describes(
        "Gives the campaign another rubric, until its first dialogue", RubricAnswer, reads=WANTED, refuses=(409, 422)
    )
    def put(self, request: Request) -> RubricAnswer:
        wanted = checked(self.campaign, body_in(request, WANTED)["rubric"])
        change_rubric(campaign=self.campaign, wanted=wanted, by=person_of(request), at=timezone.now())
        return answer_of(Campaign.objects.select_related("rubric").get(pk=self.campaign.pk))


def answer_of(campaign: Campaign) -> RubricAnswer:
    return RubricAnswer(
        key=campaign.rubric.key,
        version=campaign.rubric.version,
        may_change=not has_fixed_rubric(campaign),
        rubric=rubric_document(preset_of(campaign.rubric)),
    )
