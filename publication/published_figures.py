"""The figures of a frozen board, from its document and its bundle alone."""

from campaigns.models import Campaign
from leaderboards.board_figures import Figure, board_figures
from leaderboards.explanations import with_statistics
from publication.published_records import NotShown, published_tally
from publication.queries import Published, has_bundle, published_board


def figures_of(campaign: Campaign, shown: Published) -> tuple[list[Figure], str]:
    """In the language that is set; and why those that need the records are missing, where they are."""
    board = with_statistics(published_board(campaign, shown), shown.document["statistics"])
    if shown.snapshot.of_board or not has_bundle(shown.snapshot):
        return board_figures(board, {}), ""
    try:
        return board_figures(board, published_tally(shown.snapshot)), ""
    except NotShown as reason:
        return board_figures(board, {}), str(reason)
