"""Pictures that an answer names: fetched through the door, known by their first bytes, and said as a line that names the content."""

import asyncio
import base64
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import partial

from participants.adapters.calls import Reply
from participants.failures import BotFailure, FailureKind
from participants.outbound import Door
from participants.picture_lines import (
    KINDS,
    NOT_A_PICTURE,
    NOT_STORED,
    PER_DIALOGUE,
    PER_REPLY,
    TOO_LARGE,
    TOO_MANY,
    Picture,
)

BYTES_LIMIT, SIDE_LIMIT = 1 << 20, 4096
# Of all pictures of a reply together, places, fetching and storing; not the bot's time, which is over.
PICTURES_LIMIT_S = 10.0
ADDRESS_LIMIT = 2048
# Real files have dozens, tables and profiles included; other content is not walked through to its end.
MARKERS_LIMIT = 1000
ACCEPT = {"Accept": ", ".join(f"image/{kind}" for kind in KINDS)}
_DATA = re.compile(r"data:image/[a-z.+-]+;base64,", re.IGNORECASE)
# Start of frame, but for the three markers among them that mean something else.
_JPEG_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_JPEG_ALONE = {0x01, *range(0xD0, 0xD9)}

# Stores a picture's content under its name. Errors: `OSError`.
Keep = Callable[[str, bytes], Awaitable[None]]


class NoPicture(Exception):
    """The content is none of the kinds, or one side of it is too long; the message says which in one word."""


async def forgotten(name: str, content: bytes) -> None:
    """For calls whose answers nobody looks at again."""


async def with_pictures(reply: Reply, door: Door, keep: Keep, n_before: int = 0) -> Reply:
    """The reply with a line for each picture that it names, after its texts; at most `PER_REPLY` are fetched.

    `n_before` were said earlier in the dialogue, which has `PER_DIALOGUE` at most.
    """
    room = max(0, min(PER_REPLY, PER_DIALOGUE - n_before))
    named = [_picture_at(address, door, keep) for address in reply.images[:room]]
    pictures = [*await asyncio.gather(*named), *(Picture(why=TOO_MANY) for _ in reply.images[room:][:1])]
    texts = reply.texts if any(text.strip() for text in reply.texts) else ()
    return replace(reply, texts=(*texts, *(one.line for one in pictures)))


async def _picture_at(address: str, door: Door, keep: Keep) -> Picture:
    content = b""
    try:
        async with asyncio.timeout(PICTURES_LIMIT_S):
            content = await _content_at(address, door)
            picture = picture_in(content)
            await keep(picture.name, content)
    except BotFailure as failure:
        return Picture(why=failure.kind.value)
    except NoPicture as none:
        return Picture(why=str(none))
    except TimeoutError:
        return Picture(why=NOT_STORED if content else FailureKind.TIMEOUT_TOTAL.value)
    except OSError:
        return Picture(why=NOT_STORED)
    return picture


async def _content_at(address: str, door: Door) -> bytes:
    """Errors: `BotFailure` as for any call, `NoPicture`. The bot's secret is not sent: the address may be anybody's."""
    if inline := _DATA.match(address):
        try:
            return base64.b64decode(address[inline.end() :], validate=True)
        except ValueError as bad:
            raise NoPicture(NOT_A_PICTURE) from bad
    if len(address) > ADDRESS_LIMIT:
        raise NoPicture(TOO_LARGE)
    async with door.line(PICTURES_LIMIT_S).get(address, ACCEPT) as answer:
        return b"".join([piece async for piece in answer.chunks(BYTES_LIMIT)])


def picture_in(content: bytes) -> Picture:
    """What the content is by its first bytes, whatever it is called. Errors: `NoPicture`."""
    for kind, sides_of in _SIDES.items():
        if (sides := sides_of(content)) is not None:
            width, height = sides
            if not (0 < width <= SIDE_LIMIT and 0 < height <= SIDE_LIMIT):
                raise NoPicture(TOO_LARGE)
            return Picture(f"{hashlib.sha256(content).hexdigest()}.{kind}", width, height)
    raise NoPicture(NOT_A_PICTURE)


def _whole(content: bytes, start: int, n_bytes: int, order: str) -> int:
    return int.from_bytes(content[start : start + n_bytes], "big" if order == "big" else "little")


def _of_png(content: bytes) -> tuple[int, int] | None:
    is_png = content.startswith(b"\x89PNG\r\n\x1a\n") and content[12:16] == b"IHDR"
    return (_whole(content, 16, 4, "big"), _whole(content, 20, 4, "big")) if is_png else None


def _of_gif(content: bytes) -> tuple[int, int] | None:
    is_gif = content[:6] in (b"GIF87a", b"GIF89a")
    return (_whole(content, 6, 2, "little"), _whole(content, 8, 2, "little")) if is_gif else None


def _of_webp(content: bytes) -> tuple[int, int] | None:
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP":
        return None
    little = partial(_whole, content, order="little")
    match content[12:16]:
        case b"VP8X":
            return little(24, 3) + 1, little(27, 3) + 1
        case b"VP8L" if content[20:21] == b"\x2f":
            bits = little(21, 4)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 " if content[23:26] == b"\x9d\x01\x2a":
            return little(26, 2) & 0x3FFF, little(28, 2) & 0x3FFF
    return None


def _of_jpeg(content: bytes) -> tuple[int, int] | None:
    if not content.startswith(b"\xff\xd8\xff"):
        return None
    for marker, at in _jpeg_segments(content):
        if marker in _JPEG_FRAMES:
            return _whole(content, at + 5, 2, "big"), _whole(content, at + 3, 2, "big")
    return None


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, int]]:
    """Each marker, and where the length of its segment stands."""
    at = 2
    for _ in range(MARKERS_LIMIT):
        if at + 4 > len(content) or content[at] != 0xFF:
            return
        marker = content[at + 1]
        if marker == 0xFF or marker in _JPEG_ALONE:
            at += 1 if marker == 0xFF else 2
            continue
        yield marker, at + 2
        at += 2 + max(2, _whole(content, at + 2, 2, "big"))


_SIDES = {"png": _of_png, "jpeg": _of_jpeg, "webp": _of_webp, "gif": _of_gif}
