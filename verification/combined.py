"""A combined board, computed again from the leaderboard of people and the figures of runs that a bundle holds. Pure.

How a run got its figures cannot be computed here: what it was scored against is in no bundle.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from measures.ranking import RankingKey, rank
from verification.archive import Archive
from verification.boards import board_document
from verification.bundle_format import (
    ABSENT,
    COMBINED,
    LEADERBOARD,
    MEAN,
    NO_FIGURE,
    RUNS,
    TEAM_WITHOUT_RUN,
    TOTAL,
    digest_of_run,
)
from verification.comparing import compare_board
from verification.findings import Findings, shown
from verification.tables import Line, Object, lines_of, parsed

# What a bundle without people's figures has in place of the leaderboard.
NOBODY: Mapping[str, Any] = {"keys": [], "rows": [], "unranked": []}
# What combined.json says of its board beside ranks and figures.
HEAD = ("board", "name", "of_runs", "parts", "columns", "total")
# The task and split of a part; people's figures are of none.
Place = tuple[str | None, str | None]
PEOPLE: Place = (None, None)


@dataclass(frozen=True, slots=True)
class Part:
    """What one board says of the teams: figures, why others have none, and of how many records figures are means."""

    name: str
    figures: dict[str, Object] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    n_records: dict[str, int] = field(default_factory=dict)


def runs_in(lines: Iterable[Line], findings: Findings) -> list[Object]:
    """The rows of runs.jsonl; one that is not what its digest covers, or comes twice, is noted.

    As with fingerprints of bots, a recomputed digest is found by the figures and by the digest of the whole file.
    """
    rows: list[Object] = []
    seen: set[tuple[Any, ...]] = set()
    for number, row in lines:
        if row["sha256"] != digest_of_run(row):
            text = f"what it says of the run {_run(row)} is not what its digest covers"
            findings.note(RUNS, text, line=number, figure="sha256")
        # Of nobody's runs there may be many: each has a name of its own.
        place = (row["task"], row["split"], row["team"], None if row["team"] else row["name"])
        if place in seen:
            findings.note(RUNS, f"{shown(row['team'] or row['name'])} appears twice in a part", line=number)
            continue
        seen.add(place)
        rows.append(row)
    return rows


def check_places(told: Object, runs: Iterable[Object], findings: Findings) -> None:
    """Notes runs of a task that no column is of, and figures that none shows: they would only seem to be checked."""
    asked: dict[Place, set[str]] = {}
    for column in told["columns"]:
        asked.setdefault(_place(column), set()).add(column["figure"])
    for row in runs:
        place = (row["task"], row["split"])
        if foreign := set(row["figures"]) - asked.get(place, set()) or ({"task"} if place not in asked else set()):
            text = f"no column is of {', '.join(map(shown, sorted(foreign)))} of the run {_run(row)}"
            findings.note(RUNS, text, figure="figures")


def _run(row: Object) -> str:
    """What findings call it; baselines and printed figures are of no team."""
    return f"{shown(row['name'])} of {shown(row['team'])}" if row["team"] else shown(row["name"])


def check_people(told: Object, people: Object, findings: Findings) -> None:
    """Notes what a board by team cannot be made of: systems of no team, and systems without a rank or a reason for that."""
    if PEOPLE not in map(_place, told["parts"]):
        return
    if not people["keys"]:
        findings.note(COMBINED, f"has columns of people, but the bundle has no {LEADERBOARD}", figure="parts")
    for row in (*people["rows"], *people["unranked"]):
        if not row["team"]:
            text = f"the system {shown(row['key'])} is of no team, and {COMBINED} joins systems by team"
            findings.note(LEADERBOARD, text, figure="team")
    for row in people["unranked"]:
        if not row.get("reason"):
            text = f"the system {shown(row['key'])} of {shown(row['team'])} has no rank, and nothing gives a reason"
            findings.note(LEADERBOARD, text, figure="reason")


def recomputed_combined(told: Object, people: Object, runs: Sequence[Object]) -> dict[str, Any]:
    """The board with its ranks and figures, by what it says of columns, total and rule. `people` is the recomputed leaderboard."""
    parts = {_place(part): _part(part, people, runs) for part in told["parts"]}
    keys = _keys(told, people)
    better = {key["key"]: key["better"] for key in keys}
    rule = [RankingKey(key["key"], better[key["key"]]) for key in told["rule"]]
    teams = sorted({team for part in parts.values() for team in (*part.figures, *part.reasons)})
    figures = {team: _figures(told, parts, team) for team in teams}
    lacks = {team: lacking for team in teams if (lacking := _lacking(told, parts, team, figures[team]))}
    ranks = {one.name: one.rank for one in rank({team: figures[team] for team in teams if team not in lacks}, rule)}
    return (
        {"campaign": people["campaign"]}
        | head_of(told)
        | board_document(
            people["campaign"],
            keys=keys,
            rule=[{"key": key.figure, "better": key.better} for key in rule],
            rows=[_row(told, parts, team, ranks.get(team), figures[team], lacks.get(team)) for team in teams],
        )
    )


def head_of(told: Object) -> dict[str, Any]:
    return {name: told[name] for name in HEAD if name in told}


def _place(row: Object) -> Place:
    return (row["task"], row["split"])


def _part(part: Object, people: Object, runs: Sequence[Object]) -> Part:
    name, place = part["name"]["en"], _place(part)
    return (
        _of_people(name, people) if place == PEOPLE else _of_runs(name, [row for row in runs if _place(row) == place])
    )


def _of_people(name: str, board: Object) -> Part:
    """Of several systems of a team the best ranked one speaks for it, of equal ones the first by name: so they are ordered."""
    part = Part(name)
    for row in board["rows"]:
        if row["team"] and row["team"] not in part.figures:
            part.figures[row["team"]], part.n_records[row["team"]] = row["figures"], row["n_records"]
    for row in board["unranked"]:
        if row["team"] and row["team"] not in part.figures and row.get("reason"):
            part.reasons.setdefault(row["team"], row["reason"])
    return part


def _of_runs(name: str, rows: Sequence[Object]) -> Part:
    return Part(
        name,
        figures={row["team"]: row["figures"] for row in rows if row["reason"] is None},
        reasons={row["team"]: row["reason"] for row in rows if row["reason"] is not None},
    )


def _keys(told: Object, people: Object) -> list[Object]:
    """The columns as the board says them; which way people's figures are better is what the leaderboard says."""
    of_people = {key["key"]: key["better"] for key in people["keys"]}
    figures = {column["key"]: column["figure"] for column in told["columns"] if _place(column) == PEOPLE}
    better = {key: of_people[figure] for key, figure in figures.items() if figure in of_people}
    return [key | {"better": better.get(key["key"], key["better"])} for key in told["keys"]]


