"""What is stored of how sure a board is, as tables: P(rank = k), all pairs tested by one key, and agreement with other rankings. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from leaderboards.board import SIGNIFICANT, Board, Key, Row, Statistics
from leaderboards.explanations import percent, turned
from scoring.printed_figures import fixed, p_of

# The cells of P(rank = k) are tinted in so many steps.
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
    if {row.key for row in board.rows} != set(stored):
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
    place = {row.key: number for number, row in enumerate(board.rows)}
    found = [pair for pair in statistics["pairs"] if pair["one"] in place and pair["other"] in place]
    in_order = sorted(
        (_better_first(pair, place) for pair in found), key=lambda pair: (place[pair["one"]], place[pair["other"]])
    )
    return tuple(
        _tested(board.rows[place[pair["one"]]], board.rows[place[pair["other"]]], pair, key) for pair in in_order
    )


def _better_first(pair: Mapping[str, Any], place: Mapping[str, int]) -> Mapping[str, Any]:
    """The pair as it is told; documents sort pairs by name, so either row may stand in front."""
    if place[pair["one"]] < place[pair["other"]]:
        return pair
    return turned(pair)


def _tested(one: Row, other: Row, pair: Mapping[str, Any], key: Key) -> TestedPair:
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
