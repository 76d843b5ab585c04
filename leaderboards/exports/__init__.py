"""Exports of a campaign: what there is, the columns of each, and its rows as they are read from the database."""

from collections.abc import Iterable, Iterator

from campaigns.models import Campaign
from leaderboards.export_files import Block, blocks_of
from leaderboards.export_formats import FORMATS, jsonl_of
from leaderboards.exports.boards import leaderboard_columns, leaderboard_rows
from leaderboards.exports.minutes import MINUTES, minutes
from leaderboards.exports.parts import PLACE, Export
from leaderboards.exports.records import RECORD, record_objects, records
from leaderboards.exports.requests import ATTEMPT, attempts
from leaderboards.exports.scores import CHANGE, RATING, REVIEW, change_blocks, changes, rating_blocks, ratings, reviews
from leaderboards.exports.talks import DIALOGUE, LEDGER, TURN, dialogues, ledger, turn_blocks, turns

EXPORTS = {
    "turns": Export(lambda campaign: {**PLACE, **TURN}, turns, turn_blocks),
    "dialogues": Export(lambda campaign: {**PLACE, **DIALOGUE}, dialogues),
    "reviews": Export(lambda campaign: {**PLACE, **REVIEW}, reviews),
    "ratings": Export(lambda campaign: {**PLACE, **RATING}, ratings, rating_blocks),
    "attempts": Export(lambda campaign: {**PLACE, **ATTEMPT}, attempts),
    "ledger": Export(lambda campaign: {**PLACE, **LEDGER}, ledger),
    "changes": Export(lambda campaign: {**PLACE, **CHANGE}, changes, change_blocks),
    "records": Export(lambda campaign: RECORD, records, objects=record_objects),
    "minutes": Export(lambda campaign: MINUTES, minutes),
    "leaderboard": Export(leaderboard_columns, leaderboard_rows),
}


def pieces(what: str, campaign: Campaign, format: str) -> Iterator[bytes]:
    """The file of an export, piece by piece."""
    return pieces_of(what, campaign, format, blocks_in(what, campaign))


def blocks_in(what: str, campaign: Campaign) -> Iterator[Block]:
    export = EXPORTS[what]
    return export.blocks(campaign) if export.blocks else blocks_of(export.rows(campaign))


def pieces_of(what: str, campaign: Campaign, format: str, blocks: Iterable[Block]) -> Iterator[bytes]:
    """The file of an export, of which these are the blocks."""
    export = EXPORTS[what]
    if format == "jsonl" and export.objects:
        return jsonl_of(export.objects(campaign))
    return FORMATS[format].pieces(export.columns(campaign), blocks)
