"""Tries an address before it is stored: one call with one word, or questions by OPTIONS and GET alone which protocol it speaks.

Both are limited per person and noted in the trail.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from threading import Lock
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from accounts.models import Person
from api.rate_limits import take
from audit.actions import record
from audit.trail_acts import TrailAct, trail_act
from campaigns.access import team_of
from campaigns.actions.entering import origin_of
from campaigns.models import Campaign, Entry
from conformance.guessing import NATIVE, Asked, Guess, guess_protocol
from participants.adapters import ADAPTERS, PROTOCOLS, Adapter, BotAddress, BotCall
from participants.adapters.shown_requests import finding_without, without_secret
from participants.adapters.trying import Tried, tried
from participants.bot_form import AddressForm, read_address
from participants.bot_urls import check_bot_url
from participants.limits import MESSAGE_LIMIT
from participants.outbound import Door
from reading.checking import BadForm
from reading.findings import Finding
from reading.kinds import Text, Wrong
from serving.refused import NotYet

BOT_TRIED = trail_act("bot.tried", gettext_lazy("made a test call to %(about)s"))
PROTOCOL_ASKED = trail_act("bot.protocol_asked", gettext_lazy("asked %(about)s which protocol it speaks"))
TRIES_LIMIT = 20
DEADLINE_S = 15.0
NO_DETAILS: Mapping[str, str] = MappingProxyType({})
# Each holds the thread of its page until the bot has answered.
AT_ONCE, OF_A_TEAM, OF_A_PERSON = 6, 2, 1
# A team that was refused is asked to come again after the first, and keeps its turn until the second.
COME_AGAIN_S, TURN_LASTS_S = 5, 15


class Taken(Enum):
    YES = "yes"
    NOT_NOW = "others have all places, or have waited for longer"
    OWN_ARE_USED = "the person or their team has as many as each may have"


@dataclass(frozen=True, slots=True)
class Asker:
    """`team` names those who share places: a team, or a campaign's organizers."""

    person: str
    team: str


class TryPlaces:
    """The places for test calls of one process: few at once, fewer of a team and of a person; teams take turns.

    `at_s` is a monotonic clock. Nothing blocks: a team that is refused has a turn, and a free place is kept for the team that was
    refused first, as long as it comes again in time. A team that gets a place goes to the end.
    """

    def __init__(self, at_once: int = AT_ONCE, of_a_team: int = OF_A_TEAM, of_a_person: int = OF_A_PERSON) -> None:
        self._at_once, self._of_a_team, self._of_a_person = at_once, of_a_team, of_a_person
        self._of_persons: Counter[str] = Counter()
        self._of_teams: Counter[str] = Counter()
        # When each team was refused last, in the order in which they were refused first.
        self._turns: dict[str, float] = {}
        self._lock = Lock()

    def take(self, asker: Asker, at_s: float) -> Taken:
        with self._lock:
            self._turns = {team: since for team, since in self._turns.items() if at_s - since < TURN_LASTS_S}
            if self._has_enough(asker.team) or self._of_persons[asker.person] >= self._of_a_person:
                return Taken.OWN_ARE_USED
            before = list(self._turns)
            before = before[: before.index(asker.team)] if asker.team in before else before
            n_kept = sum(not self._has_enough(team) for team in before)
            if self._of_teams.total() + n_kept >= self._at_once:
                self._turns[asker.team] = at_s
                return Taken.NOT_NOW
            self._turns.pop(asker.team, None)
            self._of_persons[asker.person] += 1
            self._of_teams[asker.team] += 1
            return Taken.YES

    def give_back(self, asker: Asker) -> None:
        with self._lock:
            # Subtracting drops counts of zero, which would otherwise pile up.
            self._of_persons -= Counter([asker.person])
            self._of_teams -= Counter([asker.team])

    def _has_enough(self, team: str) -> bool:
        return self._of_teams[team] >= self._of_a_team


_places = TryPlaces()


class TooManyTries(NotYet):
    """The person has made as many test calls as are allowed in five minutes."""

    code, status = "throttled", 429

    def __str__(self) -> str:
        return _("You have made %(n)s test calls within five minutes. Wait a little.") % {"n": TRIES_LIMIT}


class NoPlaceToTry(NotYet):
    """Others are trying their systems; the next free place is kept for the team that has waited longest."""

    code, status = "busy", 503

    def __str__(self) -> str:
        return _(
            "Several systems are being tried at this moment. Try again in a few seconds: your team has its turn then."
        )


class OwnTriesGoOn(NotYet):
    """The person or the team waits for an answer already."""

    code, status = "busy", 429

    def __str__(self) -> str:
        return _("You or your team are already trying a system. Try again when it has answered.")


@dataclass(frozen=True, slots=True)
class Typed:
    """A checked test call: the address, the secret that goes with it, the word."""

    form: AddressForm
    url: str
    secret: str
    word: str


def read_try(address: Mapping[str, Any], word: str, entry: Entry | None) -> Typed:
    """Errors: `BadForm` naming every wrong field."""
    form, url, secret = read_asked(address, entry)
    try:
        text: str = Text(MESSAGE_LIMIT).value_of(word.strip())
    except Wrong as wrong:
        raise BadForm([wrong.at("word")]) from wrong
    return Typed(form, url, secret, text)


def read_asked(address: Mapping[str, Any], entry: Entry | None) -> tuple[AddressForm, str, str]:
    """The address with its URL as it would be stored, and the secret that goes with it. Errors: `BadForm`."""
    form = read_address(address, ADAPTERS)
    try:
        url = check_bot_url(form.url, settings.OUTBOUND_ALLOW)
    except Wrong as wrong:
        raise BadForm([wrong.at("url")]) from wrong
    return form, url, _secret_for(form, url, entry)


