"""The figures of a frozen board, from its document and its bundle alone."""

from dataclasses import replace

from django.utils.translation import gettext as _

from campaigns.models import Campaign
from leaderboards.explanations import with_statistics
from leaderboards.paper.board_figures import Figure, board_figures
from leaderboards.paper.paper_tables import PaperTable
from publication.documents import Document
from publication.published.pair_papers import pair_figures
from publication.published.published_records import NotShown, published_tally
from publication.queries import Published, has_bundle, published_board


def figures_of(campaign: Campaign, shown: Published) -> tuple[list[Figure], str]:
    """In the language that is set; and why those that need the records are missing, where they are."""
    figures, not_drawn = _drawn(campaign, shown)
    found = [replace(one, table=with_caveat(one.table, shown.document)) for one in figures]
    if pairs := shown.document.get("pairs"):
        found += pair_figures(pairs, campaign.english_team_names())
    return found, not_drawn


def with_caveat(table: PaperTable, document: Document) -> PaperTable:
    """Its caption says so where the records were made afterwards to give published figures."""
    if not document.get("n_reconstructed"):
        return table
    caveat = _("The records are reconstructed from published figures: an illustration, not the original scores.")
    return replace(table, caption=f"{table.caption} {caveat}")


def _drawn(campaign: Campaign, shown: Published) -> tuple[list[Figure], str]:
    board = with_statistics(published_board(campaign, shown), shown.document["statistics"])
    if shown.snapshot.of_board or not has_bundle(shown.snapshot):
        return board_figures(board, {}), ""
    try:
        return board_figures(board, published_tally(shown.snapshot)), ""
    except NotShown as reason:
        return board_figures(board, {}), str(reason)
