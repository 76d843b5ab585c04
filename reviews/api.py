"""REST: a reviewer's queue and scores: open the next dialogue, choose scores one by one, hand them in, undo that."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.models import Person
from api.describing import describes
from api.parsers import body_in, fields_of
from api.problems import problem_answer
from campaigns.access import campaign_for, roles_of
from campaigns.models import Role
from dialogues.models import Dialogue
from dialogues.progress import assignment_rows, next_row
from reading.json_schemas import Id, Moment
from reading.kinds import ANY_TEXT, ANYTHING, OBJECT, SLUG, UNMEASURED_TEXT, TableOf, Text, Whole
from reading.tables import Field, Table
from reviews.actions import Conflict, save_draft, submit_review, undo_submission
from reviews.actions.checking import Part, part_of
from reviews.actions.placing import next_place
from reviews.actions.second_readings import (
    open_next,
    reading_named,
    refuse_revision,
    remark_on_reading,
    save_reading_draft,
    submit_second_reading,
    undo_second_reading,
)
from reviews.actions.submitting import add_remark, request_revision
from reviews.actions.vetting import may_read_to_vet
from reviews.desk import open_disputes, own_scores, queue_of, scores_of_reading, to_vet, undo_s, undo_s_of_reading
from reviews.models import Remark, Review, RevisionRequest
from reviews.sheet import SheetAnswer, sheet_of

WHO_SCORES = (Role.TESTER, Role.REVIEWER, Role.ADJUDICATOR)
VERSION = Whole(0, 2**31 - 1)
COMPLETE = TableOf(ANY_TEXT, ANYTHING)
HANDED_IN = Table(
    {
        "ratings": Field(COMPLETE),
        "evidence": Field(COMPLETE, {}),
        "verdicts": Field(COMPLETE, {}),
        "comment": Field(UNMEASURED_TEXT, ""),
        "version": Field(VERSION, 0),
    },
    keeps_others=True,
)
# None takes a choice back; what is not named stays.
CHANGES = {
    **dict.fromkeys(("ratings", "evidence", "verdicts"), Field(OBJECT, None)),
    "comment": Field(UNMEASURED_TEXT, None),
}
DRAFT = Table({**CHANGES, "version": Field(VERSION, 0)}, keeps_others=True)
UNDO = Table({"version": Field(VERSION)}, keeps_others=True)
REASON = Table({"reason": Field(UNMEASURED_TEXT)}, keeps_others=True)
REMARK = Table({"kind": Field(Text(40)), "text": Field(UNMEASURED_TEXT, "")}, keeps_others=True)
CAMPAIGN = Table({"campaign": Field(Text(60), "")}, keeps_others=True)


class RevisionState(TypedDict):
    """`granted` is null until an organizer has answered."""

    reason: str
    granted: bool | None
    used: bool


class Chosen(TypedDict):
    """Ratings, evidence and verdicts by their places."""

    ratings: Mapping[str, Any]
    evidence: Mapping[str, Any]
    verdicts: Mapping[str, Any]
    comment: str


class OwnScores(TypedDict):
    version: int
    is_submitted: bool
    submitted_at: Moment | None
    may_be_changed: bool
    undo_s: int
    revision: RevisionState | None
    is_draft: bool
    chosen: Chosen


class VersionAnswer(TypedDict):
    version: int


class HandedIn(TypedDict):
    """`next` is an assignment (of testers) or a dialogue (of reviewers) to go on with."""

    version: int
    undo_s: int
    next: int | str | None
    list: str


class RevisionAsked(TypedDict):
    id: int
    reason: str


class RemarkAnswer(TypedDict):
    kind: str
    text: str


class ProgressAnswer(TypedDict):
    done: int
    total: int
    minutes_left: int | None
    pace_s: int | None


class TrainingAnswer(TypedDict):
    done: int
    total: int
    passed: bool


class PlaceAnswer(TypedDict):
    id: int
    dialogue: Id
    alias: str
    scenario: str
    status: str
    expires_at: Moment | None


class QueueAnswer(TypedDict):
    """`training` is null once it is passed, and where there is none."""

    progress: ProgressAnswer
    training: TrainingAnswer | None
    places: list[PlaceAnswer]


class NextAnswer(TypedDict):
    dialogue: Id
    page: str


class WaitingAnswer(TypedDict):
    to_vet: list[Id]
    disputes: list[Id]


def dialogue_named(dialogue_id: str) -> Dialogue:
    return get_object_or_404(Dialogue.objects.with_names().with_waiting(), pk=dialogue_id)


class ScoringView(APIView):
    """Turns the `dialogue_id` of the URL into `self.dialogue`, one that the person scores; 404 for anything else.

    Where they score it once more, `self.reading` is what their choices are stored in.
    """

    access = Access("roles", WHO_SCORES)

    def dispatch(self, request: Any, dialogue_id: str, **kwargs: Any) -> Any:
        self.dialogue_id = dialogue_id
        return super().dispatch(request, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.person, self.at = person_of(request), timezone.now()
        self.reading = reading_named(self.dialogue_id, self.person)
        self.dialogue = dialogue_named(str(self.reading.review.dialogue_id) if self.reading else self.dialogue_id)
        self.check_may_open()

    def check_may_open(self) -> None:
        part_of(self.dialogue, self.person)

    def handle_exception(self, exc: Exception) -> Response:
        return conflict_answer(exc, self.request) if isinstance(exc, Conflict) else super().handle_exception(exc)


def conflict_answer(conflict: Conflict, request: Request) -> Response:
    """Both values: what is stored, and what this request would have put in its place."""
    body = fields_of(request)
    return problem_answer(
        409,
        "conflict",
        lambda: _("These scores were handed in already, in another tab or by another program."),
        version=conflict.version,
        current=conflict.current,
        yours={name: body[name] for name in CHANGES if name in body},
    )


class DialogueReview(ScoringView):
    """GET gives one's own scores; PATCH stores single choices as a draft; POST hands the complete scores in."""

    @describes("Gives one's own scores of a dialogue", OwnScores)
    def get(self, request: Request) -> dict[str, Any]:
        if self.reading:
            return scores_of_reading(self.reading, self.at)
        return own_scores(self.dialogue, self.person, self.at)

    @describes("Stores single choices as a draft", VersionAnswer, reads=DRAFT, refuses=(409,))
    def patch(self, request: Request) -> VersionAnswer:
        body = body_in(request, DRAFT)
        changes = {name: body[name] for name in CHANGES if body[name] is not None}
        version = body["version"]
        based_on = {"changes": changes, "based_on_version": version, "at": self.at}
        if self.reading:
            save_reading_draft(reading=self.reading, **based_on)
        else:
            save_draft(dialogue=self.dialogue, reviewer=self.person, **based_on)
        return {"version": version}

    @describes("Hands the complete scores in", HandedIn, 201, reads=HANDED_IN, refuses=(409,))
    def post(self, request: Request) -> dict[str, Any]:
        content = body_in(request, HANDED_IN)
        content |= {"based_on_version": content.pop("version"), "at": self.at}
        if self.reading:
            reading = submit_second_reading(reading=self.reading, **content)
            told = {"version": reading.version, "undo_s": undo_s_of_reading(reading, self.at)}
            return told | what_comes_next(self.person, self.dialogue, reading.review, self.at)
        review = submit_review(dialogue=self.dialogue, reviewer=self.person, **content)
        told = {"version": review.version, "undo_s": undo_s(review, self.at)}
        return told | what_comes_next(self.person, self.dialogue, review, self.at)


