"""A bot for every way in which bots misbehave, with what is to come of it: kind, fault, what is counted, and the tester's words.

`ROWS` are the ways that the platform promises an answer to; a bot names its row. Each answers on a real socket.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.raw_bots import CLOSE, RESET, http

ROWS = {
    "slow": "answers slowly, inside the deadline",
    "never": "never answers, drips, never ends its stream or its headers",
    "unreachable": "refuses the connection, or its name does not resolve",
    "once_500": "answers 500, then works",
    "not_now": "answers 429 or 503 with Retry-After",
    "empty": "answers with empty text or blanks",
    "shapeless": "leaves the reply out, sends another type, invalid JSON, an error page, 200 with an error body",
    "late": "answers after the deadline or after a retry",
    "long": "writes tens of kilobytes of text",
    "markup": "sends markup, joiners, rare characters, direction and control characters",
    "names_maker": "names its team",
    "mixes_up": "mixes up dialogues or forgets",
    "certificate": "has a certificate that does not hold",
    "redirects": "redirects",
    "breaks_off": "breaks off, resets, closes without an answer, lies about its length",
    "not_text": "sends invalid UTF-8 or lone surrogates",
    "not_200": "answers 201, 204 or 3xx",
    "compresses": "compresses its answer",
    "floods": "sends endless chunks or a flood of headers",
    "inner_address": "leads to an internal address",
    "costs_time": "answers with text made to cost time",
    "refused_url": "asks for a port, for user info, or for the platform's own host, which are refused",
}

# What the tester reads, in Chinese and English.
NOT_IN_TIME = ("对方系统没有按时回应。", "The system did not answer in time.")
NOT_ENDED = ("对方系统没有按时答完。", "The system did not finish its answer in time.")
UNREACHABLE = ("无法连接对方系统。", "The system cannot be reached.")
UNUSABLE = ("对方系统没有给出可用的回答。", "The system gave no usable answer.")

DRIPS_EVERY_S = 0.02


class Endless(list[Any]):
    """Pieces of an answer over and over, after those that begin it."""

    def __init__(self, begin: bytes, *again: Any) -> None:
        super().__init__(again)
        self._begin = begin

    def __iter__(self) -> Iterator[Any]:
        yield self._begin
        while True:
            yield from super().__iter__()


def said(text: Any, *headers: str, status: str = "200 OK") -> bytes:
    return http(json.dumps({"text": text}, ensure_ascii=False).encode(), *headers, status=status)


@dataclass(frozen=True)
class Bot:
    """`answers[n]` is what its n-th request gets. `url` stands where it cannot be called at its own address.

    Expected: a failure's `kind` with the tester's `words`, always the bot's fault and with a retry, or the `texts` and
    `flags` of an answered turn; and how many requests reached it. `waits` has the turn end at its deadline; the platform listens where one stands that `is_at_our_port`.
    """

    row: str
    name: str
    answers: tuple[Any, ...] = ()
    kind: str = ""
    words: tuple[str, str] = UNUSABLE
    texts: tuple[str, ...] | None = None
    flags: tuple[str, ...] = ()
    n_asked: int = 1
    waits: bool = False
    url: str = ""
    is_at_our_port: bool = False
    protocol: str = "huace/1"
    detail: str = ""
    slow_after_ms: int = 10_000
    masked: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        return f"{self.row}-{self.name}"


def failing(row: str, name: str, kind: str, *answers: Any, **named: Any) -> Bot:
    return Bot(row, name, answers, kind, **named)


def answering(row: str, name: str, texts: tuple[str, ...], *answers: Any, **named: Any) -> Bot:
    return Bot(row, name, answers, texts=texts, **named)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
BUSY = http(b"busy", "Retry-After: 0", status="503 Service Unavailable")
LONG = "长" * 9000
MARKED = "<script>x</script> **粗** [点](http://example.org) 👨‍👩‍👧 𠮷 ‮abc‬ \u200b \x07"


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(content), content)


def delta(text: str) -> bytes:
    return chunk(b'data: {"choices":[{"delta":{"content":"%b"}}]}\n\n' % text.encode())


BOTS = (
    answering("slow", "answer", ("好",), [0.06, said("好")], slow_after_ms=50, flags=("slow",)),
    failing("never", "silent", "timeout_first_byte", [5.0], waits=True, words=NOT_IN_TIME),
    failing("never", "headers", "timeout_first_byte", Endless(HEAD, 0.05, b"X: y\r\n"), waits=True, words=NOT_IN_TIME),
    failing(
        "never", "drips", "timeout_total", Endless(HEAD + b"Content-Length: 9000\r\n\r\n", DRIPS_EVERY_S, b"x"),
        waits=True, words=NOT_ENDED,
    ),
    failing(
        "never", "stream", "timeout_total", Endless(STREAM, DRIPS_EVERY_S, delta("x")), waits=True,
        words=NOT_ENDED, protocol="openai",
    ),
    failing("unreachable", "refuses", "connect", url="http://127.0.0.1:{closed}/", n_asked=0, words=UNREACHABLE),
    failing("unreachable", "no name", "dns", url="http://nowhere.bot:{port}/", n_asked=0, words=UNREACHABLE),
    failing("once_500", "500", "http_5xx", http(b"oops", status="500 Internal Server Error"), said("好")),
    answering("not_now", "503", ("好",), BUSY, said("好"), n_asked=2),
    answering("not_now", "429", ("好",), http(b"", "Retry-After: 0", status="429 Too Many Requests"), said("好"), n_asked=2),
    failing("not_now", "always", "http_5xx", BUSY, n_asked=2),
    failing("not_now", "too long", "http_5xx", http(b"", "Retry-After: 11", status="503 Service Unavailable")),
    answering("empty", "text", ("",), said(""), flags=("empty",)),
    answering("empty", "blanks", (" \n ",), said(" \n "), flags=("empty",)),
    failing("shapeless", "left out", "bad_shape", http(b'{"answer": "x"}'), detail="has neither text nor texts"),
    failing("shapeless", "null", "bad_shape", said(None), detail="text"),
    failing("shapeless", "number", "bad_shape", said(3), detail="text"),
    failing("shapeless", "list", "bad_shape", said(["a"]), detail="text"),
    failing("shapeless", "no JSON", "bad_json", http(b"{'text': 'x'}")),
    failing("shapeless", "HTML", "bad_json", http(b"<html>error</html>")),
    failing("shapeless", "error body", "bad_shape", http(b'{"error": "overloaded"}')),
    failing("shapeless", "no body", "empty", http(b"")),
    answering("long", "27 kB", (LONG[:8000],), said(LONG), flags=("cut",)),
    answering("markup", "all of it", (MARKED,), said(MARKED)),
    answering("names_maker", "Chinese", ("我是██的系统",), said("我是甲队的系统"), flags=("masked",), masked=("甲队",)),
    answering("mixes_up", "another's", ("成都出发？",), said("成都出发？")),
    answering("mixes_up", "forgets after a restart", ("您好，请问要订什么？",), said("您好，请问要订什么？")),
    failing(
        "mixes_up", "names another", "other_dialogue", http(b'{"text": "x", "dialogue": "another"}'), detail="another",
    ),
    failing("redirects", "302", "bad_shape", http(b"", "Location: http://127.0.0.1:1/x", status="302 Found"), detail="127.0.0.1:1/x"),
    failing("breaks_off", "mid-body", "bad_shape", [http(b'{"te', length=500), CLOSE]),
    failing("breaks_off", "resets", "connect", [RESET], words=UNREACHABLE),
    failing("breaks_off", "closes", "connect", [CLOSE], words=UNREACHABLE),
    failing("breaks_off", "too short", "bad_shape", http(b'{"text": "ok"}', length=9)),
    failing("not_text", "Latin-1", "bad_json", http('{"text": "é"}'.encode("latin-1"))),
    failing("not_text", "surrogate", "bad_shape", http(b'{"text": "\\ud800"}')),
    failing("not_200", "201", "bad_shape", said("好", status="201 Created"), detail="201"),
    failing("not_200", "204", "bad_shape", b"HTTP/1.1 204 No Content\r\n\r\n", detail="204"),
    failing("not_200", "304", "bad_shape", b"HTTP/1.1 304 Not Modified\r\n\r\n", detail="304"),
    failing("compresses", "gzip", "bad_shape", http(b"\x1f\x8b", "Content-Encoding: gzip"), detail="compressed"),
    failing("floods", "chunks", "too_long", Endless(CHUNKED, chunk(b" " * 65_536))),
    failing("floods", "tiny chunks", "too_long", Endless(CHUNKED, chunk(b" ") * 10_000)),
    failing("floods", "headers", "bad_shape", [HEAD + b"".join(b"X-%d: y\r\n" % n for n in range(5000)), CLOSE]),
    failing("inner_address", "loopback", "blocked_address", url="http://127.0.0.2:{port}/", n_asked=0, words=UNREACHABLE),
    failing("inner_address", "mapped", "blocked_address", url="http://[::ffff:10.0.0.1]/", n_asked=0, words=UNREACHABLE),
    failing("inner_address", "name", "blocked_address", url="http://inside.bot/", n_asked=0, words=UNREACHABLE),
    failing("refused_url", "port", "blocked_address", url="http://bot.example.org:22/", n_asked=0, words=UNREACHABLE),
    failing("refused_url", "user info", "blocked_address", url="http://a:b@bot.example.org/", n_asked=0, words=UNREACHABLE),
    failing("refused_url", "our port", "blocked_address", said("好"), n_asked=0, words=UNREACHABLE, is_at_our_port=True, detail="platform's own"),
    failing("refused_url", "our name", "blocked_address", url="https://huace.bot/api/", n_asked=0, words=UNREACHABLE, detail="platform's own"),
    failing("costs_time", "brackets", "bad_json", http(b"[]" * 120_000)),
    failing("costs_time", "digits", "bad_json", http(b'{"text": %b}' % (b"1" * 200_000))),
    answering("costs_time", "escaped quotes", ('"' * 8000,), http(b'{"text": "%b"}' % (b'\\"' * 120_000)), flags=("cut",)),
    failing("costs_time", "no end of escaped quotes", "bad_json", http(b'{"text": "%b' % (b'\\"' * 120_000))),
    answering(
        "costs_time", "its name", ("█" * 8000,), said("甲队" * 40_000), flags=("masked", "cut"), masked=("甲队",),
    ),
    answering(
        "costs_time", "deltas", ("x" * 5000,),
        [STREAM + delta("x") * 5000 + chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"], protocol="openai",
    ),
)  # fmt: skip
