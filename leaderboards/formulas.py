"""How a sum or mean of columns is written down, such as `Suc + 0.02 × BLEU`. Pure."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from leaderboards.board import Board


def formula(board: Board, columns: Sequence[Mapping[str, Any]], total: Mapping[str, Any]) -> str:
    """Of a board whose last column is the total `by` a sum or mean of the columns `of`, each times its weight."""
    heads, weights = {key.name: key.head for key in board.keys}, {row["key"]: row["weight"] for row in columns}
    parts = total["of"]
    terms = [heads[name] if weights[name] == 1 else f"{weights[name]:g} × {heads[name]}" for name in parts]
    added = " + ".join(terms)
    if total["by"] == "mean":
        added = f"({added}) / {math.fsum(weights[name] for name in parts):g}"
    return f"{board.keys[-1].head} = {added}"
