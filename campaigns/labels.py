"""What the kinds of subtasks and the facts of goal cards are called; unknown ones are shown as they are."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

KINDS: dict[str, Promise] = {"flight": _("Flight"), "train": _("Train"), "hotel": _("Hotel")}

FACTS: dict[str, Promise] = {
    "from": _("From"),
    "to": _("To"),
    "date": _("Date"),
    "time": _("Time"),
    "class": _("Class"),
    "seat": _("Seat"),
    "number": _("Number"),
    "depart": _("Departs"),
    "arrive": _("Arrives"),
    "price": _("Price"),
    "budget": _("Budget"),
    "city": _("City"),
    "place": _("Place"),
    "nights": _("Nights"),
    "name": _("Name"),
    "flights": _("Flights"),
    "trains": _("Trains"),
    "hotels": _("Hotels"),
}


def kind_label(kind: str) -> str:
    return str(KINDS.get(kind, kind))


def fact_label(key: str) -> str:
    return str(FACTS.get(key) or KINDS.get(key) or key)
