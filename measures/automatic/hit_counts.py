"""Precision, recall and F1 of counted hits: of all together, and as means over declared classes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class HitCounts:
    """Hits among `n_predicted` and `n_gold` items; counts of documents add up to the corpus's (micro average)."""

    n_hits: int = 0
    n_predicted: int = 0
    n_gold: int = 0

    def __add__(self, other: "HitCounts") -> "HitCounts":
        return HitCounts(self.n_hits + other.n_hits, self.n_predicted + other.n_predicted, self.n_gold + other.n_gold)

    @property
    def precision(self) -> float:
        """Share of predicted items that hit; 0 where nothing was predicted. 0…1."""
        return self.n_hits / self.n_predicted if self.n_predicted else 0.0

    @property
    def recall(self) -> float:
        """Share of gold items that were hit; 0 where there is no gold. 0…1."""
        return self.n_hits / self.n_gold if self.n_gold else 0.0

    @property
    def f1(self) -> float:
        """2PR/(P+R) = 2 hits/(predicted + gold); 0 where both are empty. 0…1."""
        n_both = self.n_predicted + self.n_gold
        return 2 * self.n_hits / n_both if n_both else 0.0


def macro_scores(
    right: "NDArray[Any]", n_predicted: "NDArray[Any]", n_gold: "NDArray[Any]"
) -> tuple[float, float, float]:
    """Means of precision and recall over all N declared classes, and F1 = 2PR/(P+R) of those two means. 0…1.

    Takes three counts per class `(n_classes,)`: right answers, answers, and gold items; they need not be whole, so that resampled
    corpora can be scored too. Not the mean of the classes' F1. A class that is never predicted has precision 0, one that is not in
    the gold has recall 0; F1 of two zeros is 0. Source: SMP2018-ECDT, Task 1.
    """
    n_classes = len(right)
    precision = float((right[n_predicted > 0] / n_predicted[n_predicted > 0]).sum() / n_classes)
    recall = float((right[n_gold > 0] / n_gold[n_gold > 0]).sum() / n_classes)
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0