def _secret_for(form: AddressForm, url: str, entry: Entry | None) -> str:
    """The typed secret, else the stored one, which is sent to its own server only. Errors: `BadForm`."""
    if form.secret is not None or entry is None or not entry.has_secret:
        return form.secret or ""
    if origin_of(url) != origin_of(entry.url):
        text = gettext_noop("was given for another server: type the secret for this one, or say that it needs none")
        raise BadForm([Finding("secret", text)])
    return str(entry.secret)


def try_address(*, campaign: Campaign, typed: Typed, by: Person, at: datetime) -> Tried:
    """Makes the call and waits for its outcome. Nothing is stored but a line of the trail.

    Errors: `TooManyTries`, `NoPlaceToTry`, `OwnTriesGoOn`.
    """
    with place_to_ask(campaign, by):
        # Before the call, and in a transaction of its own: none is open while the bot is waited for.
        note(BOT_TRIED, campaign, typed.url, by, at, {"protocol": typed.form.protocol})
        return async_to_sync(tried)(_call(campaign, typed), Door(settings.OUTBOUND_ALLOW), ADAPTERS)


@contextmanager
def place_to_ask(campaign: Campaign, by: Person) -> Iterator[None]:
    """A place among those that wait for bots, and one of the person's calls; a refusal uses up no call.

    Errors: `TooManyTries`, `NoPlaceToTry`, `OwnTriesGoOn`.
    """
    team = team_of(by, campaign)
    asker = Asker(str(by.pk), f"team {team.pk}" if team else f"organizers of {campaign.pk}")
    place = _places.take(asker, time.monotonic())
    if place is Taken.NOT_NOW:
        raise NoPlaceToTry(COME_AGAIN_S)
    if place is Taken.OWN_ARE_USED:
        raise OwnTriesGoOn(COME_AGAIN_S)
    try:
        taken = take("tries", str(by.pk), TRIES_LIMIT)
        if taken is not None and taken.is_over:
            raise TooManyTries(taken.resets_in_s)
        yield
    finally:
        _places.give_back(asker)


@transaction.atomic
def note(
    act: TrailAct, campaign: Campaign, url: str, by: Person, at: datetime, details: Mapping[str, str] = NO_DETAILS
) -> None:
    """The trail gets the server alone: the rest of a URL may hold a key of the team's own."""
    parts = urlsplit(url)
    about = f"{parts.scheme}://{parts.netloc}"
    record(act, by=by, at=at, campaign=campaign.slug, about=about, details=dict(details))


def _call(campaign: Campaign, typed: Typed) -> BotCall:
    dialogue = str(uuid4())
    return BotCall(
        bot=BotAddress(typed.form.protocol, typed.url, typed.secret, typed.form.options),
        dialogue=dialogue,
        turn=1,
        text=typed.word,
        turn_key=f"{dialogue}:1",
        language=campaign.language,
        deadline_s=min(DEADLINE_S, campaign.reply_deadline_s),
    )


# Of each answer; all of them are on one page.
SHOWN_LIMIT = 300
# Method Not Allowed, Not Implemented.
TAKES_NO_GET = frozenset({405, 501})


@dataclass(frozen=True, slots=True)
class Clue:
    """A reason for a protocol. A protocol of services alone has no `words`: no bot is registered with it."""

    protocol: str
    because: str

    @property
    def words(self) -> Adapter | None:
        return ADAPTERS.get(self.protocol)


@dataclass(frozen=True, slots=True)
class Try:
    """One question with its answer, else the `kind` of its failure; both are missing where time was up."""

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
        """The protocol to propose; empty without a clue to one that a bot may have."""
        return self.best.protocol if self.best else ""

    @property
    def others(self) -> list[Clue]:
        return [clue for clue in self.clues if clue is not self.best]

    @property
    def takes_post_alone(self) -> bool:
        """Whether its server says that it takes neither OPTIONS nor GET, as one does that answers nothing but turns."""
        return bool(TAKES_NO_GET & {one.status for one in self.tries})

    @property
    def outcomes(self) -> list[tuple[Try, list[str]]]:
        """What came, each with all questions that led to the same."""
        outcomes: dict[Try, list[str]] = {}
        for one in self.tries:
            outcomes.setdefault(replace(one, asked=""), []).append(one.asked)
        return list(outcomes.items())


def read_url(address: Mapping[str, Any], entry: Entry | None) -> tuple[str, str]:
    """The URL and the secret alone: options belong to a protocol, which is still unknown. Errors: `BadForm`."""
    # A WebSocket's URL is refused with the protocol that it belongs to: nothing can be asked there.
    form = {name: address[name] for name in ("url", "secret") if name in address} | {"protocol": NATIVE}
    _form, url, secret = read_asked(form, entry)
    return url, secret


def find_protocol(*, campaign: Campaign, url: str, secret: str, by: Person, at: datetime) -> Found:
    """Asks and waits for the answers. Nothing is stored but a line of the trail. Errors: as of `place_to_ask`."""
    with place_to_ask(campaign, by):
        # Before the questions, as with a test call.
        note(PROTOCOL_ASKED, campaign, url, by, at)
        return found_in(async_to_sync(_guess)(url, secret), secret)


async def _guess(url: str, secret: str) -> Guess:
    door = Door(settings.OUTBOUND_ALLOW)
    try:
        return await guess_protocol(url, door, ADAPTERS, secret=secret)
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
