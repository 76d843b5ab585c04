"""The leaderboard's page, and that of a frozen one with its files: for everybody from its day on, for organizers always."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_GET, require_safe

from accounts.access import Access, open_to_all
from accounts.link_addresses import address_of
from campaigns.clocks import keep_clocks_of
from campaigns.models import Campaign
from dialogues.turn_policy import turn_in_words
from leaderboards.board import BoardSource
from leaderboards.board_now import board_now
from leaderboards.board_page import board_page
from leaderboards.diagnostics.changed_systems import splits_shown
from leaderboards.explanations import with_statistics
from leaderboards.live_board import final_ranking_of, leading_to_records
from leaderboards.of_programs import n_records_of_programs
from leaderboards.paper.paper_files import (
    BOARD_TABLE,
    CAPTIONS,
    FIGURE_FILES,
    TABLE_FILES,
    Papers,
    language_asked,
    paper_file,
)
from leaderboards.paper.paper_tables import PaperTable, latex, markdown, paper_table, statistics_as_tables
from pairs.board.stored import has_pairs
from publication.bundles import made_with
from publication.documents import Citation, agreement_in, board_name_in, changes_in, citation_of, name_head_of
from publication.downloads import BUNDLE, CSV, JSON, snapshot_file
from publication.published.pair_papers import pair_tables
from publication.published.published_figures import figures_of, with_caveat
from publication.published.published_records import NotShown, published_records
from publication.published.rule_words import rule_in_words
from publication.queries import (
    Published,
    has_bundle,
    is_intact,
    organizes,
    published_board,
    published_of_any,
    readable_by,
    standing_of,
)
from verification.program import NAME, program, program_digest

RECORDS_PER_PAGE = 50


def not_public(request: HttpRequest) -> HttpResponseBase:
    """What somebody gets who may not read a board, or names one that does not exist: the same, so that nothing is told."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    raise Http404


