"""The tables and figures of a board as files of a paper: which there are, and the answer that is one of them.

Files of a live board say in each of them that they are not final: in captions and pictures, and in a CSV, which has none, as a column.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from leaderboards.explanations import with_statistics
from leaderboards.live_board import board_of
from leaderboards.paper.board_figures import Figure
from leaderboards.paper.paper_tables import (
    PaperCell,
    PaperTable,
    csv_text,
    latex,
    markdown,
    paper_table,
    statistics_as_tables,
)
from leaderboards.paper.pictures import figures_now
from look import plot_files
from look.moments import moment_on
from look.plots import Plot, Word

# The board's own table among the names of figures, whose tables are files, too.
BOARD_TABLE, CAPTIONS = "leaderboard", "captions"
TABLE_TYPES = {"tex": "application/x-tex", "md": "text/markdown", "csv": "text/csv"}
FIGURE_FILES = {format: format.upper() for format in plot_files.FORMATS}
TABLE_FILES = {"tex": "LaTeX", "md": "Markdown", "csv": "CSV"}
LINE_OF_WORDS = 16


@dataclass(frozen=True, slots=True)
class Papers:
    """All of a board in one language. Names of files begin with `stem`; `source` is how it is cited; `mark` says what holds of each file."""

    stem: str
    source: str
    tables: Mapping[str, PaperTable]
    figures: Callable[[], Sequence[Figure]]
    mark: str = ""

    def captions(self) -> PaperTable:
        """A row per table and figure, with its caption and the citation: beside CSV files, which hold their table and nothing else."""
        told = {name: table.caption for name, table in self.tables.items()} | {
            one.name: one.caption for one in self.figures()
        }
        rows = [[name, caption, self.source] for name, caption in told.items()]
        return PaperTable(
            (_("File"), _("Caption"), _("Citation")),
            tuple(tuple(map(PaperCell, row)) for row in rows),
            _("Captions of all tables and figures"),
            frozenset(range(3)),
        )


def paper_file(request: HttpRequest, papers_in: Callable[[], Papers], part: str, format: str) -> HttpResponse:
    """A figure as wide as a column of a paper, or its table or that of the board; `in` names the language. Errors: `Http404`."""
    with override(language_asked(request)):
        papers = papers_in()
        tables = {**papers.tables, **({CAPTIONS: papers.captions()} if part == CAPTIONS else {})}
        figure = None if part in tables else next((one for one in papers.figures() if one.name == part), None)
        table = figure.table if figure else tables.get(part)
        try:
            if table is not None and format in TABLE_TYPES:
                content = _table_text(table, format, papers, part).encode()
                content_type = f"{TABLE_TYPES[format]}; charset=utf-8"
            elif figure and format in plot_files.FORMATS:
                plot = marked(figure.plot, papers.mark)
                content = plot_files.file_of(plot, format, title=figure.caption, about=papers.source)
                content_type = plot_files.FORMATS[format]
            else:
                raise Http404
        except plot_files.NoFont as reason:
            return render(request, "error.html", {"title": str(reason)}, status=503)
    named = f'attachment; filename="{papers.stem}-{part}.{format}"'
    return HttpResponse(content, content_type=content_type, headers={"Content-Disposition": named})


def language_asked(request: HttpRequest) -> str:
    asked = request.GET.get("in", "")
    return asked if asked in dict(settings.LANGUAGES) else get_language() or settings.LANGUAGE_CODE


def _table_text(table: PaperTable, format: str, papers: Papers, part: str) -> str:
    if format == "csv":
        return csv_text(table, papers.mark)
    source = papers.source
    return (
        latex(table, label=f"tab:{papers.stem}-{part}", source=source)
        if format == "tex"
        else markdown(table, source=source)
    )


def marked(plot: Plot, words: str) -> Plot:
    """The picture with the words below."""
    if not words:
        return plot
    height = plot.height + LINE_OF_WORDS
    return Plot(height, (*plot.marks, Word("number", 0, height - 4, words)))


def live_papers(campaign: Campaign) -> Papers:
    """The board as it was computed last, in the language that is set."""
    now = figures_now(campaign)
    statistics = now.drawn.rows_beside(now.board)
    board = with_statistics(board_of(campaign, now.board.rows), statistics)
    mark = not_final(campaign, now.board.computed_at)
    own = paper_table(
        board,
        caption=_("%(board)s. In brackets: 95%% bootstrap intervals; n: scored records.") % {"board": campaign.name},
    )
    tables = {BOARD_TABLE: own} | statistics_as_tables(board, statistics)
    told = {name: _captioned(table, mark) for name, table in tables.items()}

    def figures() -> list[Figure]:
        return [replace(one, table=_captioned(one.table, mark)) for one in now.figures()]

    return Papers(f"{campaign.slug}-not-final", f"{campaign.name}. {mark}", told, figures, mark)


def not_final(campaign: Campaign, computed_at: datetime | None) -> str:
    when = moment_on(ZoneInfo(campaign.time_zone), computed_at) if computed_at else "–"
    return _("Not final: as of %(when)s.") % {"when": when}


def _captioned(table: PaperTable, mark: str) -> PaperTable:
    return replace(table, caption=f"{table.caption} {mark}")