def _figures(told: Object, parts: Mapping[Place, Part], team: str) -> dict[str, float | None]:
    figures = {one["key"]: parts[_place(one)].figures.get(team, {}).get(one["figure"]) for one in told["columns"]}
    return figures | ({TOTAL: _total(told, figures)} if told["total"] else {})


def _total(told: Object, figures: Mapping[str, float | None]) -> float | None:
    """Σ weight · figure, over Σ weight for a mean; None where one of the figures is missing."""
    products, weights = [], []
    for column in told["columns"]:
        if column["key"] in told["total"]["of"]:
            figure = figures[column["key"]]
            if figure is None:
                return None
            products.append(column["weight"] * figure)
            weights.append(column["weight"])
    return math.fsum(products) / math.fsum(weights) if told["total"]["by"] == MEAN else math.fsum(products)


def _lacking(told: Object, parts: Mapping[Place, Part], team: str, figures: Mapping[str, float | None]) -> str:
    """Each part in which the team lacks a figure that ranks, once, with the reason; empty where it lacks none."""
    ranking = [key["key"] for key in told["rule"]]
    needed = {one for name in ranking for one in (told["total"]["of"] if told["total"] and name == TOTAL else [name])}
    places = [_place(one) for one in told["columns"] if one["key"] in needed and figures[one["key"]] is None]
    return "; ".join(f"{parts[place].name}: {_why(parts[place], team)}" for place in dict.fromkeys(places))


def _why(part: Part, team: str) -> str:
    if team in part.reasons:
        return part.reasons[team]
    return NO_FIGURE if team in part.figures else ABSENT


def _row(
    told: Object, parts: Mapping[Place, Part], team: str, place: int | None, figures: Object, reason: str | None
) -> Object:
    n_records = parts[PEOPLE].n_records.get(team) if PEOPLE in parts else None
    row = {"key": team, "rank": place, "team": team, "bot": team, "n_records": n_records, "figures": figures}
    return row | ({"reason": reason} if reason else {})


def recomputed_run_board(told: Object, campaign: str, runs: Sequence[Object]) -> dict[str, Any]:
    """The board with its ranks and figures, by what it says of columns and rule."""
    better = {key["key"]: key["better"] for key in told["keys"]}
    rule = [RankingKey(key["key"], better[key["key"]]) for key in told["rule"]]
    figures = {
        key_of_row(run): {column["key"]: run["figures"].get(column["figure"]) for column in told["columns"]}
        for run in runs
    }
    ranked = {key_of_row(run): figures[key_of_row(run)] for run in runs if run["reason"] is None}
    ranks = {one.name: one.rank for one in rank(ranked, rule)}
    return (
        {"campaign": campaign}
        | head_of(told)
        | board_document(
            campaign,
            keys=told["keys"],
            rule=[{"key": key.figure, "better": key.better} for key in rule],
            rows=[_row_of_run(run, ranks, figures) for run in runs],
        )
    )


def key_of_row(run: Mapping[str, Any]) -> str:
    """The run's name; a team that has none on the board is called as such."""
    return str(run["name"]) if run["name"] is not None else TEAM_WITHOUT_RUN.format(team=run["team"])


def _row_of_run(run: Object, ranks: Mapping[str, int], figures: Mapping[str, Object]) -> dict[str, Any]:
    key = key_of_row(run)
    bot = run["team"] if run["name"] is None else run["name"]
    head = {"key": key, "rank": ranks.get(key), "team": run["team"], "bot": bot, "n_records": None}
    return head | {"figures": figures[key]} | ({"reason": run["reason"]} if run["reason"] is not None else {})


def verify_combined(archive: Archive, people: Object, counts: Counter[str], findings: Findings) -> None:
    """`people` is the recomputed leaderboard. Errors: those of odd values."""
    runs = runs_in(lines_of(archive, RUNS, findings), findings)
    content = archive.document(COMBINED)
    told = parsed(content)
    check_places(told, runs, findings)
    check_people(told, people, findings)
    if told.get("of_runs"):
        board = recomputed_run_board(told, people["campaign"], runs)
    else:
        board = recomputed_combined(told, people, runs)
    compare_board(content, board, findings, file=COMBINED)
    counts[RUNS] = sum(row["run"] is not None for row in runs)
    counts[COMBINED] = len(board["rows"]) + len(board["unranked"])
