"""What differs between a frozen board and the board of today. Pure."""

from dataclasses import dataclass

from leaderboards.board import Board, Movement, Row, movements


@dataclass(frozen=True, slots=True)
class Differences:
    """Rows that moved, rows that today's board has alone, and rows that the frozen one has alone."""

    moved: tuple[Movement, ...]
    came: tuple[Row, ...]
    gone: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.moved) + len(self.came) + len(self.gone)


def differences(frozen: Board, today: Board) -> Differences:
    before = {row.key: row for row in (*frozen.rows, *frozen.unranked)}
    after = {row.key: row for row in (*today.rows, *today.unranked)}
    return Differences(
        moved=movements(frozen, today),
        came=tuple(row for key, row in after.items() if key not in before),
        gone=tuple(row for key, row in before.items() if key not in after),
    )
