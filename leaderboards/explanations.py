"""How sure a board is, for its readers: why one row is ahead of another, P(rank = k), all pairs tested by one key, and agreement with other
rankings. Pure: from what is stored of the statistics.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leaderboards.board import SIGNIFICANT, Board, Key, Row, Statistics
from measures.live import COMPLETION
from measures.ranking import DECIMALS, sort_key
from scoring.printed_figures import fixed, p_of, told_p

# A system with fewer records has no interval.
FEWEST = 5


def n_missing(row: Row) -> int:
    """How many more records it takes until anything is told of how sure the row is; none where they were not counted here."""
    return 0 if row.n is None else max(0, FEWEST - row.n)


def with_statistics(board: Board, statistics: Statistics | None) -> Board:
    """The board with the 95% intervals of its figures and ranks, as far as they are stored and say something.

    Printed figures have no items to draw. Where a board has such rows, the ranks that were drawn without them are of another board.
    Resamples of a few records repeat the same ones: a row with fewer than `FEWEST` has no interval, and beside it no rank has one.
    """
    of_rows: Mapping[str, Any] = (statistics or {}).get("rows", {})
    of_rows = {row.key: of_rows[row.key] for row in board.rows if row.key in of_rows and not n_missing(row)}
    has_all = all(row.key in of_rows for row in board.rows)
    sure = (_sure(row, of_rows[row.key], has_all=has_all) if row.key in of_rows else row for row in board.rows)
    return replace(board, rows=tuple(sure))


def _sure(row: Row, found: Mapping[str, Any], *, has_all: bool) -> Row:
    intervals = {figure: (low, high) for figure, (low, high) in found["intervals"].items()}
    # A rank has no interval where hardly any resample had every row (`measures/samples.py`).
    ends = found.get("rank_interval")
    return replace(row, intervals=intervals, rank_interval=(ends[0], ends[1]) if ends and has_all else None)


def pair_in(statistics: Statistics | None, one: str, other: str) -> Mapping[str, Any] | None:
    """What is stored of two rows, told of `one` against `other`, whichever is stored first."""
    pairs = (statistics or {}).get("pairs", ())
    pair = next((pair for pair in pairs if {pair["one"], pair["other"]} == {one, other}), None)
    return pair if pair is None or pair["one"] == one else turned(pair)


def turned(pair: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same pair, the other row first: what was ahead is behind, and every difference has the other sign."""
    ends = {"one": pair["other"], "other": pair["one"], "ahead": pair["behind"], "behind": pair["ahead"]}
    return {**pair, **ends, "tests": {name: _mirrored(test) for name, test in pair["tests"].items()}}


def _mirrored(test: Mapping[str, Any]) -> dict[str, Any]:
    # Not `-x`: of a tie that would be −0.
    return {
        "difference": 0.0 - test["difference"],
        "p": test["p"],
        "effect": None if test["effect"] is None else 0.0 - test["effect"],
    }


class Verdict(StrEnum):
    EQUAL = "equal"
    DECIDES = "decides"
    UNUSED = "unused"


@dataclass(frozen=True, slots=True)
class Step:
    """One key of the rule: what both rows have, and what that says of their order."""

    key: Key
    one: float | None
    other: float | None
    verdict: Verdict
    sentence: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """`one` is ranked no worse than `other`. `steps` go through the rule, `how_sure` says how far to trust the order."""

    one: Row
    other: Row
    steps: tuple[Step, ...]
    how_sure: tuple[str, ...]

    @property
    def is_tied(self) -> bool:
        return all(step.verdict == Verdict.EQUAL for step in self.steps)


def explanation(board: Board, statistics: Statistics | None, first: str, second: str) -> Explanation | None:
    """Of two ranked rows by their keys, in either order; None where a row is not ranked or both are the same."""
    rows = [row for row in board.rows if row.key in {first, second}]
    if len(rows) != 2:
        return None
    one, other = rows
    steps = tuple(_steps(board, one, other))
    decided_by = next((step.key for step in steps if step.verdict == Verdict.DECIDES), None)
    is_sure = not (n_missing(one) or n_missing(other))
    pair = pair_in(statistics, one.key, other.key) if is_sure else None
    return Explanation(one, other, steps, tuple(_how_sure(statistics or {}, pair, one, other, decided_by)))


