"""The names of a leaderboard's columns beside the figures: a criterion with such a key would take the column's place. Pure."""

from collections.abc import Collection

from measures.live import RECORD_FIGURES

FIGURES = frozenset(figure.name for figure in RECORD_FIGURES)
# Exports and the API have a row's figures beside these, each by its key.
COLUMNS = frozenset(
    {
        *("rank", "key", "team", "bot", "reason", "reason_text", "n_records", "n_failed", "n_turns", "turns_are"),
        *("intervals", "rank_interval", "rank_low", "rank_high", "rank_probabilities"),
        *("team_en", "scores_version", "recomputing_since"),
    }
)
# The two ends of a figure's interval stand in columns of their own.
ENDS = ("_low", "_high")


def is_an_end(key: str, others: Collection[str]) -> bool:
    """Whether the key would be that of an end of another figure's interval."""
    return any(key.endswith(end) and key.removesuffix(end) in {*FIGURES, *others} for end in ENDS)
