"""The sockets of bots on this process: let in by their keys, closed when these end, found by turns of other processes.

A turn whose bot is connected to another process goes there through the channel layer, and what the bot says comes back the
same way. Where each bot is connected stands in the database; a message that is lost costs the turn its deadline at most.
"""

import asyncio
import json
import time
from collections.abc import Collection
from functools import partial
from typing import Any, NamedTuple, Protocol
from uuid import uuid4

from django.utils import timezone

from accounts.link_tokens import digest_of
from dialogues.queries import look_up
from participants import failure_sentences as sentences
from participants.bot_form import DIAL_OUT
from participants.dial_out import exchange
from participants.dial_out.exchange import RECONNECT_S, BotSocket, OpenTurn, not_connected
from participants.dial_out.frames import BotFrame
from participants.failures import BotFailure, FailureKind
from reading.findings import Finding, sentence
from registration.actions.own_bots import is_key, lets_in, note_connected, note_left, note_seen
from registration.models import SEEN_EVERY, DialKey
from serving.background import Background, supervised
from serving.commits.group_commit import GroupCommit, Unavailable
from serving.processes import ProcessName
from testing_console.live.socket_limits import RefusedKeys, is_over_on_all_machines

# Keys that ended, and sockets that were replaced in another process, are found this often.
CHECK_EVERY_S = 1.0
# How often a turn looks where its bot is, while it is not here.
LOOK_EVERY_S = 0.5
BEAT_EVERY_S = 2.0
# Not even this process's own beat was heard: the subscription is dead, whatever Redis says.
DEAF_AFTER_S = 3 * BEAT_EVERY_S
# A turn is served until the process that asks says that it is over: a standstill there moves its deadline.
STANDSTILL_LIMIT_S = 300.0


class Guest(BotSocket, Protocol):
    """An open socket of a bot, with the name under which its connection is stored."""

    connection: str
    bot: str

    def expel(self) -> None:
        """Closes it: its key has ended."""


class Place(NamedTuple):
    """Where a bot is connected; `server` is empty where it is not, and `gone_s` says for how long it has not been."""

    connection: str
    server: str
    gone_s: float