def _steps(board: Board, one: Row, other: Row) -> list[Step]:
    steps = []
    is_open = True
    for key in board.rule:
        values = one.figures.get(key.name), other.figures.get(key.name)
        verdict = Verdict.UNUSED if not is_open else Verdict.EQUAL if _are_equal(key, *values) else Verdict.DECIDES
        is_open = is_open and verdict == Verdict.EQUAL
        steps.append(Step(key, *values, verdict, _sentence(key, one, other, verdict)))
    return steps


def _are_equal(key: Key, one: float | None, other: float | None) -> bool:
    steady = [None if value is None else round(value, DECIMALS) for value in (one, other)]
    return sort_key({key.name: steady[0]}, (key.ranking_key,)) == sort_key({key.name: steady[1]}, (key.ranking_key,))


def _sentence(key: Key, one: Row, other: Row, verdict: Verdict) -> str:
    if verdict == Verdict.UNUSED:
        return _("Not used: a key before it decides.")
    values = one.figures.get(key.name), other.figures.get(key.name)
    if verdict == Verdict.EQUAL:
        return _equal(key, one, other, values[0])
    if values[0] is None or values[1] is None:
        return _("%(other)s has no such figure. This decides.") % {"other": other.label}
    return _decides(key, (one.label, values[0]), (other.label, values[1]))


def _equal(key: Key, one: Row, other: Row, value: float | None) -> str:
    if value is None:
        return _("Neither has such a figure.")
    if key.name == COMPLETION.name and one.n and one.n == other.n and one.weigh_alike and other.weigh_alike:
        done = {"done": round(value * one.n), "n": one.n}
        return _("Equal: %(value)s, as in %(done)d of %(n)d records.") % {"value": fixed(value, key.decimals), **done}
    return _("Equal: %(value)s.") % {"value": fixed(value, key.decimals)}


def _decides(key: Key, one: tuple[str, float], other: tuple[str, float]) -> str:
    decimals = telling_decimals(key, one[1], other[1])
    told = {
        "one": one[0],
        "other": other[0],
        "value": fixed(one[1], decimals),
        "other_value": fixed(other[1], decimals),
        "by": fixed(abs(one[1] - other[1]), decimals),
    }
    if key.better == "higher":
        return _("%(one)s has %(value)s, %(other)s %(other_value)s: higher by %(by)s. This decides.") % told
    return _("%(one)s has %(value)s, %(other)s %(other_value)s: lower by %(by)s. This decides.") % told


def telling_decimals(key: Key, one: float, other: float) -> int:
    """As many decimals as the board shows, or the fewest more that tell the two apart."""
    return next(n for n in range(key.decimals, DECIMALS + 1) if f"{one:.{n}f}" != f"{other:.{n}f}" or n == DECIMALS)


def _how_sure(
    statistics: Mapping[str, Any], pair: Mapping[str, Any] | None, one: Row, other: Row, decided_by: Key | None
) -> list[str]:
    if pair is None:
        return []
    told = list(_resampled(statistics, pair, one, other))
    if decided_by is None:
        return told
    test = pair["tests"].get(decided_by.name)
    is_against = test is not None and _is_against(decided_by, test)
    if test and is_against:
        told.append(_tested_against(statistics, decided_by, test, other))
    elif test:
        told.append(_tested(statistics, decided_by, test))
    # The items of a board of runs are those of its gold: nobody adds some. And no scenario more makes a difference that points the
    # other way bear the ranking out.
    if pair["plan"] and "n_items" not in statistics and not is_against:
        told.append(_planned(pair["plan"], decided_by))
    if test and test["effect"] is not None:
        told.append(_effect(decided_by, test["effect"], other if is_against else one))
    return told


def _resampled(statistics: Mapping[str, Any], pair: Mapping[str, Any], one: Row, other: Row) -> Iterator[str]:
    """How often each came first; nothing where hardly any resample had every row."""
    if pair["ahead"] is not None:
        yield _("In %(n)s resamples %(one)s was ahead in %(ahead)s, %(other)s in %(behind)s.") % {
            "n": f"{statistics['n_resamples']:,}",
            "one": one.label,
            "other": other.label,
            "ahead": percent(pair["ahead"]),
            "behind": percent(pair["behind"]),
        }


def _is_against(key: Key, test: Mapping[str, Any]) -> bool:
    """Whether the test sees the other row as the better one.

    A board's figure is a mean over dialogues; the test takes means of scenario means. Where scenarios have unequal numbers of dialogues,
    the two can disagree.
    """
    difference: float = test["difference"]
    return difference < 0 if key.better == "higher" else difference > 0


