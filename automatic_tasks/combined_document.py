"""The document of a combined board as it is frozen; the board in it as the page and the API of today show it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from automatic_tasks.combined_boards import PEOPLE, Reader, agreement_of, final_keys, is_interim, parts_of
from automatic_tasks.combined_bundle import columns_told, kind_told, parts_told, total_told
from automatic_tasks.combined_statistics import statistics_in_force
from automatic_tasks.models import CombinedBoard
from campaigns.models import Campaign
from leaderboards.board import Board, Named
from publication.bundles import StoredBundle
from publication.document_now import head_of, name_of
from publication.documents import Document, document_of, time_of


def combined_now(board: CombinedBoard, *, number: int, at: datetime, bundle: StoredBundle | None) -> Document:
    """As organizers see it now, with the statistics that are stored of these figures. Rows are teams, or runs, under their names.

    Of a board without people's figures it tells nothing of the campaign's dialogues.
    """
    reader = Reader.organizer(at)
    made = parts_of(board, reader)
    rows = (*made.board.rows, *made.board.unranked)
    return document_of(
        made.board,
        names={row.key: Named(row.key, row.name, row.team) for row in rows},
        statistics=statistics_in_force(board, made.board) or None,
        head=(head_of(board.campaign) if PEOPLE in made.sources else name_of(board.campaign))
        | {
            "number": number,
            "frozen_at": time_of(at),
            "names": "teams",
            "agreement": agreement_of(board, reader),
            "bundle": bundle and {"sha256": bundle.digest, "bytes": bundle.n_bytes},
            "combined": {
                "key": board.key,
                "name": {"zh": board.name_zh, "en": board.name_en},
                **kind_told(board),
                "parts": parts_told(made),
                "columns": columns_told(board),
                "total": total_told(board),
                **_final_told(board, made.board),
            },
        },
    )


def _final_told(board: CombinedBoard, made: Board) -> dict[str, Any]:
    """By what the board ranks in the end, where it does not yet."""
    keys = final_keys(board, made) if is_interim(board, made) else []
    return {"final": [{"zh": key.words.zh, "en": key.words.en} for key in keys]} if keys else {}


def board_as_frozen(campaign: Campaign, document: Mapping[str, Any]) -> CombinedBoard:
    """What was declared when the document was frozen; the board of today may have other columns. It is not stored."""
    told = document["combined"]
    columns = [one | {"task": one["task"] or "", "split": one["split"] or ""} for one in told["columns"]]
    name = told["name"]
    return CombinedBoard(
        campaign=campaign,
        key=told["key"],
        name_zh=name["zh"],
        name_en=name["en"],
        columns=columns,
        total=told["total"],
        ranking=document["rule"],
    )
