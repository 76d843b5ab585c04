"""REST: flags on turns and reports of problems by testers; the organizer's list of both."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.models import Person
from api.describing import describes
from api.paging import PAGES, SINCE, asked_in, listed
from campaigns.access import campaign_for
from campaigns.interests import barred_entries
from campaigns.models import Role
from dialogues.actions.reports import BadReport, flag_turn, report_problem, settle_problem, unflag_turn
from dialogues.models import Problem, Turn
from reading.kinds import Whole
from testing_console.answers import FlagAnswer, ProblemAnswer, ReportedAnswer
from testing_console.api import own_dialogue
from testing_console.serializers import KindField

PROBLEMS = {**PAGES, "since": SINCE}


class ReportSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_blank=True, trim_whitespace=False)
    turn = KindField(Whole(1, 2**31 - 1), required=False, allow_null=True)


class Flag(APIView):
    """PUT flags a turn of a dialogue of one's own, DELETE takes the flag off."""

    access = Access("roles", (Role.TESTER,))

    @describes("Flags a turn", FlagAnswer)
    def put(self, request: Request, dialogue_id: str, number: int) -> Response:
        flag_turn(turn=own_turn(person_of(request), dialogue_id, number), at=timezone.now())
        return Response({"is_flagged": True})

    @describes("Takes the flag off a turn", FlagAnswer)
    def delete(self, request: Request, dialogue_id: str, number: int) -> Response:
        unflag_turn(turn=own_turn(person_of(request), dialogue_id, number), at=timezone.now())
        return Response({"is_flagged": False})


class DialogueProblems(APIView):
    """POST reports a problem in words, with the turn it is about if there is one."""

    access = Access("roles", (Role.TESTER,))

    @describes("Reports a problem in words", ReportedAnswer, 201, reads=ReportSerializer)
    def post(self, request: Request, dialogue_id: str) -> Response:
        person = person_of(request)
        dialogue = own_dialogue(person, dialogue_id)
        said = ReportSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        number = said.validated_data.get("turn")
        turn = own_turn(person, dialogue_id, number) if number is not None else None
        text = said.validated_data["text"]
        try:
            problem = report_problem(dialogue=dialogue, person=person, turn=turn, text=text, at=timezone.now())
        except BadReport as bad:
            raise ValidationError({"text": [str(bad)]}) from bad
        return Response({"id": problem.pk}, status=201)


class CampaignProblems(APIView):
    """GET lists what the testers of a campaign reported, the latest first, but for dialogues that an interest closes."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Lists what the testers of a campaign reported, the latest first", list[ProblemAnswer], asks=PROBLEMS)
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        problems = Problem.objects.filter(dialogue__assignment__campaign=campaign).exclude(
            dialogue__assignment__entry__in=barred_entries(person_of(request))
        )
        asked = asked_in(request, PROBLEMS)
        if "since" in asked:
            problems = problems.filter(at__gte=asked["since"])
        return listed(request, problems.select_related("reported_by", "turn"), problem_row)


class SettledProblem(APIView):
    """POST settles a problem."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Settles a problem that a tester reported", ProblemAnswer)
    def post(self, request: Request, slug: str, problem_id: int) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        found = Problem.objects.select_related("reported_by", "turn")
        problem = get_object_or_404(found, pk=problem_id, dialogue__assignment__campaign=campaign)
        settle_problem(problem=problem, at=timezone.now(), by=person_of(request))
        problem.refresh_from_db()
        return Response(problem_row(problem))


def problem_row(problem: Problem) -> ProblemAnswer:
    return {
        "id": problem.pk,
        "dialogue": str(problem.dialogue_id),
        "turn": problem.turn.number if problem.turn else None,
        "reported_by": problem.reported_by.username,
        "text": problem.text,
        "at": problem.at.isoformat(),
        "settled_at": problem.settled_at.isoformat() if problem.settled_at else None,
    }


def own_turn(person: Person, dialogue_id: str, number: int) -> Turn:
    return get_object_or_404(own_dialogue(person, dialogue_id).turns, number=number)