class BotSockets:
    """One per process. Touched on the event loop only."""

    def __init__(self, background: Background, commits: GroupCommit, owner: ProcessName, layer: Any) -> None:
        self._background, self._commits, self._owner, self._layer = background, commits, owner, layer
        self._exchange = exchange.current()
        self._exchange.elsewhere = self
        self._guests: set[Guest] = set()
        self._refused = RefusedKeys()
        # Turns of other processes that are handed to bots here.
        self._served: dict[str, asyncio.Task[None]] = {}
        self._seen_at = 0.0
        self._began = time.monotonic()
        background.keep("The check of bots' keys", self._check)
        if layer is not None:
            background.keep("The turns of other processes", self._listen)
            background.keep("The beat of bots' sockets", self._beat)

    # -- bots come and go -----------------------------------------------------------------------------------------

    async def admit(self, key: str, network: str) -> tuple[str, str, str] | None:
        """The connection, what adapters call the bot, and its name; None for no valid key.

        Errors: `TooManyTries`, `Unavailable`.
        """
        if not is_key(key):
            return None
        self._refused.check(network)
        digest = digest_of(key)
        # Checked before the writer's queue of turns, which keyless clients must not fill.
        if not await look_up(lets_in, digest):
            self._refused.note(network)
            if await look_up(is_over_on_all_machines, network):
                self._refused.shut(network)
            return None
        connection = uuid4().hex
        noting = partial(
            note_connected, digest=digest, connection=connection, server=self._owner.name, at=timezone.now()
        )
        noted = await self._commits.submit(noting)
        return None if noted is None else (connection, *noted)

    def enter(self, guest: Guest) -> None:
        self._guests.add(guest)
        self._exchange.enter(guest.bot, guest)

    def leave(self, guest: Guest) -> None:
        if guest in self._guests:
            self._guests.remove(guest)
            self._exchange.leave(guest.bot, guest)
            self._background.once("The note that a bot has left", self._note_left(guest.connection))

    async def _note_left(self, connection: str) -> None:
        await self._commits.submit(partial(note_left, connection=connection, at=timezone.now()))

    async def _check(self) -> None:
        """Closes sockets whose key ended or whose bot connected elsewhere, and notes the others as seen."""
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            guests = list(self._guests)
            if not guests:
                continue
            held = await look_up(standing_of, {guest.bot for guest in guests})
            # Those that left meanwhile are closed already.
            for guest in self._guests.intersection(guests):
                if guest.bot not in held:
                    self._end(guest)
                elif held[guest.bot] != guest.connection:
                    guest.replace()
            if time.monotonic() - self._seen_at > SEEN_EVERY.total_seconds():
                await self._note_seen()

    async def _note_seen(self) -> None:
        connections = [guest.connection for guest in self._guests]
        try:
            await self._commits.submit(partial(note_seen, connections=connections, at=timezone.now()))
        except Unavailable:
            return
        self._seen_at = time.monotonic()

    def _end(self, guest: Guest) -> None:
        self.leave(guest)
        guest.expel()

    def expel(self, bot: str) -> None:
        """The key of the bot has ended, by an act of this process."""
        for guest in [guest for guest in self._guests if guest.bot == bot]:
            self._end(guest)

    # -- a turn of this process, and a bot that is connected to another --------------------------------------------

    async def follow(self, turn: OpenTurn) -> None:
        """Hands the turn over wherever its bot is connected, and to each place that it moves to, until it is lost."""
        await supervised("The search for a bot", partial(self._follow, turn))

    async def _follow(self, turn: OpenTurn) -> None:
        handed_to = ""
        while True:
            place = await self._place_of(turn.bot)
            if place.server and place.server != self._owner.name and place.connection != handed_to:
                if self._layer is None:
                    turn.fail(unreachable())
                    return
                await self._hand_over(turn, place.server)
                handed_to = place.connection
            elif not place.server and place.gone_s > RECONNECT_S:
                turn.lose()
                return
            await asyncio.sleep(LOOK_EVERY_S)

    async def tell(self, bot: str, frame: str) -> None:
        """Hands a frame that wants no answer to the bot, here or elsewhere, once. Who asks has a limit for it.

        Errors: `BotFailure` where the bot has been nowhere for too long, or is out of reach.
        """
        while not self._exchange.tell_here(bot, frame):
            place = await self._place_of(bot)
            if place.server and place.server != self._owner.name:
                if self._layer is None:
                    raise unreachable()
                await self._layer.send(channel_of(place.server), {"type": "tell", "bot": bot, "frame": frame})
                return
            if not place.server and place.gone_s > RECONNECT_S:
                raise not_connected()
            await asyncio.sleep(LOOK_EVERY_S)

    async def _place_of(self, bot: str) -> Place:
        return await look_up(place_of, bot, self._owner, time.monotonic() - self._began)

    async def _hand_over(self, turn: OpenTurn, server: str) -> None:
        message = {"type": "turn", "bot": turn.bot, "id": turn.turn_id, "back": self._channel}
        # Marked as handed over before it leaves: if the sending fails half-way, the bot may have it.
        is_again, left_s = turn.is_handed, turn.left_s
        content = {"frame": turn.frame(), "again": is_again, "left_s": left_s}
        turn.servers.add(server)
        await self._layer.send(channel_of(server), message | content)

    def end(self, turn: OpenTurn) -> None:
        """Tells the processes that still serve the turn that it is over: else they would until its deadline."""
        message = {"type": "over", "bot": turn.bot, "id": turn.turn_id}
        for server in turn.servers:
            self._background.once("The end of a turn elsewhere", self._layer.send(channel_of(server), message))

    # -- turns of other processes, and bots that are connected here ------------------------------------------------

    @property
    def _channel(self) -> str:
        return channel_of(self._owner.name)

    async def _listen(self) -> None:
        # What an earlier attempt left in the layer is dead: its connection, its subscriptions, its queue.
        await self._layer.flush()
        while True:
            async with asyncio.timeout(DEAF_AFTER_S):
                message = await self._layer.receive(self._channel)
            self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        """One message of another process, or the beat of this one."""
        kind, bot, turn_id = message["type"], message.get("bot", ""), message.get("id", "")
        if kind == "turn":
            self._begin_to_serve(message)
        elif kind == "over" and turn_id in self._served:
            self._served[turn_id].cancel()
        elif kind == "tell":
            self._exchange.tell_here(bot, message["frame"])
        elif kind == "heard":
            content = json.loads(message["content"])
            self._exchange.hear(bot, BotFrame(message["kind"], turn_id, content, message["size"]))
        elif kind == "failed":
            self._exchange.fail(
                bot, turn_id, BotFailure(FailureKind(message["kind"]), Finding.from_json(message["detail"]))
            )

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_EVERY_S)
            await self._layer.send(self._channel, {"type": "beat"})

    def _begin_to_serve(self, message: dict[str, Any]) -> None:
        turn_id = message["id"]
        if turn_id in self._served or self._exchange.has_turn(turn_id):
            return
        # Noted before its first step: the message that it is over may be the next one.
        self._served[turn_id] = self._background.once("A turn of another process", self._serve(message))
        self._served[turn_id].add_done_callback(lambda _: self._served.pop(turn_id))

    async def _serve(self, message: dict[str, Any]) -> None:
        """Hands another process's turn to the bot, and sends back what the bot says, until the turn is over."""
        bot, turn_id, back = message["bot"], message["id"], message["back"]
        named = {"bot": bot, "id": turn_id}
        with self._exchange.open(bot, turn_id, message["frame"], message["left_s"]) as turn:
            try:
                async with asyncio.timeout(message["left_s"] + STANDSTILL_LIMIT_S):
                    is_over = False
                    while not is_over:
                        heard = await turn.heard()
                        # As ASCII: MessagePack refuses half of a surrogate pair, which a delta may end with.
                        content = json.dumps(heard.content)
                        said = {"kind": heard.kind, "content": content, "size": heard.n_characters}
                        await self._layer.send(back, {"type": "heard"} | named | said)
                        is_over = heard.is_last
            except TimeoutError:
                # The process that asks has not said that the turn is over: it is gone.
                return
            except BotFailure as failure:
                # Of what the bot did with this turn only this process knows; where the bot is, the other one sees itself.
                if failure.kind == FailureKind.TOO_LONG:
                    why = {"kind": failure.kind.value, "detail": failure.detail.to_json()}
                    await self._layer.send(back, {"type": "failed"} | named | why)


