"""REST: a program can do all that a tester's page can, goal card, flags and reports included.

Errors are problem details (`api/problems.py`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import PEOPLE, Access, person_of
from accounts.models import Person
from api.describing import describes
from api.paging import PAGES, SINCE, asked_in, listed
from campaigns.access import campaign_for, has_role, team_of
from campaigns.interests import barred_entries
from campaigns.models import Assignment, Campaign, Entry, Role, Scenario
from dialogues.actions import open_chosen_dialogue, open_dialogue
from dialogues.actions.closing import NoSuchItem, tick_items
from dialogues.actions.opening import open_instead
from dialogues.actions.reports import BadReport, flag_turn, report_problem, settle_problem, unflag_turn
from dialogues.masking import masker_of
from dialogues.models import Dialogue, Problem, Turn
from dialogues.pauses import BotPause
from dialogues.progress import GROUPS, PAUSED, AssignmentRow, assignment_rows, with_reasons
from dialogues.queries import masked_words, offered_to, tested_by
from dialogues.turn_taking import Refusal
from reading.kinds import ANY_TEXT, Choice, Kind, Whole
from testing_console.answers import (
    TO_OPEN,
    AssignmentAnswer,
    BotPauseAnswer,
    CardAnswer,
    CardPart,
    ChoicesAnswer,
    DialogueAnswer,
    FlagAnswer,
    GoalCardAnswer,
    ItemsAnswer,
    OpenedDialogue,
    ProblemAnswer,
    ReportedAnswer,
)
from testing_console.serializers import (
    AssignedSerializer,
    ChosenSerializer,
    InsteadSerializer,
    KindField,
    TicksSerializer,
)

FILTERS: Mapping[str, Kind] = {
    "campaign": ANY_TEXT,
    "bot": ANY_TEXT,
    "scenario": ANY_TEXT,
    "state": Choice(GROUPS),
}
ASSIGNMENTS: Mapping[str, Kind] = {**PAGES, **FILTERS}


class Conflict(APIException):
    """The rules do not allow it now (409); the code is the rule's."""

    status_code = 409

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message, code=refusal.code)


def socket_path(dialogue: Dialogue) -> str:
    return f"/ws/dialogues/{dialogue.pk}/"


def own_dialogue(person: Person, dialogue_id: str) -> Dialogue:
    """A dialogue that the person had, while they are a tester of its campaign and no interest bars them; 404 for anything else."""
    dialogue = get_object_or_404(tested_by(person).with_waiting(), pk=dialogue_id)
    campaign_for(person, dialogue.assignment.campaign.slug, Role.TESTER)
    return dialogue


def own_or_practised(person: Person, dialogue_id: str) -> Dialogue:
    """A dialogue of one's own, or one that the person practises for the team that they belong to now; 404 for anything else."""
    practised = Dialogue.everything.filter(tester=person, pk=dialogue_id, origin=Dialogue.Origin.PRACTICE)
    dialogue = practised.with_names().select_related("assignment__entry__bot__team").with_waiting().first()
    if dialogue is None:
        return own_dialogue(person, dialogue_id)
    campaign = campaign_for(person, dialogue.assignment.campaign.slug, Role.PARTICIPANT)
    if team_of(person, campaign) != dialogue.assignment.entry.bot.team:
        raise Http404
    return dialogue


def entry_named(name: str, campaign: Campaign, person: Person) -> Entry | None:
    """The bot under its alias; by its key only for somebody who organizes the campaign too.

    Keys tell who made a bot: if a tester could name one, a guessed key would tell its alias (design §4, rule 6).
    """
    offered = offered_to(person, campaign, timezone.now())
    entry = offered.filter(alias=name).first()
    if entry is None and has_role(person, campaign, Role.ORGANIZER):
        return offered.filter(key=name).first()
    return entry


class Choices(APIView):
    """GET lists what a tester may open by free choice: bots by their aliases, scenarios by their keys."""

    access = Access("roles", (Role.TESTER,))

    @describes("Lists what a tester may open by free choice", ChoicesAnswer)
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.TESTER)
        if not campaign.free_choice:
            return Response({"bots": [], "scenarios": []})
        return Response(
            {
                "bots": list(
                    offered_to(person_of(request), campaign, timezone.now())
                    .order_by("alias")
                    .values_list("alias", flat=True)
                ),
                "scenarios": list(campaign.scenarios.tested().values_list("key", flat=True)),
            }
        )


