"""The board of a live campaign: its columns, its rows with the figures of each bot, and how programs get them."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from leaderboards.board import Board, Key, Row, Words, ranked
from leaderboards.live_sums import sums_by_entry
from leaderboards.models import StoredBoard
from measures.live import COMPLETION, MEAN_TURNS, LiveFigures
from measures.ranking import Direction
from rubrics.models import Criterion

LIVE = "live"


class Unranked(models.TextChoices):
    NO_RECORDS = "no records", _("no scored dialogue yet")


# What every live campaign has before the criteria of its rubric.
RECORD_KEYS = (
    Key(
        COMPLETION.name,
        Words("完成率：全部子任务完成的记录所占比例", "Completion: share of records with every subtask finished"),
        COMPLETION.better,
        3,
        COMPLETION.letter,
    ),
    Key(
        MEAN_TURNS.name,
        Words(
            "轮数：计入轮数的平均值（未完成的子任务按轮数上限计）",
            "Turns: mean of charged turns (an unfinished subtask is charged its cap)",
        ),
        MEAN_TURNS.better,
        2,
        MEAN_TURNS.letter,
    ),
)

# A stored row: `{"n": …, "figures": {…}}`.
Stored = Mapping[str, Mapping[str, Any]]


def stored_board(campaign: Campaign) -> StoredBoard:
    """What was computed last; an empty one where nothing was yet."""
    return campaign.stored_boards.filter(key=LIVE).first() or StoredBoard(campaign=campaign, key=LIVE)


def leaderboard(campaign: Campaign) -> Board:
    """The board of the records as they are now, which takes seconds on a large campaign."""
    return board_of(campaign, computed_rows(campaign))


def computed_rows(campaign: Campaign) -> dict[str, dict[str, Any]]:
    """The figures of every bot that has a record, by its entry's id as a text."""
    criteria = list(campaign.rubric.criteria.values_list("key", flat=True))
    return {
        str(entry_id): {"n": sums.n_records, "figures": named(sums.figures(criteria))}
        for entry_id, sums in sums_by_entry(campaign, criteria).items()
    }


def named(figures: LiveFigures) -> dict[str, float | None]:
    return {COMPLETION.name: figures.completion, MEAN_TURNS.name: figures.mean_turns, **figures.ratings}


def board_of(campaign: Campaign, stored: Stored) -> Board:
    """Names, criteria and rule are those of today; bots without a record are listed unranked."""
    keys = (*RECORD_KEYS, *map(_key_of, campaign.rubric.criteria.all()))
    by_name = {key.name: key for key in keys}
    entries = campaign.entries.select_related("bot__team").order_by("pk")
    return ranked(
        keys=keys,
        rule=[by_name[name] for name in campaign.ranking_rule],
        rows=[_row(str(entry.pk), entry.bot.team.name, entry.bot.name, stored) for entry in entries],
    )


def _key_of(criterion: Criterion) -> Key:
    words = Words(criterion.name_zh or criterion.name_en, criterion.name_en or criterion.name_zh)
    better: Direction = "lower" if criterion.better == Criterion.Better.LOWER else "higher"
    return Key(criterion.key, words, better, 3, criterion.letter)


def _row(key: str, team: str, name: str, stored: Stored) -> Row:
    if key not in stored:
        return Row(key, name, {}, team=team, n=0, reason=Unranked.NO_RECORDS)
    return Row(key, name, stored[key]["figures"], team=team, n=stored[key]["n"])


def to_json(campaign: Campaign, board: Board) -> dict[str, Any]:
    """The board with unrounded figures, as the command and the API give it."""
    return {
        "campaign": campaign.slug,
        "rule": [{"key": key.name, "better": key.better} for key in board.rule],
        "rows": [_row_as_json(board, row) for row in board.rows],
        "unranked": [
            _row_as_json(board, row) | {"reason": row.reason.value if row.reason else None} for row in board.unranked
        ],
    }


def _row_as_json(board: Board, row: Row) -> dict[str, Any]:
    names = {"rank": row.rank, "team": row.team, "bot": row.name, "n_records": row.n}
    return names | {key.name: row.figures.get(key.name) for key in board.keys}
