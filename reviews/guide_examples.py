"""The organizers' choice of examples for the scoring guide, page and API: which dialogue stands at which point, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any, TypedDict
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from accounts.models import Person
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView, for_roles
from campaigns.calendar import NotNow
from campaigns.interests import Interested, barred_entries
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from reading.digits import whole_or_none
from reading.json_schemas import Id, Moment
from reading.kinds import IDENTITY, TEXT, UNMEASURED_TEXT, Whole
from reading.tables import Field, Table
from reviews.actions import BadReview, NotReviewable
from reviews.actions.guide import add_example, remove_example
from reviews.guide import at_rest
from reviews.models import GuideExample, GuideExampleQuerySet
from rubrics.models import ScalePoint
from rubrics.scales import COMMENT_LIMIT
from testing_console.score_axis import shown


@dataclass(frozen=True, slots=True)
class Choice:
    """What was typed to add an example, and what is wrong with it, by field."""

    dialogue: str = ""
    point: str = ""
    turn: str = ""
    reason: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def guide_examples(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The examples of every criterion; `dialogue` in the address is the one that the form is about."""
    if request.method != "POST":
        return _page(request, campaign, Choice(dialogue=request.GET.get("dialogue", "")))
    sent = {name: request.POST.get(name, "").strip() for name in ("dialogue", "point", "turn", "reason")}
    typed = Choice(sent["dialogue"], sent["point"], sent["turn"], sent["reason"])
    try:
        point = points_of(campaign).filter(pk=whole_or_none(sent["point"]) or 0).first()
        _add(campaign, person_of(request), timezone.now(), point, sent)
    except BadReview as bad:
        return _page(request, campaign, replace(typed, wrong=bad.fields), status=422)
    except (NotReviewable, NotNow, Interested) as refused:
        messages.error(request, str(refused))
        return _page(request, campaign, typed, status=409)
    messages.success(request, _("The example was added to the scoring guide."))
    return redirect("guide-examples", slug=campaign.slug)


@for_roles(Role.ORGANIZER)
@form_on("guide-examples")
@tells_refusal
def remove_guide_example(request: HttpRequest, campaign: Campaign, example_id: int) -> HttpResponse:
    example = get_object_or_404(examples_in(campaign, person_of(request)), pk=example_id)
    remove_example(example=example, by=person_of(request), at=timezone.now())
    messages.success(request, _("The example is out of the scoring guide."))
    return redirect("guide-examples", slug=campaign.slug)


def examples_in(campaign: Campaign, organizer: Person) -> GuideExampleQuerySet:
    """Those that no interest closes to the organizer, each with what its row names."""
    found = GuideExample.objects.of_campaign(campaign).in_guide()
    found = found.exclude(dialogue__assignment__entry__in=barred_entries(organizer))
    return found.select_related(
        "point__criterion", "added_by", "dialogue__assignment__entry", "dialogue__assignment__scenario",
        "dialogue__assignment__campaign",
    )  # fmt: skip


def points_of(campaign: Campaign) -> QuerySet[ScalePoint]:
    return ScalePoint.objects.filter(criterion__rubric=campaign.rubric_id).select_related("criterion")


def _add(
    campaign: Campaign, by: Person, at: datetime, point: ScalePoint | None, sent: Mapping[str, Any]
) -> GuideExample:
    """Errors: as `add_example`; `BadReview` too where no dialogue or point is named."""
    wrong = {}
    dialogue = _dialogue_for(campaign, by, sent["dialogue"])
    turn = whole_or_none(sent["turn"]) if isinstance(sent["turn"], str) else sent["turn"]
    if dialogue is None:
        wrong["dialogue"] = _("No dialogue of this campaign that counts has this id.")
    if point is None:
        wrong["point"] = _("Choose a criterion and a score.")
    if turn is None and sent["turn"]:
        wrong["turn"] = _("The dialogue has no such turn.")
    if dialogue is None or point is None or wrong:
        raise BadReview(wrong)
    return add_example(dialogue=dialogue, point=point, turn=turn, reason=sent["reason"], by=by, at=at)


