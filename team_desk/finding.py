"""Asks a URL which protocol it speaks, for whoever registers it: by OPTIONS and GET alone, within the limits of test calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings

from accounts.models import Person
from campaigns.models import Campaign, Entry
from conformance.guessing import NATIVE, Asked, Guess, guess_protocol
from participants.adapters import ADAPTERS, PROTOCOLS, Adapter
from participants.adapters.hiding import finding_without, without_secret
from participants.outbound import Door
from team_desk.trying import PROTOCOL_ASKED, note, place_to_ask, read_asked

# Of each answer; all of them are on one page.
SHOWN_LIMIT = 300


@dataclass(frozen=True, slots=True)
class Clue:
    """What speaks for a protocol. A protocol of services alone has no `words`: no bot is registered with it."""

    protocol: str
    because: str

    @property
    def words(self) -> Adapter | None:
        return ADAPTERS.get(self.protocol)


@dataclass(frozen=True, slots=True)
class Try:
    """One question and what came: an answer with a status, else why there is none; `kind` is empty where time was up."""

    asked: str
    status: int | None = None
    content_type: str = ""
    body: str = ""
    kind: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """`clues` are in the reader's language, the best first; `is_answered` says whether the URL gave any answer."""

    clues: tuple[Clue, ...] = ()
    tries: tuple[Try, ...] = ()
    is_answered: bool = False

    @property
    def best(self) -> Clue | None:
        return next((clue for clue in self.clues if clue.protocol in PROTOCOLS), None)

    @property
    def protocol(self) -> str:
        """The one to propose; empty where nothing speaks for one that a bot may have."""
        return self.best.protocol if self.best else ""

    @property
    def others(self) -> list[Clue]:
        return [clue for clue in self.clues if clue is not self.best]


@dataclass(frozen=True, slots=True)
class TypedUrl:
    url: str
    secret: str


def read_url(said: Mapping[str, Any], entry: Entry | None) -> TypedUrl:
    """The URL and the secret alone: options belong to a protocol, which nobody knows yet. Errors: `BadForm`."""
    # A WebSocket's URL is refused with the protocol that it belongs to: nothing can be asked there.
    form = {name: said[name] for name in ("url", "secret") if name in said} | {"protocol": NATIVE}
    _form, url, secret = read_asked(form, entry)
    return TypedUrl(url, secret)


def find_protocol(*, campaign: Campaign, typed: TypedUrl, by: Person, at: datetime) -> Found:
    """Asks, and waits for what comes of it. Nothing is stored but a line of the trail. Errors: as of `place_to_ask`."""
    with place_to_ask(campaign, by):
        # Before the questions, as with a test call.
        note(PROTOCOL_ASKED, campaign, typed.url, by, at)
        return found_in(async_to_sync(_guess)(typed), typed.secret)


async def _guess(typed: TypedUrl) -> Guess:
    door = Door(settings.OUTBOUND_ALLOW)
    try:
        return await guess_protocol(typed.url, door, ADAPTERS, secret=typed.secret)
    finally:
        await door.close()


def found_in(guess: Guess, secret: str) -> Found:
    clues = tuple(Clue(protocol, str(because)) for protocol, because in guess.clues.items())
    return Found(clues, tuple(_try(one, secret) for one in guess.tries), guess.n_answers > 0)


def _try(one: Asked, secret: str) -> Try:
    if one.heard is not None:
        body = without_secret(one.heard.body.decode("utf-8", "backslashreplace"), secret)
        content_type = without_secret(one.heard.headers.get("content-type", ""), secret)
        return Try(one.question, one.heard.status, content_type, body[:SHOWN_LIMIT])
    if one.failure is not None:
        detail = str(finding_without(one.failure.detail, secret))
        return Try(one.question, kind=one.failure.kind.value, detail=detail)
    return Try(one.question)
