"""REST: scenarios, as the pages write them."""

from dataclasses import replace
from typing import Any, NotRequired, TypedDict

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import FileOf, describes
from api.file_views import FileView
from api.paging import PAGES, listed
from api.parsers import StrictJSONParser, StrictMultiPartParser
from api.problems import problem_answer
from campaigns.access import campaign_for
from campaigns.actions import PreviewIsOld
from campaigns.actions.scenarios import (
    IsNeeded,
    Stored,
    import_scenarios,
    preview_scenarios,
    remove_scenario,
    store_scenario,
)
from campaigns.campaign_file import ScenarioSpec
from campaigns.dumping import scenario_document
from campaigns.models import Campaign, Role
from organizing.file.api import bad_file
from organizing.queries import void_assignments
from organizing.scenarios.examples import MEDIA_TYPES, example_download
from organizing.scenarios.listing import Row, documents_of, rows_of
from organizing.scenarios.tables import TABLE, read_scenarios
from organizing.scenarios.views import scenario_of
from reading.checking import BadFile, Problems
from reading.kinds import ANY_TEXT
from testing_console.answers import CardAnswer, CardPart
from testing_console.card_api import card_document

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

    changes: list[str]
    digest: str


class OfScenarios(APIView):
    access = Access("roles", (Role.ORGANIZER,))
    parser_classes = (StrictJSONParser, StrictMultiPartParser)

    def campaign(self, request: Request, slug: str) -> Campaign:
        return campaign_for(request.user, slug, Role.ORGANIZER)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, BadFile):
            return bad_file(exc.problems)
        return super().handle_exception(exc)

    def store(self, request: Request, campaign: Campaign, document: Any, status: int) -> Response:
        stored = store_scenario(
            campaign=campaign,
            spec=spec_of(document),
            by=person_of(request),
            at=timezone.now(),
            void=void_assignments(campaign),
        )
        return Response(scenario_document(stored), status=status)


class Scenarios(OfScenarios):
    """GET lists the scenarios; POST adds one, of the shape that a campaign file has."""

    @describes("Lists the scenarios of a campaign", list[ScenarioRow], asks=PAGES)
    def get(self, request: Request, slug: str) -> Response:
        return listed(request, rows_of(self.campaign(request, slug)), row_document)

    @describes(
        "Adds a scenario, of the shape that a campaign file has", ScenarioAnswer, 201, reads=TABLE, refuses=(409, 422)
    )
    def post(self, request: Request, slug: str) -> Response:
        campaign = self.campaign(request, slug)
        said: Any = request.data
        if campaign.scenarios.filter(key=str(said.get("key"))).exists():
            return problem_answer(409, "key_is_taken", _("is the key of another scenario"))
        return self.store(request, campaign, said, 201)


class OneScenario(OfScenarios):
    """GET gives a scenario, PUT its new contents, DELETE removes it where no dialogue needs it."""

    @describes("Gives one scenario", ScenarioAnswer)
    def get(self, request: Request, slug: str, scenario: str) -> Response:
        return Response(scenario_document(scenario_of(self.campaign(request, slug), scenario)))

    @describes("Gives a scenario new contents; its key stays", ScenarioAnswer, reads=CONTENTS, refuses=(409, 422))
    def put(self, request: Request, slug: str, scenario: str) -> Response:
        campaign = self.campaign(request, slug)
        said: Any = request.data
        stored = scenario_of(campaign, scenario)
        return self.store(request, campaign, {**said, "key": stored.key}, 200)

    @describes("Removes a scenario that no dialogue needs", None, 204, refuses=(409,))
    def delete(self, request: Request, slug: str, scenario: str) -> Response:
        campaign = self.campaign(request, slug)
        stored = scenario_of(campaign, scenario)
        try:
            remove_scenario(scenario=stored, by=person_of(request), at=timezone.now(), void=void_assignments(campaign))
        except IsNeeded:
            return problem_answer(
                409, "is_needed", _("Dialogues were opened about %(key)s: it stays.") % {"key": scenario}
            )
        return Response(status=204)


class ScenarioCard(OfScenarios):
    @describes("Gives the goal card of a scenario, as its testers will read it before the first turn", CardAnswer)
    def get(self, request: Request, slug: str, scenario: str) -> Response:
        campaign = self.campaign(request, slug)
        stored = scenario_of(campaign, scenario)
        parts = [CardPart(index=one.position, kind=one.kind, turn_cap=one.turn_cap) for one in stored.subtasks.all()]
        return Response(card_document(stored, parts, campaign.turn_cap, tester_may_end=campaign.tester_may_end))


class ExampleTable(FileView, OfScenarios):
    @describes(
        "Downloads an example of a table of scenarios",
        FileOf(tuple(one.partition(";")[0] for one in MEDIA_TYPES.values())),
    )
    def get(self, request: Request, slug: str, format: str) -> HttpResponse:
        self.campaign(request, slug)
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
    def post(self, request: Request, slug: str) -> Response:
        campaign, at = self.campaign(request, slug), timezone.now()
        file = request.FILES.get("file")
        if file is None:
            return problem_answer(400, "no_file", _("Send the table as `file` (multipart/form-data)."))
        said: Any = request.data
        name = (file.name or "")[:200]
        kind, before = str(said.get("kind", "")), documents_of(campaign)
        rows = read_scenarios(name, file.read(), kind=kind, stored=before)
        void, previewed = void_assignments(campaign), str(said.get("previewed", ""))
        if not previewed:
            return Response(as_json(preview_scenarios(campaign=campaign, rows=rows, at=at, void=void)))
        try:
            stored = import_scenarios(
                campaign=campaign, rows=rows, name=name, by=person_of(request), at=at, previewed=previewed, void=void
            )
        except PreviewIsOld:
            text = _("Something has changed in the meantime: ask again what the file would change.")
            return problem_answer(409, "preview_is_old", text)
        return Response(as_json(stored))


def row_document(row: Row) -> dict[str, Any]:
    return scenario_document(row.scenario) | {"origin": row.scenario.origin, "n_dialogues": row.n_dialogues}


def spec_of(document: Any) -> ScenarioSpec:
    """Errors: `BadFile`."""
    problems = Problems()
    spec: ScenarioSpec = TABLE.read(document, "", "", problems)
    problems.refuse()
    return spec


def as_json(stored: Stored) -> ImportAnswer:
    return {"changes": [change.message for change in stored.report.changed], "digest": stored.digest}
