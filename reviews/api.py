"""REST: hand in the scores of a dialogue."""

from typing import Any

from django.shortcuts import get_object_or_404
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
from reviews.actions import BadReview, Conflict, NotReviewable, NotYours, submit_review
from scoring.kinds import Whole
from testing_console.models import Dialogue
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


class DialogueReview(APIView):
    """POST stores one's complete scores of a closed dialogue; the answer names what comes next."""

    access = Access("roles", (Role.TESTER,))

    def post(self, request: Request, dialogue_id: str) -> Response:
        person = person_of(request)
        dialogue = get_object_or_404(Dialogue.objects.of_tester(person).with_names(), pk=dialogue_id)
        handed_in = ReviewSerializer(data=request.data)
        handed_in.is_valid(raise_exception=True)
        try:
            review = submit_review(dialogue=dialogue, reviewer=person, at=timezone.now(), **handed_in.content())
        except NotYours as foreign:
            raise NotFound from foreign
        except NotReviewable as refused:
            raise NotNow(str(refused)) from refused
        except BadReview as bad:
            raise ValidationError({name: [message] for name, message in bad.fields.items()}) from bad
        except Conflict as conflict:
            return Response({"error": error_of(conflict)}, status=409)
        return Response({"version": review.version} | what_comes_next(person, dialogue.assignment.campaign), status=201)


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
