"""What other server processes committed reaches the sockets of this one, and they hear what this one committed.

A wake-up message comes through Redis where there is one, else SQLite's data version says that somebody wrote. Both may
fail, so the ledger is looked into every few seconds too: a lost wake-up costs seconds.
"""

import asyncio
from typing import Any
from uuid import UUID

from django.db import connection

from dialogues.queries import last_seqs, look_up
from serving.background import Background
from testing_console.live.switchboard import Switchboard

LOOK_EVERY_S = 0.25
LOOK_AROUND_EVERY_S = 3.0
LEDGER_GROUP = "ledger"
BEAT_EVERY_S = 2.0
# Silent for this long, even without this process's own beat: the subscription is dead, whatever Redis says.
DEAF_AFTER_S = 3 * BEAT_EVERY_S


class OtherProcesses:
    """The way to the other server processes on this database; `layer` is the channel layer, if there is one."""

    def __init__(self, switchboard: Switchboard, owner: str, layer: Any) -> None:
        self._switchboard = switchboard
        self._owner = owner
        self._layer = layer
        self._news: dict[UUID, int] = {}
        self._has_news = asyncio.Event()
        self._sqlite_seen: int | None = None

    def start(self, background: Background) -> None:
        background.keep("The look into the ledger", self._look_around)
        if self._layer is not None:
            self._switchboard.on_commit = self._note
            background.keep("The listener to other processes", self._listen)
            background.keep("The report to other processes", self._report)
        elif connection.vendor == "sqlite":
            background.keep("The watch over SQLite", self._watch_sqlite)

    # -- the slow look, which misses nothing ----------------------------------------------------------------------

    async def _look_around(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AROUND_EVERY_S)
            await self._look()

    async def _look(self) -> None:
        """Tells every socket here the last number of its dialogue; sockets with a gap read the ledger."""
        for dialogue_id, last_seq in await look_up(last_seqs, self._switchboard.dialogues()):
            self._switchboard.tell(dialogue_id, [(last_seq, "")])

    # -- through the channel layer --------------------------------------------------------------------------------

    async def _listen(self) -> None:
        # What an earlier attempt left in the layer is dead: its connection, its subscriptions, its queue.
        await self._layer.flush()
        channel = await self._layer.new_channel()
        await self._layer.group_add(LEDGER_GROUP, channel)
        await self._look()
        while True:
            async with asyncio.timeout(DEAF_AFTER_S):
                message = await self._layer.receive(channel)
            if message["owner"] != self._owner:
                for dialogue_id, seq in message["news"]:
                    self._switchboard.tell(UUID(dialogue_id), [(seq, "")])

    def _note(self, dialogue_id: UUID, seq: int) -> None:
        self._news[dialogue_id] = seq
        self._has_news.set()

    async def _report(self) -> None:
        """Sends what was committed here, in one message; without news a beat, which tells the listener that it hears."""
        while True:
            try:
                async with asyncio.timeout(BEAT_EVERY_S):
                    await self._has_news.wait()
            except TimeoutError:
                pass
            self._has_news.clear()
            news, self._news = self._news, {}
            try:
                told = [[str(dialogue_id), seq] for dialogue_id, seq in news.items()]
                await self._layer.group_send(LEDGER_GROUP, {"type": "look", "owner": self._owner, "news": told})
            except BaseException:
                self._news = news | self._news
                raise

    # -- SQLite without a channel layer ---------------------------------------------------------------------------

    async def _watch_sqlite(self) -> None:
        seen = self._sqlite_seen if self._sqlite_seen is not None else await look_up(_data_version)
        while True:
            # Stored before anything can fail: a restarted watch continues from there.
            self._sqlite_seen = seen
            await asyncio.sleep(LOOK_EVERY_S)
            dialogues = self._switchboard.dialogues()
            if not dialogues:
                continue
            seen, found = await look_up(_sqlite_news, seen, dialogues)
            for dialogue_id, seq in found:
                self._switchboard.tell(dialogue_id, [(seq, "")])


def _data_version() -> int:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        return int(cursor.fetchone()[0])


def _sqlite_news(version: int, dialogue_ids: list[UUID]) -> tuple[int, list[tuple[UUID, int]]]:
    """How far these dialogues are; nothing is read while no other connection has committed anything.

    The version comes first: what is committed in between is looked at twice rather than never.
    """
    now_version = _data_version()
    return now_version, last_seqs(dialogue_ids) if now_version != version else []
