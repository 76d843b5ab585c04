"""A combined board as it stands: the leaderboard of people and the boards of tasks that it is made of, and who may see it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from automatic_tasks.access import visible_boards
from automatic_tasks.boards.task_boards import board as board_of_task
from automatic_tasks.boards.task_boards import key_of
from automatic_tasks.combined.joining import Column, Source, Total, combined
from automatic_tasks.models import AutomaticTask, CombinedBoard, Split
from campaigns.models import Campaign, Role
from leaderboards.board import Board, Figures, Key, Reason, Row, Words, formula, with_english_names
from leaderboards.board_now import board_now
from leaderboards.live_board import board_of, leading_to_records, stored_board
from publication.documents import agreement_in
from publication.queries import Published, published, published_board
from verification.bundle_format import MEAN, SUM, TOTAL

# The board of a task on a split; that of people is of no task.
Place = tuple[str, str]
PEOPLE: Place = ("", "")
ONE_TOTAL = {SUM: _("Sum"), MEAN: _("Mean")}


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a board is made for: organizers see figures as they are now, everybody else as they were published."""

    roles: frozenset[str]
    at: datetime

    @property
    def is_organizer(self) -> bool:
        return Role.ORGANIZER in self.roles

    @classmethod
    def organizer(cls, at: datetime) -> "Reader":
        return cls(frozenset({Role.ORGANIZER}), at)


def is_visible(board: CombinedBoard, reader: Reader) -> bool:
    """Visible to those who see all of its parts, and to everybody once it was published as a whole.

    Where teams go by aliases in what is published, rows joined by team would tell who is who: then nobody else does.
    """
    return reader.is_organizer or sees_parts(board, reader) or published_board_of(board, reader) is not None


def published_board_of(board: CombinedBoard, reader: Reader) -> Published | None:
    """What everybody reads as this board since it was frozen and published; organizers read it as it is now."""
    return None if reader.is_organizer else published(board.campaign, reader.at, of_board=board.key)


def sees_parts(board: CombinedBoard, reader: Reader) -> bool:
    """Whether what the board joins is out, be it published as a whole or not."""
    tasks = tasks_of_board(board)
    for column in board.columns:
        if column["task"] and not _sees_split(tasks.get(column["task"]), column["split"], reader):
            return False
        if not column["task"] and not _sees_people(board.campaign, reader):
            return False
    return True


def visible_combined_boards(campaign: Campaign, reader: Reader) -> list[CombinedBoard]:
    boards = campaign.combined_boards.select_related("campaign__rubric")
    return [board for board in boards if is_visible(board, reader)]


def _sees_split(task: AutomaticTask | None, split: str, reader: Reader) -> bool:
    return task is not None and split in visible_boards(task, reader.roles)


def _sees_people(campaign: Campaign, reader: Reader) -> bool:
    shown = published(campaign, reader.at)
    return shown is not None and not shown.snapshot.hides_teams


def combined_board(board: CombinedBoard, reader: Reader) -> Board:
    """The board for a reader who may see it; a column whose figure is gone by now has none for anybody."""
    return parts_of(board, reader).board


@dataclass(frozen=True, slots=True)
class Parts:
    """A board with what it is made of: what each place says of the teams, the columns, the total."""

    board: Board
    sources: Mapping[Place, Source]
    columns: Sequence[Column]
    total: Total | None


def parts_of(board: CombinedBoard, reader: Reader) -> Parts:
    tasks = tasks_of_board(board)
    if board.is_of_runs:
        return _parts_of_runs(board, tasks)
    made = {place: _made(board.campaign, tasks, place, reader) for place in places_of(board)}
    columns = [_column(said, made[said["task"], said["split"]], tasks) for said in board.columns]
    total = _total(board, columns)
    sources = {place: one.source for place, one in made.items()}
    joined = with_english_names(_ranked_by_now(board, columns, total), board.campaign.english_team_names())
    return Parts(joined, sources, columns, total)


def _ranked_by_now(board: CombinedBoard, columns: Sequence[Column], total: Total | None) -> Board:
    """By the board's ranking; while no team has all of its figures, by the first of the interim ones by which any is ranked."""
    final = combined(columns, total, board.ranking)
    rankings = () if final.rows else board.interim
    return next((made for ranking in rankings if (made := combined(columns, total, ranking)).rows), final)


def is_interim(board: CombinedBoard, made: Board) -> bool:
    """Whether the board does not rank by its own ranking yet."""
    return bool(made.rows) and [key.name for key in made.rule] != list(board.ranking)


def final_keys(board: CombinedBoard, made: Board) -> list[Key]:
    """What the board ranks by in the end."""
    by_name = {key.name: key for key in made.keys}
    return [by_name[name] for name in board.ranking]


def awaited_parts(board: CombinedBoard, parts: Parts) -> list[Words]:
    """What the ranking waits for while the board is an interim one: the boards of which it has no figure."""
    if not is_interim(board, parts.board):
        return []
    return [source.words for source in parts.sources.values() if not source.figures]


