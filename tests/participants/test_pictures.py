"""Pictures that bots name are fetched through the door, known by their first bytes, bounded, and said as lines without an address."""

import asyncio
import base64
import hashlib
import re
import struct
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from participants.adapters import native, openai, pictures
from participants.adapters.calls import Reply
from participants.adapters.pictures import NoPicture, picture_in, with_pictures
from participants.failures import FailureKind
from participants.outbound import Door
from participants.picture_lines import (
    NOT_A_PICTURE,
    NOT_STORED,
    PER_DIALOGUE,
    TOO_LARGE,
    TOO_MANY,
    WHYS,
    Picture,
    n_pictures,
    picture_said,
)

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480) + b"\x08\x02\x00\x00\x00"
GIF = b"GIF89a" + struct.pack("<HH", 20, 10) + b"\x00"
JPEG = (
    b"\xff\xd8\xff\xe0\x00\x04ab"
    + b"\xff\xff\xdb\x00\x04cd"
    + b"\xff\xc2\x00\x0b\x08"
    + struct.pack(">HH", 30, 40)
    + b"\x01\x11\x00"
)
VP8X = (
    b"RIFF\x00\x00\x00\x00WEBPVP8X"
    + b"\x0a\x00\x00\x00"
    + b"\x00" * 4
    + (99).to_bytes(3, "little")
    + (49).to_bytes(3, "little")
)
VP8L = b"RIFF\x00\x00\x00\x00WEBPVP8L" + b"\x0a\x00\x00\x00\x2f" + (9 | 19 << 14).to_bytes(4, "little")
VP8 = b"RIFF\x00\x00\x00\x00WEBPVP8 " + b"\x0a\x00\x00\x00" + b"\x00" * 3 + b"\x9d\x01\x2a" + struct.pack("<HH", 8, 6)


@pytest.mark.parametrize(
    ("content", "kind", "width", "height"),
    [
        (PNG, "png", 640, 480),
        (GIF, "gif", 20, 10),
        (JPEG, "jpeg", 40, 30),
        (VP8X, "webp", 100, 50),
        (VP8L, "webp", 10, 20),
        (VP8, "webp", 8, 6),
    ],
)
def test_a_picture_is_known_by_its_first_bytes(content, kind, width, height):
    digest = hashlib.sha256(content).hexdigest()
    found = picture_in(content)
    assert found == Picture(f"{digest}.{kind}", width, height)
    assert found.line == f"[image {digest}.{kind} {width}x{height}]"
    assert picture_said(found.line) == found


@pytest.mark.parametrize(
    "content",
    [
        b"", b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", b"<html>", b"%PDF-1.7", PNG[:9], JPEG[:8],
        b"RIFF\x00\x00\x00\x00WAVEfmt ", b"\xff\xd8\xff", b"\xff\xd8\xff\xff\xff\xff",
    ],
)  # fmt: skip
def test_anything_else_is_none(content):
    with pytest.raises(NoPicture, match="not_a_picture"):
        picture_in(content)


@pytest.mark.parametrize("between", [b"\xff", b"\xff\xe0\x00\x02"], ids=["fill bytes", "empty segments"])
def test_a_picture_with_thousands_of_markers_is_not_read_to_its_end(between):
    with pytest.raises(NoPicture, match="not_a_picture"):
        picture_in(JPEG[:2] + between * 2000 + JPEG[2:])


def test_a_line_may_say_every_kind_of_failure_and_no_other_word():
    assert {kind.value for kind in FailureKind} == {*WHYS} - {NOT_A_PICTURE, NOT_STORED, TOO_LARGE, TOO_MANY}


def test_sides_are_bounded():
    with pytest.raises(NoPicture, match="too_large"):
        picture_in(PNG.replace(struct.pack(">I", 640), struct.pack(">I", 40_960)))
    with pytest.raises(NoPicture, match="too_large"):
        picture_in(GIF.replace(struct.pack("<H", 20), struct.pack("<H", 0)))


@pytest.mark.parametrize(
    "text", ["[image x]", "see [image - empty]", "[image - EMPTY]", "", f"[image {'0' * 64}.svg 1x1]", "[image - acme]"]
)
def test_words_are_no_picture(text):
    assert picture_said(text) is None


