"""Guesses at passwords and codes are taken from budgets, before anything is hashed."""

from datetime import datetime

from django.db import transaction

from accounts.log_in.budgets import WINDOW, Budget, Guess, budgets_of
from accounts.models import LogInTry


def take_guess(*, guess: Guess, at: datetime) -> datetime | None:
    """Takes the guess from its budgets; or gives the time from which there is one left, and takes nothing.

    Written down before the password is looked at: of many guesses at once, none passes uncounted.
    """
    # A flood is refused by reads alone: it makes no writer wait.
    if until := free_from(guess, at, n_spared=1):
        return until
    with transaction.atomic():
        LogInTry.objects.filter(at__lte=at - WINDOW).delete()
        taken = LogInTry.objects.create(name=guess.name, network=guess.network, device=guess.device, at=at)
    # Stored before it is counted: of guesses at the same time, each sees all others.
    if until := free_from(guess, at, n_spared=0):
        taken.delete()
    return until


@transaction.atomic
def give_guesses_back(*, guess: Guess) -> None:
    """Who got in has made no guesses: those at this account from this browser or network are forgotten.

    What was guessed at other accounts from there stays counted, or one account of one's own would pay for all others.
    """
    LogInTry.objects.filter(**budgets_of(guess)[0].fields).delete()


@transaction.atomic
def forget_guesses(*, name: str = "", network: str = "") -> int:
    """Forgets what was guessed at an account, from a network, or at all where neither is named; gives how many."""
    named = {field: value for field, value in (("name", name), ("network", network)) if value}
    n_gone, _ = LogInTry.objects.filter(**named).delete()
    return n_gone


def free_from(guess: Guess, at: datetime, *, n_spared: int) -> datetime | None:
    """When all budgets of the guess have one left again; None if they have now. `n_spared` are left free meanwhile."""
    waits = [until for budget in budgets_of(guess) if (until := _full_until(budget, at, n_spared))]
    return max(waits, default=None)


def _full_until(budget: Budget, at: datetime, n_spared: int) -> datetime | None:
    tries = LogInTry.objects.filter(at__gt=at - WINDOW, **budget.fields).order_by("-at", "-pk")
    over = tries.values_list("at", flat=True)[budget.limit - n_spared : budget.limit - n_spared + 1]
    return next((when + WINDOW for when in over), None)
