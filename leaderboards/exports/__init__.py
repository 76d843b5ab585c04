"""Exports of a campaign: what there is, the columns of each, and its rows as they are read from the database."""

from collections.abc import Iterable, Iterator

from campaigns.models import Campaign
from leaderboards.column_kinds import NUMBER, TEXT, WHOLE, Columns
from leaderboards.export_files import Block, blocks_of
from leaderboards.export_formats import FORMATS, jsonl_of
from leaderboards.exports.minutes import MINUTES, minutes
from leaderboards.exports.parts import PLACE, Export, Rows
from leaderboards.exports.records import RECORD, record_objects, records
from leaderboards.exports.scores import CHANGE, RATING, REVIEW, changes, ratings, reviews
from leaderboards.exports.talks import ATTEMPT, DIALOGUE, LEDGER, TURN, attempts, dialogues, ledger, turn_blocks, turns
from leaderboards.live_board import board_of, columns_of, stored_board, to_json


def leaderboard_columns(campaign: Campaign) -> Columns:
    names: Columns = {"rank": WHOLE, "team": TEXT, "bot": TEXT, "n_records": WHOLE}
    return {**names, **{key.name: NUMBER for key in columns_of(campaign)}}


def leaderboard_rows(campaign: Campaign) -> Rows:
    board = to_json(campaign, board_of(campaign, stored_board(campaign).rows))
    columns = leaderboard_columns(campaign)
    for row in (*board["rows"], *board["unranked"]):
        yield tuple(row[name] for name in columns)


EXPORTS = {
    "turns": Export(lambda campaign: {**PLACE, **TURN}, turns, turn_blocks),
    "dialogues": Export(lambda campaign: {**PLACE, **DIALOGUE}, dialogues),
    "reviews": Export(lambda campaign: {**PLACE, **REVIEW}, reviews),
    "ratings": Export(lambda campaign: {**PLACE, **RATING}, ratings),
    "attempts": Export(lambda campaign: {**PLACE, **ATTEMPT}, attempts),
    "ledger": Export(lambda campaign: {**PLACE, **LEDGER}, ledger),
    "changes": Export(lambda campaign: {**PLACE, **CHANGE}, changes),
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
