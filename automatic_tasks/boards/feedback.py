"""What a team may see of its own development scores, so that the feedback itself leaks little. Pure."""

from collections.abc import Mapping, Sequence

from measures.ranking import RankingKey

Figures = Mapping[str, float | None]


def is_revealed(figures: Figures, best_so_far: Figures | None, key: RankingKey, min_gain: float | None) -> bool:
    """Whether a run's scores are shown: always without `min_gain`, for the first run, and for a gain of at least that.

    Showing only clear gains keeps a team from climbing on noise (the Ladder of Blum and Hardt 2015).
    """
    ours = figures.get(key.figure)
    if min_gain is None or best_so_far is None:
        return True
    best = best_so_far.get(key.figure)
    if ours is None or best is None:
        return ours is not None
    gain = ours - best if key.better == "higher" else best - ours
    return gain >= min_gain


def best_of(rows: Sequence[Figures], key: RankingKey) -> Figures | None:
    """The row whose figure is best; None where no row has it."""
    present = [row for row in rows if row.get(key.figure) is not None]
    if not present:
        return None
    choose = max if key.better == "higher" else min
    return choose(present, key=lambda row: row[key.figure] or 0.0)


def rounded(figures: Figures, decimals: int | None) -> dict[str, float | None]:
    """The figures as the team gets them: rounded where the task says so, on pages and in the API alike."""
    if decimals is None:
        return dict(figures)
    return {name: None if value is None else round(value, decimals) for name, value in figures.items()}
