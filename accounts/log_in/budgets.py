"""How many guesses are free before the next has to wait. Pure: knows no clock, no request and no database.

A guess counts for a quarter of an hour, whether or not the account exists; guesses that were refused do not count, so
nobody waits for longer than that.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

WINDOW = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Guess:
    """One try to get into an account: digest of its name, network, and the browser if it got in there before."""

    name: str
    network: str
    device: str = ""
    # Strange browsers together, from everywhere; fewer for codes, which have only a million possibilities.
    n_from_strangers: int = 30


@dataclass(frozen=True, slots=True)
class Budget:
    """At most `limit` guesses per window that agree in `fields`."""

    fields: Mapping[str, str]
    limit: int

    @property
    def is_of_network(self) -> bool:
        """Whether guesses at all accounts use it up together."""
        return "name" not in self.fields


def budgets_of(guess: Guess) -> tuple[Budget, ...]:
    """The budgets that a guess is taken from; all of them must have one left.

    A browser that got in before has a budget of its own: whoever guesses elsewhere, or a roomful of people behind the
    same address, uses up nothing of it. The budget of an address is wide, since a university may stand behind it; an
    organizer lifts it for their campaign's people where that is not enough (decision 0024).
    """
    if guess.device:
        return (Budget({"name": guess.name, "device": guess.device}, 10),)
    return (
        Budget({"name": guess.name, "network": guess.network, "device": ""}, 5),
        Budget({"name": guess.name, "device": ""}, guess.n_from_strangers),
        Budget({"network": guess.network, "device": ""}, 100),
    )
