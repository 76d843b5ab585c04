"""Figures of live evaluations: completion C and turns T of one record, and their means (SMP2018-ECDT Task 2).

A record is one reviewer's account of one dialogue. Source: Zhao et al. 2019, Task 2; `T` of 34.29 = 720/21 is the
maximum there: 36 subtasks with a cap of 20 over 21 test cases.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

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
    """One dialogue × reviewer. `dialogue_cap` is set where one cap spans the whole dialogue."""

    team: str
    bot: str
    scenario: str
    reviewer: str
    subtasks: tuple[SubtaskOutcome, ...]
    ratings: Mapping[str, float | None] = field(default_factory=dict)
    dialogue_cap: int | None = None


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
    """Means over the records of one bot; a criterion nobody scored is None."""

    n_records: int
    completion: float | None
    mean_turns: float | None
    ratings: Mapping[str, float | None]


def live_figures(records: Sequence[Record], criteria: Sequence[str]) -> LiveFigures:
    """Every figure of one bot as a mean over records (not over dialogues or subtasks)."""
    return LiveFigures(
        n_records=len(records),
        completion=mean(completion(record.subtasks) for record in records),
        mean_turns=mean(charged_turns(record.subtasks, record.dialogue_cap) for record in records),
        ratings={key: mean(record.ratings.get(key) for record in records) for key in criteria},
    )


@dataclass(slots=True)
class LiveSums:
    """What the figures of one bot are means of. Sums of parts of the records, added up, are those of the whole.

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

    def add(self, other: "LiveSums") -> None:
        self.n_records += other.n_records
        self.n_complete += other.n_complete
        self.charged_turns += other.charged_turns
        for criterion, (n, total) in other.scores.items():
            self.add_scores(criterion, n, total)

    def add_scores(self, criterion: str, n: int, total: float | Fraction) -> None:
        n_before, before = self.scores.get(criterion, (0, 0))
        self.scores[criterion] = (n_before + n, before + total)

    def figures(self, criteria: Iterable[str]) -> LiveFigures:
        return LiveFigures(
            n_records=self.n_records,
            completion=_share(self.n_complete, self.n_records),
            mean_turns=_share(self.charged_turns, self.n_records),
            ratings={key: _share(total, n) for key in criteria for n, total in [self.scores.get(key, (0, 0))]},
        )


def _share(total: float | Fraction, n: int) -> float | None:
    return float(total / n) if n else None