def channel_of(server: str) -> str:
    """The channel on which a process hears of turns for its bots."""
    return f"bots.{server}"


def unreachable() -> BotFailure:
    return BotFailure(FailureKind.INTERRUPTED, sentence(sentences.ELSEWHERE), reached_bot=False)


def place_of(bot: str, owner: ProcessName, up_s: float) -> Place:
    """Where the bot is; `up_s` is for how long this process has been one that the bot could come back to."""
    at = timezone.now()
    key = DialKey.objects.filter(entry=int(bot.removeprefix(f"{DIAL_OUT}:"))).first()
    if key is None:
        return Place("", "", float("inf"))
    if key.is_connected(at) and not owner.is_ended(key.server):
        return Place(key.connection, key.server, 0.0)
    since = key.left_at or key.seen_at
    # Our own downtime is not the bot's: after it the bot has its full time to reconnect.
    return Place(key.connection, "", min((at - since).total_seconds(), up_s) if since else float("inf"))


def standing_of(bots: Collection[str]) -> dict[str, str]:
    """The connection that holds for each of these bots; those whose key has ended are left out."""
    entries = {int(bot.removeprefix(f"{DIAL_OUT}:")) for bot in bots}
    keys = DialKey.objects.filter(entry__in=entries, entry__protocol=DIAL_OUT, entry__withdrawn_at=None)
    return {f"{DIAL_OUT}:{entry}": connection for entry, connection in keys.values_list("entry", "connection")}
