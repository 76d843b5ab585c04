"""The board of pairs as one JSON document, from votes as rows of `pairs.jsonl` (`verification/bundle_format.py`). Pure.

`verification/pairs.py` makes the same of a bundle, with code of its own. Figures have four decimals: another processor adds in
another order.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from typing import TYPE_CHECKING, Any

from verification.bundle_format import PAIR_COVARIATES as COVARIATES
from verification.bundle_format import PAIR_DECIMALS as DECIMALS
from verification.bundle_format import PAIR_PENALTY

# numpy is loaded where a board is computed: pages do without it.
if TYPE_CHECKING:
    from measures.bradley_terry import Comparison, Fit, NoMaximum, Verdict

Object = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]

SIDES: Mapping[str, "Verdict"] = {"left": "first", "right": "second", "tie": "tie", "both_bad": "both_bad"}
TURNED = {"left": "right", "right": "left", "tie": "tie", "both_bad": "both_bad"}
NO_VOTES, NOT_CONNECTED = "no votes", "not connected"


@dataclass(frozen=True, slots=True)
class System:
    """What a bundle calls a system of the board."""

    key: str
    team: str
    bot: str


def lead(left: int, right: int) -> float:
    """The covariate of two counts: (left − right)/(left + right), 0 where both are 0."""
    return (left - right) / (left + right) if left + right else 0.0


def comparison_of(row: Mapping[str, Any], covariates: Sequence[str] = ()) -> "Comparison":
    """An imported vote's question is its scenario: all of them stand under one scenario of ours."""
    from measures.bradley_terry import Comparison

    leads = tuple(lead(row[f"left_{name}"], row[f"right_{name}"]) for name in covariates)
    scenario = row["external_id"] or row["scenario"]
    return Comparison(row["left"], row["right"], SIDES[row["verdict"]], row["judge"], scenario, leads)


def has_texts(row: Mapping[str, Any]) -> bool:
    """Whether the answers are known: imported votes have none."""
    return row["left_characters"] is not None and row["right_characters"] is not None


def used_covariates(rows: Rows) -> list[str]:
    """Those in which any two sides differ: answers without any markup have nothing to control for."""
    return [name for name in COVARIATES if any(row[f"left_{name}"] != row[f"right_{name}"] for row in rows)]


def pair_board(campaign: str, systems: Sequence[System], rows: Rows) -> Object:
    """The whole document. Without a vote it has no strengths; where a strength cannot be said, `model` says why."""
    comparisons = list(map(comparison_of, rows))
    found, model = _fitted(comparisons)
    controlled, control = _controlled([row for row in rows if has_texts(row)])
    strengths = {key: rounded(value) for key, value in found.strengths.items()} if found else {}
    told = {key: rounded(value) for key, value in controlled.strengths.items()} if controlled else {}
    counts = _counts_by_system(rows)
    places = sorted(systems, key=lambda one: (-strengths.get(one.key, 0.0), one.team, one.bot, one.key))
    listed = [
        {
            "key": one.key,
            "rank": 1 + sum(value > strengths[one.key] for value in strengths.values())
            if one.key in strengths
            else None,
            "team": one.team,
            "bot": one.bot,
            "strength": strengths.get(one.key),
            "controlled": told.get(one.key),
            **counts[one.key],
            **({} if one.key in strengths else {"reason": NOT_CONNECTED if counts[one.key]["n_votes"] else NO_VOTES}),
        }
        for one in places
    ]
    return {
        "campaign": campaign,
        "n_votes": len(rows),
        "n_judges": len({row["judge"] for row in rows}),
        "n_scenarios": len({one.scenario for one in comparisons}),
        "n_imported": sum(row["origin"] == "imported" for row in rows),
        "verdicts": {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in SIDES},
        "model": model,
        "control": control,
        "systems": [row for row in listed if row["rank"]] + [row for row in listed if not row["rank"]],
        "matrix": matrix_of(rows, [one.key for one in places if counts[one.key]["n_votes"]]),
        "agreement": agreement_of(rows),
        "uncertainty": _statistics_of(rows) if found and not found.penalty else None,
    }


def nothing_compared(campaign: str) -> Object:
    """The board of a campaign in which nobody compared two systems."""
    return pair_board(campaign, [], [])


def rounded(value: float) -> float:
    # Adding 0 makes −0.0 the same number as 0.0.
    return round(value, DECIMALS) + 0.0


