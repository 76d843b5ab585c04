"""A person's own program: it holds an API token and nothing else."""

from collections.abc import Callable, Mapping
from functools import partial
from types import TracebackType
from typing import Any

import aiohttp

from demo.player import Content, Played, Reader, Talk


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
