"""REST: one's own scores of a dialogue: see them, choose them one by one, hand them in, undo that."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.models import Person
from campaigns.models import Campaign, Role
from reviews.actions import (
    BadReview,
    Conflict,
    NotReviewable,
    NotYours,
    TooLate,
    save_draft,
    submit_review,
    undo_submission,
)
from reviews.queries import own_scores, undo_s
from scoring.kinds import Whole
from testing_console.api import own_dialogue
from testing_console.progress import assignment_rows, next_row
from testing_console.serializers import KindField


class NotNow(APIException):
    status_code = 409
    default_code = "not_reviewable"


class ReviewSerializer(serializers.Serializer[Any]):
    ratings = serializers.DictField(child=serializers.JSONField())
    verdicts = serializers.DictField(child=serializers.JSONField(), required=False)
    comment = serializers.CharField(allow_blank=True, required=False, default="", trim_whitespace=False)
    version = KindField(Whole(0, 2**31 - 1), required=False)

    def content(self) -> dict[str, Any]:
        """What was handed in, as the action takes it."""
        said = self.validated_data
        return {
            "ratings": said["ratings"],
            "verdicts": said.get("verdicts", {}),
            "comment": said["comment"],
            "based_on_version": said.get("version", 0),
        }


class DraftSerializer(serializers.Serializer[Any]):
    ratings = serializers.DictField(child=serializers.JSONField(allow_null=True), required=False)
    verdicts = serializers.DictField(child=serializers.JSONField(allow_null=True), required=False)
    comment = serializers.CharField(allow_blank=True, required=False, trim_whitespace=False)
    version = KindField(Whole(0, 2**31 - 1), required=False)

    def changes(self) -> dict[str, Any]:
        """What was chosen, without the version it was chosen on."""
        return {name: value for name, value in self.validated_data.items() if name != "version"}


class UndoSerializer(serializers.Serializer[Any]):
    version = KindField(Whole(0, 2**31 - 1))


class OwnScoresView(APIView):
    """Answers what the actions refuse, each with its status."""

    access = Access("roles", (Role.TESTER,))

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Conflict):
            return Response({"error": error_of(exc)}, status=409)
        return super().handle_exception(answer_to(exc))


def answer_to(error: Exception) -> Exception:
    """The API's error for what an action refused; anything else as it is."""
    match error:
        case NotYours():
            return NotFound()
        case NotReviewable():
            return NotNow(str(error))
        case TooLate():
            return NotNow(_("It is too late to undo. You can still revise the scores."), "too_late")
        case BadReview(fields=fields):
            return ValidationError({name: [message] for name, message in fields.items()})
    return error


class DialogueReview(OwnScoresView):
    """GET gives one's own scores; PATCH stores single choices as a draft; POST hands the complete scores in."""

    def get(self, request: Request, dialogue_id: str) -> Response:
        person = person_of(request)
        return Response(own_scores(own_dialogue(person, dialogue_id), person, timezone.now()))

    def patch(self, request: Request, dialogue_id: str) -> Response:
        person = person_of(request)
        dialogue = own_dialogue(person, dialogue_id)
        chosen = DraftSerializer(data=request.data)
        chosen.is_valid(raise_exception=True)
        version = chosen.validated_data.get("version", 0)
        save_draft(dialogue=dialogue, reviewer=person, changes=chosen.changes(), based_on_version=version)
        return Response({"version": version})

    def post(self, request: Request, dialogue_id: str) -> Response:
        person, at = person_of(request), timezone.now()
        dialogue = own_dialogue(person, dialogue_id)
        handed_in = ReviewSerializer(data=request.data)
        handed_in.is_valid(raise_exception=True)
        review = submit_review(dialogue=dialogue, reviewer=person, at=at, **handed_in.content())
        stored = {"version": review.version, "undo_s": undo_s(review, at)}
        return Response(stored | what_comes_next(person, dialogue.assignment.campaign), status=201)


class UndoneReview(OwnScoresView):
    """POST takes back the hand-in that made `version`, within seconds of it."""

    def post(self, request: Request, dialogue_id: str) -> Response:
        person, at = person_of(request), timezone.now()
        dialogue = own_dialogue(person, dialogue_id)
        asked = UndoSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        undo_submission(dialogue=dialogue, reviewer=person, version=asked.validated_data["version"], at=at)
        return Response(own_scores(dialogue, person, at))


def error_of(conflict: Conflict) -> dict[str, Any]:
    return {
        "code": "conflict",
        "message": _("These scores were handed in already, in another tab or by another program."),
        "version": conflict.version,
        "current": conflict.current,
    }


def what_comes_next(person: Person, campaign: Campaign) -> dict[str, Any]:
    following = next_row(assignment_rows(person, campaign))
    return {
        "next": following.assignment.pk if following else None,
        "list": reverse("tester-list", args=[campaign.slug]),
    }
