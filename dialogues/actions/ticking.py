"""Ticks on the scenario's items: what the tester has used of the information that was given to them."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from campaigns.calendar import Doing
from dialogues.actions.ledger import held
from dialogues.actions.season import refuse_unless_open
from dialogues.models import Dialogue
from dialogues.turn_taking import is_closed


class NoSuchItem(Exception):
    """The scenario has fewer items."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


@transaction.atomic
def tick_items(*, dialogue: Dialogue, ticked: Collection[int], at: datetime) -> Dialogue:
    """Stores which items are used, as a whole; places count from 0.

    Errors: `Refusal` (`closed`, `not_now`), `NoSuchItem`.
    """
    # The reasons of endings depend on the ticks: none may be set while the dialogue is being closed.
    now = held(dialogue.pk)
    if not now.is_open:
        raise is_closed()
    refuse_unless_open(now.assignment.campaign, Doing.FINISH, at)
    n_items = len(now.assignment.scenario.items)
    for place in ticked:
        if place >= n_items:
            raise NoSuchItem(place)
    now.ticked = sorted(set(ticked))
    now.save(update_fields=["ticked"])
    return now
