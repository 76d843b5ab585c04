"""REST: the scenarios that a team practises on, and a practice dialogue with one of its bots."""

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.access import person_of
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from dialogues.actions.opening import open_practice
from dialogues.turn_taking import Refusal
from organizing.participating.api import TeamsView
from reading.kinds import ANY_TEXT
from reading.tables import Field, Table
from testing_console.answers import OpenedDialogue
from testing_console.api import Conflict, socket_path

PRACTICE = Table({"scenario": Field(ANY_TEXT)}, keeps_others=True)


class Practice(TeamsView):
    """GET lists the keys of the scenarios, POST opens a dialogue about one: `scenario`."""

    @describes("Lists the scenarios that a team practises on", list[str], asks=PAGES, refuses=(409,))
    def get(self, request: Request, entry_id: int) -> Page:
        scenarios = self.entry(entry_id).campaign.scenarios.filter(is_practice=True)
        return page_of(request, scenarios.values_list("key", flat=True))

    @describes(
        "Opens a practice dialogue with a bot of the own team", OpenedDialogue, 201, reads=PRACTICE, refuses=(409, 422)
    )
    def post(self, request: Request, entry_id: int) -> OpenedDialogue:
        entry, key = self.entry(entry_id), body_in(request, PRACTICE)["scenario"]
        scenario = entry.campaign.scenarios.filter(is_practice=True, key=key).first()
        if scenario is None:
            raise ValidationError({"scenario": [_("This campaign has no such scenario for practice.")]})
        try:
            dialogue = open_practice(entry=entry, scenario=scenario, person=person_of(request), at=timezone.now())
        except Refusal as refusal:
            raise Conflict(refusal) from refusal
        return {"id": str(dialogue.pk), "socket": socket_path(dialogue)}
