"""The leaderboard of records, computed from what a bundle says alone. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from measures.live import COMPLETION, MEAN_TURNS, RECORD_FIGURES, LiveFigures, LiveSums
from measures.ranking import RankingKey, rank

Object = Mapping[str, Any]


def board_document(
    campaign: str, *, keys: Sequence[Object], rule: Sequence[Object], rows: Iterable[Object]
) -> dict[str, Any]:
    """Rows that share a rank, and those without one, come in the order of their names."""
    in_order = sorted(rows, key=lambda row: (row["rank"] or 0, row["team"], row["bot"], row["key"]))
    return {
        "campaign": campaign,
        "keys": list(keys),
        "rule": list(rule),
        "rows": [row for row in in_order if row["rank"] is not None],
        "unranked": [row for row in in_order if row["rank"] is None],
    }


def columns_of(campaign: Object) -> list[dict[str, Any]]:
    """What the board of campaign.json has a column for: what all evaluations have, where it is asked or ranks, and the scales."""
    ruling = {key["key"] for key in campaign["rule"]}
    asks = campaign["rubric"]["asks_for_verdicts"]
    of_records = [
        {"key": figure.name, "letter": figure.letter, "better": figure.better}
        for figure in RECORD_FIGURES
        if asks or figure.name in ruling
    ]
    return of_records + [
        {"key": criterion["key"], "letter": criterion["letter"], "better": criterion["better"]}
        for criterion in scales_of(campaign)
    ]


def scales_of(campaign: Object) -> list[Any]:
    """The criteria that have a mean: labels have none."""
    return [criterion for criterion in campaign["rubric"]["criteria"] if criterion["kind"] == "scale"]


def named(figures: LiveFigures) -> dict[str, float | None]:
    return {COMPLETION.name: figures.completion, MEAN_TURNS.name: figures.mean_turns, **figures.ratings}


def recomputed_board(
    campaign: Object, entries: Iterable[Object], sums: Mapping[str, LiveSums], reasons: Mapping[str, str]
) -> dict[str, Any]:
    """The board of those sums by bot; `reasons` says why a bot without records has none."""
    columns = columns_of(campaign)
    criteria = [criterion["key"] for criterion in scales_of(campaign)]
    figures = {
        bot: {key["key"]: told[key["key"]] for key in columns}
        for bot, own in sums.items()
        if (told := named(own.figures(criteria)))
    }
    rule = [RankingKey(key["key"], key["better"]) for key in campaign["rule"]]
    ranks = {place.name: place.rank for place in rank(figures, rule)}
    return board_document(
        campaign["campaign"],
        keys=columns,
        rule=campaign["rule"],
        rows=[
            (_head(entry, ranks[entry["bot"]], sums[entry["bot"]].n_records) | {"figures": figures[entry["bot"]]})
            if entry["bot"] in ranks
            else _unranked(entry, columns, reasons)
            for entry in entries
        ],
    )


def _unranked(entry: Object, columns: Iterable[Object], reasons: Mapping[str, str]) -> dict[str, Any]:
    nothing = {key["key"]: None for key in columns}
    return _head(entry, None, 0) | {"figures": nothing, "reason": reasons.get(entry["bot"])}


def _head(entry: Object, place: int | None, n_records: int) -> dict[str, Any]:
    return {
        "key": entry["bot"],
        "rank": place,
        "team": entry["team"],
        "bot": entry["name"],
        "n_records": n_records,
    }
