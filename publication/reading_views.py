"""Published dialogues on the web: listed, read one by one, and side by side for one scenario. All from the frozen bundle."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.access import Access
from campaigns.models import Campaign
from leaderboards.board import Board, Key
from publication.published_dialogues import Readable, ReadableDialogue, readable_in, turns_of
from publication.published_records import NotShown
from publication.queries import Published, has_bundle, published_board, readable_by
from publication.views import not_public

DIALOGUES_PER_PAGE = 50
# As many columns as a wide screen has room to read.
MOST_SIDE_BY_SIDE = 4


@require_safe
def dialogues(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """All that count, by scenario and system; in the order of a score where one is asked for."""
    found = _with_dialogues(request, slug, number)
    if not found:
        return not_public(request)
    campaign, shown = found
    board, digest = published_board(campaign, shown), shown.snapshot.bundle_digest
    context = _context(campaign, shown, board)
    try:
        readable = readable_in(digest)
    except NotShown as reason:
        return render(request, "publication/dialogues.html", context | {"not_shown": str(reason)})
    asked = {name: request.GET.get(name, "") for name in ("scenario", "bot", "by", "order")}
    rows = [
        one for one in readable.dialogues if asked["scenario"] in ("", one.scenario) and asked["bot"] in ("", one.bot)
    ]
    key = next((key for key in board.keys if key.name == asked["by"]), None)
    if key:
        rows = _in_order(rows, key, worst_first=asked["order"] == "worst")
    pages = Paginator(rows, DIALOGUES_PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context |= {
        "asked": asked,
        "query": urlencode({name: value for name, value in asked.items() if value}),
        "scenarios": sorted(
            {one.scenario: readable.scenario(one.scenario).title for one in readable.dialogues}.items()
        ),
        "page": page,
        "n_all": pages.count,
        "rows": [_row(one, readable, board) for one in page.object_list],
    }
    return render(request, "publication/dialogues.html", context)


def _in_order(rows: list[ReadableDialogue], key: Key, *, worst_first: bool) -> list[ReadableDialogue]:
    """By their mean score; those without one come last."""
    known = [one for one in rows if one.figure(key.name) is not None]
    known.sort(key=lambda one: one.figure(key.name) or 0.0, reverse=(key.better == "higher") != worst_first)
    return [*known, *(one for one in rows if one.figure(key.name) is None)]


@require_safe
def dialogue(request: HttpRequest, slug: str, number: int, dialogue_id: UUID) -> HttpResponseBase:
    """One dialogue, under an address that stays."""
    found = _with_dialogues(request, slug, number)
    if not found:
        return not_public(request)
    campaign, shown = found
    board = published_board(campaign, shown)
    context = _context(campaign, shown, board)
    try:
        readable = readable_in(shown.snapshot.bundle_digest)
        one = readable.dialogue(str(dialogue_id))
        if one is None:
            raise Http404
        context |= _read(shown, readable, board, [one])
    except NotShown as reason:
        context |= {"not_shown": str(reason)}
    return render(request, "publication/dialogue.html", context)


@require_safe
def side_by_side(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """What several systems did with one scenario: the first dialogue of each, or those asked for."""
    found = _with_dialogues(request, slug, number)
    if not found:
        return not_public(request)
    campaign, shown = found
    board = published_board(campaign, shown)
    context = _context(campaign, shown, board)
    try:
        readable = readable_in(shown.snapshot.bundle_digest)
        scenarios = sorted({one.scenario for one in readable.dialogues})
        scenario = request.GET.get("scenario", scenarios[0] if scenarios else "")
        of_bot: dict[str, ReadableDialogue] = {}
        for one in readable.dialogues:
            if one.scenario == scenario:
                of_bot.setdefault(one.bot, one)
        ranked = [row.key for row in (*board.rows, *board.unranked) if row.key in of_bot]
        chosen = [bot for bot in request.GET.getlist("bot") if bot in of_bot] or ranked[:2]
        columns = [of_bot[bot] for bot in dict.fromkeys(chosen)][:MOST_SIDE_BY_SIDE]
        context |= _read(shown, readable, board, columns)
        context |= {
            "scenario": readable.scenario(scenario),
            "scenarios": [(key, readable.scenario(key).title) for key in scenarios],
            "choices": [(bot, context["names"][bot], bot in chosen) for bot in ranked],
        }
    except NotShown as reason:
        context |= {"not_shown": str(reason)}
    return render(request, "publication/side_by_side.html", context)


def _with_dialogues(request: HttpRequest, slug: str, number: int) -> tuple[Campaign, Published] | None:
    """Errors: `Http404` for a snapshot without a bundle, or of a combined board."""
    found = readable_by(request.user, slug, number, timezone.now())
    if found and (found[1].snapshot.of_board or not has_bundle(found[1].snapshot)):
        raise Http404
    return found


def _context(campaign: Campaign, shown: Published, board: Board) -> dict[str, Any]:
    names = {row.key: row.label for row in (*board.rows, *board.unranked)}
    return {"campaign": campaign, "snapshot": shown.snapshot, "board": board, "names": names, "bots": names.items()}


def _read(shown: Published, readable: Readable, board: Board, some: list[ReadableDialogue]) -> dict[str, Any]:
    turns = turns_of(shown.snapshot.bundle_digest, [one.id for one in some])
    return {"columns": [_row(one, readable, board) | {"turns": turns[one.id]} for one in some]}


def _row(one: ReadableDialogue, readable: Readable, board: Board) -> dict[str, Any]:
    rows = {row.key: row for row in (*board.rows, *board.unranked)}
    return {
        "dialogue": one,
        "scenario": readable.scenario(one.scenario),
        "row": rows.get(one.bot),
        "figures": [(key, one.figure(key.name)) for key in board.keys],
    }


VIEWS: tuple[Any, ...] = (dialogues, dialogue, side_by_side)
for view in VIEWS:
    view.access = Access("published")
