"""Whose scores of a dialogue are records that rank, and which scores are too far apart. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

SELF, PANEL, ADJUDICATION = "self", "panel", "adjudication"
BOTH = "both"
# The decision counts beside the panel's reviews, not in their place.
ONE_MORE = "one_more"


@dataclass(frozen=True, slots=True)
class Standing:
    """What decides which reviews of a dialogue count. `is_settled_by_person`: an adjudicator's review replaces the
    panel's, or stands beside them where the campaign `keeps_panel`.
    """

    is_reviewable: bool
    is_accepted: bool
    has_open_dispute: bool = False
    is_settled_by_person: bool = False
    keeps_panel: bool = False


def counted_parts(counted_reviews: str, standing: Standing) -> frozenset[str]:
    """The parts whose submitted reviews of the dialogue count: the tester's own, the panel's, or the adjudicator's for it."""
    if not (standing.is_reviewable and standing.is_accepted):
        return frozenset()
    parts = {SELF} if counted_reviews in (SELF, BOTH) else set()
    if counted_reviews in (PANEL, BOTH):
        if standing.is_settled_by_person:
            parts |= {ADJUDICATION, PANEL} if standing.keeps_panel else {ADJUDICATION}
        elif not standing.has_open_dispute:
            parts.add(PANEL)
    return frozenset(parts)


def weights(parts: Sequence[str], n_replaced: int) -> list[Fraction]:
    """The weights of the counted reviews of one dialogue, by their parts; they sum to one.

    A decision weighs as much as the `n_replaced` reviews of the panel that it replaces.
    """
    shares = [n_replaced or 1 if part == ADJUDICATION else 1 for part in parts]
    return [Fraction(share, sum(shares)) for share in shares]


def distances(reviews: Iterable[Mapping[str, int]], *, over: int) -> dict[str, int]:
    """The rating keys on which reviews differ by more than `over` points, with the greatest distance of two of them."""
    given: dict[str, list[int]] = {}
    for scores in reviews:
        for key, score in scores.items():
            given.setdefault(key, []).append(score)
    apart = {key: max(scores) - min(scores) for key, scores in given.items()}
    return {key: distance for key, distance in sorted(apart.items()) if distance > over}


def verdict_of_experts(n_accepted: int, n_returned: int, n_experts: int) -> bool | None:
    """Whether the dialogue is accepted, once all its experts have assessed it: more than half of them must accept it.

    MSDE has three assess each dialogue and does not say how they decide; the majority is ours.
    """
    return None if n_accepted + n_returned < n_experts else n_accepted > n_returned


def exact_share(gold: Mapping[str, object], given: Mapping[str, object]) -> tuple[int, int]:
    """How many of the gold scores were given exactly, and how many there are. What gold does not score is not asked."""
    return sum(given.get(key) == score for key, score in gold.items()), len(gold)
