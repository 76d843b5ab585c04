"""What the reviews' API has in common: the error of each refusal, and the dialogue that a path names."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access
from accounts.models import Person
from api.problems import problem_answer
from campaigns.models import Role
from dialogues.models import Dialogue
from reviews.actions import BadReview, Conflict, NotReviewable, NotYours, TooLate
from reviews.actions.capacities import part_of
from reviews.actions.vetting import may_read_to_vet

WHO_SCORES = (Role.TESTER, Role.REVIEWER, Role.ADJUDICATOR)
HANDED_IN = ("ratings", "evidence", "verdicts", "comment")
JSON = dict[str, Any]


class NotNow(APIException):
    status_code = 409
    default_code = "not_reviewable"


class ReviewsView(APIView):
    """Answers what the actions refuse, each with its status."""

    access = Access("roles", WHO_SCORES)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Conflict):
            return conflict_answer(exc, self.request)
        return super().handle_exception(answer_to(exc))


def answer_to(error: Exception) -> Exception:
    """The API's error for what an action refused; anything else as it is."""
    match error:
        case NotYours():
            return NotFound()
        case NotReviewable():
            return NotNow(str(error))
        case TooLate():
            return NotNow(str(error), "too_late")
        case BadReview(fields=fields):
            return ValidationError({name: [message] for name, message in fields.items()})
    return error


def conflict_answer(conflict: Conflict, request: Request) -> Response:
    """Both values: what is stored, and what this request would have put in its place."""
    body: JSON = request.data  # type: ignore[assignment] # our parser lets objects through only
    return problem_answer(
        409,
        "conflict",
        _("These scores were handed in already, in another tab or by another program."),
        version=conflict.version,
        current=conflict.current,
        yours={name: body[name] for name in HANDED_IN if name in body},
    )


def dialogue_to_score(person: Person, dialogue_id: str) -> Dialogue:
    """A dialogue that the person scores in whatever part; 404 for anything else."""
    dialogue = dialogue_named(dialogue_id)
    try:
        part_of(dialogue, person)
    except NotYours:
        raise Http404 from None
    return dialogue


def dialogue_to_read(person: Person, dialogue_id: str) -> Dialogue:
    """A dialogue that the person scores, or may read as an expert; 404 for anything else."""
    dialogue = dialogue_named(dialogue_id)
    if dialogue.assignment.campaign.experts_per_dialogue and may_read_to_vet(dialogue, person):
        return dialogue
    return dialogue_to_score(person, dialogue_id)


def dialogue_named(dialogue_id: str) -> Dialogue:
    dialogue = Dialogue.objects.with_names().with_waiting().filter(pk=dialogue_id).first()
    if dialogue is None:
        raise Http404
    return dialogue


def checked(serializer: type[serializers.Serializer[Any]], request: Request) -> JSON:
    """The body as the serializer takes it. Errors: `ValidationError`."""
    said = serializer(data=request.data)
    said.is_valid(raise_exception=True)
    return said.validated_data
