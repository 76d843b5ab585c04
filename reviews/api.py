"""REST: a reviewer's queue and scores: open the next dialogue, choose scores one by one, hand them in, undo that."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import Access, person_of
from accounts.models import Person
from api.describing import describes
from campaigns.access import campaign_for, roles_of
from campaigns.models import Role
from dialogues.models import Dialogue
from dialogues.progress import assignment_rows, next_row
from reading.kinds import SLUG, Text, Whole
from reviews.actions import save_draft, submit_review, undo_submission
from reviews.actions.capacities import Part
from reviews.actions.placing import next_place, open_next_place
from reviews.actions.revising import add_remark, request_revision
from reviews.answers import (
    HandedIn,
    NextAnswer,
    OwnScores,
    QueueAnswer,
    RemarkAnswer,
    RevisionAsked,
    SheetAnswer,
    VersionAnswer,
    WaitingAnswer,
)
from reviews.api_answers import JSON, WHO_SCORES, ReviewsView, checked, dialogue_to_read, dialogue_to_score
from reviews.models import Review
from reviews.queries import open_disputes, own_scores, to_vet, undo_s
from reviews.queue import queue_of
from reviews.sheet import sheet_of
from testing_console.serializers import KindField

VERSION = Whole(0, 2**31 - 1)


class ReviewSerializer(serializers.Serializer[Any]):
    ratings = serializers.DictField(child=serializers.JSONField())
    evidence = serializers.DictField(child=serializers.JSONField(), required=False, default=dict)
    verdicts = serializers.DictField(child=serializers.JSONField(), required=False, default=dict)
    comment = serializers.CharField(allow_blank=True, required=False, default="", trim_whitespace=False)
    version = KindField(VERSION, required=False, default=0)


class DraftSerializer(serializers.Serializer[Any]):
    ratings = serializers.DictField(child=serializers.JSONField(allow_null=True), required=False)
    evidence = serializers.DictField(child=serializers.JSONField(allow_null=True), required=False)
    verdicts = serializers.DictField(child=serializers.JSONField(allow_null=True), required=False)
    comment = serializers.CharField(allow_blank=True, required=False, trim_whitespace=False)
    version = KindField(VERSION, required=False, default=0)


class UndoSerializer(serializers.Serializer[Any]):
    version = KindField(VERSION)


class DialogueReview(ReviewsView):
    """GET gives one's own scores; PATCH stores single choices as a draft; POST hands the complete scores in."""

    @describes("Gives one's own scores of a dialogue", OwnScores)
    def get(self, request: Request, dialogue_id: str) -> Response:
        person = person_of(request)
        return Response(own_scores(dialogue_to_score(person, dialogue_id), person, timezone.now()))

    @describes("Stores single choices as a draft", VersionAnswer, reads=DraftSerializer, refuses=(409,))
    def patch(self, request: Request, dialogue_id: str) -> Response:
        person = person_of(request)
        dialogue = dialogue_to_score(person, dialogue_id)
        changes = checked(DraftSerializer, request)
        version = changes.pop("version")
        save_draft(dialogue=dialogue, reviewer=person, changes=changes, based_on_version=version, at=timezone.now())
        return Response({"version": version})

    @describes("Hands the complete scores in", HandedIn, 201, reads=ReviewSerializer, refuses=(409,))
    def post(self, request: Request, dialogue_id: str) -> Response:
        person, at = person_of(request), timezone.now()
        dialogue = dialogue_to_score(person, dialogue_id)
        content = checked(ReviewSerializer, request)
        version = content.pop("version")
        review = submit_review(dialogue=dialogue, reviewer=person, at=at, based_on_version=version, **content)
        stored = {"version": review.version, "undo_s": undo_s(review, at)}
        return Response(stored | what_comes_next(person, dialogue, review, at), status=201)


class UndoneReview(ReviewsView):
    """POST takes back the hand-in that made `version`, within its time."""

    @describes(
        "Takes back the hand-in that made a version, within its time", OwnScores, reads=UndoSerializer, refuses=(409,)
    )
    def post(self, request: Request, dialogue_id: str) -> Response:
        person, at = person_of(request), timezone.now()
        dialogue = dialogue_to_score(person, dialogue_id)
        version = checked(UndoSerializer, request)["version"]
        undo_submission(dialogue=dialogue, reviewer=person, version=version, at=at)
        return Response(own_scores(dialogue, person, at))


class ReviewSheet(ReviewsView):
    """GET gives what there is to read and to score, without anybody's scores; experts read it too."""

    access = Access("roles", (*WHO_SCORES, Role.EXPERT))

    @describes("Gives what there is to read and to score, without anybody's scores", SheetAnswer)
    def get(self, request: Request, dialogue_id: str) -> Response:
        dialogue = dialogue_to_read(person_of(request), dialogue_id)
        return Response(sheet_of(dialogue, with_context=dialogue.talker_id != person_of(request).pk))


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(allow_blank=True, trim_whitespace=False)


class RemarkSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField(max_length=40)
    text = serializers.CharField(allow_blank=True, required=False, default="", trim_whitespace=False)


class RevisionOfReview(ReviewsView):
    """POST asks the organizers to let one's scores be changed, with the reason."""

    @describes(
        "Asks the organizers to let one's scores be changed", RevisionAsked, 201, reads=ReasonSerializer, refuses=(409,)
    )
    def post(self, request: Request, dialogue_id: str) -> Response:
        person, at = person_of(request), timezone.now()
        dialogue = dialogue_to_score(person, dialogue_id)
        reason = checked(ReasonSerializer, request)["reason"]
        asked = request_revision(dialogue=dialogue, reviewer=person, reason=reason, at=at)
        return Response({"id": asked.pk, "reason": asked.reason}, status=201)


class ReviewRemark(ReviewsView):
    """POST says that the bot's maker shows, or that one cannot judge the dialogue: then somebody else gets it."""

    @describes(
        "Says that the bot's maker shows, or that one cannot judge the dialogue",
        RemarkAnswer,
        201,
        reads=RemarkSerializer,
        refuses=(409,),
    )
    def post(self, request: Request, dialogue_id: str) -> Response:
        person, at = person_of(request), timezone.now()
        dialogue = dialogue_to_score(person, dialogue_id)
        remark = add_remark(dialogue=dialogue, reviewer=person, at=at, **checked(RemarkSerializer, request))
        return Response({"kind": remark.kind, "text": remark.text}, status=201)


def what_comes_next(person: Person, dialogue: Dialogue, review: Review, at: datetime) -> JSON:
    """A tester goes on with an assignment, a reviewer with a dialogue of their queue; and where all of them are listed."""
    campaign = dialogue.assignment.campaign
    if review.part == Part.SELF:
        row = next_row(assignment_rows(person, campaign, at=at))
        return {"next": row.assignment.pk if row else None, "list": reverse("tester-list", args=[campaign.slug])}
    place = next_place(campaign, person)
    return {"next": str(place.dialogue_id) if place else None, "list": reverse("review-queue", args=[campaign.slug])}


class CampaignSerializer(serializers.Serializer[Any]):
    campaign = KindField(Text(60), required=False, default="")


class Queue(ReviewsView):
    """GET lists the reviewer's places in their own order; `?campaign=` names the campaign."""

    access = Access("roles", (Role.REVIEWER,))

    @describes("Lists the reviewer's places in their own order", QueueAnswer, asks={"campaign": SLUG})
    def get(self, request: Request) -> Response:
        campaign = campaign_for(request.user, request.query_params.get("campaign", ""), Role.REVIEWER)
        return Response(queue_of(campaign, person_of(request), timezone.now()))


class NextPlace(ReviewsView):
    """POST reserves the next dialogue; 204 where nothing is left."""

    access = Access("roles", (Role.REVIEWER,))

    @describes(
        "Reserves the next dialogue; 204 where nothing is left",
        NextAnswer,
        also={204: None},
        reads=CampaignSerializer,
        refuses=(409,),
    )
    def post(self, request: Request) -> Response:
        campaign = campaign_for(request.user, checked(CampaignSerializer, request)["campaign"], Role.REVIEWER)
        dialogue = open_next_place(campaign=campaign, reviewer=person_of(request), at=timezone.now())
        if dialogue is None:
            return Response(status=204)
        return Response({"dialogue": str(dialogue.pk), "page": reverse("review", args=[dialogue.pk])})


class Waiting(ReviewsView):
    """GET lists the dialogues that wait for this expert (`to_vet`) and this adjudicator (`disputes`), the oldest first."""

    access = Access("roles", (Role.EXPERT, Role.ADJUDICATOR))

    @describes(
        "Lists the dialogues that wait for an expert or an adjudicator, the oldest first",
        WaitingAnswer,
        asks={"campaign": SLUG},
    )
    def get(self, request: Request) -> Response:
        person, slug = person_of(request), request.query_params.get("campaign", "")
        campaign = campaign_for(request.user, slug, Role.EXPERT, Role.ADJUDICATOR)
        roles = roles_of(person, campaign)
        vetted = to_vet(campaign, person).values_list("pk", flat=True) if Role.EXPERT in roles else []
        disputes = open_disputes([campaign], person).values_list("dialogue_id", flat=True)
        return Response(
            {
                "to_vet": list(map(str, vetted)),
                "disputes": list(map(str, disputes)) if Role.ADJUDICATOR in roles else [],
            }
        )
