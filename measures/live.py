"""Figures of live evaluations: completion C and turns T of one record, and their means (SMP2018-ECDT Task 2).

A record is one reviewer's account of one dialogue. Source: Zhao et al. 2019, Task 2; `T` of 34.29 = 720/21 is the
maximum there: 36 subtasks with a cap of 20 over 21 test cases. Free of Django: a bundle is verified without it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from measures.ranking import Direction


@dataclass(frozen=True, slots=True)
class RecordFigure:
    """A figure that every live evaluation has, whatever its rubric: its letter in the papers, and the better direction."""

    name: str
    letter: str
    better: Direction


COMPLETION = RecordFigure("completion", "C", "higher")
MEAN_TURNS = RecordFigure("mean_turns", "T", "lower")
RECORD_FIGURES = (COMPLETION, MEAN_TURNS)


@dataclass(frozen=True, slots=True)
class SubtaskOutcome:
    """How one subtask went: `turns` is what was spent, finished or not; `cap` the most it could take."""

    kind: str
    is_finished: bool
    turns: int
    cap: int


@dataclass(frozen=True, slots=True)
class Record:
    """One dialogue × reviewer. `dialogue_cap` is set where one cap spans the whole dialogue.

    `weight` is its share of the dialogue: all records of a scored dialogue weigh one together.
    """

    team: str
    bot: str
    scenario: str
    reviewer: str
    subtasks: tuple[SubtaskOutcome, ...]
    ratings: Mapping[str, float | None] = field(default_factory=dict)
    dialogue_cap: int | None = None
    weight: Fraction = Fraction(1)


def completion(subtasks: Sequence[SubtaskOutcome]) -> int:
    """1 if every subtask is finished, else 0: neither any nor a share of them counts (C in the paper)."""
    return int(bool(subtasks) and all(subtask.is_finished for subtask in subtasks))


def charged_turns(subtasks: Sequence[SubtaskOutcome], dialogue_cap: int | None = None) -> int:
    """Turns that count in T: the own turns of a finished subtask, the cap of an unfinished one, summed.

    A finished subtask inside an unfinished case counts its own turns (only this explains team 6 of Table A2).
    With one cap for the whole dialogue, an unfinished dialogue is charged that cap.
    """
    if dialogue_cap is not None:
        return sum(subtask.turns for subtask in subtasks) if completion(subtasks) else dialogue_cap
    return sum(subtask.turns if subtask.is_finished else subtask.cap for subtask in subtasks)


def mean(scores: Iterable[float | None]) -> float | None:
    """The mean of the scores that are there; None (not 0) when none is."""
    present = [score for score in scores if score is not None]
    return sum(present) / len(present) if present else None


@dataclass(frozen=True, slots=True)
class LiveFigures:
    """Weighted means over the records of one bot; a criterion nobody scored is None."""

    n_records: int
    completion: float | None
    mean_turns: float | None
    ratings: Mapping[str, float | None]


@dataclass(slots=True)
class AlikeSums:
    """Sums over records that weigh the same: whole numbers.

    `scores` holds by criterion how many scores there are and their sum, in fractions where scores are means themselves.
    """

    n_records: int = 0
    n_complete: int = 0
    charged_turns: int = 0
    scores: dict[str, tuple[int, float | Fraction]] = field(default_factory=dict)

    def add_record(self, record: Record, criteria: Iterable[str]) -> None:
        self.n_records += 1
        self.n_complete += completion(record.subtasks)
        self.charged_turns += charged_turns(record.subtasks, record.dialogue_cap)
        for criterion in criteria:
            score = record.ratings.get(criterion)
            if score is not None:
                # Exact, so that records in another order give the same last digit.
                self.add_scores(criterion, 1, score if isinstance(score, int) else Fraction(score))

    def add(self, other: "AlikeSums") -> None:
        self.n_records += other.n_records
        self.n_complete += other.n_complete
        self.charged_turns += other.charged_turns
        for criterion, (n, total) in other.scores.items():
            self.add_scores(criterion, n, total)

    def add_scores(self, criterion: str, n: int, total: float | Fraction) -> None:
        n_before, before = self.scores.get(criterion, (0, 0))
        self.scores[criterion] = (n_before + n, before + total)

    def of(self, figure: str) -> tuple[int, float | Fraction]:
        """How many records have a value of the figure, and the sum of these."""
        if figure == COMPLETION.name:
            return self.n_records, self.n_complete
        if figure == MEAN_TURNS.name:
            return self.n_records, self.charged_turns
        return self.scores.get(figure, (0, 0))


@dataclass(slots=True)
class LiveSums:
    """What the figures of one bot are weighted means of. Sums of parts of the records, added up, are those of the whole.

    Records are added up by weight: the sums stay whole, and where all weigh the same the mean is the plain one to its last digit.
    """

    by_weight: dict[Fraction, AlikeSums] = field(default_factory=dict)

    def alike(self, weight: Fraction) -> AlikeSums:
        """The sums over its records of that weight."""
        return self.by_weight.setdefault(weight, AlikeSums())

    def add_record(self, record: Record, criteria: Iterable[str]) -> None:
        self.alike(record.weight).add_record(record, criteria)

    def add(self, other: "LiveSums") -> None:
        for weight, sums in other.by_weight.items():
            self.alike(weight).add(sums)

    @property
    def n_records(self) -> int:
        return sum(sums.n_records for sums in self.by_weight.values())

    @property
    def weight(self) -> Fraction:
        """The weight of all records, as a rule the number of scored dialogues."""
        return self.of(COMPLETION.name)[1]

    def n_scored(self, figure: str) -> int:
        """How many records have a value of the figure."""
        return sum(sums.of(figure)[0] for sums in self.by_weight.values())

    def of(self, figure: str) -> tuple[Fraction, Fraction]:
        """The weighted sum of the figure, and the weight of the records that have a value of it."""
        total = weight = _NOTHING
        for one, sums in self.by_weight.items():
            n, of_alike = sums.of(figure)
            total, weight = total + one * Fraction(of_alike), weight + one * n
        return total, weight

    def figures(self, criteria: Iterable[str]) -> LiveFigures:
        return LiveFigures(
            n_records=self.n_records,
            completion=_share(*self.of(COMPLETION.name)),
            mean_turns=_share(*self.of(MEAN_TURNS.name)),
            ratings={key: _share(*self.of(key)) for key in criteria},
        )


_NOTHING = Fraction(0)


def _share(total: Fraction, weight: Fraction | int) -> float | None:
    return float(total / weight) if weight else None


# A weight written as a decimal is read as the share that it stands for; a panel has 100 reviewers at most. Larger denominators
# multiply: the exact sum of 100,000 such shares would have hundreds of thousands of digits.
LARGEST_DENOMINATOR = 1_000
SMALLEST_WEIGHT = 1 / LARGEST_DENOMINATOR


def record_of(content: Mapping[str, Any], n_sharing: int = 1) -> Record:
    """The record of a line that was checked on import. Without a `weight` it has that of one of `n_sharing` lines of its dialogue."""
    subtasks = tuple(
        SubtaskOutcome(row.get("kind", ""), row["completed"], row["turns"], row["cap"]) for row in content["subtasks"]
    )
    return Record(
        team=content["team"],
        bot=content.get("bot", content["team"]),
        scenario=content["scenario"],
        reviewer=content["reviewer"],
        subtasks=subtasks,
        ratings=figures_of(content.get("ratings", {})),
        dialogue_cap=content.get("dialogue_cap"),
        weight=Fraction(1, n_sharing) if (weight := weight_in(content)) is None else weight,
    )


def weight_in(content: Mapping[str, Any]) -> Fraction | None:
    """The weight in a line; None without one. Errors: `ValueError`, in a bundle that was changed."""
    weight = content.get("weight")
    if weight is None:
        return None
    if type(weight) not in (int, float) or not SMALLEST_WEIGHT <= weight <= 1:
        raise ValueError(f"a weight is a number from {SMALLEST_WEIGHT} to 1")
    return Fraction(weight).limit_denominator(LARGEST_DENOMINATOR)


def figures_of(ratings: Mapping[str, Any]) -> dict[str, Any]:
    """One figure per criterion: the mean where it was scored by place."""
    return {key: mean(given.values()) if _has_mean(given) else given for key, given in ratings.items()}


def is_by_place(given: Any) -> bool:
    return isinstance(given, dict) and bool(given)


def _has_mean(given: Any) -> bool:
    return is_by_place(given) and all(
        score is None or (isinstance(score, int | float) and not isinstance(score, bool)) for score in given.values()
    )