def _tested(statistics: Mapping[str, Any], key: Key, test: Mapping[str, Any]) -> str:
    told = {"key": key.head, "p": told_p(test["p"]), "n": f"{statistics['n_permutations']:,}"}
    if test["p"] < SIGNIFICANT:
        return _("The difference in %(key)s is significant: %(p)s (randomised Tukey HSD, %(n)s shuffles).") % told
    return _("The difference in %(key)s is not significant: %(p)s (randomised Tukey HSD, %(n)s shuffles).") % told


def _tested_against(statistics: Mapping[str, Any], key: Key, test: Mapping[str, Any], better: Row) -> str:
    told = {"key": key.head, "p": told_p(test["p"]), "n": f"{statistics['n_permutations']:,}", "better": better.label}
    if test["p"] < SIGNIFICANT:
        return (
            _(
                "Where every scenario counts the same, %(better)s is the better one in %(key)s, and the difference is significant:"
                " %(p)s (randomised Tukey HSD, %(n)s shuffles). The leaderboard counts every scored dialogue the same."
            )
            % told
        )
    return (
        _(
            "Where every scenario counts the same, %(better)s is the better one in %(key)s, but the difference is not significant:"
            " %(p)s (randomised Tukey HSD, %(n)s shuffles). The leaderboard counts every scored dialogue the same."
        )
        % told
    )


def _effect(key: Key, effect: float, better: Row) -> str:
    """The effect's size, and in whose favour the test saw it: what its sign says depends on which row is first, and on the key."""
    told = {"key": key.head, "effect": fixed(abs(effect), 2), "better": better.label}
    return (
        _(
            "The effect size in %(key)s is %(effect)s in favour of %(better)s: the difference in residual standard deviations."
        )
        % told
    )


def _planned(plan: Mapping[str, Any], key: Key) -> str:
    if plan["n_more"] is None:
        return _(
            "A paired t-test of these two alone would need more than 100,000 scenarios to tell them apart in %(key)s with 90%% power."
        ) % {"key": key.head}
    if plan["n_more"] == 0:
        text = _("A paired t-test of these two alone has a power of %(power)s in %(key)s with the existing scenarios.")
        return text % {"power": percent(plan["power"]), "key": key.head}
    return ngettext(
        "%(n)s more scenario (%(dialogues)s dialogues, one of each of the two in it) would tell them apart in %(key)s with 90%% power"
        " (paired t-test of these two alone).",
        "%(n)s more scenarios (%(dialogues)s dialogues, one of each of the two in each) would tell them apart in %(key)s with 90%% power"
        " (paired t-test of these two alone).",
        plan["n_more"],
    ) % {"n": f"{plan['n_more']:,}", "dialogues": f"{2 * plan['n_more']:,}", "key": key.head}


def percent(share: float | None) -> str:
    """Whole percents; what is neither never nor always is not shown as such. A dash for what is unknown."""
    if share is None:
        return "–"
    if 0 < share <= 0.005:
        return "< 1%"
    return "> 99%" if 0.995 <= share < 1 else f"{100 * share:.0f}%"


# Steps in which cells of P(rank = k) are tinted.
SHADES = 4


@dataclass(frozen=True, slots=True)
class Chance:
    """P(rank = k) in whole percents, and how strongly its cell is tinted."""

    percents: str
    shade: int


@dataclass(frozen=True, slots=True)
class RankChances:
    row: Row
    chances: tuple[Chance, ...]


@dataclass(frozen=True, slots=True)
class TestedPair:
    """Two ranked rows, the better one first: how often each came first, and the test of their difference in one key."""

    one: str
    other: str
    ahead: str
    behind: str
    difference: str
    effect: str
    p: str
    is_significant: bool


@dataclass(frozen=True, slots=True)
class OtherRanking:
    """Kendall's tau of the board's ranking with another one of `n` of its rows."""

    name: str
    n: int
    tau: str
    interval: str
    p: str


@dataclass(frozen=True, slots=True)
class StatisticsTables:
    """`pairs` are those tested by `pairs_by`; both are empty until a reader asks for a key."""

    chances: tuple[RankChances, ...]
    rankings: tuple[OtherRanking, ...]
    tested: tuple[Key, ...]
    pairs_by: Key | None
    pairs: tuple[TestedPair, ...]
    n_permutations: int
    seed: int

    @property
    def ranks(self) -> range:
        return range(1, len(self.chances) + 1)


