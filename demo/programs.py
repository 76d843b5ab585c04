"""A scripted person's own program: it holds an API token and nothing else, and talks over the real WebSocket."""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any, Protocol

import aiohttp

from demo.goal_card import Close, Say

FRAME_LIMIT_S = 60.0
Content = dict[str, Any]


@dataclass
class Played:
    """What happened in one dialogue, as far as a tester can tell; `card` is its goal card."""

    dialogue: str
    card: Content
    replies: list[str] = field(default_factory=list)
    n_turns: int = 0
    statuses: list[str] = field(default_factory=list)

    @property
    def n_repeats(self) -> int:
        return sum(later == earlier for earlier, later in zip(self.replies, self.replies[1:], strict=False))


class Reader(Protocol):
    """What a scripted tester says next after what the bot said, and that another part (0-based) is current now."""

    def next(self, heard: str) -> Say | Close: ...
    def move_to(self, index: int) -> None: ...


class Talk:
    """The frames of one dialogue, one after the other."""

    def __init__(
        self,
        send: Callable[[Any], Awaitable[None]],
        receive: Callable[[], Awaitable[aiohttp.WSMessage]],
        reader: Reader,
        played: Played,
        tick: Callable[[], Awaitable[Any]],
    ) -> None:
        """`tick` marks every item of the goal card as used."""
        self._send, self._receive, self._played, self._reader, self._tick = send, receive, played, reader, tick
        self._caps: list[int] = []
        self._current, self._spent, self._is_closed = 0, 0, False

    async def run(self) -> None:
        state = await self._next()
        self._played.statuses = [subtask["status"] for subtask in state["subtasks"]]
        self._caps = [subtask["turn_cap"] or state["turn_cap"] for subtask in state["subtasks"]]
        if state["last_seq"]:
            await self._hear_opening()
        heard = ""
        while not self._is_closed:
            step = self._reader.next(heard)
            match step:
                case Say(text):
                    await self._send({"type": "turn.send", "key": secrets.token_hex(8), "text": text})
                    heard = await self._hear()
                case Close(is_finished):
                    if is_finished and self._played.card["items"]:
                        await self._tick()
                    frame = {"type": "subtask.close", "subtask": self._current + 1, "finished": is_finished}
                    await self._send(frame)
                    await self._until_subtask_closed()
            self._follow_server()

    async def _hear_opening(self) -> None:
        """Lets the bot speak first, where the campaign has it do so; the goal card needs none of its words."""
        while (frame := await self._next())["type"] != "reply.done":
            if frame["type"] == "turn.failed" and not frame["retryable"]:
                return
            if frame["type"] == "turn.failed":
                await self._send({"type": "turn.retry", "turn": frame["turn"]})

    async def _hear(self) -> str:
        """The bot's reply to the turn just sent; a failed turn is retried as long as that is allowed."""
        while True:
            frame = await self._next()
            match frame["type"]:
                case "turn.accepted":
                    self._played.n_turns = frame["turns_used"]
                    self._spent += 1
                case "reply.done":
                    self._played.replies.append("".join(frame["texts"]))
                    if self._spent == self._caps[self._current]:
                        await self._until_subtask_closed()
                    return self._played.replies[-1]
                case "turn.failed" if frame["retryable"]:
                    await self._send({"type": "turn.retry", "turn": frame["turn"]})
                case "turn.failed":
                    await self._until_subtask_closed()
                    return ""
                case "error":
                    raise RuntimeError(f"The server refused: {frame}")

    async def _until_subtask_closed(self) -> None:
        await self._until("subtask.closed")
        if self._current == len(self._caps) - 1:
            await self._until("dialogue.closed")

    async def _until(self, kind: str) -> dict[str, Any]:
        while (frame := await self._next())["type"] != kind:
            if frame["type"] == "error":
                raise RuntimeError(f"The server refused: {frame}")
        return frame

    async def _next(self) -> dict[str, Any]:
        message = await asyncio.wait_for(self._receive(), FRAME_LIMIT_S)
        if message.type is not aiohttp.WSMsgType.TEXT:
            raise RuntimeError(f"The socket was closed ({message.data}).")
        frame: dict[str, Any] = json.loads(message.data)
        if frame["type"] == "subtask.closed":
            self._played.statuses[frame["subtask"] - 1] = frame["status"]
        elif frame["type"] == "dialogue.closed":
            self._is_closed = True
        return frame

    def _follow_server(self) -> None:
        open_now = next((i for i, status in enumerate(self._played.statuses) if status in {"open", "pending"}), None)
        if open_now is not None and open_now != self._current:
            self._current, self._spent = open_now, 0
            self._reader.move_to(open_now)


class Program:
    """Speaks the REST API and the dialogues' sockets for one person; without a token for nobody yet.

    Errors: `RuntimeError` with what the server said.
    """

    def __init__(self, base: str, token: str = "") -> None:
        self._base = base
        self._http = aiohttp.ClientSession(headers={"Authorization": f"Token {token}"} if token else {})

    async def __aenter__(self) -> "Program":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._http.close()

    async def get(self, path: str) -> Any:
        return await self._request("GET", path)

    async def post(self, path: str, content: Content) -> Any:
        """What the server answered; None where it had nothing to say (204)."""
        return await self._request("POST", path, json=content)

    async def upload(self, path: str, name: str, file: bytes, fields: Mapping[str, str]) -> Any:
        """The same with a file, as a form sends it."""
        form = aiohttp.FormData(dict(fields))
        form.add_field("file", file, filename=name)
        return await self._request("POST", path, data=form)

    async def _request(self, method: str, path: str, **sent: Any) -> Any:
        async with self._http.request(method, self._base + path, **sent) as answer:
            if answer.status >= 400:
                raise RuntimeError(f"{method} {path}: {answer.status} {await answer.text()}")
            return None if answer.status == 204 else await answer.json()

    async def play(self, assignment: Content, reader_of: Callable[[Content], Reader]) -> Played:
        """Opens the assignment, reads its goal card, and talks as its reader says until the dialogue is closed."""
        opened = await self.post("/api/v1/dialogues/", {"assignment": assignment["id"]})
        card = await self.get(f"/api/v1/dialogues/{opened['id']}/card/")
        played = Played(opened["id"], card)
        async with self._http.ws_connect(f"{self._base}{opened['socket']}?after=0") as socket:
            place = f"/api/v1/dialogues/{opened['id']}/items/"
            tick = partial(self._request, "PATCH", place, json={"ticked": list(range(len(card["items"])))})
            await Talk(socket.send_json, socket.receive, reader_of(card), played, tick).run()
        return played
