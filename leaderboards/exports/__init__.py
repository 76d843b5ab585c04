"""Exports of a campaign: a file or table is declared in the module of its subject and listed here."""

from collections.abc import Iterable, Iterator

from campaigns.models import Campaign
from leaderboards.exports.boards import LEADERBOARD
from leaderboards.exports.minutes import MINUTES
from leaderboards.exports.records import RECORDS
from leaderboards.exports.requests import ATTEMPTS
from leaderboards.exports.scores import CHANGES, RATINGS, REVIEWS
from leaderboards.exports.talks import DIALOGUES, LEDGER, PROGRAM_DIALOGUES, PROGRAM_TURNS, TURNS
from leaderboards.table_files import FORMATS, jsonl_of
from leaderboards.table_files.text_files import Block

EXPORTS = {
    export.name: export
    for export in (
        TURNS, DIALOGUES, REVIEWS, RATINGS, ATTEMPTS, LEDGER, CHANGES, RECORDS, MINUTES, LEADERBOARD,
        PROGRAM_TURNS, PROGRAM_DIALOGUES,
    )
}  # fmt: skip


def pieces(what: str, campaign: Campaign, format: str) -> Iterator[bytes]:
    """The file of an export, piece by piece."""
    return pieces_of(what, campaign, format, EXPORTS[what].blocks(campaign))


def pieces_of(what: str, campaign: Campaign, format: str, blocks: Iterable[Block]) -> Iterator[bytes]:
    """The file of an export, of which these are the blocks."""
    export = EXPORTS[what]
    if format == "jsonl" and export.objects:
        return jsonl_of(export.objects(campaign))
    return FORMATS[format].pieces(export.columns(campaign), blocks)
