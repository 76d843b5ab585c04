"""REST: a program can do all that a tester's page can, goal card, flags and reports included.

Errors are problem details (`api/problems.py`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypedDict

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import PEOPLE, Access, person_of
from accounts.models import Person
from api.answers import From, encoded
from api.describing import describes
from api.paging import PAGES, SINCE, Page, asked_in, page_of
from api.parsers import body_in, fields_of
from campaigns.access import OrganizersView, RolesView, campaign_for, has_role, team_of
from campaigns.actions.consenting import consent_due, give_consent
from campaigns.interests import barred_entries
from campaigns.models import Assignment, Campaign, Entry, Role, Scenario
from dialogues.actions import open_chosen_dialogue, open_dialogue
from dialogues.actions.closing import tick_items
from dialogues.actions.opening import open_instead
from dialogues.actions.reports import flag_turn, report_problem, settle_problem, unflag_turn
from dialogues.masking import masker_of
from dialogues.models import Dialogue, Problem, Turn
from dialogues.pauses import BotPause
from dialogues.progress import GROUPS, PAUSED, AssignmentRow, assignment_rows, with_reasons
from dialogues.queries import masked_words, offered_to, tested_by
from reading.json_schemas import Id, Moment, Schema, schema_of
from reading.kinds import ANY_TEXT, TEXT, UNMEASURED_TEXT, Checked, Choice, Kind, ListOf, Text, Whole
from reading.tables import Field, Table

NUMBER = Whole(1, 2**31 - 1)
DIALOGUE_ID = Checked(
    TEXT,
    re.compile("[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}", re.IGNORECASE).fullmatch,
    gettext_noop("must be an id"),
)
INSTEAD = Table({"instead_of": Field(DIALOGUE_ID)}, keeps_others=True)
ASSIGNED = Table({"assignment": Field(NUMBER)}, keeps_others=True)
CHOSEN = Table({"campaign": Field(Text(60)), "bot": Field(Text(200)), "scenario": Field(Text(60))}, keeps_others=True)
# An assignment, another dialogue, or all three of the others.
TO_OPEN = Table(
    {name: replace(field, default=None) for way in (ASSIGNED, INSTEAD, CHOSEN) for name, field in way.fields.items()},
    keeps_others=True,
)


class TurnOrNone(Whole):
    def value_of(self, value: Any) -> Any:
        return None if value is None else super().value_of(value)


@schema_of.register
def _turn(kind: TurnOrNone) -> Schema:
    return {"type": ["integer", "null"], "minimum": kind.lowest, "maximum": kind.highest}


TICKS = Table({"ticked": Field(ListOf(Whole(0, 2**15)))}, keeps_others=True)
REPORT = Table({"text": Field(UNMEASURED_TEXT), "turn": Field(TurnOrNone(1, 2**31 - 1), None)}, keeps_others=True)
FILTERS: Mapping[str, Kind] = {
    "campaign": ANY_TEXT,
    "bot": ANY_TEXT,
    "scenario": ANY_TEXT,
    "state": Choice(GROUPS),
}
ASSIGNMENTS: Mapping[str, Kind] = {**PAGES, **FILTERS}
PROBLEMS = {**PAGES, "since": SINCE}


def socket_path(dialogue: Dialogue) -> str:
    return f"/ws/dialogues/{dialogue.pk}/"


class ChoicesAnswer(TypedDict):
    """Bots by their aliases, scenarios by their keys."""

    bots: list[str]
    scenarios: list[str]


class OpenedDialogue(TypedDict):
    id: Annotated[Id, From("pk")]
    socket: Annotated[str, From(socket_path)]


class DialogueAnswer(OpenedDialogue):
    status: str
    reason: str
    turns_used: int
    last_seq: Annotated[int, From("last_told")]
    assignment: Annotated[int, From("assignment_id")]
    page: Annotated[str, From(lambda dialogue: reverse("console", args=[dialogue.pk]))]


class ItemsAnswer(TypedDict):
    """`ticked` are places in `items`, counted from 0."""

    items: Annotated[list[Any], From("assignment.scenario.items")]
    ticked: list[int]
    all_used: Annotated[bool, From("has_used_all_items")]


class AssignmentAnswer(TypedDict):
    """`paused` says why, since when and until when the assignment waits for its bot, where its state is `paused`."""

    id: Annotated[int, From("assignment.pk")]
    campaign: Annotated[str, From("assignment.campaign.slug")]
    bot: Annotated[str, From("assignment.entry.alias")]
    scenario: Annotated[str, From("assignment.scenario.key")]
    repetition: Annotated[int, From("assignment.repetition")]
    state: str
    dialogue: Annotated[Id | None, From("dialogue_id")]
    paused: Annotated[BotPause | None, From("pause")]


class Both(TypedDict):
    zh: str
    en: str


class CardPart(TypedDict):
    index: int
    kind: str
    turn_cap: int | None


class CardAnswer(TypedDict):
    scenario: str
    title: Both
    instructions: Both
    opening: Both
    subtasks: list[CardPart]
    turn_cap: int | None
    facts: dict[str, Any]
    items: list[Any]
    tester_may_end: str


class GoalCardAnswer(CardAnswer):
    dialogue: Id
    bot: str


class FlagAnswer(TypedDict):
    is_flagged: bool


class ReportedAnswer(TypedDict):
    id: Annotated[int, From("pk")]


class ProblemAnswer(TypedDict):
    id: Annotated[int, From("pk")]
    dialogue: Annotated[Id, From("dialogue_id")]
    turn: Annotated[int | None, From("turn.number")]
    reported_by: Annotated[str, From("reported_by.username")]
    text: str
    at: Moment
    settled_at: Moment | None


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


def own_turn(person: Person, dialogue_id: str, number: int) -> Turn:
    return get_object_or_404(own_dialogue(person, dialogue_id).turns, number=number)


def entry_named(name: str, campaign: Campaign, person: Person) -> Entry | None:
    """The bot under its alias; by its key only for testers who also organize the campaign.

    Keys tell who made a bot: if a tester could name one, a guessed key would tell its alias (design §4, rule 6).
    """
    offered = offered_to(person, campaign, timezone.now())
    entry = offered.filter(alias=name).first()
    if entry is None and has_role(person, campaign, Role.ORGANIZER):
        return offered.filter(key=name).first()
    return entry


class Choices(RolesView):
    """GET lists what a tester may open by free choice: bots by their aliases, scenarios by their keys."""

    access = Access("roles", (Role.TESTER,))

    @describes("Lists what a tester may open by free choice", ChoicesAnswer)
    def get(self, request: Request) -> dict[str, Any]:
        if not self.campaign.free_choice:
            return {"bots": [], "scenarios": []}
        offered = offered_to(person_of(request), self.campaign, timezone.now())
        return {
            "bots": offered.order_by("alias").values_list("alias", flat=True),
            "scenarios": self.campaign.scenarios.tested().values_list("key", flat=True),
        }


class Bilingual(TypedDict):
    """Markdown."""

    zh: str
    en: str


class ConsentAnswer(TypedDict):
    """`version` is the one that the words are of, 0 where none are asked for; `is_due` until the tester has agreed to them."""

    version: int
    words: Bilingual
    is_due: bool


CONSENT = Table({"version": Field(Whole(1))})


class ConsentOfTester(RolesView):
    """GET gives what the campaign asks of testers before their first dialogue, POST agrees to it."""

    access = Access("roles", (Role.TESTER,))

    @describes("Gives what the campaign asks of testers before their first dialogue", ConsentAnswer)
    def get(self, request: Request) -> ConsentAnswer:
        return self.standing(person_of(request))

    @describes("Agrees to what the campaign asks of testers", ConsentAnswer, reads=CONSENT, refuses=(409,))
    def post(self, request: Request) -> ConsentAnswer:
        version = body_in(request, CONSENT)["version"]
        give_consent(campaign=self.campaign, person=person_of(request), version=version, at=timezone.now())
        return self.standing(person_of(request))

    def standing(self, person: Person) -> ConsentAnswer:
        latest = self.campaign.descriptions.first()
        if latest is None or not latest.asks_for_consent:
            return {"version": 0, "words": {"zh": "", "en": ""}, "is_due": False}
        words: Bilingual = {"zh": latest.consent_zh, "en": latest.consent_en}
        is_due = consent_due(self.campaign.pk, person.pk) is not None
        return {"version": latest.version, "words": words, "is_due": is_due}


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
    def post(self, request: Request) -> Dialogue:
        if "instead_of" in fields_of(request):
            failing = own_dialogue(person_of(request), body_in(request, INSTEAD)["instead_of"])
            return open_instead(dialogue=failing, tester=person_of(request), at=timezone.now())
        if "assignment" in fields_of(request):
            own = Assignment.with_programs.of_tester(person_of(request)).with_names()
            assignment = get_object_or_404(own, pk=body_in(request, ASSIGNED)["assignment"])
            campaign_for(person_of(request), assignment.campaign.slug, Role.TESTER)
            return open_dialogue(assignment=assignment, at=timezone.now())
        chosen = body_in(request, CHOSEN)
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
    def get(self, request: Request, dialogue_id: str) -> Dialogue:
        return own_dialogue(person_of(request), dialogue_id)


class DialogueItems(APIView):
    """GET lists what the tester was given to use, PATCH stores which of it is used, as a whole; teams that practise, too."""

    access = Access("roles", (Role.TESTER,))

    @describes("Lists what the tester was given to use, and what is used", ItemsAnswer)
    def get(self, request: Request, dialogue_id: str) -> Dialogue:
        return own_or_practised(person_of(request), dialogue_id)

    @describes("Stores which items are used, as a whole", ItemsAnswer, reads=TICKS, refuses=(409,))
    def patch(self, request: Request, dialogue_id: str) -> Dialogue:
        dialogue = own_or_practised(person_of(request), dialogue_id)
        return tick_items(dialogue=dialogue, ticked=body_in(request, TICKS)["ticked"], at=timezone.now())


class Assignments(APIView):
    """GET lists one's own assignments in order, with where each stands; bots wear their aliases."""

    access = PEOPLE

    @describes("Lists one's own assignments in order, with where each stands", list[AssignmentAnswer], asks=ASSIGNMENTS)
    def get(self, request: Request) -> Page:
        asked = asked_in(request, ASSIGNMENTS)
        found = _readable(assignment_rows(person_of(request), at=timezone.now()))
        rows = [encoded(AssignmentAnswer, row) for row in found]
        return page_of(
            request, [row for row in rows if all(row[name] == asked[name] for name in FILTERS if name in asked)]
        )


