"""REST: what a run is made of: its file, the calls to the service, the items behind a figure; and an example run."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict
from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.request import Request

from accounts.access import Access, person_of
from api.answers import From
from api.describing import FileOf, describes
from api.file_views import FileView
from api.paging import PAGES, Page, asked_in, page_of
from api.problems import problem_answer
from automatic_tasks.access import run_for, task_of
from automatic_tasks.runs.failures import reasons_of
from automatic_tasks.runs.files import as_download, example_file, file_for
from automatic_tasks.runs.gold_files import BadNoise
from automatic_tasks.runs.scores import RunItems
from automatic_tasks.service_runs import GoldChanged
from campaigns.access import OrganizersView, RolesView
from campaigns.models import Role
from reading.findings import in_words
from reading.kinds import ANY_TEXT
from scoring.one_run import BadGold

TAKES_PART = (Role.PARTICIPANT, Role.ORGANIZER)
ITEMS = {**PAGES, "figure": ANY_TEXT}
OCTETS = FileOf(("application/octet-stream",))


class BatchAnswer(TypedDict):
    """`failure` is empty where the service answered; `problems` are what deviates from the protocol."""

    number: int
    n_labels: Annotated[int, From(lambda batch: len(batch.answers))]
    failure: str
    detail: Annotated[str, From("what_happened", none="")]
    problems: Annotated[Sequence[str], From(lambda batch: [finding.in_full for finding in batch.findings])]
    n_calls: int
    took_ms: int


class RunItemAnswer(TypedDict):
    """An item by its id in the gold: the figure as if it were the only one, and those of its sums that are not 0."""

    item: Annotated[str, From("name")]
    figure: Annotated[float | None, From("alone")]
    sums: Mapping[str, float]


class ExampleRun(FileView, RolesView):
    access = Access("roles", TAKES_PART)

    @describes("Downloads a small run in the format of the task, about other items than its own", OCTETS)
    def get(self, request: Request, key: str) -> HttpResponseBase:
        return as_download(example_file(task_of(self.campaign, key).type))


class FileOfRun(FileView, RolesView):
    """A team's own file, for organizers also a service's answers; a download by somebody else than the team is on record."""

    access = Access("roles", TAKES_PART)

    @describes("Downloads the file of a run as it was handed in", OCTETS, refuses=(409,))
    def get(self, request: Request, run_id: UUID) -> HttpResponseBase:
        campaign, person = self.campaign, person_of(request)
        try:
            return as_download(file_for(person, campaign, run_for(person, campaign, run_id), timezone.now()))
        except (GoldChanged, BadGold, BadNoise) as changed:
            reasons = reasons_of(changed)
            return problem_answer(409, "gold_changed", lambda: in_words(reasons))


class BatchesOfRun(RolesView):
    access = Access("roles", TAKES_PART)

    @describes("Lists the calls of a run to the team's service, with what was wrong", list[BatchAnswer], asks=PAGES)
    def get(self, request: Request, run_id: UUID) -> Page:
        return page_of(request, run_for(person_of(request), self.campaign, run_id).batches.all())


class ItemsOfRun(OrganizersView):
    """For organizers alone, since an item's score tells what its gold is."""

    @describes(
        "Lists the items behind a figure of a run, by default the first that ranks; none where it has no usable score",
        list[RunItemAnswer],
        asks=ITEMS,
    )
    def get(self, request: Request, run_id: UUID, split: str) -> Page:
        run = run_for(person_of(request), self.campaign, run_id)
        task = run.task
        figure = asked_in(request, ITEMS).get("figure", task.ranking_rule[0].figure)
        if split not in task.splits or figure not in {one.name for one in task.task_type.figures}:
            raise Http404
        score = run.scores.filter(split=split).first()
        try:
            # The stubs want every sequence's methods; `Paginator` takes lengths and slices alone.
            items: Any = RunItems(run, score, figure) if score else []
        except BadGold:
            items = []
        return page_of(request, items)
