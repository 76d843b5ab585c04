"""Macro precision, recall and F1 over all declared classes (SMP2018-ECDT Task 1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class MacroScores:
    """`confusion[gold][predicted]` counts items; a prediction outside the classes stands under `""`."""

    precision: float
    recall: float
    f1: float
    n_items: int
    confusion: dict[str, dict[str, int]]


def macro_scores(gold: Sequence[str], predicted: Sequence[str | None], classes: Sequence[str]) -> MacroScores:
    """Means of precision and recall over all N declared classes, and F1 = 2PR/(P+R) of those two means.

    Not the mean of the classes' F1. A class that is never predicted has precision 0, one that is not in the gold has
    recall 0; None and labels outside the classes are wrong answers. Range 0…1; F1 of two zeros is 0.
    Errors: `ValueError` if the lengths differ, a gold label is undeclared, or a class stands twice.
    Source: SMP2018-ECDT, Task 1.
    """
    if len(gold) != len(predicted):
        raise ValueError(f"{len(predicted)} predictions for {len(gold)} gold labels.")
    if len(set(classes)) != len(classes) or not classes:
        raise ValueError("The classes must be declared, each once.")
    undeclared = set(gold) - set(classes)
    if undeclared:
        raise ValueError(f"Gold labels that are no declared class: {', '.join(sorted(undeclared))}.")
    confusion: dict[str, dict[str, int]] = {name: {} for name in classes}
    for label, answer in zip(gold, predicted, strict=True):
        column = answer if answer is not None and answer in confusion else ""
        confusion[label][column] = confusion[label].get(column, 0) + 1
    answers = [*classes, ""]
    matrix = np.array([[confusion[name].get(answer, 0) for answer in answers] for name in classes])
    return MacroScores(*macro_scores_of_confusion(matrix), len(gold), confusion)


def macro_scores_of_confusion(confusion: NDArray[Any]) -> tuple[float, float, float]:
    """Macro precision, macro recall and F1 of a matrix `(n_classes, n_answers)`: rows gold, columns answers.

    The first N answers are the classes; further columns are answers outside of them. Counts need not be whole, so that
    resampled corpora can be scored too.
    """
    n_classes = len(confusion)
    right = confusion.diagonal()[:n_classes]
    return macro_scores_of_counts(right, confusion[:, :n_classes].sum(axis=0), confusion.sum(axis=1))


def macro_scores_of_counts(
    right: NDArray[Any], n_predicted: NDArray[Any], n_gold: NDArray[Any]
) -> tuple[float, float, float]:
    """The same of three counts per class `(n_classes,)`: right answers, answers, and gold items."""
    n_classes = len(right)
    precision = float((right[n_predicted > 0] / n_predicted[n_predicted > 0]).sum() / n_classes)
    recall = float((right[n_gold > 0] / n_gold[n_gold > 0]).sum() / n_classes)
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0
