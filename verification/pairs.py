"""The board of pairs made again from `pairs.jsonl`, with code of its own: no array, no library. Pure.

The writer maximises with numpy (`measures/bradley_terry.py`); here Newton's steps go over plain numbers, and must come to the same four
decimals. Intervals are drawn again only with `--statistics`.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from verification.answer_style import style_of
from verification.archive import Archive
from verification.bundle_format import (
    PAIR_BOARD,
    PAIR_COVARIATES,
    PAIR_DECIMALS,
    PAIR_PENALTY,
    PAIRS,
    as_document,
)
from verification.comparing import differences
from verification.findings import Findings, shown
from verification.tables import Object, lines_of, parsed

VERDICTS = ("left", "right", "tie", "both_bad")
UNCOUNTED = ("void", "abandoned", "returned")
TURNED = {"left": "right", "right": "left", "tie": "tie", "both_bad": "both_bad"}
# Half a unit of the last decimal, and what sums in another order leave.
CLOSE = 0.51 * 10**-PAIR_DECIMALS
STEPS = 500
# Largest system of equations that is solved in plain Python: systems and covariates.
MOST_UNKNOWN = 300

Vote = tuple[str, str, str, tuple[float, ...]]


@dataclass(slots=True)
class Said:
    """What pairs need to know of a dialogue: whose it is, and how much the system said in it."""

    bot: str
    scenario: str
    status: str
    n_characters: int = 0
    n_marks: int = 0

    def add(self, texts: Iterable[str]) -> None:
        n_characters, n_marks = style_of(texts)
        self.n_characters += n_characters
        self.n_marks += n_marks


def verify_pairs(
    archive: Archive,
    campaign: str,
    entries: Mapping[str, Object],
    scenarios: Iterable[str],
    dialogues: Mapping[str, Said],
    findings: Findings,
    *,
    draws: bool,
) -> Counter[str]:
    """How many votes and figures were compared. Errors: those of odd values."""
    rows = list(_checked(archive, entries, set(scenarios), dialogues, findings))
    content = archive.document(PAIR_BOARD)
    told = parsed(content)
    if content != as_document(told):
        findings.note(PAIR_BOARD, "is not written as documents are")
    made = board_of(campaign, entries.values(), rows)
    uncertainty = told["uncertainty"]
    for where, then, now in differences(made, {name: value for name, value in told.items() if name != "uncertainty"}):
        if not _is_close(then, now):
            findings.note(PAIR_BOARD, f"{where} is {shown(now)}; recomputed it is {shown(then)}", figure=where)
    if (uncertainty is not None) is not (made["model"]["penalty"] == 0):
        findings.note(
            PAIR_BOARD, "has intervals without strengths, or strengths without intervals", figure="uncertainty"
        )
    elif draws and uncertainty is not None:
        _compare_drawn(uncertainty, rows, findings)
    return Counter({PAIRS: len(rows), PAIR_BOARD: sum(row["rank"] is not None for row in made["systems"])})


def _checked(
    archive: Archive,
    entries: Mapping[str, Object],
    scenarios: set[str],
    dialogues: Mapping[str, Said],
    findings: Findings,
) -> Iterator[Object]:
    """The rows that are votes on what the bundle has, each once."""
    seen: set[tuple[str, str]] = set()
    for line, row in lines_of(archive, PAIRS, findings):
        problem = _problem(row, entries, scenarios, dialogues)
        if (row["pair"], row["judge"]) in seen:
            problem = f"{shown(row['judge'])} votes twice on pair {shown(row['pair'])}"
        seen.add((row["pair"], row["judge"]))
        if problem:
            findings.note(PAIRS, problem, line=line)
        else:
            yield row


def _problem(row: Object, entries: Mapping[str, Object], scenarios: set[str], dialogues: Mapping[str, Said]) -> str:
    if row["left"] not in entries or row["right"] not in entries or row["left"] == row["right"]:
        return f"compares {shown(row['left'])} and {shown(row['right'])}, which are not two systems of the bundle"
    if row["verdict"] not in VERDICTS:
        return f"says {shown(row['verdict'])}, which is no verdict"
    if row["scenario"] not in scenarios:
        return f"is about {shown(row['scenario'])}, which the bundle does not have"
    if (row["origin"] == "drawn") is not all(row[f"{side}_dialogue"] for side in ("left", "right")):
        return "is drawn without its dialogues, or imported with them"
    for side in ("left", "right"):
        name = row[f"{side}_dialogue"]
        if not name:
            continue
        said = dialogues.get(name)
        if said is None or (said.bot, said.scenario) != (row[side], row["scenario"]) or said.status in UNCOUNTED:
            return f"dialogue {shown(name)} is not one of {shown(row[side])} on {shown(row['scenario'])} that counts"
        if (row[f"{side}_characters"], row[f"{side}_marks"]) != (said.n_characters, said.n_marks):
            return f"says {shown(row[f'{side}_characters'])} characters and {shown(row[f'{side}_marks'])} marks of dialogue {shown(name)}, which has {said.n_characters} and {said.n_marks}"
    return ""


def _compare_drawn(told: Object, rows: Sequence[Object], findings: Findings) -> None:
    """Errors: `ImportError` where numpy and scipy are missing."""
    from measures.bradley_terry import Comparison
    from measures.pair_statistics import pair_statistics

    outcomes: Mapping[str, Any] = {"left": "first", "right": "second"}

    def comparison(row: Object, names: Sequence[str] = ()) -> Comparison:
        left, right, verdict, x = _vote(row, names)
        scenario = row["external_id"] or row["scenario"]
        return Comparison(left, right, outcomes.get(verdict, verdict), row["judge"], scenario, x)

    of_texts = [row for row in rows if _has_texts(row)]
    covariates = _used(of_texts)
    drawn = pair_statistics(
        list(map(comparison, rows)),
        [comparison(row, covariates) for row in of_texts],
        covariate_names=covariates,
        decimals=PAIR_DECIMALS,
    )
    # Another numpy may draw otherwise; that is told with what differs, and is no difference itself.
    theirs, ours = told.get("numpy"), drawn["numpy"]
    hint = "" if theirs == ours else f" (drawn with numpy {shown(theirs)}; here it is {ours})"
    for where, then, now in differences(drawn, {**told, "numpy": ours}):
        if not _is_close(then, now):
            text = f"uncertainty.{where} is {shown(now)}; drawn again it is {shown(then)}{hint}"
            findings.note(PAIR_BOARD, text, figure=f"uncertainty.{where}")


def _has_texts(row: Object) -> bool:
    return row["left_characters"] is not None and row["right_characters"] is not None


def _is_close(one: Any, other: Any) -> bool:
    are_numbers = all(type(value) in (int, float) for value in (one, other))
    return are_numbers and isinstance(one, float) and abs(one - other) <= CLOSE


def board_of(campaign: str, entries: Iterable[Object], rows: Sequence[Object]) -> Object:
    """The document but its part `uncertainty`."""
    entries = list(entries)
    strengths, model = _plain([_vote(row) for row in rows])
    of_texts = [row for row in rows if _has_texts(row)]
    covariates = _used(of_texts)
    controlled, control = _controlled([_vote(row, covariates) for row in of_texts], covariates)
    counts = {one["bot"]: _counts(one["bot"], rows) for one in entries}
    in_order = sorted(entries, key=lambda one: (-strengths.get(one["bot"], 0.0), one["team"], one["name"], one["bot"]))
    listed = []
    for one in in_order:
        key = one["bot"]
        place = 1 + sum(value > strengths[key] for value in strengths.values()) if key in strengths else None
        row = {"key": key, "rank": place, "team": one["team"], "bot": one["name"], "strength": strengths.get(key)}
        row |= {"controlled": controlled.get(key), **counts[key]}
        if place is None:
            row["reason"] = "not connected" if counts[key]["n_votes"] else "no votes"
        listed.append(row)
    return {
        "campaign": campaign,
        "n_votes": len(rows),
        "n_judges": len({row["judge"] for row in rows}),
        "n_scenarios": len({row["external_id"] or row["scenario"] for row in rows}),
        "n_imported": sum(row["origin"] == "imported" for row in rows),
        "verdicts": {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in VERDICTS},
        "model": model,
        "control": control,
        "systems": [row for row in listed if row["rank"]] + [row for row in listed if not row["rank"]],
        "matrix": list(_matrix(rows, [one["bot"] for one in in_order])),
        "agreement": _agreement(rows),
    }


def _counts(bot: str, rows: Sequence[Object]) -> Object:
    found = Counter[str]()
    for row in rows:
        if bot in (row["left"], row["right"]):
            verdict = row["verdict"] if bot == row["left"] else TURNED[row["verdict"]]
            found[verdict] += 1
    won, lost, ties, both_bad = (found[verdict] for verdict in VERDICTS)
    return {"n_votes": found.total(), "n_won": won, "n_lost": lost, "n_ties": ties, "n_both_bad": both_bad}


def _matrix(rows: Sequence[Object], order: Sequence[str]) -> Iterator[Object]:
    by_pair: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    place = {key: number for number, key in enumerate(order)}
    for row in rows:
        is_turned = place[row["left"]] > place[row["right"]]
        pair = (row["right"], row["left"]) if is_turned else (row["left"], row["right"])
        by_pair[pair][TURNED[row["verdict"]] if is_turned else row["verdict"]] += 1
    for first, second in combinations(order, 2):
        if votes := by_pair.get((first, second)):
            won, lost, ties, both_bad = (votes[verdict] for verdict in VERDICTS)
            told = {"n_first": won, "n_second": lost, "n_ties": ties, "n_both_bad": both_bad}
            yield {"first": first, "second": second, **told}


def _agreement(rows: Sequence[Object]) -> Object:
    """Alpha by its definition: 1 less the share of unlike pairs within units over that among all votes."""
    units: dict[Any, list[str]] = defaultdict(list)
    for row in rows:
        sides = [(row["left"], row["left_dialogue"] or ""), (row["right"], row["right_dialogue"] or "")]
        verdict = row["verdict"] if sides == sorted(sides) else TURNED[row["verdict"]]
        units[row["external_id"], row["scenario"], *sorted(sides)].append(verdict)
    shared = [votes for votes in units.values() if len(votes) > 1]
    pooled = [verdict for votes in shared for verdict in votes]
    unlike = _n_unlike(pooled)
    if not unlike:
        return {"alpha": None, "n_shared": len(shared)}
    observed = sum(_n_unlike(votes) / (len(votes) - 1) for votes in shared)
    return {"alpha": _rounded(1 - (len(pooled) - 1) * observed / unlike), "n_shared": len(shared)}


def _n_unlike(votes: Sequence[str]) -> int:
    """Ordered pairs of different verdicts."""
    return len(votes) ** 2 - sum(n * n for n in Counter(votes).values())


def _rounded(value: float) -> float:
    return round(value, PAIR_DECIMALS) + 0.0


def _used(rows: Sequence[Object]) -> list[str]:
    """The covariates in which any two sides differ."""
    return [name for name in PAIR_COVARIATES if any(row[f"left_{name}"] != row[f"right_{name}"] for row in rows)]


def _vote(row: Object, covariates: Sequence[str] = ()) -> Vote:
    leads = []
    for name in covariates:
        left, right = row[f"left_{name}"], row[f"right_{name}"]
        leads.append((left - right) / (left + right) if left + right else 0.0)
    return row["left"], row["right"], row["verdict"], tuple(leads)


def _plain(votes: Sequence[Vote]) -> tuple[dict[str, float], Object]:
    told: Object = {"tie": None, "penalty": None, "problem": None, "groups": []}
    if not votes:
        return {}, told | {"problem": "no votes"}
    wins, ties = _edges(votes)
    both_ways = {*wins, *((second, first) for first, second in wins), *ties}
    penalty = 0.0
    if len(islands := _groups(both_ways)) > 1:
        return {}, told | {"problem": "not connected", "groups": islands}
    if len(parts := _groups(wins | ties)) > 1:
        penalty, told["problem"], told["groups"] = PAIR_PENALTY, "one-sided", parts
    elif ties and not _has_winning_circle(wins, ties):
        penalty, told["problem"], told["groups"] = PAIR_PENALTY, "only ties", islands
    strengths, tie, _coefficients = _maximised(votes, 0, penalty)
    rounded = {name: _rounded(value) for name, value in strengths.items()}
    return rounded, told | {"tie": _rounded(tie), "penalty": penalty}


def _controlled(votes: Sequence[Vote], covariates: Sequence[str]) -> tuple[dict[str, float], Object]:
    told: Object = {"n_votes": len(votes), "tie": None, "coefficients": {}, "problem": None}
    if not votes:
        return {}, told | {"problem": "no votes"}
    wins, ties = _edges(votes)
    has_maximum = len(_groups(wins | ties)) == 1 and (not ties or _has_winning_circle(wins, ties))
    try:
        if not has_maximum:
            raise ZeroDivisionError
        strengths, tie, coefficients = _maximised(votes, len(covariates), 0.0)
    except ZeroDivisionError:
        return {}, told | {"problem": "not identified"}
    told["coefficients"] = {name: _rounded(value) for name, value in zip(covariates, coefficients, strict=True)}
    return {name: _rounded(value) for name, value in strengths.items()}, told | {"tie": _rounded(tie)}


Edges = set[tuple[str, str]]


def _edges(votes: Sequence[Vote]) -> tuple[Edges, Edges]:
    """From winner to loser, and both ways between systems that tied."""
    wins = {
        (left, right) if verdict == "left" else (right, left)
        for left, right, verdict, _x in votes
        if verdict in ("left", "right")
    }
    tied = {(left, right) for left, right, verdict, _x in votes if verdict in ("tie", "both_bad")}
    return wins, tied | {(right, left) for left, right in tied}


def _groups(edges: Edges) -> list[list[str]]:
    """The systems in parts within which each leads to each other."""
    onwards: dict[str, set[str]] = defaultdict(set)
    for first, second in edges:
        onwards[first].add(second)
    names = {name for edge in edges for name in edge}
    reached = {name: _reached(name, onwards) for name in names}
    return sorted(
        map(list, {tuple(sorted(other for other in reached[name] if name in reached[other])) for name in names})
    )


def _reached(start: str, onwards: Mapping[str, set[str]]) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        new = onwards.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _has_winning_circle(wins: Edges, ties: Edges) -> bool:
    """Whether a circle has more wins than ties: one of negative length, as Bellman and Ford find it."""
    lengths = {**dict.fromkeys(ties, 1), **dict.fromkeys(wins, -1)}
    names = {name for edge in lengths for name in edge}
    distance = dict.fromkeys(names, 0)
    for _round in range(len(names)):
        moved = False
        for (first, second), length in lengths.items():
            if distance[first] + length < distance[second]:
                distance[second], moved = distance[first] + length, True
        if not moved:
            return False
    return True


def _maximised(votes: Sequence[Vote], n_covariates: int, penalty: float) -> tuple[dict[str, float], float, list[float]]:
    """Strengths of mean 0, ν and coefficients at the maximum of the (penalised) likelihood.

    Errors: `ZeroDivisionError` where it does not say them.
    """
    names = sorted({name for left, right, *_rest in votes for name in (left, right)})
    place = {name: number for number, name in enumerate(names)}
    scales = [
        math.sqrt(sum(x[number] ** 2 for *_vote, x in votes) / len(votes)) or 1.0 for number in range(n_covariates)
    ]
    counted: dict[tuple[int, int, tuple[float, ...]], list[int]] = defaultdict(lambda: [0, 0, 0])
    for left, right, verdict, x in votes:
        scaled = tuple(value / scale for value, scale in zip(x, scales, strict=True))
        counted[place[left], place[right], scaled][{"left": 0, "right": 1}.get(verdict, 2)] += 1
    has_ties = any(n[2] for n in counted.values())
    size = len(names) + n_covariates + has_ties
    if size > MOST_UNKNOWN:
        raise ValueError(f"more than {MOST_UNKNOWN} systems are more than this program recomputes")
    at = [0.0] * size
    value, gradient, information = _slopes(at, counted, len(names), has_ties, penalty)
    for _step in range(STEPS):
        step = _solved(information, gradient)
        for _half in range(60):
            tried = [one + move for one, move in zip(at, step, strict=True)]
            found = _slopes(tried, counted, len(names), has_ties, penalty)
            if found[0] >= value - 1e-9 * abs(value):
                break
            step = [move / 2 for move in step]
        at, (value, gradient, information) = tried, found
        if max(map(abs, step)) < 1e-11 * (1 + max(map(abs, at))):
            break
    coefficients = at[len(names) : len(names) + n_covariates]
    if not penalty and any(abs(one) > 30 for one in coefficients):
        raise ZeroDivisionError
    tie = math.exp(at[-1]) if has_ties else 0.0
    natural = [one / scale for one, scale in zip(coefficients, scales, strict=True)]
    return dict(zip(names, at, strict=False)), tie, natural


def _slopes(
    at: Sequence[float],
    counted: Mapping[tuple[int, int, tuple[float, ...]], Sequence[int]],
    n: int,
    has_ties: bool,
    penalty: float,
) -> tuple[float, list[float], list[list[float]]]:
    """Penalised log likelihood, its gradient, and the information, row by row of the counts."""
    size = len(at)
    value = -penalty / 2 * sum(one * one for one in at)
    gradient = [-penalty * one for one in at]
    information = [
        [penalty * (row == column) + (1 / n if row < n and column < n else 0.0) for column in range(size)]
        for row in range(size)
    ]
    log_tie = at[-1] if has_ties else -math.inf
    for (left, right, x), (n_left, n_right, n_tied) in counted.items():
        direction = {left: 1.0, right: -1.0, **{n + number: one for number, one in enumerate(x) if one}}
        difference = sum(at[where] * one for where, one in direction.items())
        logs = (difference / 2, -difference / 2, log_tie)
        highest = max(logs)
        total = sum(math.exp(one - highest) for one in logs)
        first, second, neither = (math.exp(one - highest) / total for one in logs)
        for n_said, one in zip((n_left, n_right, n_tied), logs, strict=True):
            value += n_said * (one - highest - math.log(total)) if n_said else 0.0
        votes, lead = n_left + n_right + n_tied, first - second
        push = (n_left - n_right - votes * lead) / 2
        curve = votes * (first + second - lead * lead) / 4
        for row, one in direction.items():
            gradient[row] += push * one
            for column, other in direction.items():
                information[row][column] += curve * one * other
            if has_ties:
                information[row][-1] -= votes * neither * lead / 2 * one
                information[-1][row] -= votes * neither * lead / 2 * one
        if has_ties:
            gradient[-1] += n_tied - votes * neither
            information[-1][-1] += votes * neither * (1 - neither)
    return value, gradient, information


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Cholesky's way. Errors: `ZeroDivisionError` where the matrix is not positive, to nine digits."""
    size = len(right)
    factor = [[0.0] * size for _row in range(size)]
    for row in range(size):
        for column in range(row + 1):
            rest = matrix[row][column] - sum(factor[row][k] * factor[column][k] for k in range(column))
            if row == column:
                if rest <= 1e-9 * matrix[row][row]:
                    raise ZeroDivisionError
                factor[row][row] = math.sqrt(rest)
            else:
                factor[row][column] = rest / factor[column][column]
    forward = [0.0] * size
    for row in range(size):
        forward[row] = (right[row] - sum(factor[row][k] * forward[k] for k in range(row))) / factor[row][row]
    found = [0.0] * size
    for row in reversed(range(size)):
        rest = forward[row] - sum(factor[k][row] * found[k] for k in range(row + 1, size))
        found[row] = rest / factor[row][row]
    return found
