"""REST: what experts and organizers decide: vetting, gold, revisions."""

from typing import Any

from django.http import Http404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import Access, person_of
from api.describing import describes
from campaigns.access import campaign_for
from campaigns.models import Role
from dialogues.models import Dialogue
from reading.kinds import FLAG
from reviews.actions.closing import close_panel, reopen_panel
from reviews.actions.counting import is_accepted
from reviews.actions.gold import set_gold
from reviews.actions.revising import answer_revision
from reviews.actions.vetting import is_its_expert, vet_dialogue
from reviews.answers import GoldAnswer, GrantedAnswer, PanelAnswer, VettedAnswer
from reviews.api_answers import JSON, ReviewsView, checked, dialogue_named
from reviews.models import RevisionRequest, Vetting
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