def _parts_of_runs(board: CombinedBoard, tasks: dict[str, AutomaticTask]) -> Parts:
    """The board of the task as it stands, row by row: nothing is joined."""
    ((key, split),) = places_of(board)
    task = tasks[key]
    made = board_of_task(task, Split(split))
    rows = {row.key: row for row in (*made.rows, *made.unranked)}
    source = Source(
        Words(task.name_zh, task.name_en),
        figures={row.key: row.figures for row in made.rows},
        reasons={row.key: row.reason for row in made.unranked if row.reason is not None},
        rows=rows,
    )
    keys = {key_of(figure).name: key_of(figure) for figure in task.task_type.figures}
    columns = [Column(keys[one["key"]], source, one["figure"]) for one in board.columns]
    return Parts(replace(made, keys=tuple(column.key for column in columns)), {(key, split): source}, columns, None)


def places_of(board: CombinedBoard) -> list[Place]:
    """The boards that its columns are of, as (task, split), each once; people's are of no task."""
    return list(dict.fromkeys((column["task"], column["split"]) for column in board.columns))


def tasks_of_board(board: CombinedBoard) -> dict[str, AutomaticTask]:
    keys = {column["task"] for column in board.columns}
    found = board.campaign.automatic_tasks.filter(key__in=keys).select_related("campaign")
    return {task.key: task for task in found}


@dataclass(frozen=True, slots=True)
class Made:
    """A board that columns are taken from, by team."""

    keys: tuple[Key, ...]
    source: Source


def _made(campaign: Campaign, tasks: dict[str, AutomaticTask], place: Place, reader: Reader) -> Made:
    if place == PEOPLE:
        board = _board_of_people(campaign, reader)
        return Made(board.keys, source_of(Words.of(_("Leaderboard")), board))
    task, split = tasks[place[0]], Split(place[1])
    board = board_of_task(task, split, for_teams=not reader.is_organizer)
    keys = tuple(map(key_of, task.task_type.figures))
    return Made(keys, source_of(Words(task.name_zh, task.name_en), board))


def _board_of_people(campaign: Campaign, reader: Reader) -> Board:
    if reader.is_organizer:
        return leading_to_records(campaign, board_of(campaign, stored_board(campaign).rows))
    shown = published(campaign, reader.at)
    assert shown is not None, "asked only for readers who may see it"
    return published_board(campaign, shown)


def agreement_of(board: CombinedBoard, reader: Reader) -> dict[str, float]:
    """The panel's alpha by column, of the columns that people scored; figures of automatic tasks have no reviewers."""
    people = {column["key"]: column["figure"] for column in board.columns if not column["task"]}
    alphas = _agreement_of_people(board.campaign, reader) if people else {}
    return {key: alphas[figure] for key, figure in people.items() if figure in alphas}


def _agreement_of_people(campaign: Campaign, reader: Reader) -> dict[str, float]:
    if reader.is_organizer:
        return dict(board_now(campaign).agreement)
    shown = published(campaign, reader.at)
    return agreement_in(shown.document) if shown else {}


def source_of(words: Words, board: Board) -> Source:
    """By team; of several systems of a team the best ranked one speaks for it. Rows of nobody's team are left out."""
    figures: dict[str, Figures] = {}
    links: dict[str, Mapping[str, str]] = {}
    reasons: dict[str, Reason] = {}
    rows: dict[str, Row] = {}
    # Of two that share a rank the first by name, whatever the order of the board: a bundle knows no other.
    for row in sorted(board.rows, key=lambda row: (row.rank or 0, row.name)):
        if row.team and row.team not in rows:
            figures[row.team], links[row.team], rows[row.team] = row.figures, row.links, row
    for row in sorted(board.unranked, key=lambda row: row.name):
        if row.team and row.team not in figures and row.reason is not None:
            reasons.setdefault(row.team, row.reason)
    return Source(words, figures, reasons, links, rows)


def _column(said: dict[str, Any], made: Made, tasks: dict[str, AutomaticTask]) -> Column:
    figure = said["figure"]
    key = next((key for key in made.keys if key.name == figure), Key(figure, Words(figure, figure), "higher", 3))
    words = key.words
    if said["task"]:
        name = made.source.words
        words = Words(f"{name.zh} · {words.zh}", f"{name.en} · {words.en}")
    own = Key(said["key"], _named(said["name"], words), key.better, key.decimals, said["letter"] or key.letter)
    return Column(own, made.source, figure, said["weight"])


def _named(name: dict[str, str], otherwise: Words) -> Words:
    return Words(name["zh"] or name["en"], name["en"] or name["zh"]) if any(name.values()) else otherwise


def _total(board: CombinedBoard, columns: Iterable[Column]) -> Total | None:
    said = board.total
    if said is None:
        return None
    better = next(column.key.better for column in columns if column.key.name in said["of"])
    words = _named(said["name"], Words.of(ONE_TOTAL[said["by"]]))
    return Total(Key(TOTAL, words, better, said["decimals"]), said["of"], is_mean=said["by"] == MEAN)


def formula_of(board: CombinedBoard, made: Board) -> str:
    """The total in a line; nothing where there is none."""
    return formula(made, board.columns, board.total) if board.total else ""
