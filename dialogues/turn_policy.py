"""What a campaign counts as a turn. Pure.

Everything inside the platform counts exchanges: what the tester says, with the bot's answer. A campaign that counts
utterances counts two for each, and one more where the bot speaks first; its caps are converted when a dialogue is
opened, and converted back for display.
"""

from dataclasses import dataclass
from typing import Protocol

EXCHANGES, UTTERANCES = "exchanges", "utterances"


class HasPolicy(Protocol):
    """A campaign."""

    @property
    def turns_are(self) -> str: ...
    @property
    def opened_by(self) -> str: ...


@dataclass(frozen=True, slots=True)
class TurnPolicy:
    """`per_exchange` is how many turns an exchange is, `opening` how many the bot's opening is, if it speaks first."""

    per_exchange: int = 1
    opening: int = 0

    def exchanges(self, turns: int, *, is_first: bool = True) -> int:
        """The number of exchanges that fit into the turns, at least one; `is_first` where the bot's opening is among them.

        What is left over is not used: nobody is left without an answer.
        """
        return max(1, (turns - self._opening(is_first)) // self.per_exchange)

    def turns(self, exchanges: int, *, is_first: bool = True) -> int:
        """The number of turns in the exchanges, with the bot's opening where it is among them."""
        return self.per_exchange * exchanges + self._opening(is_first)

    def shown_cap(self, turns: int, *, is_first: bool = True) -> int:
        """The turns of a cap that can be used."""
        return self.turns(self.exchanges(turns, is_first=is_first), is_first=is_first)

    def turns_of_part(self, index: int, exchanges: int, cap: int | None) -> tuple[int, int | None]:
        """The turns and the cap of a part, given its exchanges; the opening belongs to the first part."""
        is_first = index == 1
        return self.turns(exchanges, is_first=is_first), None if cap is None else self.turns(cap, is_first=is_first)

    def charged(self, answered: int, *, has_opening: bool) -> int:
        """The turns of the answered exchanges; `has_opening` if the bot's opening is among them and was answered."""
        return self.per_exchange * answered + self._opening(has_opening)

    def _opening(self, is_among_them: bool) -> int:
        return self.opening if is_among_them else 0


def turn_policy_of(campaign: HasPolicy) -> TurnPolicy:
    if campaign.turns_are != UTTERANCES:
        return TurnPolicy()
    return TurnPolicy(per_exchange=2, opening=int(campaign.opened_by == "bot"))


def turn_in_words(turns_are: str) -> str:
    """What T and the caps count, as a sentence: a paper may say rounds in one place and utterances in another."""
    # Imported here: a bundle is verified by this module's rules where no Django is installed.
    from django.utils.translation import gettext as _

    if turns_are == UTTERANCES:
        return _("Each utterance is a turn: what the tester says is one, the answer to it another.")
    return _("A turn is what the tester says together with the answer to it.")