def statistics_tables(board: Board, statistics: Statistics | None, pairs_by: str = "") -> StatisticsTables | None:
    """The tables of a board that has its intervals (`explanations.with_statistics`); None where nothing is stored."""
    if not statistics or not statistics.get("rows"):
        return None
    tested = tested_keys(board, statistics)
    key = next((key for key in tested if key.name == pairs_by), None)
    return StatisticsTables(
        chances=rank_chances(board, statistics),
        rankings=other_rankings(board, statistics),
        tested=tested,
        pairs_by=key,
        pairs=tested_pairs(board, statistics, key) if key else (),
        n_permutations=statistics["n_permutations"],
        seed=statistics["seed"],
    )


def rank_chances(board: Board, statistics: Statistics) -> tuple[RankChances, ...]:
    """P(rank = k) of every row; none where the ranks that were drawn are of other rows than the board's."""
    stored = statistics["rows"]
    if {row.key for row in board.rows} != set(stored) or any(map(n_missing, board.rows)):
        return ()
    return tuple(
        RankChances(row, tuple(map(_chance, stored[row.key]["rank_probabilities"])))
        for row in board.rows
        if "rank_probabilities" in stored[row.key]
    )


def _chance(share: float) -> Chance:
    return Chance(percent(share).removesuffix("%").replace(" ", ""), -int(-share * SHADES // 1))


def tested_keys(board: Board, statistics: Statistics) -> tuple[Key, ...]:
    """The columns that any pair was tested by."""
    names = {name for pair in statistics["pairs"] for name in pair["tests"]}
    return tuple(key for key in board.keys if key.name in names)


def tested_pairs(board: Board, statistics: Statistics, key: Key) -> tuple[TestedPair, ...]:
    """Every two ranked rows in the order of the board."""
    place = {row.key: number for number, row in enumerate(board.rows) if not n_missing(row)}
    found = [pair for pair in statistics["pairs"] if pair["one"] in place and pair["other"] in place]
    in_order = sorted(
        (_better_first(pair, place) for pair in found), key=lambda pair: (place[pair["one"]], place[pair["other"]])
    )
    return tuple(
        _tested_pair(board.rows[place[pair["one"]]], board.rows[place[pair["other"]]], pair, key) for pair in in_order
    )


def _better_first(pair: Mapping[str, Any], place: Mapping[str, int]) -> Mapping[str, Any]:
    """The pair as it is told; documents sort pairs by name, so either row may stand in front."""
    if place[pair["one"]] < place[pair["other"]]:
        return pair
    return turned(pair)


def _tested_pair(one: Row, other: Row, pair: Mapping[str, Any], key: Key) -> TestedPair:
    test = pair["tests"].get(key.name)
    shares = percent(pair["ahead"]), percent(pair["behind"])
    if test is None:
        return TestedPair(one.label, other.label, *shares, "–", "–", "–", is_significant=False)
    told = signed(test["difference"], key.decimals), effect_of(test), p_of(test["p"])
    return TestedPair(one.label, other.label, *shares, *told, is_significant=test["p"] < SIGNIFICANT)


def signed(value: float, decimals: int) -> str:
    return fixed(value, decimals) if value <= 0 else f"+{fixed(value, decimals)}"


def effect_of(test: Mapping[str, Any]) -> str:
    """The effect size; a dash where system and scenario leave nothing unexplained to measure it by."""
    return "–" if test["effect"] is None else signed(test["effect"], 2)


def other_rankings(board: Board, statistics: Statistics) -> tuple[OtherRanking, ...]:
    return tuple(other_ranking(name, tau) for name, tau in _named_taus(board, statistics) if tau)


def _named_taus(board: Board, statistics: Statistics) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    alone: Mapping[str, Any] = statistics.get("rankings", {})
    for key in board.keys:
        # A rule of one key is that ranking.
        if [key] != list(board.rule):
            yield _("%(key)s alone") % {"key": key.head}, alone.get(key.name)
    yield _("Development split"), statistics.get("development")
    yield _("Leaderboard of people, by team"), statistics.get("people")
    for number, tau in statistics.get("snapshots", {}).items():
        yield _("Frozen leaderboard %(number)s") % {"number": number}, tau


def other_ranking(name: str, tau: Mapping[str, Any]) -> OtherRanking:
    """The tau of one ranking as it is set."""
    ends: Sequence[float] | None = tau["interval"]
    interval = "–" if ends is None else f"{fixed(ends[0], 2)} – {fixed(ends[1], 2)}"
    return OtherRanking(name, tau["n"], fixed(tau["tau"], 2), interval, p_of(tau["p"]))
