"""A program's way into Huace: its token over the public API and the sockets of dialogues, as any other client's.

It calls the installation's own address, not the world: models are asked over the door (`language_models`).
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any

import aiohttp
from django.utils.translation import gettext as _

FRAME_LIMIT_S = 120.0
# Close codes after which coming again helps.
COME_AGAIN = {1006, 1011, 1012, 4503}
Content = dict[str, Any]


class ProgramFailure(RuntimeError):
    """A program cannot go on: the platform refused, or did not answer."""


class Stopped(ProgramFailure):
    """The program's token opens nothing any more: it was stopped."""


class Interrupted(ProgramFailure):
    """The line was cut: the dialogue goes on with another socket."""


class Program:
    """One program's client; anonymous without a token. `host` is the name under which `base` answers. Errors: `ProgramFailure`."""

    def __init__(self, base: str, token: str = "", *, language: str = "en", host: str = "") -> None:
        self._base = base.rstrip("/")
        own = {"Authorization": f"Token {token}"} if token else {}
        own |= {"Host": host} if host else {}
        self._http = aiohttp.ClientSession(headers={"Accept-Language": language} | own)

    async def __aenter__(self) -> "Program":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._http.close()

    async def get(self, path: str) -> Any:
        return await self._ask("GET", path)

    async def post(self, path: str, content: Mapping[str, Any]) -> Any:
        return await self._ask("POST", path, json=content)

    async def patch(self, path: str, content: Mapping[str, Any]) -> Any:
        return await self._ask("PATCH", path, json=content)

    async def upload(self, path: str, name: str, file: bytes, fields: Mapping[str, str]) -> Any:
        """Posts a file with fields, as a form sends it."""
        form = aiohttp.FormData(dict(fields))
        form.add_field("file", file, filename=name)
        return await self._ask("POST", path, data=form)

    async def _ask(self, method: str, path: str, **sent: Any) -> Any:
        """What the server answered; None where it had nothing to say (204)."""
        try:
            async with self._http.request(method, self._base + path, **sent) as answer:
                if answer.status == 401:
                    raise Stopped(_("The token opens nothing, or nothing any more (%(path)s).") % {"path": path})
                if answer.status >= 400:
                    raise ProgramFailure(f"{_detail_of(await answer.text())} ({answer.status}, {path})")
                return None if answer.status == 204 else await answer.json()
        # aiohttp reports its own request timeout as TimeoutError, which is not a ClientError.
        except (aiohttp.ClientError, TimeoutError) as failed:
            raise _cut(failed) from failed

    @asynccontextmanager
    async def socket(self, path: str, after: int) -> AsyncIterator["Socket"]:
        try:
            async with self._http.ws_connect(f"{self._base}{path}?after={after}") as opened:
                yield Socket(opened)
        except aiohttp.ClientError as failed:
            raise _cut(failed) from failed


class Socket:
    """The socket of one dialogue. Errors: `ProgramFailure`, `Interrupted`."""

    def __init__(self, opened: aiohttp.ClientWebSocketResponse) -> None:
        self._opened = opened

    async def send(self, frame: Mapping[str, Any]) -> None:
        try:
            await self._opened.send_json(frame)
        except (ConnectionError, aiohttp.ClientError) as failed:
            raise _cut(failed) from failed

    async def receive(self) -> Content:
        try:
            message = await asyncio.wait_for(self._opened.receive(), FRAME_LIMIT_S)
        except TimeoutError as silent:
            raise ProgramFailure(_("The platform said nothing for %(n)g s.") % {"n": FRAME_LIMIT_S}) from silent
        if message.type is aiohttp.WSMsgType.TEXT:
            frame: Content = json.loads(message.data)
            return frame
        code = self._opened.close_code or 1006
        why = _("The connection was closed (%(code)s).") % {"code": code}
        raise (Interrupted if code in COME_AGAIN else ProgramFailure)(why)


def _cut(failed: Exception) -> Interrupted:
    return Interrupted(_("The connection was cut: %(error)s") % {"error": str(failed) or type(failed).__name__})


def _detail_of(refusal: str) -> str:
    """The sentence of a problem; of anything else its beginning."""
    try:
        problem = json.loads(refusal)
    except ValueError:
        problem = None
    said = problem.get("detail") if isinstance(problem, dict) else None
    return str(said or refusal)[:300]