def _dialogue_for(campaign: Campaign, organizer: Person, typed: str) -> Dialogue | None:
    """The dialogue with that id, where it counts and no interest closes it to the organizer."""
    try:
        pk = UUID(typed)
    except ValueError:
        return None
    found = Dialogue.objects.of_campaign(campaign).reviewable().with_names().filter(pk=pk)
    return found.exclude(assignment__entry__in=barred_entries(organizer)).first()


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """`waits`: its dialogue may still come to a reviewer, so that only who has scored it sees the example."""

    example: GuideExample
    waits: bool

    @property
    def score(self) -> str:
        return self.example.point.key or shown(self.example.point.score)


def rows_of(campaign: Campaign, organizer: Person) -> list[ExampleRow]:
    examples = examples_in(campaign, organizer)
    rest = set(at_rest(campaign).values_list("pk", flat=True))
    return [ExampleRow(one, one.pk not in rest) for one in examples]


def _page(request: HttpRequest, campaign: Campaign, typed: Choice, *, status: int = 200) -> HttpResponse:
    by = person_of(request)
    rows = rows_of(campaign, by)
    criteria = list(campaign.rubric.criteria.prefetch_related("points"))
    page = {
        "campaign": campaign,
        "criteria": [(one, [row for row in rows if row.example.point.criterion_id == one.pk]) for one in criteria],
        "choices": [
            (one, [(str(point.pk), point.key or shown(point.score), point.label) for point in one.points.all()])
            for one in criteria
        ],
        "typed": typed,
        "dialogue": _dialogue_for(campaign, by, typed.dialogue),
        "reason_limit": COMMENT_LIMIT,
    }
    return render(request, "reviews/guide_examples.html", page, status=status)


class ChosenAnswer(TypedDict):
    """`waits`: the dialogue may still come to a reviewer, so that only who has scored it sees the example."""

    id: Annotated[int, From("example.pk")]
    dialogue: Annotated[Id, From("example.dialogue_id")]
    bot: Annotated[str, From("example.dialogue.assignment.entry.alias")]
    scenario: Annotated[str, From("example.dialogue.assignment.scenario.key")]
    criterion: Annotated[str, From("example.point.criterion.key")]
    score: Annotated[int | str, From(lambda row: row.example.point.key or row.example.point.score)]
    turn: Annotated[int | None, From("example.turn")]
    reason: Annotated[str, From("example.reason")]
    added_by: Annotated[str, From("example.added_by.username")]
    added_at: Annotated[Moment, From("example.added_at")]
    waits: bool


# `score` is a number of the scale, or the key of a label.
CHOSEN = Table(
    {
        "dialogue": Field(IDENTITY),
        "criterion": Field(TEXT),
        "score": Field(IDENTITY),
        "turn": Field(Whole(0), None),
        "reason": Field(UNMEASURED_TEXT),
    }
)


class GuideExamples(OrganizersView):
    """GET lists the chosen examples; POST adds one, or gives it another turn and reason."""

    @describes(
        "Lists the examples that organizers chose for the scoring guide, the oldest first",
        list[ChosenAnswer],
        asks=PAGES,
    )
    def get(self, request: Request) -> Page:
        return page_of(request, rows_of(self.campaign, person_of(request)))

    @describes(
        "Makes a dialogue an example of a score in the scoring guide, and says why it has it",
        ChosenAnswer,
        201,
        reads=CHOSEN,
        refuses=(409,),
    )
    def post(self, request: Request) -> ExampleRow:
        sent, by = body_in(request, CHOSEN), person_of(request)
        points = points_of(self.campaign).filter(criterion__key=sent["criterion"])
        point = next((one for one in points if sent["score"] == (one.key or str(one.score))), None)
        example = _add(self.campaign, by, timezone.now(), point, sent)
        return ExampleRow(example, waits=not at_rest(self.campaign).filter(pk=example.pk).exists())


class OneGuideExample(OrganizersView):
    @describes("Takes an example out of the scoring guide", None, 204, refuses=(409,))
    def delete(self, request: Request, example_id: int) -> Response:
        by = person_of(request)
        example = get_object_or_404(examples_in(self.campaign, by), pk=example_id)
        remove_example(example=example, by=by, at=timezone.now())
        return Response(status=204)
