"""The table of the tries, and the routes that leave no line."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.trail_tries.stage import Stage

# Routes that change something and leave no line, each with the reason.
SILENT = {
    "PUT login/": "Django's page takes it for a POST.",
    "PUT account/password/": "Django's page takes it for a POST.",
    "POST api/v1/password/forgotten/": "The link is made and noted on the thread that sends mails.",
    "POST password/forgotten/": "The link is made and noted on the thread that sends mails.",
    "POST account/second-factor/begin/": "A secret that counts for nothing before it is confirmed.",
    "POST preferences/": "How one's own pages look.",
    "POST campaigns/<slug:slug>/testing/open/": "The ledger is the record of a dialogue.",
    "POST assignments/<int:assignment_id>/open/": "The ledger is the record of a dialogue.",
    "POST api/v1/dialogues/": "The ledger is the record of a dialogue.",
    "PATCH api/v1/dialogues/<uuid:dialogue_id>/items/": "What a tester ticks for themselves.",
    "POST api/v1/dialogues/<uuid:dialogue_id>/problems/": "A report to the organizers, with its time and its author.",
    "PUT api/v1/dialogues/<uuid:dialogue_id>/flags/<int:number>/": "A mark for the organizers.",
    "DELETE api/v1/dialogues/<uuid:dialogue_id>/flags/<int:number>/": "A mark for the organizers.",
    "PATCH api/v1/dialogues/<uuid:dialogue_id>/review/": "A draft: nothing counts before it is handed in.",
    "POST api/v1/reviews/next/": "A reservation that ends by itself.",
    "POST campaigns/<slug:slug>/faults/preview/": "A computation: nothing changes.",
}


@dataclass(frozen=True)
class Try:
    """One way to use a route with success: who does it, which act it is, and what is sent where."""

    route: str
    by: str
    act: str
    prepare: Callable[[Stage], tuple[str, dict[str, Any]]]

    def __str__(self) -> str:
        return f"{self.route} {self.act}"


TRIES: dict[str, list[Try]] = {}


def tries(route: str, act: str, by: str = "organizer"):
    """Adds a way to use the route; the function prepares the stage and gives the address, "" for the usual, and what is sent."""

    def add(prepare):
        TRIES.setdefault(route, []).append(Try(route, by, act, prepare))
        return prepare

    return add