@require_GET
def board(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Organizers see the board as it is now; other people see its latest published version, otherwise the latest published board of any kind."""
    campaign = Campaign.objects.select_related("rubric").filter(slug=slug).first()
    if campaign is None:
        return not_public(request)
    keep_clocks_of(campaign)
    if not organizes(request.user, campaign):
        shown = published_of_any(campaign, timezone.now())
        return snapshot_page(request, campaign, shown) if shown else not_public(request)
    now = board_now(campaign)
    source = now.source
    return render(
        request,
        "publication/board.html",
        {
            "shown": board_page(
                replace(source, board=leading_to_records(campaign, source.board)),
                request.GET.getlist("compare"),
                request.GET.get("pairs", ""),
            ),
            "turn": turn_in_words(campaign.turns_are),
            "now": now,
            "final_ranking": final_ranking_of(campaign),
            "campaign": campaign,
            "has_pairs": has_pairs(campaign),
            "n_of_programs": n_records_of_programs(campaign),
            **standing_of(campaign, timezone.now()),
        },
    )


board.access = Access("published")  # type: ignore[attr-defined]


@open_to_all
@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """The program that checks bundles, as one file for Python alone."""
    named = f'attachment; filename="{NAME}"'
    return HttpResponse(program(), content_type="application/octet-stream", headers={"Content-Disposition": named})


@require_safe
def snapshot(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    found = _readable(request, slug, number)
    return snapshot_page(request, *found) if found else not_public(request)


def snapshot_page(request: HttpRequest, campaign: Campaign, shown: Published) -> HttpResponse:
    """The frozen board, in the order of its rule: what asks for another order or for a table, as boards of today take it, leads there."""
    if request.GET.get("format") == "csv":
        return redirect("snapshot-csv", campaign.slug, shown.snapshot.number)
    if "by" in request.GET:
        return redirect(request.path)
    document = shown.document
    publication, number = shown.publication, shown.snapshot.number
    address = address_of(reverse("snapshot", args=[campaign.slug, number]), request)
    board, board_name = published_board(campaign, shown), board_name_in(document)
    return render(
        request,
        "publication/snapshot.html",
        {
            "campaign": campaign,
            "shown": board_page(
                BoardSource(board, document["statistics"], agreement_in(document)),
                request.GET.getlist("compare"),
                request.GET.get("pairs", ""),
            ),
            "document": document,
            "snapshot": shown.snapshot,
            "publication": publication,
            "is_public": publication is not None and publication.opens_at <= timezone.now(),
            "teams": not (shown.snapshot.hides_teams or shown.snapshot.of_board),
            "board_name": board_name,
            "final_ranking": "" if shown.snapshot.of_board else final_ranking_of(campaign),
            "name_head": name_head_of(document),
            "rule": rule_in_words(document, board),
            "splits": splits_shown(board, changes_in(document)),
            "citation": _citation(request, campaign, shown),
            "address": address,
            "verifier": address_of(reverse("verifier"), request),
            "verifier_digest": program_digest(),
            "has_bundle": has_bundle(shown.snapshot),
            "is_intact": is_intact(shown.snapshot),
            "made_with": made_with(shown.snapshot.bundle_digest) if has_bundle(shown.snapshot) else None,
        },
    )


def _citation(request: HttpRequest, campaign: Campaign, shown: Published) -> Citation:
    name, publication = board_name_in(shown.document), shown.publication
    return citation_of(
        shown.document,
        name=f"{campaign.name}, {name}" if name else campaign.name,
        public_from=publication.opens_at if publication else None,
        zone=ZoneInfo(campaign.time_zone),
        address=address_of(reverse("snapshot", args=[campaign.slug, shown.snapshot.number]), request),
        digest=shown.snapshot.cited_digest,
    )


@require_safe
def snapshot_figures(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The figures of a frozen board, drawn from its document and its bundle alone."""
    found = _readable(request, slug, number)
    if not found:
        return not_public(request)
    campaign, shown = found
    figures, not_drawn = figures_of(campaign, shown)
    context = {"campaign": campaign, "snapshot": shown.snapshot, "figures": figures, "not_drawn": not_drawn}
    return render(request, "publication/snapshot_figures.html", context | {"files": FIGURE_FILES})


@require_safe
def snapshot_paper(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The board to cite and to reuse: every table and figure as files, and how it is cited; `in` names the language."""
    found = _readable(request, slug, number)
    if not found:
        return not_public(request)
    campaign, shown = found
    language = language_asked(request)
    citation = _citation(request, campaign, shown)
    with override(language):
        tables, (figures, not_drawn) = _tables(campaign, shown), figures_of(campaign, shown)
        # Where people only compared, the leaderboard itself has no rows.
        own = tables[BOARD_TABLE]
        table = next((one for one in (own, *(one.table for one in figures)) if one.rows), own)
        label = f"tab:{slug}-{number}"
        texts = {
            "LaTeX": latex(table, label=label, source=citation.text),
            "Markdown": markdown(table, source=citation.text),
        }
    context = {"campaign": campaign, "snapshot": shown.snapshot, "texts": texts, "language": language}
    context |= {"citation": citation, "figures": figures, "not_drawn": not_drawn}
    context |= {
        "files": FIGURE_FILES,
        "table_files": TABLE_FILES,
        "tables": tables,
        "captions": CAPTIONS,
        "is_in": urlencode({"in": language}),
    }
    return render(request, "publication/paper.html", context)


@require_safe
def snapshot_part(request: HttpRequest, slug: str, number: int, part: str, format: str) -> HttpResponseBase:
    found = _readable(request, slug, number)
    return paper_file(request, partial(_papers, request, *found), part, format) if found else not_public(request)


@open_to_all
@require_safe
def snapshot_ranks(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Where the ranks stood before every figure had its files: links to it still lead there."""
    return redirect("snapshot-part", slug, number, "ranks", "svg", permanent=True)


def _papers(request: HttpRequest, campaign: Campaign, shown: Published) -> Papers:
    stem = f"{campaign.slug}-{shown.snapshot.number}"
    return Papers(
        stem, _citation(request, campaign, shown).text, _tables(campaign, shown), lambda: figures_of(campaign, shown)[0]
    )


def _tables(campaign: Campaign, shown: Published) -> dict[str, PaperTable]:
    """The board and how sure it is, by the names of their files."""
    statistics = shown.document["statistics"]
    board = with_statistics(published_board(campaign, shown), statistics)
    own = paper_table(board, caption=_caption_of(campaign, shown))
    tables = {BOARD_TABLE: own} | statistics_as_tables(board, statistics)
    tables = {name: with_caveat(table, shown.document) for name, table in tables.items()}
    if pairs := shown.document.get("pairs"):
        tables |= pair_tables(pairs, campaign.english_team_names())
    return tables


def _caption_of(campaign: Campaign, shown: Published) -> str:
    """What the table is of, and what its intervals are; in the language that is set."""
    name = board_name_in(shown.document)
    head = f"{campaign.name}, {name}" if name else str(campaign.name)
    frozen = datetime.fromisoformat(shown.document["frozen_at"]).astimezone(ZoneInfo(campaign.time_zone))
    said = {"board": head, "number": shown.snapshot.number, "day": frozen.date().isoformat()}
    text = _(
        "%(board)s, leaderboard %(number)s, frozen %(day)s. In brackets: 95%% bootstrap intervals; n: scored records."
    )
    return text % said


@require_safe
def snapshot_records(request: HttpRequest, slug: str, number: int, figure: str) -> HttpResponseBase:
    """The records that a published figure is the mean of: of the system `bot`, or of all."""
    found = _readable(request, slug, number)
    if not found:
        return not_public(request)
    campaign, shown = found
    if shown.snapshot.of_board:
        # Its figures are of several boards, and its rows are teams: no record is one's of them.
        raise Http404
    board, bot = published_board(campaign, shown), request.GET.get("bot", "")
    key = next((key for key in board.keys if key.name == figure), None)
    row = board.row(bot)
    if key is None or (bot and row is None) or not has_bundle(shown.snapshot):
        raise Http404
    query = urlencode({"bot": bot}) if bot else ""
    context = {"campaign": campaign, "snapshot": shown.snapshot, "key": key, "row": row, "query": query}
    try:
        records = published_records(shown.snapshot.bundle_digest, figure, bot)
    except NotShown as reason:
        return render(request, "publication/snapshot_records.html", context | {"not_shown": str(reason)})
    context["n_valued"] = sum(one.value is not None for one in records)
    context["has_weights"] = any(one.weight != 1 for one in records)
    names = {one.key: one.label for one in (*board.rows, *board.unranked)}
    page = Paginator([(names.get(one.bot, ""), one) for one in records], RECORDS_PER_PAGE)
    return render(
        request, "publication/snapshot_records.html", context | {"page": page.get_page(request.GET.get("page"))}
    )


@require_safe
def snapshot_csv(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    return _file(request, slug, number, CSV)


@require_safe
def snapshot_json(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The very bytes that the digest is of."""
    return _file(request, slug, number, JSON)


@require_safe
def snapshot_bundle(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    return _file(request, slug, number, BUNDLE)


VIEWS: tuple[Any, ...] = (
    snapshot,
    snapshot_paper,
    snapshot_figures,
    snapshot_part,
    snapshot_records,
    snapshot_csv,
    snapshot_json,
    snapshot_bundle,
)
for view in VIEWS:
    view.access = Access("published")


def _readable(request: HttpRequest, slug: str, number: int) -> tuple[Campaign, Published] | None:
    return readable_by(request.user, slug, number, timezone.now())


def _file(request: HttpRequest, slug: str, number: int, what: str) -> HttpResponseBase:
    found = _readable(request, slug, number)
    if not found:
        return not_public(request)
    return snapshot_file(found, what, reader=request.user, at=timezone.now(), is_taken=request.method == "GET")