@asynccontextmanager
async def served(files):
    """A server that answers each path with these bytes, and what it was asked."""
    asked = []

    async def serve(reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        asked.append(head)
        content = files.get(head.split(" ")[1])
        status = "200 OK" if content is not None else "404 Not Found"
        writer.write(
            f"HTTP/1.1 {status}\r\nContent-Length: {len(content or b'')}\r\nConnection: close\r\n\r\n".encode()
            + (content or b"")
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    door = Door(frozenset({("127.0.0.1", port)}))
    try:
        yield f"http://127.0.0.1:{port}", door, asked
    finally:
        await door.close()
        server.close()


async def said(door, texts, *images):
    kept = {}

    async def keep(name, content):
        kept[name] = content

    reply = await with_pictures(Reply(texts, images=images), door, keep)
    return reply.texts, kept


async def test_pictures_follow_the_texts_and_nobody_learns_their_address():
    large = PNG + b"\x00" * pictures.BYTES_LIMIT
    files = {"/a.png": PNG, "/b": GIF, "/page": b"<html>", "/large": large}
    async with served(files) as (url, door, asked):
        texts, kept = await said(door, ("看图",), f"{url}/a.png", f"{url}/page", f"{url}/none", f"{url}/large")
        assert texts == (
            "看图",
            picture_in(PNG).line,
            "[image - not_a_picture]",
            "[image - http_4xx]",
            "[image - too_long]",
        )
        assert kept == {picture_in(PNG).name: PNG}
        assert all("127.0.0.1" not in text for text in texts)
        assert all("authorization" not in head.lower() for head in asked)
        texts, _ = await said(door, ("",), *[f"{url}/b"] * 6)
        assert texts == (*[picture_in(GIF).line] * 4, "[image - too_many]")
        texts, _ = await said(
            door, ("x",), "http://10.0.0.1/x.png", "ftp://a/b", "data:image/png;base64,图", f"{url}/b"
        )
        assert re.fullmatch(r"\[image - (blocked_address|connect)\]", texts[1])
        assert texts[2:] == ("[image - blocked_address]", "[image - not_a_picture]", picture_in(GIF).line)


async def test_a_dialogue_has_so_many_pictures_and_no_more():
    address = "data:image/gif;base64," + base64.b64encode(GIF).decode()
    line = picture_in(GIF).line
    assert n_pictures(["看", f"看\n{line}", line, "[image - dns]"]) == 2
    for before, fetched in ((PER_DIALOGUE - 1, (line,)), (PER_DIALOGUE, ())):
        reply = await with_pictures(Reply(("x",), images=(address,) * 2), Door(), pictures.forgotten, before)
        assert reply.texts == ("x", *fetched, "[image - too_many]")


def test_the_browser_knows_such_a_line_by_the_same_rule():
    script = Path("static/testing_console/transcript.js").read_text()
    words = re.sub(r'" \+\s+"', "", script)
    assert f'"{"|".join(WHYS)}"' in words
    assert '"([0-9a-f]{64}\\\\.(?:png|jpeg|webp|gif)) ([1-9]\\\\d{0,3})x([1-9]\\\\d{0,3})"' in words


async def test_a_picture_may_be_in_the_answer_itself():
    address = "data:image/png;base64," + base64.b64encode(PNG).decode()
    door = Door()
    try:
        texts, kept = await said(door, ("x",), address)
    finally:
        await door.close()
    assert texts == ("x", picture_in(PNG).line)
    assert list(kept.values()) == [PNG]


async def test_a_storage_that_hangs_holds_up_no_answer(monkeypatch):
    monkeypatch.setattr(pictures, "PICTURES_LIMIT_S", 0)
    address = "data:image/png;base64," + base64.b64encode(PNG).decode()
    stored = asyncio.Event()

    async def keep(name, content):
        await stored.wait()

    reply = await with_pictures(Reply(("x",), images=(address,)), Door(), keep)
    assert reply.texts == ("x", "[image - not_stored]")


async def test_an_address_is_no_longer_than_addresses_are():
    texts, _ = await said(Door(), ("x",), "http://127.0.0.1/" + "a" * pictures.ADDRESS_LIMIT)
    assert texts == ("x", "[image - too_large]")


async def test_one_that_cannot_be_stored_is_not_shown():
    async def keep(name, content):
        raise OSError

    async with served({"/a": PNG}) as (url, door, _):
        reply = await with_pictures(Reply(("x",), images=(f"{url}/a",)), door, keep)
    assert reply.texts == ("x", "[image - not_stored]")


def test_which_answers_name_pictures():
    assert native.reply_of({"text": "好", "images": ["https://a/b"]}).images == ("https://a/b",)
    assert native.reply_of({"images": ["https://a/b"]}).texts == ("",)
    parts = [
        {"type": "text", "text": "好"},
        {"type": "image_url", "image_url": {"url": "https://a/b"}},
        {"type": "other"},
    ]
    reply = openai.reply_of({"choices": [{"message": {"content": parts}}]})
    assert (reply.texts, reply.images) == (("好",), ("https://a/b",))