def _readable(rows: Sequence[AssignmentRow]) -> list[AssignmentRow]:
    """The rows with masked reasons: each campaign's names are masked in its own, so that no maker shows."""
    waiting = {row.assignment.campaign_id: row.assignment.campaign for row in rows if row.state == PAUSED}
    maskers = {pk: masker_of(masked_words(campaign)) for pk, campaign in waiting.items()}
    return [with_reasons([row], maskers[row.assignment.campaign_id])[0] if row.state == PAUSED else row for row in rows]


class GoalCard(APIView):
    """GET gives the scenario of a dialogue of one's own: texts in both languages, the parts with their caps, the facts.

    A team that practises reads the card of its practice.
    """

    access = Access("roles", (Role.TESTER,))

    @describes("Gives the goal card of a dialogue of one's own", GoalCardAnswer)
    def get(self, request: Request, dialogue_id: str) -> dict[str, Any]:
        dialogue = own_or_practised(person_of(request), dialogue_id)
        assignment = dialogue.assignment
        parts = [CardPart(index=one.index, kind=one.kind, turn_cap=one.turn_cap) for one in dialogue.subtasks.all()]
        may_end = assignment.campaign.tester_may_end
        card = card_document(assignment.scenario, parts, dialogue.turn_cap, tester_may_end=may_end)
        return {"dialogue": dialogue.pk, "bot": assignment.entry.alias, **card}


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


