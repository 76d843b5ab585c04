"""REST: scenarios, as the pages write them."""

from dataclasses import replace
from typing import Annotated, Any, NotRequired, TypedDict

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.answers import From
from api.describing import FileOf, describes
from api.file_views import FileView
from api.paging import PAGES, Page, page_of
from api.parsers import StrictJSONParser, StrictMultiPartParser
from api.problems import problem_answer
from campaigns.access import OrganizersView
from campaigns.actions import PreviewIsOld
from campaigns.actions.scenarios import (
    IsNeeded,
    import_scenarios,
    preview_scenarios,
    remove_scenario,
    store_scenario,
)
from campaigns.campaign_file.dumping import scenario_document
from campaigns.campaign_file.reader import ScenarioSpec
from dialogues.queries import void_assignments
from organizing.scenarios.examples import MEDIA_TYPES, example_download
from organizing.scenarios.listing import Row, documents_of, rows_of
from organizing.scenarios.tables import TABLE, read_scenarios
from organizing.scenarios.views import scenario_of
from reading.checking import Problems
from reading.kinds import ANY_TEXT
from testing_console.api import CardAnswer, CardPart, card_document

CONTENTS = replace(TABLE, fields={name: one for name, one in TABLE.fields.items() if name != "key"}, keeps_others=True)


class ScenarioTexts(TypedDict):
    zh: str
    en: str


class ScenarioPart(TypedDict):
    kind: str
    turn_cap: NotRequired[int]


class ScenarioAnswer(TypedDict):
    """As in a campaign file: what is empty is left out."""

    key: str
    title: NotRequired[ScenarioTexts]
    opening: NotRequired[str]
    opening_en: NotRequired[str]
    instructions: NotRequired[ScenarioTexts]
    skill: NotRequired[str]
    items: NotRequired[list[Any]]
    facts: NotRequired[dict[str, Any]]
    context: NotRequired[dict[str, Any]]
    practice: NotRequired[bool]
    subtasks: list[ScenarioPart]


class ScenarioRow(ScenarioAnswer):
    origin: str
    n_dialogues: int


class ImportAnswer(TypedDict):
    """`digest` is what `previewed` wants to import exactly this."""

    changes: Annotated[list[str], From(lambda stored: [change.message for change in stored.report.changed])]
    digest: str


class OfScenarios(OrganizersView):
    parser_classes = (StrictJSONParser, StrictMultiPartParser)

    def store(self, request: Request, document: Any) -> dict[str, Any]:
        """Errors: `BadFile`."""
        problems = Problems()
        spec: ScenarioSpec = TABLE.read(document, "", "", problems)
        problems.refuse()
        by, at, void = person_of(request), timezone.now(), void_assignments(self.campaign)
        return scenario_document(store_scenario(campaign=self.campaign, spec=spec, by=by, at=at, void=void))


class Scenarios(OfScenarios):
    """GET lists the scenarios; POST adds one, of the shape that a campaign file has."""

    @describes("Lists the scenarios of a campaign", list[ScenarioRow], asks=PAGES)
    def get(self, request: Request) -> Page:
        page = page_of(request, rows_of(self.campaign))
        return replace(page, rows=[row_document(row) for row in page.rows])

    @describes(
        "Adds a scenario, of the shape that a campaign file has", ScenarioAnswer, 201, reads=TABLE, refuses=(409, 422)
    )
    def post(self, request: Request) -> Any:
        said: Any = request.data
        if self.campaign.scenarios.filter(key=str(said.get("key"))).exists():
            return problem_answer(409, "key_is_taken", lambda: _("is the key of another scenario"))
        return self.store(request, said)


class OneScenario(OfScenarios):
    """GET gives a scenario, PUT its new contents, DELETE removes it where no dialogue needs it."""

    @describes("Gives one scenario", ScenarioAnswer)
    def get(self, request: Request, scenario: str) -> dict[str, Any]:
        return scenario_document(scenario_of(self.campaign, scenario))

    @describes("Gives a scenario new contents; its key stays", ScenarioAnswer, reads=CONTENTS, refuses=(409, 422))
    def put(self, request: Request, scenario: str) -> dict[str, Any]:
        said: Any = request.data
        return self.store(request, {**said, "key": scenario_of(self.campaign, scenario).key})

    @describes("Removes a scenario that no dialogue needs", None, 204, refuses=(409,))
    def delete(self, request: Request, scenario: str) -> Response | None:
        stored, void = scenario_of(self.campaign, scenario), void_assignments(self.campaign)
        try:
            remove_scenario(scenario=stored, by=person_of(request), at=timezone.now(), void=void)
        except IsNeeded:
            return problem_answer(
                409, "is_needed", lambda: _("Dialogues were opened about %(key)s: it stays.") % {"key": scenario}
            )
        return None


class ScenarioCard(OfScenarios):
    @describes("Gives the goal card of a scenario, as its testers will read it before the first turn", CardAnswer)
    def get(self, request: Request, scenario: str) -> Response:
        campaign, stored = self.campaign, scenario_of(self.campaign, scenario)
        parts = [CardPart(index=one.position, kind=one.kind, turn_cap=one.turn_cap) for one in stored.subtasks.all()]
        return Response(card_document(stored, parts, campaign.turn_cap, tester_may_end=campaign.tester_may_end))


class ExampleTable(FileView, OfScenarios):
    @describes(
        "Downloads an example of a table of scenarios",
        FileOf(tuple(one.partition(";")[0] for one in MEDIA_TYPES.values())),
    )
    def get(self, request: Request, format: str) -> HttpResponse:
        return example_download(format)

    def get_format_suffix(self, **kwargs: Any) -> None:
        """The framework would look for a renderer of that name."""


class ScenarioTable(OfScenarios):
    """POST `file` (csv, xlsx, json, jsonl; `kind=mobilecs`) says what it would add and change; `previewed` imports it."""

    @describes(
        "Says what a table of scenarios would add and change; with `previewed`, imports it",
        ImportAnswer,
        uploads={"kind": ANY_TEXT, "previewed": ANY_TEXT},
        refuses=(409, 422),
    )
    def post(self, request: Request) -> Any:
        campaign, at = self.campaign, timezone.now()
        file = request.FILES.get("file")
        if file is None:
            return problem_answer(400, "no_file", lambda: _("Send the table as `file` (multipart/form-data)."))
        said: Any = request.data
        name = (file.name or "")[:200]
        kind, before = str(said.get("kind", "")), documents_of(campaign)
        rows = read_scenarios(name, file.read(), kind=kind, stored=before)
        void, previewed = void_assignments(campaign), str(said.get("previewed", ""))
        if not previewed:
            return preview_scenarios(campaign=campaign, rows=rows, at=at, void=void)
        try:
            return import_scenarios(
                campaign=campaign, rows=rows, name=name, by=person_of(request), at=at, previewed=previewed, void=void
            )
        except PreviewIsOld:
            return problem_answer(
                409,
                "preview_is_old",
                lambda: _("Something has changed in the meantime: ask again what the file would change."),
            )


def row_document(row: Row) -> dict[str, Any]:
    return scenario_document(row.scenario) | {"origin": row.scenario.origin, "n_dialogues": row.n_dialogues}
