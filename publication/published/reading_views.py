"""Published dialogues on the web: listed, read one by one, and side by side for one scenario. All from the frozen bundle."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.access import Access
from campaigns.models import Campaign
from leaderboards.board import Board, Key, Row
from publication.models import Snapshot
from publication.published.published_dialogues import Readable, ReadableDialogue, readable_in, turns_of
from publication.published.published_records import NotShown
from publication.queries import has_bundle, published_board, readable_by
from publication.views import not_public

DIALOGUES_PER_PAGE = 50
# As many columns as a wide screen has room to read.
MOST_SIDE_BY_SIDE = 4
# How many dialogues of other systems a dialogue's page links; side by side lists all.
MOST_OTHERS = 12


@dataclass(frozen=True, slots=True)
class OpenBundle:
    """The bundle of a published board, as far as it is read, and the board."""

    campaign: Campaign
    snapshot: Snapshot
    board: Board
    readable: Readable

    @property
    def rows(self) -> dict[str, Row]:
        return {row.key: row for row in (*self.board.rows, *self.board.unranked)}

    def shown(self, one: ReadableDialogue) -> dict[str, Any]:
        return {
            "dialogue": one,
            "scenario": self.readable.scenario(one.scenario),
            "row": self.rows.get(one.bot),
            "figures": [(key, one.figure(key.name)) for key in self.board.keys],
            # Where teams are hidden, a picture may name one.
            "pictures": None if self.snapshot.hides_teams else (self.campaign.slug, self.snapshot.number, one.number),
        }

    def read(self, some: list[ReadableDialogue]) -> list[dict[str, Any]]:
        turns = turns_of(self.snapshot.bundle_digest, [one.id for one in some])
        return [self.shown(one) | {"turns": turns[one.id]} for one in some]


Page = Callable[..., dict[str, Any]]


def of_published(template: str) -> Callable[[Page], Callable[..., HttpResponseBase]]:
    """Makes a view of what a page shows of an open bundle; it says so where the bundle cannot be shown.

    Errors: `Http404` for a snapshot without a bundle, or of a combined board.
    """

    def view_of(page: Page) -> Callable[..., HttpResponseBase]:
        @require_safe
        @wraps(page)
        def view(request: HttpRequest, slug: str, number: int, **named: Any) -> HttpResponseBase:
            found = readable_by(request.user, slug, number, timezone.now())
            if not found:
                return not_public(request)
            campaign, shown = found
            if shown.snapshot.of_board or not has_bundle(shown.snapshot):
                raise Http404
            board = published_board(campaign, shown)
            names = {row.key: row.label for row in (*board.rows, *board.unranked)}
            context = {"campaign": campaign, "snapshot": shown.snapshot, "board": board, "bots": names.items()}
            try:
                bundle = OpenBundle(campaign, shown.snapshot, board, readable_in(shown.snapshot.bundle_digest))
                context |= page(request, bundle, **named)
            except NotShown as reason:
                context |= {"not_shown": str(reason)}
            return render(request, template, context)

        return view

    return view_of


@of_published("publication/dialogues.html")
def dialogues(request: HttpRequest, bundle: OpenBundle) -> dict[str, Any]:
    """All that count, by scenario and system; in the order of a score where one is asked for."""
    asked = {name: request.GET.get(name, "") for name in ("scenario", "bot", "by", "order")}
    every = bundle.readable.dialogues
    found = [one for one in every if asked["scenario"] in ("", one.scenario) and asked["bot"] in ("", one.bot)]
    key = next((key for key in bundle.board.keys if key.name == asked["by"]), None)
    if key:
        found = _in_order(found, key, worst_first=asked["order"] == "worst")
    pages = Paginator(found, DIALOGUES_PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    return {
        "asked": asked,
        "query": urlencode({name: value for name, value in asked.items() if value}),
        "scenarios": _scenarios(bundle.readable),
        "page": page,
        "n_all": pages.count,
        "rows": [bundle.shown(one) for one in page.object_list],
    }


def _scenarios(readable: Readable) -> list[tuple[str, str]]:
    """The scenarios that dialogues are about, with their titles, by key."""
    return [(key, readable.scenario(key).title) for key in sorted({one.scenario for one in readable.dialogues})]


def _in_order(found: list[ReadableDialogue], key: Key, *, worst_first: bool) -> list[ReadableDialogue]:
    """By their mean score; those without one come last."""
    known = [one for one in found if one.figure(key.name) is not None]
    known.sort(key=lambda one: one.figure(key.name) or 0.0, reverse=(key.better == "higher") != worst_first)
    return [*known, *(one for one in found if one.figure(key.name) is None)]


@of_published("publication/dialogue.html")
def dialogue(request: HttpRequest, bundle: OpenBundle, dialogue_number: int) -> dict[str, Any]:
    """One dialogue, under an address that stays and has nothing of its id."""
    one = bundle.readable.dialogue(dialogue_number)
    if one is None:
        raise Http404
    others = [other for bot, other in _first_of_each(bundle.readable, one.scenario).items() if bot != one.bot]
    return {"columns": bundle.read([one]), "others": [bundle.shown(other) for other in others[:MOST_OTHERS]]}


def _first_of_each(readable: Readable, scenario: str) -> dict[str, ReadableDialogue]:
    """By system, its first dialogue about the scenario."""
    first: dict[str, ReadableDialogue] = {}
    for one in readable.dialogues:
        if one.scenario == scenario:
            first.setdefault(one.bot, one)
    return first


@of_published("publication/side_by_side.html")
def side_by_side(request: HttpRequest, bundle: OpenBundle) -> dict[str, Any]:
    """What several systems did with one scenario: the first dialogue of each, or those asked for."""
    scenarios = _scenarios(bundle.readable)
    scenario = request.GET.get("scenario", scenarios[0][0] if scenarios else "")
    of_bot = _first_of_each(bundle.readable, scenario)
    ranked = [row for key, row in bundle.rows.items() if key in of_bot]
    chosen = [bot for bot in request.GET.getlist("bot") if bot in of_bot] or [row.key for row in ranked[:2]]
    return {
        "columns": bundle.read([of_bot[bot] for bot in dict.fromkeys(chosen)][:MOST_SIDE_BY_SIDE]),
        "scenario": bundle.readable.scenario(scenario),
        "scenarios": scenarios,
        "choices": [(row.key, row.label, row.key in chosen) for row in ranked],
    }


VIEWS: tuple[Any, ...] = (dialogues, dialogue, side_by_side)
for view in VIEWS:
    view.access = Access("published")
