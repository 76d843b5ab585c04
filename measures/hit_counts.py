"""Precision, recall and F1 of counted hits, shared by the measures that count them."""

from dataclasses import dataclass


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