def _fitted(comparisons: "Sequence[Comparison]") -> "tuple[Fit | None, Object]":
    """`penalty` is what holds the strengths where the votes alone do not; `groups` are the systems that they do not hold together."""
    from measures.bradley_terry import Islands, NoMaximum, OnlyTies, fit

    told: Object = {"tie": None, "penalty": None, "problem": None, "groups": []}
    if not comparisons:
        return None, told | {"problem": NO_VOTES}
    try:
        found = fit(comparisons)
    except Islands as bad:
        return None, told | {"problem": NOT_CONNECTED, "groups": _listed(bad)}
    except NoMaximum as bad:
        found = fit(comparisons, penalty=PAIR_PENALTY)
        told |= {"problem": "only ties" if isinstance(bad, OnlyTies) else "one-sided", "groups": _listed(bad)}
    return found, told | {"tie": rounded(found.tie), "penalty": found.penalty}


def _listed(bad: "NoMaximum") -> list[list[str]]:
    return sorted(map(sorted, bad.groups))


def _controlled(rows: Rows) -> "tuple[Fit | None, Object]":
    """Strengths at equal length and style; `problem` where these votes do not tell them."""
    from measures.bradley_terry import NoMaximum, fit

    told: Object = {"n_votes": len(rows), "tie": None, "coefficients": {}, "problem": None}
    if not rows:
        return None, told | {"problem": NO_VOTES}
    covariates = used_covariates(rows)
    try:
        found = fit([comparison_of(row, covariates) for row in rows], covariate_names=covariates)
    except NoMaximum:
        return None, told | {"problem": "not identified"}
    told["coefficients"] = {name: rounded(value) for name, value in found.coefficients.items()}
    return found, told | {"tie": rounded(found.tie)}


def _counts_by_system(rows: Rows) -> Mapping[str, Object]:
    names = ("n_votes", "n_won", "n_lost", "n_ties", "n_both_bad")
    found: dict[str, Object] = defaultdict(lambda: dict.fromkeys(names, 0))
    outcomes = {"left": ("n_won", "n_lost"), "right": ("n_lost", "n_won"), "tie": ("n_ties",) * 2}
    for row in rows:
        for side, outcome in zip(("left", "right"), outcomes.get(row["verdict"], ("n_both_bad",) * 2), strict=True):
            found[row[side]]["n_votes"] += 1
            found[row[side]][outcome] += 1
    return found


def matrix_of(rows: Rows, order: Sequence[str]) -> list[Object]:
    """Head to head of each two systems that were compared, in the order of the board: how often either was preferred, or neither."""
    counted: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        counted[row["left"], row["right"], row["verdict"]] += 1
    found = []
    for first, second in combinations(order, 2):
        told = {
            "n_first": counted[first, second, "left"] + counted[second, first, "right"],
            "n_second": counted[first, second, "right"] + counted[second, first, "left"],
            "n_ties": counted[first, second, "tie"] + counted[second, first, "tie"],
            "n_both_bad": counted[first, second, "both_bad"] + counted[second, first, "both_bad"],
        }
        if any(told.values()):
            found.append({"first": first, "second": second, **told})
    return found


def agreement_of(rows: Rows) -> Object:
    """Krippendorff's alpha (nominal) of the votes on the same two dialogues, or of imported ones on the same question about the same two.

    `n_shared` is how many of these were compared more than once; alpha is None where all verdicts are alike or none is shared.
    """
    units: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    for row in rows:
        left, right = ((row[side], row[f"{side}_dialogue"] or "") for side in ("left", "right"))
        verdict = TURNED[row["verdict"]] if left > right else row["verdict"]
        units[(row["external_id"], row["scenario"], *sorted((left, right)))][verdict] += 1
    shared = [votes for votes in units.values() if votes.total() > 1]
    totals: Counter[str] = sum(shared, Counter())
    n = totals.total()
    expected = n * n - sum(count * count for count in totals.values())
    if not expected:
        return {"alpha": None, "n_shared": len(shared)}
    observed = sum(
        (votes.total() ** 2 - sum(count * count for count in votes.values())) / (votes.total() - 1) for votes in shared
    )
    return {"alpha": rounded(1 - (n - 1) * observed / expected), "n_shared": len(shared)}


def _statistics_of(rows: Rows) -> Object:
    from measures.pair_statistics import pair_statistics

    with_texts = [row for row in rows if has_texts(row)]
    covariates = used_covariates(with_texts)
    return pair_statistics(
        list(map(comparison_of, rows)),
        [comparison_of(row, covariates) for row in with_texts],
        covariate_names=covariates,
        decimals=DECIMALS,
    )


def digest_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """Says of which votes a stored board is."""
    hashing = sha256()
    for row in rows:
        hashing.update(json.dumps(row, sort_keys=True, separators=(",", ":")).encode())
    return hashing.hexdigest()
