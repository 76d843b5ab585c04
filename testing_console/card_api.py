"""REST: the goal card of a dialogue, as a tester reads it beside the chat."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.describing import describes
from campaigns.models import Role
from testing_console.answers import GoalCardAnswer
from testing_console.api import own_or_practised


class GoalCard(APIView):
    """GET gives the scenario of a dialogue of one's own: texts in both languages, the parts with their caps, the facts.

    A team that practises reads the card of its practice.
    """

    access = Access("roles", (Role.TESTER,))

    @describes("Gives the goal card of a dialogue of one's own", GoalCardAnswer)
    def get(self, request: Request, dialogue_id: str) -> Response:
        dialogue = own_or_practised(person_of(request), dialogue_id)
        assignment, scenario = dialogue.assignment, dialogue.assignment.scenario
        return Response(
            {
                "dialogue": str(dialogue.pk),
                "bot": assignment.entry.alias,
                "scenario": scenario.key,
                "title": {"zh": scenario.title_zh, "en": scenario.title_en},
                "instructions": {"zh": scenario.instructions_zh, "en": scenario.instructions_en},
                "opening": {"zh": scenario.opening, "en": scenario.opening_en},
                "subtasks": [
                    {"index": subtask.index, "kind": subtask.kind, "turn_cap": subtask.turn_cap}
                    for subtask in dialogue.subtasks.all()
                ],
                "turn_cap": dialogue.turn_cap,
                "facts": scenario.facts,
                "items": scenario.items,
            }
        )
