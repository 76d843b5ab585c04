"""How long to wait before something that failed is tried again. Pure."""

FIRST_S = 1.0


def pause_s(n_in_a_row: int, *, longest_s: float) -> float:
    """Doubles from one second with every failure in a row, up to the longest."""
    return min(longest_s, FIRST_S * 2.0 ** min(n_in_a_row - 1, 30))