class Dialogues(APIView):
    """POST opens the dialogue of an assignment, of a bot and scenario of one's own choice, or another `instead_of` one."""

    access = Access("roles", (Role.TESTER,))

    @describes(
        "Opens the dialogue of an assignment, or of a bot and scenario of one's own choice",
        OpenedDialogue,
        201,
        reads=TO_OPEN,
        refuses=(409,),
    )
    def post(self, request: Request) -> Response:
        body: dict[str, Any] = request.data  # type: ignore[assignment] # our parser lets objects through only
        try:
            dialogue = self.asked_for(request, body)
        except Refusal as refusal:
            raise Conflict(refusal) from refusal
        return Response({"id": str(dialogue.pk), "socket": socket_path(dialogue)}, status=201)

    def asked_for(self, request: Request, body: dict[str, Any]) -> Dialogue:
        if "instead_of" in body:
            asked = InsteadSerializer(data=body)
            asked.is_valid(raise_exception=True)
            failing = own_dialogue(person_of(request), str(asked.validated_data["instead_of"]))
            return open_instead(dialogue=failing, tester=person_of(request), at=timezone.now())
        return self.of_assignment(request, body) if "assignment" in body else self.of_choice(request, body)

    def of_assignment(self, request: Request, body: dict[str, Any]) -> Dialogue:
        asked = AssignedSerializer(data=body)
        asked.is_valid(raise_exception=True)
        own = Assignment.objects.of_tester(person_of(request)).with_names()
        assignment = get_object_or_404(own, pk=asked.validated_data["assignment"])
        campaign_for(person_of(request), assignment.campaign.slug, Role.TESTER)
        return open_dialogue(assignment=assignment, at=timezone.now())

    def of_choice(self, request: Request, body: dict[str, Any]) -> Dialogue:
        asked = ChosenSerializer(data=body)
        asked.is_valid(raise_exception=True)
        chosen = asked.validated_data
        campaign = campaign_for(person_of(request), chosen["campaign"], Role.TESTER)
        entry = entry_named(chosen["bot"], campaign, person_of(request))
        scenario = campaign.scenarios.filter(key=chosen["scenario"], is_practice=False).first()
        if entry is None:
            raise ValidationError({"bot": [_("This campaign has no such system.")]})
        if scenario is None:
            raise ValidationError({"scenario": [_("This campaign has no such scenario.")]})
        return open_chosen_dialogue(
            campaign=campaign, tester=person_of(request), entry=entry, scenario=scenario, at=timezone.now()
        )


class OneDialogue(APIView):
    """GET gives where a dialogue of one's own stands."""

    access = Access("roles", (Role.TESTER,))

    @describes("Gives where a dialogue of one's own stands", DialogueAnswer)
    def get(self, request: Request, dialogue_id: str) -> Response:
        dialogue = own_dialogue(person_of(request), dialogue_id)
        return Response(
            {
                "id": str(dialogue.pk),
                "socket": socket_path(dialogue),
                "status": dialogue.status,
                "reason": dialogue.reason,
                "turns_used": dialogue.turns_used,
                "last_seq": dialogue.last_told,
                "assignment": dialogue.assignment_id,
                "page": reverse("console", args=[dialogue.pk]),
            }
        )


