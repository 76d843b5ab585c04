"""What the pictures of a board are drawn from: how often each score was given, turns by outcome, systems one against one, and how the ranks
stand without one reviewer or one scenario. Pure; the same for a live campaign and for the records of a bundle.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from measures.live import COMPLETION, MEAN_TURNS, LiveSums, Record, charged_turns, completion
from measures.ranking import DECIMALS, RankingKey, rank, sort_key
from measures.scenario_ranks import critical_difference, friedman, mean_ranks

# With fewer scenarios that all systems played, a mean rank says nothing.
FEWEST_SCENARIOS = 5
# Named at most, of those whose absence moves a rank.
MOST_NAMED = 20
# Systems that are ahead in order, scenario by scenario.
SortKey = tuple[tuple[bool, float], ...]


@dataclass(slots=True)
class Tally:
    """Records added up one after the other: by system and scenario, by dialogue, and as counts of scores and turns."""

    criteria: Sequence[str]
    by_scenario: dict[tuple[str, str], LiveSums] = field(default_factory=lambda: defaultdict(LiveSums))
    by_dialogue: dict[tuple[str, str, str], list[Record]] = field(default_factory=lambda: defaultdict(list))
    scores: dict[tuple[str, str], Counter[float]] = field(default_factory=lambda: defaultdict(Counter))
    turns: dict[tuple[str, bool], Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, bot: str, scenario: str, record: Record, dialogue: str = "") -> None:
        """`scenario` is what counts as one scenario; an imported dialogue that names none is one by itself.

        Records without a dialogue's id share the weight of their system and scenario.
        """
        self.by_scenario[bot, scenario].add_record(record, self.criteria)
        self.by_dialogue[bot, scenario, dialogue].append(record)
        for criterion in self.criteria:
            if (score := record.ratings.get(criterion)) is not None:
                self.scores[bot, criterion][float(score)] += 1
        is_finished = bool(completion(record.subtasks))
        self.turns[bot, is_finished][charged_turns(record.subtasks, record.dialogue_cap)] += 1

    @property
    def bots(self) -> list[str]:
        return sorted({bot for bot, _ in self.by_scenario})

    def to_json(self, rule: Sequence[RankingKey]) -> dict[str, Any]:
        """All of it by the keys of systems; `rule` ranks."""
        return {
            "scores": self._scores(),
            "turns": {bot: self._turns(bot) for bot in self.bots},
            "duels": self._duels(rule),
            "mean_ranks": self._mean_ranks(rule),
            "without": {
                "reviewer": self._without(self._gone_with_reviewers(), rule),
                "scenario": self._without(self.by_scenario, rule),
            },
        }

    def _scores(self) -> dict[str, dict[str, list[list[float]]]]:
        """`{criterion: {bot: [[score, number of records], …]}}`; a score by subtask or turn is the mean of its record."""
        found: dict[str, dict[str, list[list[float]]]] = defaultdict(dict)
        for (bot, criterion), counted in sorted(self.scores.items()):
            found[criterion][bot] = [[score, n] for score, n in sorted(counted.items())]
        return dict(found)

    def _turns(self, bot: str) -> dict[str, dict[str, float]]:
        sides = {"finished": self.turns.get((bot, True)), "unfinished": self.turns.get((bot, False))}
        return {name: spread_of(counted) for name, counted in sides.items() if counted}

    def _places(self, rule: Sequence[RankingKey]) -> dict[str, dict[str, SortKey]]:
        """By scenario and system where it stands there."""
        found: dict[str, dict[str, SortKey]] = defaultdict(dict)
        for (bot, scenario), sums in self.by_scenario.items():
            found[scenario][bot] = sort_key(figures_for(sums, rule, DECIMALS), rule)
        return found

    def _duels(self, rule: Sequence[RankingKey]) -> dict[str, dict[str, list[int]]]:
        """`{one: {other: [ahead, equal, behind]}}` over the scenarios that both played, by the rule in each."""
        found = {one: {other: [0, 0, 0] for other in self.bots if other != one} for one in self.bots}
        for places in self._places(rule).values():
            for one, place in places.items():
                for other, others in places.items():
                    if one != other:
                        found[one][other][(place > others) * 2 + (place == others)] += 1
        return found

    def _mean_ranks(self, rule: Sequence[RankingKey]) -> dict[str, Any] | None:
        """Over the scenarios that all systems played; None for fewer than two systems or `FEWEST_SCENARIOS`."""
        bots = self.bots
        shared = [[row[bot] for bot in bots] for row in self._places(rule).values() if len(row) == len(bots)]
        if len(bots) < 2 or len(shared) < FEWEST_SCENARIOS:
            return None
        test = friedman(shared)
        return {
            "n_scenarios": len(shared),
            "ranks": dict(zip(bots, mean_ranks(shared), strict=True)),
            "critical_difference": critical_difference(len(bots), len(shared)),
            "friedman": None if test is None else {"statistic": test.statistic, "p": test.p},
        }

    def _gone_with_reviewers(self) -> dict[tuple[str, str], LiveSums]:
        """By system and reviewer what goes with the reviewer: their records, less what the others of the same dialogues gain.

        The remaining ones share the weight of one again, w / (1 - w_left) each (docs/decisions/0015-every-scored-dialogue-weighs-one.md).
        Imported lines whose own weights are no shares of one keep them.
        """
        gone: dict[tuple[str, str], LiveSums] = defaultdict(LiveSums)
        for (bot, *_), records in self.by_dialogue.items():
            are_shares = sum(record.weight for record in records) == 1
            for reviewer in {record.reviewer for record in records}:
                rest = sum(record.weight for record in records if record.reviewer != reviewer)
                for record in records:
                    if record.reviewer == reviewer:
                        gone[bot, reviewer].add_record(record, self.criteria)
                    elif are_shares:
                        gained = record.weight / rest - record.weight
                        gone[bot, reviewer].alike(-gained).add_record(record, self.criteria)
        return gone

    def _without(self, parts: Mapping[tuple[str, str], LiveSums], rule: Sequence[RankingKey]) -> dict[str, Any]:
        """The ranks that each system has without each part in turn: its lowest and highest, and the parts that move it."""
        totals = {bot: _total_of(self.by_scenario, bot, rule) for bot in self.bots}
        base = _ranks_by(totals, rule)
        names = sorted({name for _, name in parts})
        found: dict[str, Any] = {bot: {"low": base[bot], "high": base[bot], "moved_by": []} for bot in base}
        for name in names if len(names) > 1 else ():
            left = {bot: _less(totals[bot], parts.get((bot, name)), rule) for bot in totals}
            for bot, place in _ranks_by(left, rule).items():
                row = found[bot]
                row["low"], row["high"] = min(row["low"], place), max(row["high"], place)
                if place != base[bot]:
                    row["moved_by"].append([name, place])
        for row in found.values():
            row["n_moving"], row["moved_by"] = len(row["moved_by"]), row["moved_by"][:MOST_NAMED]
        return {"n": len(names), "rows": found}


def spread_of(counted: Counter[int]) -> dict[str, float]:
    """How many there are, their quartiles by linear interpolation, ends and mean."""
    values = sorted(counted.elements())
    return {
        "n": len(values),
        "low": values[0],
        "first": quantile(values, 0.25),
        "median": quantile(values, 0.5),
        "third": quantile(values, 0.75),
        "high": values[-1],
        "mean": sum(values) / len(values),
    }


def quantile(in_order: Sequence[float], share: float) -> float:
    """Between the two nearest values, as numpy and R (type 7) do."""
    at = share * (len(in_order) - 1)
    below = int(at)
    above = min(below + 1, len(in_order) - 1)
    return in_order[below] + (at - below) * (in_order[above] - in_order[below])


# By figure the weighted sum and the weight: what a mean is of, and what a part of the records takes away.
Totals = dict[str, tuple[Fraction, Fraction]]


def _total_of(parts: Mapping[tuple[str, str], LiveSums], bot: str, rule: Sequence[RankingKey]) -> Totals:
    whole = LiveSums()
    for (one, _), sums in parts.items():
        if one == bot:
            whole.add(sums)
    return {key.figure: whole.of(key.figure) for key in rule}


def _less(total: Totals, part: LiveSums | None, rule: Sequence[RankingKey]) -> Totals:
    if part is None:
        return total
    taken = {key.figure: part.of(key.figure) for key in rule}
    return {figure: (had[0] - taken[figure][0], had[1] - taken[figure][1]) for figure, had in total.items()}


def _ranks_by(totals: Mapping[str, Totals], rule: Sequence[RankingKey]) -> dict[str, int]:
    """Systems without any record left have no rank."""
    figures = {
        bot: {figure: float(total / weight) if weight else None for figure, (total, weight) in own.items()}
        for bot, own in totals.items()
    }
    there = {bot: own for bot, own in figures.items() if any(value is not None for value in own.values())}
    return {place.name: place.rank for place in rank(there, rule)}


def figures_for(sums: LiveSums, rule: Sequence[RankingKey], decimals: int) -> dict[str, float | None]:
    """The figures that rank, without the noise of the arithmetic."""
    found = sums.figures([key.figure for key in rule])
    named = {**found.ratings, COMPLETION.name: found.completion, MEAN_TURNS.name: found.mean_turns}
    return {key.figure: None if (value := named[key.figure]) is None else round(value, decimals) for key in rule}
