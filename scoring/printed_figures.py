"""Figures as people read them, on pages and on a terminal."""


def fixed(value: float, decimals: int) -> str:
    """Rounded, with a true minus; what rounds to zero has none."""
    told = f"{value:.{decimals}f}"
    return told.replace("-", "−" if float(told) else "")


def p_of(p: float) -> str:
    """Three decimals, and what is too small for them is not zero."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def told_p(p: float) -> str:
    """With its sign: "p = 0.040", "p < 0.001"."""
    said = p_of(p)
    return f"p {said}" if said.startswith("<") else f"p = {said}"
