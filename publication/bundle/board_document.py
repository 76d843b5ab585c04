"""leaderboard.json: the figures as the database adds them up."""

from typing import Any

from campaigns.models import Campaign
from leaderboards.board import Row
from leaderboards.live_board import leaderboard
from publication.bundle.names import Names
from verification.boards import board_document


def board_document_of(campaign: Campaign, names: Names) -> dict[str, Any]:
    """The board of the records as they are now, under the names of the bundle."""
    board = leaderboard(campaign)
    keys = dict(campaign.entries.values_list("pk", "key"))

    def told(row: Row) -> dict[str, Any]:
        bot = names.bot(keys[int(row.key)])
        figures = {key.name: row.figures.get(key.name) for key in board.keys}
        head = {"key": bot.key, "rank": row.rank, "team": bot.team, "bot": bot.name, "n_records": row.n}
        return head | {"figures": figures} | ({"reason": row.reason.value} if row.reason else {})

    return board_document(
        campaign.slug,
        keys=[{"key": key.name, "letter": key.letter, "better": key.better} for key in board.keys],
        rule=[{"key": key.name, "better": key.better} for key in board.rule],
        rows=[told(row) for row in (*board.rows, *board.unranked)],
    )
