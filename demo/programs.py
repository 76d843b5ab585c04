"""A person's own program: it holds an API token and nothing else."""

from types import TracebackType
from typing import Any

import aiohttp

from demo.player import Played, Reader, Talk

Content = dict[str, Any]


class Program:
    """Speaks the REST API and the dialogues' sockets for one person. Errors: `RuntimeError` with what the server said."""

    def __init__(self, base: str, token: str) -> None:
        self._base = base
        self._http = aiohttp.ClientSession(headers={"Authorization": f"Token {token}"})

    async def __aenter__(self) -> "Program":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._http.close()

    async def get(self, path: str) -> Any:
        return await self._request("GET", path, None)

    async def post(self, path: str, content: Content) -> Any:
        """What the server answered; None where it had nothing to say (204)."""
        return await self._request("POST", path, content)

    async def _request(self, method: str, path: str, content: Content | None) -> Any:
        async with self._http.request(method, self._base + path, json=content) as answer:
            if answer.status >= 400:
                raise RuntimeError(f"{method} {path}: {answer.status} {await answer.text()}")
            return None if answer.status == 204 else await answer.json()

    async def play(self, assignment: Content, reader: Reader) -> Played:
        """Opens the assignment and talks until the dialogue is closed."""
        opened = await self.post("/api/v1/dialogues/", {"assignment": assignment["id"]})
        played = Played(opened["id"], assignment["bot"], assignment["scenario"])
        async with self._http.ws_connect(f"{self._base}{opened['socket']}?after=0") as socket:
            await Talk(socket.send_json, socket.receive, reader, played).run()
        return played
