"""REST: what experts and organizers decide: vetting, gold, revisions, panels that nobody can fill."""

from collections.abc import Sequence
from typing import Any, TypedDict

from django.http import Http404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from api.paging import PAGES, asked_in, listed
from campaigns.access import campaign_for
from campaigns.models import Role
from dialogues.models import Dialogue
from reading.json_schemas import Id, Moment
from reading.kinds import FLAG, Choice
from reviews.actions.closing import close_panel, reopen_panel
from reviews.actions.counting import is_accepted
from reviews.actions.gold import set_gold
from reviews.actions.revising import answer_revision
from reviews.actions.vetting import is_its_expert, vet_dialogue
from reviews.answers import GoldAnswer, GrantedAnswer, PanelAnswer, VettedAnswer
from reviews.api_answers import JSON, ReviewsView, checked, dialogue_named
from reviews.desk import requests_in
from reviews.models import ClosedPanel, RevisionRequest, Vetting
from reviews.panel_survey import PanelRow, closed_panels, row_of, short_panels
from testing_console.serializers import KindField


class VettingSerializer(serializers.Serializer[Any]):
    """The five answers about what the tester says."""

    fluent = KindField(FLAG)
    natural = KindField(FLAG)
    appropriate = KindField(FLAG)
    coherent = KindField(FLAG)
    correct = KindField(FLAG)
    reason = serializers.CharField(allow_blank=True, required=False, default="", trim_whitespace=False)


class GoldSerializer(serializers.Serializer[Any]):
    for_training = KindField(FLAG, required=False, default=True)
    ratings = serializers.DictField(child=serializers.JSONField(), required=False)
    evidence = serializers.DictField(child=serializers.JSONField(), required=False)
    verdicts = serializers.DictField(child=serializers.JSONField(), required=False)
    comment = serializers.CharField(allow_blank=True, required=False, trim_whitespace=False)


class PanelSerializer(serializers.Serializer[Any]):
    closed = KindField(FLAG)
    because = serializers.CharField(allow_blank=True, required=False, default="", trim_whitespace=False)


class AnswerSerializer(serializers.Serializer[Any]):
    granted = KindField(FLAG)


def dialogue_for(request: Request, dialogue_id: str, role: Role) -> Dialogue:
    """A dialogue of a campaign in which the person holds the role; 404 for anything else."""
    dialogue = dialogue_named(dialogue_id)
    campaign_for(request.user, dialogue.assignment.campaign.slug, role)
    return dialogue


class DialogueVetting(ReviewsView):
    """POST assesses a collected dialogue; one no returns it. `accepted` is null until all experts have answered."""

    access = Access("roles", (Role.EXPERT,))

    @describes(
        "Assesses a collected dialogue: accepts or returns it",
        VettedAnswer,
        201,
        reads=VettingSerializer,
        refuses=(409,),
    )
    def post(self, request: Request, dialogue_id: str) -> Response:
        dialogue = dialogue_for(request, dialogue_id, Role.EXPERT)
        if not is_its_expert(dialogue, person_of(request)):
            raise Http404
        said = checked(VettingSerializer, request)
        faults = [question for question in Vetting.Question.values if not said[question]]
        vetting = vet_dialogue(
            dialogue=dialogue, expert=person_of(request), faults=faults, reason=said["reason"], at=timezone.now()
        )
        return Response({"yours": vetting.is_accepted, "accepted": is_accepted(dialogue)}, status=201)


class DialogueGold(ReviewsView):
    """POST makes a dialogue gold, by the scores in the body or those of its adjudicator."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Makes a dialogue gold, by the scores in the body or those of its adjudicator",
        GoldAnswer,
        201,
        reads=GoldSerializer,
        refuses=(409,),
    )
    def post(self, request: Request, dialogue_id: str) -> Response:
        dialogue = dialogue_for(request, dialogue_id, Role.ORGANIZER)
        content: JSON = checked(GoldSerializer, request)
        is_for_training = content.pop("for_training")
        gold = set_gold(
            dialogue=dialogue, organizer=person_of(request), content=content or None, is_for_training=is_for_training,
            at=timezone.now(),
        )  # fmt: skip
        return Response({"content": gold.content, "for_training": gold.is_for_training}, status=201)


class DialoguePanel(ReviewsView):
    """POST closes the panel of a dialogue with the reviews that it has, or reopens it."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Closes the panel of a dialogue with the reviews that it has, or reopens it",
        PanelAnswer,
        201,
        reads=PanelSerializer,
        refuses=(409,),
    )
    def post(self, request: Request, dialogue_id: str) -> Response:
        dialogue = dialogue_for(request, dialogue_id, Role.ORGANIZER)
        said = checked(PanelSerializer, request)
        by_whom: JSON = {"dialogue": dialogue, "organizer": person_of(request), "at": timezone.now()}
        closed = close_panel(because=said["because"], **by_whom) if said["closed"] else reopen_panel(**by_whom)
        return Response({"closed": said["closed"], "n_reviews": closed.n_reviews}, status=201)


