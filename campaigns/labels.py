"""What the kinds of subtasks, the skills of scenarios, what bots are given, and the facts of goal cards are called.

What no preset, example or demo ships is shown as it stands.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

KINDS: dict[str, Promise] = {
    "flight": _("Flight"),
    "train": _("Train"),
    "hotel": _("Hotel"),
    "chat": _("Chat"),
    "inquiry": _("Inquiry"),
    "order": _("Order"),
    "recipe": _("Recipe"),
}

SKILLS: dict[str, Promise] = {
    "booking": _("Booking"),
    "chit-chat": _("Chit-chat"),
    "inquiry": _("Inquiry"),
    "knowledge": _("Knowledge"),
    "order": _("Order"),
    "persona": _("Persona"),
    "recommendation": _("Recommendation"),
}

CONTEXTS: dict[str, Promise] = {
    "goal": _("Goal"),
    "kb": _("Knowledge base"),
    "knowledge": _("Knowledge"),
    "persona": _("Persona"),
    "policy": _("Policy"),
    "recommend": _("Recommendation"),
}

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


def skill_label(skill: str) -> str:
    return str(SKILLS.get(skill, skill))


def context_label(key: str) -> str:
    return str(CONTEXTS.get(key, key))


def fact_label(key: str) -> str:
    return str(FACTS.get(key) or KINDS.get(key) or key)
