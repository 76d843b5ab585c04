"""The results bundle and the frozen document of a combined board.

The bundle holds figures of the board's own columns alone: neither the gold nor a run's answers to items leave the platform here.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from automatic_tasks.boards.task_boards import board_runs
from automatic_tasks.combined.boards import (
    PEOPLE,
    Parts,
    Place,
    Reader,
    agreement_of,
    final_keys,
    is_interim,
    parts_of,
    tasks_of_board,
)
from automatic_tasks.combined.statistics import statistics_in_force
from automatic_tasks.models import AutomaticTask, CombinedBoard, Run, Score, Split
from campaigns.models import Campaign
from leaderboards.board import Board, Named, Row
from publication.bundle.writing import CombinedFiles
from publication.bundles import StoredBundle
from publication.document_now import head_of, name_of
from publication.documents import Document, document_of, time_of
from verification.boards import board_document
from verification.bundle_format import PRINTED, digest_of_run

Object = dict[str, Any]


def combined_files(board: CombinedBoard, at: datetime) -> CombinedFiles:
    """As organizers see the board now."""
    made = parts_of(board, Reader.organizer(at))
    return CombinedFiles(list(_run_lines(board, made)), combined_document(board, made), PEOPLE in made.sources)


def kind_told(board: CombinedBoard) -> Object:
    """Says of a board of runs that it is one; of boards that join by team nothing."""
    return {"of_runs": True} if board.is_of_runs else {}


def parts_told(made: Parts) -> list[Object]:
    """The boards that the columns are of; people's is of no task."""
    return [
        {**_place(place), "name": {"zh": source.words.zh, "en": source.words.en}}
        for place, source in made.sources.items()
    ]


def columns_told(board: CombinedBoard) -> list[Object]:
    """Each column with its figure, and its factor in the total."""
    return [
        {"key": one["key"], **_place((one["task"], one["split"])), "figure": one["figure"], "weight": one["weight"]}
        for one in board.columns
    ]


def total_told(board: CombinedBoard) -> Object | None:
    return {"by": board.total["by"], "of": list(board.total["of"])} if board.total else None


def combined_document(board: CombinedBoard, made: Parts) -> Object:
    """combined.json, as `verification/combined.py` makes it again."""
    slug = board.campaign.slug
    head = {
        "campaign": slug,
        "board": board.key,
        "name": {"zh": board.name_zh, "en": board.name_en},
        **kind_told(board),
        "parts": parts_told(made),
        "columns": columns_told(board),
        "total": total_told(board),
    }
    shown = made.board
    return head | board_document(
        slug,
        keys=[{"key": key.name, "letter": key.letter, "better": key.better} for key in shown.keys],
        rule=[{"key": key.name, "better": key.better} for key in shown.rule],
        rows=[_row(row, [key.name for key in shown.keys]) for row in (*shown.rows, *shown.unranked)],
    )


def _row(row: Row, keys: list[str]) -> Object:
    head = {"key": row.key, "rank": row.rank, "team": row.team, "bot": row.name, "n_records": row.n}
    figures = {name: row.figures.get(name) for name in keys}
    return head | {"figures": figures} | ({"reason": row.reason.value} if row.reason else {})


def _place(place: Place) -> Object:
    task, split = place
    return {"task": task or None, "split": split or None}


def _run_lines(board: CombinedBoard, made: Parts) -> Iterator[Object]:
    """One line per team that a task's board knows: its run with the figures that the columns use, or why it has none."""
    tasks = tasks_of_board(board)
    for place, source in made.sources.items():
        if place == PEOPLE:
            continue
        used = list(dict.fromkeys(one["figure"] for one in board.columns if (one["task"], one["split"]) == place))
        standing = _standing(tasks[place[0]], Split(place[1]))
        for key in sorted(source.teams):
            row = source.rows.get(key)
            # A board of runs knows rows of nobody's team; all others are called by their teams.
            told = {**_place(place), "team": row.team if row else key}
            if row is not None and key in source.figures:
                told |= standing.get(row.name) or _printed(row)
                told |= {"figures": {name: source.figures[key].get(name) for name in used}, "reason": None}
            else:
                nothing = {"run": None, "name": None if told["team"] else key, "measure": None, "file_sha256": None}
                told |= nothing | {"figures": {}, "reason": source.reasons[key].value}
            yield told | {"sha256": digest_of_run(told)}


def _printed(row: Row) -> Object:
    """Figures that a paper printed have no run behind them."""
    measure = f"{PRINTED}: {row.source}" if row.source else PRINTED
    return {"run": None, "name": row.name, "measure": measure, "file_sha256": None}


def _standing(task: AutomaticTask, split: Split) -> dict[str, Object]:
    """By their names the runs that stand on the board, with the measure that scored them and the digest of their file."""
    runs = board_runs(task, split)
    versions = dict(Score.objects.filter(run__in=runs, split=split).values_list("run_id", "version"))
    files = dict(Run.objects.filter(pk__in=[run.pk for run in runs]).values_list("pk", "file__sha256"))
    return {run.name: _told_of(run, task, versions[run.pk], files) for run in runs}


def _told_of(run: Run, task: AutomaticTask, version: str, files: Mapping[UUID, str | None]) -> Object:
    # What follows the colon covers gold and options: it could confirm a guess of a small gold.
    measure = f"{task.type} {version.partition(':')[0]}"
    return {"run": str(run.pk), "name": run.name, "measure": measure, "file_sha256": files[run.pk]}


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
