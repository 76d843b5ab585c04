"""NTCIR-14 STC-3 ND: a distribution over nugget types a turn, by RNSS and JSD."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from measures.automatic.distributions import jsd, nugget_score, rnss
from measures.ranking import RankingKey
from reading.checking import Problems
from reading.findings import under
from reading.kinds import LIST
from scoring.ntcir_files import (
    NUGGETS,
    MakeDistribution,
    Votes,
    annotations_of,
    baselines,
    distribution,
    read_gold,
    read_run,
    senders_of,
    vote,
)
from scoring.task_types.contract import (
    CheckedRun,
    Figure,
    Figures,
    Gold,
    Option,
    Options,
    Scored,
    TaskType,
    missing_option,
    share,
)
from scoring.task_types.dialogue_quality import WORST

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MEASURES = {"jsd": jsd, "rnss": rnss}


@dataclass(frozen=True, slots=True)
class TurnVotes:
    """How often the annotators gave each nugget type of the sender."""

    sender: str
    votes: Votes


def gold_item(row: dict[str, Any], place: str, problems: Problems) -> list[TurnVotes]:
    turns = [TurnVotes(sender, [0.0] * len(NUGGETS[sender])) for sender in senders_of(row, place, problems)]
    for annotation_place, annotation in annotations_of(row, place, problems):
        nugget_place = f"{annotation_place}.nugget"
        labels = problems.field(annotation, "nugget", annotation_place, LIST)
        if labels is None:
            continue
        if len(labels) != len(turns):
            problems.note(
                nugget_place, gettext_noop("has %(n)s labels for %(wanted)s turns"), n=len(labels), wanted=len(turns)
            )
            continue
        for index, (turn, label) in enumerate(zip(turns, labels, strict=True)):
            vote(turn.votes, label, NUGGETS[turn.sender], f"{nugget_place}[{index}]", problems)
    return turns


def answer(row: dict[str, Any], place: str, turns: list[TurnVotes], problems: Problems) -> list[list[float]]:
    nugget_place = under(place, "nugget")
    rows = problems.field(row, "nugget", place, LIST)
    if rows is None:
        return []
    if len(rows) != len(turns):
        problems.note(
            nugget_place, gettext_noop("has %(n)s turns; the dialogue has %(wanted)s"), n=len(rows), wanted=len(turns)
        )
        return []
    return [
        distribution(value, NUGGETS[turn.sender], f"{nugget_place}[{index}]", problems) or []
        for index, (turn, value) in enumerate(zip(turns, rows, strict=True))
    ]


def score(gold: Gold, run: CheckedRun, options: Options) -> Scored:
    """Sums: each measure and the dialogue itself. A missing dialogue has the worst value, 1."""
    import numpy as np

    sums = np.array(
        [_dialogue(turns, run.items.get(name), options["alpha"]) for name, turns in gold.items.items()], dtype=float
    )
    return Scored(sums, figures_of(sums.sum(axis=0), gold, options))


def _dialogue(turns: list[TurnVotes], predicted: list[list[float]] | None, alpha: float) -> list[float]:
    if predicted is None:
        return [WORST] * len(MEASURES) + [1.0]
    row = []
    for measure in MEASURES.values():
        by_sender: dict[str, list[float]] = {sender: [] for sender in NUGGETS}
        for turn, weights in zip(turns, predicted, strict=True):
            by_sender[turn.sender].append(measure(weights, turn.votes))
        row.append(nugget_score(by_sender["customer"], by_sender["helpdesk"], alpha))
    return [*row, 1.0]


def columns(gold: Gold, options: Options) -> tuple[str, ...]:
    return (*(f"nugget.{measure}" for measure in MEASURES), "n_dialogues")


def figures_of(total: NDArray[np.float64], gold: Gold, options: Options) -> Figures:
    *sums, n_dialogues = map(float, total)
    return {name: value / n_dialogues for name, value in zip(columns(gold, options)[:-1], sums, strict=True)}


def baseline_answer(turns: list[TurnVotes], make: MakeDistribution) -> dict[str, Any]:
    return {"nugget": [dict(zip(NUGGETS[turn.sender], make(turn.votes), strict=True)) for turn in turns]}


NUGGET_DETECTION = TaskType(
    name="nugget-detection",
    title=_("Nugget detection"),
    figures=tuple(Figure(f"nugget.{measure}", "lower", measure.upper()) for measure in MEASURES),
    ranking=(RankingKey("nugget.jsd", "lower"),),
    read_gold=lambda content, options: read_gold(content, gold_item),
    read_run=lambda content, gold, options: read_run(content, gold, options, answer),
    score=score,
    columns=columns,
    figures_of=figures_of,
    run_format=_('One JSON list: [{"id": "…", "nugget": [{"CNUG0": 0.7, "CNUG": 0.3}, {"HNUG": 1}, …]}, …].'),
    options=(
        missing_option("refuse"),
        Option("alpha", share("alpha"), 0.5, gettext_noop("weight of the customer's turns against the helpdesk's")),
    ),
    is_distance=True,
    part="nugget",
    baselines=baselines(baseline_answer),
)
