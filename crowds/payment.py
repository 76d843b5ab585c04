"""What somebody is paid: the whole for a completed place, a part for a part of the work, and what that makes an hour. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from statistics import median

CENT = Decimal("0.01")
# Shorter visits say nothing about an hour's pay.
LEAST_S = 1


@dataclass(frozen=True, slots=True)
class Terms:
    """Amounts in the study's currency; `screened_out` is for who was let in and sent back by the screening."""

    pay: Decimal
    bonus: Decimal = Decimal(0)
    screened_out: Decimal = Decimal(0)


def rounded(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)


def per_hour(pay: Decimal, minutes: int) -> Decimal:
    """The pay of an hour at the expected time."""
    return rounded(pay * 60 / minutes)


def share_of(n_done: int, n_needed: int) -> Decimal:
    """How much of the work is done, 0 to 1."""
    return min(Decimal(1), Decimal(n_done) / Decimal(n_needed))


def amount_of(
    terms: Terms,
    *,
    n_done: int,
    n_needed: int,
    is_screened_out: bool = False,
    is_rejected: bool = False,
    has_bonus: bool = False,
) -> Decimal:
    """What is owed, rounded half up to hundredths; nothing for rejected work."""
    if is_rejected:
        return rounded(Decimal(0))
    earned = terms.pay * share_of(n_done, n_needed)
    if is_screened_out:
        earned = max(earned if n_done >= n_needed else Decimal(0), terms.screened_out)
    return rounded(earned + (terms.bonus if has_bonus else 0))


def median_time(times: Iterable[timedelta]) -> timedelta | None:
    """None where nobody has completed."""
    seconds = [one.total_seconds() for one in times]
    return timedelta(seconds=median(seconds)) if seconds else None


def reached_per_hour(pay: Decimal, time: timedelta | None) -> Decimal | None:
    """What the pay made an hour for the one in the middle; None where nobody has completed."""
    if time is None:
        return None
    return rounded(pay * 3600 / Decimal(str(max(LEAST_S, time.total_seconds()))))
