"""Guesses at passwords and codes are taken from budgets, before anything is hashed; a program that guessed right gets its token."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.db import transaction

from accounts.actions import Issued, issue_token_row
from accounts.log_in.guesses import WINDOW, Guess, budgets_of, code_digest_of, digest_of
from accounts.models import ApiToken, LiftedNetworkLimit, LogInTry, Person
from accounts.trail_acts import GUESSES_FORGOTTEN, NETWORK_LIMIT_LIFTED
from audit.actions import record

# As of logins in browsers (decision 0024).
TOKENS_AT_MOST = 20
LIFTED_FOR = timedelta(hours=1)


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
    """Forgets the guesses at this account from this browser or network once its owner got in.

    Guesses at other accounts from there stay counted; otherwise an attacker's own account would reset the limit for all others.
    """
    LogInTry.objects.filter(**budgets_of(guess)[0].fields).delete()


@transaction.atomic
def forget_guesses(*, name: str = "", network: str = "") -> int:
    """Forgets what was guessed at an account, from a network, or at all where neither is named; gives how many.

    The trail names no account: what was typed may be a password.
    """
    named = {field: value for field, value in (("name", name), ("network", network)) if value}
    n_gone, _ = LogInTry.objects.filter(**named).delete()
    record(GUESSES_FORGOTTEN, by=None, about=", ".join(named) or "all", details={"n": n_gone, "network": network})
    return n_gone


@transaction.atomic
def lift_network_limit(*, people: Collection[Person], by: Person, at: datetime, campaign: str) -> datetime:
    """Lets guesses at the people's accounts pass the limits of networks for an hour; gives until when.

    `campaign` is for whose sake. The limits of each account stay; no network is named or known here.
    """
    until = at + LIFTED_FOR
    LiftedNetworkLimit.objects.filter(until__lte=at).delete()
    digests = [digest(person.username) for person in people for digest in (digest_of, code_digest_of)]
    LiftedNetworkLimit.objects.bulk_create(
        [LiftedNetworkLimit(name=name, until=until) for name in sorted(digests)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["until"],
    )
    record(
        NETWORK_LIMIT_LIFTED, by=by, at=at, campaign=campaign, details={"n": len(people), "until": until.isoformat()}
    )
    return until


@transaction.atomic
def log_program_in(*, person: Person, name: str, lasts: timedelta, details: Mapping[str, str], at: datetime) -> Issued:
    """A token for a program that knew the password; `details` go into the line of the trail.

    Beyond 20 of the person, those of the same name end first, then those that were used least recently.
    """
    # Who was never logged in may be given a password by any organizer (organizing/people/password_links.py).
    person.last_login = at
    person.save(update_fields=["last_login"])
    ended = _end_surplus(person, name)
    beside = {**details, "ended": ended} if ended else details
    return issue_token_row(person=person, name=name, lasts=lasts, by=person, is_of_log_in=True, beside=beside)


def _end_surplus(person: Person, name: str) -> list[str]:
    """Leaves room for one more token; gives the beginnings of those that ended."""
    own = ApiToken.objects.filter(user=person, is_of_log_in=True)
    latest_first = sorted(own, key=lambda one: one.used_at or one.created, reverse=True)
    others_first = sorted(latest_first, key=lambda one: one.name == name)
    ended = others_first[TOKENS_AT_MOST - 1 :]
    ApiToken.objects.filter(pk__in=[one.pk for one in ended]).delete()
    return [one.token_key for one in ended]


def free_from(guess: Guess, at: datetime, *, n_spared: int) -> datetime | None:
    """When all budgets of the guess have one left again; None if they have now. `n_spared` are left free meanwhile."""
    waits = []
    for budget in budgets_of(guess):
        tries = LogInTry.objects.filter(at__gt=at - WINDOW, **budget.fields).order_by("-at", "-pk")
        over = tries.values_list("at", flat=True)[budget.limit - n_spared : budget.limit - n_spared + 1]
        until = next((when + WINDOW for when in over), None)
        if until and not (budget.is_of_network and _is_lifted(guess, at)):
            waits.append(until)
    return max(waits, default=None)


def _is_lifted(guess: Guess, at: datetime) -> bool:
    return LiftedNetworkLimit.objects.filter(name=guess.name, until__gt=at).exists()
