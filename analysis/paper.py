"""A board as a paper prints it: the table of the site's page "cite and reuse", from frames."""

from typing import Any

import pandas as pd

from leaderboards.board import arrow_of
from leaderboards.paper.paper_tables import PaperCell, PaperTable, latex
from measures.live import MEAN_TURNS
from measures.ranking import DECIMALS
from scoring.printed_figures import fixed

HEADS = {"en": ("Rank", "Team", "System"), "zh": ("名次", "参赛队", "系统")}


def to_latex(board: pd.DataFrame, *, caption: str, label: str, language: str = "en") -> str:
    """The ranked rows of `board` as a table in LaTeX (booktabs): the best of each column bold, below a figure its interval.

    Rows that were left out before stay out. `language` is that of the heads, `en` or `zh`.
    """
    rows = board.dropna(subset="rank")
    figures = board.attrs["figures"]
    has_teams = bool((rows["team"] != "").any())
    has_systems = not has_teams or bool((rows["team"] != rows["name"]).any())
    rank, team, system = HEADS[language]
    columns = [*(["team"] if has_teams else []), *(["name"] if has_systems else [])]
    names = [{"team": team, "name": system}[one] for one in columns]
    heads = [f"{_head(figure, language)} {arrow_of(figure['better'])}" for figure in figures]
    best = {figure["key"]: _best(rows[figure["key"]], figure["better"]) for figure in figures}
    lines = tuple(
        (
            PaperCell(str(row["rank"])),
            *(PaperCell(row[one]) for one in columns),
            *(_cell(row, figure["key"], best[figure["key"]]) for figure in figures),
            PaperCell(str(row["n_records"])),
        )
        for row in rows.to_dict("records")
    )
    name_columns = frozenset(range(1, 1 + len(columns)))
    return latex(PaperTable((rank, *names, *heads, "n"), lines, caption, name_columns), label=label)


def _head(figure: Any, language: str) -> str:
    return str(figure["letter"] or figure["names"].get(language) or figure["key"])


def _best(values: pd.Series, better: str) -> float:
    return float(values.max() if better == "higher" else values.min())


def _cell(row: dict[str, Any], key: str, best: float) -> PaperCell:
    value, decimals = row[key], 2 if key == MEAN_TURNS.name else 3
    if pd.isna(value):
        return PaperCell("–")
    low, high = row.get(f"{key}_low"), row.get(f"{key}_high")
    interval = (
        "" if low is None or high is None or pd.isna(low) else f"[{fixed(low, decimals)}, {fixed(high, decimals)}]"
    )
    return PaperCell(fixed(value, decimals), interval, is_best=round(value, DECIMALS) == round(best, DECIMALS))