class DialogueItems(APIView):
    """GET lists what the tester was given to use, PATCH stores which of it is used, as a whole; teams that practise, too."""

    access = Access("roles", (Role.TESTER,))

    @describes("Lists what the tester was given to use, and what is used", ItemsAnswer)
    def get(self, request: Request, dialogue_id: str) -> Response:
        return Response(self.listed(own_or_practised(person_of(request), dialogue_id)))

    @describes("Stores which items are used, as a whole", ItemsAnswer, reads=TicksSerializer, refuses=(409,))
    def patch(self, request: Request, dialogue_id: str) -> Response:
        dialogue = own_or_practised(person_of(request), dialogue_id)
        asked = TicksSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        ticked = asked.validated_data["ticked"]
        try:
            return Response(self.listed(tick_items(dialogue=dialogue, ticked=ticked, at=timezone.now())))
        except Refusal as refusal:
            raise Conflict(refusal) from refusal
        except NoSuchItem as missing:
            raise ValidationError(
                {"ticked": [_("The scenario has no item %(n)d.") % {"n": missing.place}]}
            ) from missing

    def listed(self, dialogue: Dialogue) -> ItemsAnswer:
        return {
            "items": dialogue.assignment.scenario.items,
            "ticked": dialogue.ticked,
            "all_used": dialogue.has_used_all_items(),
        }


class Assignments(APIView):
    """GET lists one's own assignments in order, with where each stands; bots wear their aliases."""

    access = PEOPLE

    @describes("Lists one's own assignments in order, with where each stands", list[AssignmentAnswer], asks=ASSIGNMENTS)
    def get(self, request: Request) -> Response:
        asked = asked_in(request, ASSIGNMENTS)
        rows = [assignment_document(row) for row in _readable(assignment_rows(person_of(request), at=timezone.now()))]
        wanted = [row for row in rows if all(row.get(name) == asked[name] for name in FILTERS if name in asked)]
        return listed(request, wanted, lambda row: row)


def _readable(rows: Sequence[AssignmentRow]) -> list[AssignmentRow]:
    """The rows with reasons that tell nobody who made a bot: each campaign's names are masked in its own."""
    waiting = {row.assignment.campaign_id: row.assignment.campaign for row in rows if row.state == PAUSED}
    maskers = {pk: masker_of(masked_words(campaign)) for pk, campaign in waiting.items()}
    return [with_reasons([row], maskers[row.assignment.campaign_id])[0] if row.state == PAUSED else row for row in rows]


def assignment_document(row: AssignmentRow) -> AssignmentAnswer:
    return {
        "id": row.assignment.pk,
        "campaign": row.assignment.campaign.slug,
        "bot": row.assignment.entry.alias,
        "scenario": row.assignment.scenario.key,
        "repetition": row.assignment.repetition,
        "state": row.state,
        "dialogue": str(row.dialogue_id) if row.dialogue_id else None,
        "paused": pause_document(row.pause) if row.pause else None,
    }


def pause_document(pause: BotPause) -> BotPauseAnswer:
    return {
        "because": pause.because,
        "since": pause.since.isoformat() if pause.since else None,
        "until": pause.until,
        "closes_at": pause.closes_at.isoformat() if pause.closes_at else None,
    }


class GoalCard(APIView):
    """GET gives the scenario of a dialogue of one's own: texts in both languages, the parts with their caps, the facts.

    A team that practises reads the card of its practice.
    """

    access = Access("roles", (Role.TESTER,))

    @describes("Gives the goal card of a dialogue of one's own", GoalCardAnswer)
    def get(self, request: Request, dialogue_id: str) -> Response:
        dialogue = own_or_practised(person_of(request), dialogue_id)
        assignment = dialogue.assignment
        parts = [CardPart(index=one.index, kind=one.kind, turn_cap=one.turn_cap) for one in dialogue.subtasks.all()]
        may_end = assignment.campaign.tester_may_end
        card = card_document(assignment.scenario, parts, dialogue.turn_cap, tester_may_end=may_end)
        return Response({"dialogue": str(dialogue.pk), "bot": assignment.entry.alias, **card})


def card_document(
    scenario: Scenario, parts: list[CardPart], turn_cap: int | None, *, tester_may_end: str
) -> CardAnswer:
    """What stands on the card of the scenario; the caps are those of a dialogue, or of the campaign before there is one."""
    return {
        "scenario": scenario.key,
        "title": {"zh": scenario.title_zh, "en": scenario.title_en},
        "instructions": {"zh": scenario.instructions_zh, "en": scenario.instructions_en},
        "opening": {"zh": scenario.opening, "en": scenario.opening_en},
        "subtasks": parts,
        "turn_cap": turn_cap,
        "facts": scenario.facts,
        "items": scenario.items,
        "tester_may_end": tester_may_end,
    }


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
