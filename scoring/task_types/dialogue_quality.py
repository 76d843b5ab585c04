"""NTCIR-14 STC-3 DQ: distributions of the scores A, S and E over −2…2, by NMD and RSNOD."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from measures.automatic.distributions import nmd, rsnod
from measures.ranking import RankingKey
from reading.checking import Problems
from reading.findings import under
from reading.kinds import ANYTHING, OBJECT
from scoring.ntcir_files import (
    CRITERIA,
    SCORES,
    MakeDistribution,
    Votes,
    annotations_of,
    baselines,
    distribution,
    read_gold,
    read_run,
    vote,
)
from scoring.task_types.contract import (
    CheckedRun,
    Figure,
    Figures,
    Gold,
    Options,
    Scored,
    TaskType,
    missing_option,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MEASURES = {"nmd": nmd, "rsnod": rsnod}
WORST = 1.0


def gold_item(row: dict[str, Any], place: str, problems: Problems) -> dict[str, Votes]:
    """Votes per criterion, in class order 2…−2."""
    votes: dict[str, Votes] = {criterion: [0.0] * len(SCORES) for criterion in CRITERIA}
    for annotation_place, annotation in annotations_of(row, place, problems):
        quality = problems.field(annotation, "quality", annotation_place, OBJECT)
        for criterion in CRITERIA if quality is not None else ():
            score = problems.field(quality or {}, criterion, f"{annotation_place}.quality", ANYTHING)
            if score is not None:
                vote(votes[criterion], score, SCORES, f"{annotation_place}.quality.{criterion}", problems)
    return votes


def answer(row: dict[str, Any], place: str, gold_item: Any, problems: Problems) -> dict[str, list[float]]:
    quality = problems.field(row, "quality", place, OBJECT)
    if quality is None:
        return {}
    read = {}
    for criterion in CRITERIA:
        value = problems.field(quality, criterion, under(place, "quality"), ANYTHING)
        if value is not None:
            read[criterion] = distribution(value, SCORES, under(place, f"quality.{criterion}"), problems) or []
    return read


def score(gold: Gold, run: CheckedRun, options: Options) -> Scored:
    """Sums: each measure of each criterion, and the dialogue itself. A missing dialogue has the worst value, 1."""
    import numpy as np

    rows = []
    for name, votes in gold.items.items():
        predicted = run.items.get(name)
        rows.append(
            [
                measure(predicted[criterion], votes[criterion]) if predicted is not None else WORST
                for criterion in CRITERIA
                for measure in MEASURES.values()
            ]
            + [1.0]
        )
    sums = np.array(rows)
    return Scored(sums, figures_of(sums.sum(axis=0), gold, options))


def columns(gold: Gold, options: Options) -> tuple[str, ...]:
    return (*(f"quality.{criterion}.{measure}" for criterion in CRITERIA for measure in MEASURES), "n_dialogues")


def figures_of(total: NDArray[np.float64], gold: Gold, options: Options) -> Figures:
    *sums, n_dialogues = map(float, total)
    return {name: value / n_dialogues for name, value in zip(columns(gold, options)[:-1], sums, strict=True)}


def baseline_answer(votes: dict[str, Votes], make: MakeDistribution) -> dict[str, Any]:
    return {"quality": {criterion: dict(zip(SCORES, make(votes[criterion]), strict=True)) for criterion in CRITERIA}}


DIALOGUE_QUALITY = TaskType(
    name="dialogue-quality",
    title=_("Dialogue quality"),
    figures=tuple(
        Figure(f"quality.{criterion}.{measure}", "lower", f"{criterion} {measure.upper()}")
        for criterion in CRITERIA
        for measure in MEASURES
    ),
    ranking=(RankingKey("quality.A.nmd", "lower"),),
    read_gold=lambda content, options: read_gold(content, gold_item),
    read_run=lambda content, gold, options: read_run(content, gold, options, answer),
    score=score,
    columns=columns,
    figures_of=figures_of,
    run_format=_('One JSON list: [{"id": "…", "quality": {"A": {"2": 0.1, "1": 0.4, …}, "S": …, "E": …}}, …].'),
    options=(missing_option("refuse"),),
    is_distance=True,
    part="quality",
    baselines=baselines(baseline_answer),
)