class Flag(APIView):
    """PUT flags a turn of a dialogue of one's own, DELETE takes the flag off."""

    access = Access("roles", (Role.TESTER,))

    @describes("Flags a turn", FlagAnswer)
    def put(self, request: Request, dialogue_id: str, number: int) -> FlagAnswer:
        flag_turn(turn=own_turn(person_of(request), dialogue_id, number), at=timezone.now())
        return {"is_flagged": True}

    @describes("Takes the flag off a turn", FlagAnswer)
    def delete(self, request: Request, dialogue_id: str, number: int) -> FlagAnswer:
        unflag_turn(turn=own_turn(person_of(request), dialogue_id, number), at=timezone.now())
        return {"is_flagged": False}


class DialogueProblems(APIView):
    """POST reports a problem in words, with the turn it is about if there is one."""

    access = Access("roles", (Role.TESTER,))

    @describes("Reports a problem in words", ReportedAnswer, 201, reads=REPORT)
    def post(self, request: Request, dialogue_id: str) -> Problem:
        person = person_of(request)
        dialogue, report = own_dialogue(person, dialogue_id), body_in(request, REPORT)
        turn = own_turn(person, dialogue_id, report["turn"]) if report["turn"] is not None else None
        return report_problem(dialogue=dialogue, person=person, turn=turn, text=report["text"], at=timezone.now())


class CampaignProblems(OrganizersView):
    """GET lists what the testers of a campaign reported, the latest first, but for dialogues that an interest closes."""

    @describes("Lists what the testers of a campaign reported, the latest first", list[ProblemAnswer], asks=PROBLEMS)
    def get(self, request: Request) -> Page:
        problems = Problem.objects.filter(dialogue__assignment__campaign=self.campaign).exclude(
            dialogue__assignment__entry__in=barred_entries(person_of(request))
        )
        asked = asked_in(request, PROBLEMS)
        if "since" in asked:
            problems = problems.filter(at__gte=asked["since"])
        return page_of(request, problems.select_related("reported_by", "turn"))


class SettledProblem(OrganizersView):
    """POST settles a problem."""

    @describes("Settles a problem that a tester reported", ProblemAnswer)
    def post(self, request: Request, problem_id: int) -> Problem:
        found = Problem.objects.select_related("reported_by", "turn")
        problem = get_object_or_404(found, pk=problem_id, dialogue__assignment__campaign=self.campaign)
        return settle_problem(problem=problem, at=timezone.now(), by=person_of(request))
