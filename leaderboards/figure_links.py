"""Where the figures of the live board lead."""

from django.urls import reverse

from campaigns.models import Campaign
from leaderboards.board import Board, Key, Row, linked


def leading_to_records(campaign: Campaign, board: Board) -> Board:
    """The board whose figures lead to the records that they are means of; only organizers may open them."""
    # Reversed once: a board has a hundred links.
    records, cut, _end = reverse("leaderboard-records", args=[campaign.slug, 0, "figure"]).rpartition("0/figure/")
    assert cut, "the address of records ends with the entry and the figure"

    def address(row: Row, key: Key) -> str:
        return f"{records}{row.key}/{key.name}/"

    return linked(board, address)
