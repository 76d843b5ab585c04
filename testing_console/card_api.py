"""REST: the goal card of a dialogue, as a tester reads it beside the chat."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from campaigns.models import Role, Scenario
from testing_console.answers import CardAnswer, CardPart, GoalCardAnswer
from testing_console.api import own_or_practised


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