class RevisionAnswer(ReviewsView):
    """POST grants or refuses a reviewer's request for a revision."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes(
        "Grants or refuses a reviewer's request for a revision", GrantedAnswer, reads=AnswerSerializer, refuses=(409,)
    )
    def post(self, request: Request, request_id: int) -> Response:
        asked = RevisionRequest.objects.select_related("review__dialogue__assignment__campaign").filter(pk=request_id)
        found = asked.first()
        if found is None:
            raise Http404
        campaign_for(request.user, found.review.dialogue.assignment.campaign.slug, Role.ORGANIZER)
        granted = checked(AnswerSerializer, request)["granted"]
        answered = answer_revision(request=found, organizer=person_of(request), is_granted=granted, at=timezone.now())
        return Response({"granted": answered.is_granted})


STATES: dict[str, bool | None] = {"waiting": None, "granted": True, "refused": False}
ASKED = {**PAGES, "state": Choice(sorted(STATES))}


class RevisionRow(TypedDict):
    """`id` is what `POST revision-requests/<id>/` answers; `granted` is null until somebody has."""

    id: int
    dialogue: Id
    bot: str
    scenario: str
    reviewer: str
    reason: str
    asked_at: Moment
    granted: bool | None
    answered_by: str | None
    answered_at: Moment | None


class RevisionRequests(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    @describes("Lists the requests for revisions, the oldest first", list[RevisionRow], asks=ASKED)
    def get(self, request: Request, slug: str) -> Response:
        found = requests_in(campaign_for(request.user, slug, Role.ORGANIZER), person_of(request))
        asked = asked_in(request, ASKED)
        if "state" in asked:
            found = found.filter(is_granted=STATES[asked["state"]])
        return listed(request, found, revision_row)


def revision_row(one: RevisionRequest) -> RevisionRow:
    assignment = one.review.dialogue.assignment
    return {
        "id": one.pk,
        "dialogue": str(one.review.dialogue_id),
        "bot": assignment.entry.alias,
        "scenario": assignment.scenario.key,
        "reviewer": one.review.reviewer.username,
        "reason": one.reason,
        "asked_at": one.asked_at.isoformat(),
        "granted": one.is_granted,
        "answered_by": one.answered_by.username if one.answered_by else None,
        "answered_at": one.answered_at.isoformat() if one.answered_at else None,
    }


class LackingPanelAnswer(TypedDict):
    """Numbers of reviews; `why` and `ways` are sentences in the language of the request."""

    dialogue: Id
    bot: str
    scenario: str
    since: Moment
    needed: int
    scored: int
    at_work: int
    to_draw: int
    short: int
    may_be_closed: bool
    why: Sequence[str]
    ways: Sequence[str]


class ClosedPanelAnswer(TypedDict):
    dialogue: Id
    bot: str
    scenario: str
    n_reviews: int
    because: str
    closed_by: str
    closed_at: Moment


class PanelsView(APIView):
    access = Access("roles", (Role.ORGANIZER,))


class LackingPanels(PanelsView):
    @describes(
        "Lists the panels that nobody can fill as things are, the longest at rest first",
        list[LackingPanelAnswer],
        asks=PAGES,
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return listed(request, short_panels(campaign, timezone.now()), lambda one: lacking_document(row_of(one)))


class ClosedPanels(PanelsView):
    @describes(
        "Lists the panels that count with the reviews that they have, the last closed first",
        list[ClosedPanelAnswer],
        asks=PAGES,
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return listed(request, closed_panels(campaign), closed_document)


def lacking_document(row: PanelRow) -> LackingPanelAnswer:
    assignment, gap = row.dialogue.assignment, row.gap
    return {
        "dialogue": str(row.dialogue.pk),
        "bot": assignment.entry.alias,
        "scenario": assignment.scenario.key,
        "since": row.since.isoformat(),
        "needed": gap.n_needed,
        "scored": gap.n_scored,
        "at_work": gap.n_at_work,
        "to_draw": gap.n_to_draw,
        "short": gap.n_short,
        "may_be_closed": gap.may_be_closed,
        "why": row.why,
        "ways": row.ways,
    }


def closed_document(closed: ClosedPanel) -> ClosedPanelAnswer:
    assignment = closed.dialogue.assignment
    return {
        "dialogue": str(closed.dialogue_id),
        "bot": assignment.entry.alias,
        "scenario": assignment.scenario.key,
        "n_reviews": closed.n_reviews,
        "because": closed.because,
        "closed_by": closed.closed_by.username,
        "closed_at": closed.closed_at.isoformat(),
    }
