"""An answer whose body is still to be read, and the refusal of every answer that is not a plain 200."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import aiohttp

from participants import failure_sentences as sentences
from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind
from participants.outbound.connections import Response
from reading.digits import whole_or_none
from reading.findings import sentence

BODY_LIMIT_BYTES = 256 * 1024
# A bot that answers so has not done the work: it may be asked again.
NOT_NOW = {429, 503}
# How long it is left alone where it does not say.
NOT_NOW_PAUSE_S = 1.0
# Seconds in a day.
PAUSE_DIGITS = 5


@dataclass
class Answer:
    """The status and headers of an answer whose body is still to be read, up to a cap of raw bytes."""

    response: Response
    body_limit_bytes: int
    n_read: int = 0
    head: bytearray = field(default_factory=bytearray)

    async def chunks(self, limit_bytes: int | None = None) -> AsyncGenerator[bytes, None]:
        """The body as it comes; `limit_bytes` is for bodies that are framed, and so longer than what they say."""
        limit = limit_bytes or self.body_limit_bytes
        async for chunk in self.response.chunks():
            self._count(chunk, limit)
            yield chunk

    async def body(self) -> bytes:
        """All of the body. One that came together with the head, as most do, waits for nothing more."""
        whole = self.response.whole()
        if whole is None:
            pieces = []
            async for chunk in self.chunks():
                pieces.append(chunk)
                await asyncio.sleep(0)
            return b"".join(pieces)
        self._count(whole, self.body_limit_bytes)
        return whole

    def _count(self, chunk: bytes, limit: int) -> None:
        self.n_read += len(chunk)
        if len(self.head) < EVIDENCE_LIMIT:
            self.head += chunk[: EVIDENCE_LIMIT - len(self.head)]
        if self.n_read > limit:
            raise BotFailure(FailureKind.TOO_LONG, sentence(sentences.TOO_LONG, n=limit // 1024))

    async def is_whole(self) -> bool:
        """Reads to the end; False where the body breaks off or is too long to be read."""
        try:
            await self.body()
        except (BotFailure, aiohttp.ClientError, OSError):
            return False
        return True

    @property
    def evidence(self) -> str:
        return self.head.decode("utf-8", "backslashreplace")


async def refuse_unless_ok(answer: Answer) -> None:
    """Only 200 without a content coding is success; anything else is a typed failure with its first bytes."""
    response = answer.response
    status = response.status
    if status == 200 and response.headers.get("content-encoding", "identity").strip().lower() == "identity":
        return
    is_whole = await answer.is_whole()
    if status == 200:
        raise BotFailure(FailureKind.BAD_SHAPE, sentence(sentences.COMPRESSED))
    if 400 <= status < 600:
        raise BotFailure(
            FailureKind.HTTP_4XX if status < 500 else FailureKind.HTTP_5XX,
            sentence(sentences.STATUS if is_whole else sentences.STATUS_BROKEN_OFF, status=status),
            retry_after_s=retry_after(response) if status in NOT_NOW and is_whole else None,
        )
    target = response.headers.get("location")
    if target:
        raise BotFailure(FailureKind.BAD_SHAPE, sentence(sentences.REDIRECTED, status=status, target=target))
    raise BotFailure(FailureKind.BAD_SHAPE, sentence(sentences.STATUS_NOT_200, status=status))


def retry_after(response: Response) -> float | None:
    """Seconds of a Retry-After header in its plain form, a pause of ours without one; None for its date form."""
    value = response.headers.get("retry-after")
    if value is None:
        return NOT_NOW_PAUSE_S
    return whole_or_none(value, PAUSE_DIGITS)
