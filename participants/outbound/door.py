"""One POST at a time through the guard: total deadline, raw byte cap, no redirect, cookie, proxy or decompression.

The httpx request and response types are kept; under them stands aiohttp's pool, whose cost does not grow with
the number of connections (docs/decisions/0002-outbound-transport.md). No httpx client is made at all, so there is
nothing that could follow a redirect, keep a cookie or read a proxy from the environment.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from participants.failures import BotFailure, FailureKind
from participants.outbound.address_guard import AddressGuard, BlockedAddress

BODY_LIMIT_BYTES = 256 * 1024
EVIDENCE_LIMIT = 2000
CONNECTIONS_PER_BOT = 100


@dataclass
class Answer:
    """The status and headers of an answer whose body is still to be read, up to a cap of raw bytes."""

    response: httpx.Response
    body_limit_bytes: int
    n_read: int = 0
    head: bytearray = field(default_factory=bytearray)

    async def chunks(self) -> AsyncIterator[bytes]:
        async for chunk in self.response.aiter_raw():
            self.n_read += len(chunk)
            if len(self.head) < EVIDENCE_LIMIT:
                self.head += chunk[: EVIDENCE_LIMIT - len(self.head)]
            if self.n_read > self.body_limit_bytes:
                raise BotFailure(
                    FailureKind.TOO_LONG,
                    f"The answer is longer than {self.body_limit_bytes // 1024} KiB.",
                    evidence=self.evidence,
                )
            yield chunk

    async def body(self) -> bytes:
        return b"".join([chunk async for chunk in self.chunks()])

    @property
    def evidence(self) -> str:
        return self.head.decode("utf-8", "backslashreplace")


class Door:
    """Calls bots. One per process and event loop; `close()` it at the end."""

    def __init__(
        self,
        allowed: frozenset[tuple[str, int]] = frozenset(),
        *,
        body_limit_bytes: int = BODY_LIMIT_BYTES,
        connections_per_bot: int = CONNECTIONS_PER_BOT,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._guard = AddressGuard(allowed)
        self._body_limit_bytes = body_limit_bytes
        self._connections_per_bot = connections_per_bot
        self._ssl = ssl_context or httpx.create_ssl_context(trust_env=False)
        self._transport = AiohttpTransport(verify=self._ssl, trust_env=False, client=self._open_session)

    def _open_session(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            resolver=self._guard,
            socket_factory=self._guard.make_socket,
            use_dns_cache=False,
            ssl=self._ssl,
            limit=0,
            limit_per_host=self._connections_per_bot,
            keepalive_timeout=30,
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=None),
        )

    async def close(self) -> None:
        await self._transport.aclose()

    @asynccontextmanager
    async def post(
        self, url: str, content: bytes, headers: Mapping[str, str], *, deadline_s: float
    ) -> AsyncIterator[Answer]:
        """Posts `content` (JSON bytes) and gives the 200 answer; everything in the block shares one deadline.

        Errors: `BotFailure` of every kind but `bad_json`, `bad_shape` and `empty`, which adapters find.
        """
        answer: Answer | None = None
        try:
            self._guard.check_url(url)
            request = httpx.Request(
                "POST",
                parsed_url(url),
                content=content,
                headers={"Content-Type": "application/json", **headers, "Accept-Encoding": "identity"},
            )
            async with asyncio.timeout(deadline_s):
                response = await self._transport.handle_async_request(request)
                try:
                    answer = Answer(response, self._body_limit_bytes)
                    await refuse_unless_ok(answer)
                    yield answer
                finally:
                    await response.aclose()
        except TimeoutError as late:
            raise timed_out(answer, deadline_s) from late
        except (BlockedAddress, httpx.InvalidURL) as blocked:
            raise BotFailure(FailureKind.BLOCKED_ADDRESS, str(blocked), reached_bot=False) from blocked
        except (httpx.HTTPError, aiohttp.ClientError, OSError, ValueError) as broken:
            raise broken_off(broken, answer) from broken


@lru_cache(maxsize=1000)
def parsed_url(url: str) -> httpx.URL:
    """A bot's address stays the same over thousands of calls; reading it is a tenth of a call's cost."""
    return httpx.URL(url)


async def refuse_unless_ok(answer: Answer) -> None:
    """Only 200 without a content coding is success; anything else is a typed failure with its first bytes."""
    response = answer.response
    status = response.status_code
    if status == 200 and response.headers.get("content-encoding", "identity").strip().lower() == "identity":
        return
    # Too long on top of a refusal: the refusal is what counts.
    with suppress(BotFailure):
        await answer.body()
    if status == 200:
        raise BotFailure(FailureKind.BAD_SHAPE, "The answer is compressed; identity was asked for.")
    if 400 <= status < 600:
        kind = FailureKind.HTTP_4XX if status < 500 else FailureKind.HTTP_5XX
        raise BotFailure(
            kind,
            f"The bot answered with status {status}.",
            evidence=answer.evidence,
            retry_after_s=retry_after(response) if status in {429, 503} else None,
        )
    target = response.headers.get("location")
    hint = f" to {target}, which is never followed" if target else ""
    raise BotFailure(FailureKind.BAD_SHAPE, f"The bot answered with status {status}{hint}; only 200 is an answer.")


def retry_after(response: httpx.Response) -> float | None:
    """Seconds of a Retry-After header in its plain form; the date form is not honoured."""
    value = response.headers.get("retry-after", "")
    return float(value) if value.isascii() and value.isdigit() and len(value) < 6 else None


def timed_out(answer: Answer | None, deadline_s: float) -> BotFailure:
    if answer is None:
        return BotFailure(FailureKind.TIMEOUT_FIRST_BYTE, f"No answer began within {deadline_s:g} s.")
    return BotFailure(
        FailureKind.TIMEOUT_TOTAL,
        f"The answer was not complete within {deadline_s:g} s; {answer.n_read} bytes came.",
        evidence=answer.evidence,
    )


def broken_off(error: BaseException, answer: Answer | None) -> BotFailure:
    """Names what broke: only failures of the connection step are certain not to have reached the bot."""
    cause = error.__cause__ or error
    detail = str(cause) or type(cause).__name__
    if isinstance(cause, aiohttp.ClientConnectorDNSError):
        return BotFailure(FailureKind.DNS, detail, reached_bot=False)
    if isinstance(cause, aiohttp.ClientConnectorCertificateError | aiohttp.ClientConnectorSSLError):
        return BotFailure(FailureKind.TLS, detail, reached_bot=False)
    if isinstance(cause, aiohttp.ClientConnectorError):
        return BotFailure(FailureKind.CONNECT, detail, reached_bot=False)
    if isinstance(cause, aiohttp.InvalidURL):
        return BotFailure(FailureKind.BLOCKED_ADDRESS, f"The URL cannot be used: {detail}", reached_bot=False)
    if isinstance(cause, aiohttp.ServerConnectionError | aiohttp.ClientOSError | OSError):
        return BotFailure(FailureKind.CONNECT, f"The connection broke: {detail}", evidence=_evidence(answer))
    return BotFailure(FailureKind.BAD_SHAPE, f"Not a valid HTTP answer: {detail}", evidence=_evidence(answer))


def _evidence(answer: Answer | None) -> str:
    return answer.evidence if answer else ""