class UndoneReview(ScoringView):
    """POST takes back the hand-in that made `version`, within its time."""

    @describes("Takes back the hand-in that made a version, within its time", OwnScores, reads=UNDO, refuses=(409,))
    def post(self, request: Request) -> dict[str, Any]:
        version = body_in(request, UNDO)["version"]
        if self.reading:
            return scores_of_reading(undo_second_reading(reading=self.reading, version=version, at=self.at), self.at)
        undo_submission(dialogue=self.dialogue, reviewer=self.person, version=version, at=self.at)
        return own_scores(self.dialogue, self.person, self.at)


class ReviewSheet(ScoringView):
    """GET gives what there is to read and to score, without anybody's scores; experts read it too."""

    access = Access("roles", (*WHO_SCORES, Role.EXPERT))

    def check_may_open(self) -> None:
        is_vetted = self.dialogue.assignment.campaign.experts_per_dialogue
        if not (is_vetted and may_read_to_vet(self.dialogue, self.person)):
            super().check_may_open()

    @describes("Gives what there is to read and to score, without anybody's scores", SheetAnswer)
    def get(self, request: Request) -> dict[str, Any]:
        return sheet_of(self.dialogue, with_context=self.dialogue.talker_id != self.person.pk)


class RevisionOfReview(ScoringView):
    """POST asks the organizers to let one's scores be changed, with the reason."""

    @describes("Asks the organizers to let one's scores be changed", RevisionAsked, 201, reads=REASON, refuses=(409,))
    def post(self, request: Request) -> RevisionAsked:
        reason = body_in(request, REASON)["reason"]
        if self.reading:
            refuse_revision(reading=self.reading, reason=reason, at=self.at)
        asked: RevisionRequest = request_revision(
            dialogue=self.dialogue, reviewer=self.person, reason=reason, at=self.at
        )
        return {"id": asked.pk, "reason": asked.reason}


class ReviewRemark(ScoringView):
    """POST says that the bot's maker shows, or that one cannot judge the dialogue: then another reviewer gets it."""

    @describes(
        "Says that the bot's maker shows, or that one cannot judge the dialogue",
        RemarkAnswer,
        201,
        reads=REMARK,
        refuses=(409,),
    )
    def post(self, request: Request) -> Remark:
        said = body_in(request, REMARK)
        if self.reading:
            return remark_on_reading(reading=self.reading, at=self.at, **said)
        return add_remark(dialogue=self.dialogue, reviewer=self.person, at=self.at, **said)


def what_comes_next(person: Person, dialogue: Dialogue, review: Review, at: datetime) -> dict[str, Any]:
    """A tester goes on with an assignment, a reviewer with a dialogue of their queue; `list` is where all of them are."""
    campaign = dialogue.assignment.campaign
    if review.part == Part.SELF:
        row = next_row(assignment_rows(person, campaign, at=at))
        return {"next": row.assignment.pk if row else None, "list": reverse("tester-list", args=[campaign.slug])}
    place = next_place(campaign, person)
    return {"next": str(place.dialogue_id) if place else None, "list": reverse("review-queue", args=[campaign.slug])}


class Queue(APIView):
    """GET lists the reviewer's places in their own order; `?campaign=` names the campaign."""

    access = Access("roles", (Role.REVIEWER,))

    @describes("Lists the reviewer's places in their own order", QueueAnswer, asks={"campaign": SLUG})
    def get(self, request: Request) -> Response:
        campaign = campaign_for(request.user, request.query_params.get("campaign", ""), Role.REVIEWER)
        # As it is: the page of the queue shows the same rows, and there may be thousands.
        return Response(queue_of(campaign, person_of(request), timezone.now()))


class NextPlace(APIView):
    """POST reserves the next dialogue; 204 where nothing is left."""

    access = Access("roles", (Role.REVIEWER,))

    @describes(
        "Reserves the next dialogue; 204 where nothing is left",
        NextAnswer,
        also={204: None},
        reads=CAMPAIGN,
        refuses=(409,),
    )
    def post(self, request: Request) -> Any:
        campaign = campaign_for(request.user, body_in(request, CAMPAIGN)["campaign"], Role.REVIEWER)
        following = open_next(campaign=campaign, reviewer=person_of(request), at=timezone.now())
        if following is None:
            return Response(status=204)
        return {"dialogue": following.pk, "page": reverse("review", args=[following.pk])}


class Waiting(APIView):
    """GET lists the dialogues that wait for this expert (`to_vet`) and this adjudicator (`disputes`), the oldest first."""

    access = Access("roles", (Role.EXPERT, Role.ADJUDICATOR))

    @describes(
        "Lists the dialogues that wait for an expert or an adjudicator, the oldest first",
        WaitingAnswer,
        asks={"campaign": SLUG},
    )
    def get(self, request: Request) -> dict[str, Any]:
        person, slug = person_of(request), request.query_params.get("campaign", "")
        campaign = campaign_for(request.user, slug, Role.EXPERT, Role.ADJUDICATOR)
        roles = roles_of(person, campaign)
        vetted = to_vet(campaign, person).values_list("pk", flat=True) if Role.EXPERT in roles else []
        disputes = open_disputes([campaign], person).values_list("dialogue_id", flat=True)
        return {"to_vet": vetted, "disputes": disputes if Role.ADJUDICATOR in roles else []}
