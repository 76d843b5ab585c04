"""What is read of an answer, and which answers are refused."""

import aiohttp
import pytest
from multidict import CIMultiDict

from participants.failures import EVIDENCE_LIMIT, BotFailure, FailureKind
from participants.outbound.answer import Answer, refuse_unless_ok, retry_after


class Parts:
    """A response whose body comes in these parts, and breaks off where one is an error."""

    def __init__(self, status: int, headers: dict[str, str], *parts: bytes | Exception) -> None:
        self.status, self.headers = status, CIMultiDict(headers)
        self._parts = parts

    def whole(self):
        return None

    async def chunks(self):
        for part in self._parts:
            if isinstance(part, Exception):
                raise part
            yield part


class AtOnce(Parts):
    """The same, where all of it came together with the head."""

    def whole(self):
        return b"".join(self._parts)


def answer(status=200, *parts, limit=100, kind=Parts, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(kind(status, named, *parts), body_limit_bytes=limit)


async def failure_of(refused: Answer) -> BotFailure:
    with pytest.raises(BotFailure) as failure:
        await refuse_unless_ok(refused)
    return failure.value


@pytest.mark.parametrize("kind", [Parts, AtOnce])
async def test_a_body_is_its_parts_up_to_the_limit(kind):
    assert await answer(200, b"a" * 60, b"b" * 40, kind=kind).body() == b"a" * 60 + b"b" * 40
    with pytest.raises(BotFailure) as failure:
        await answer(200, b"a" * 60, b"b" * 41, kind=kind).body()
    assert failure.value.kind == FailureKind.TOO_LONG


async def test_a_framed_body_may_be_longer_than_what_it_says():
    framed = answer(200, b"a" * 150)
    assert [chunk async for chunk in framed.chunks(200)] == [b"a" * 150]


@pytest.mark.parametrize("kind", [Parts, AtOnce])
async def test_the_head_of_a_body_is_kept_as_evidence_also_where_it_is_no_text(kind):
    odd = answer(200, b"\xff", b"a" * 3000, limit=5000, kind=kind)
    await odd.body()
    assert odd.evidence == "\\xff" + "a" * (EVIDENCE_LIMIT - 1)


@pytest.mark.parametrize("headers", [{}, {"content_encoding": " Identity "}])
async def test_a_plain_200_is_an_answer_and_is_not_read_yet(headers):
    good = answer(200, b"{}", **headers)
    await refuse_unless_ok(good)
    assert good.n_read == 0


@pytest.mark.parametrize(
    ("status", "headers", "kind", "detail"),
    [
        (200, {"content_encoding": "gzip"}, "bad_shape", "The answer is compressed; identity was asked for."),
        (404, {}, "http_4xx", "The system answered with status 404."),
        (599, {}, "http_5xx", "The system answered with status 599."),
        (204, {}, "bad_shape", "The system answered with status 204; only 200 is an answer."),
        (
            302, {"location": "http://10.0.0.1/"}, "bad_shape",
            "The system answered with status 302 to http://10.0.0.1/, which is never followed; only 200 is an answer.",
        ),
    ],
)  # fmt: skip
async def test_anything_but_a_plain_200_is_a_typed_failure(status, headers, kind, detail):
    failure = await failure_of(answer(status, b"x", **headers))
    assert (failure.kind, failure.detail.in_english, failure.retry_after_s) == (kind, detail, None)


@pytest.mark.parametrize("broken", [aiohttp.ClientPayloadError("gone"), OSError("gone"), b"x" * 101])
async def test_a_not_now_whose_body_breaks_off_or_is_too_long_asks_for_no_second_try(broken):
    failure = await failure_of(answer(503, b"x", broken, retry_after="1"))
    assert failure.detail.in_english == "The system answered with status 503, whose body was not read to its end."
    assert failure.retry_after_s is None


@pytest.mark.parametrize(("status", "pause_s"), [(429, 7), (503, 7), (500, None), (404, None)])
async def test_only_a_whole_429_or_503_says_when_to_come_again(status, pause_s):
    assert (await failure_of(answer(status, b"later", retry_after="7"))).retry_after_s == pause_s


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0), ("99999", 99999), ("100000", None), ("1.5", None), ("-1", None), ("", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None), (None, 1),
    ],
)  # fmt: skip
def test_a_pause_is_in_whole_seconds_and_one_second_where_the_bot_names_none(value, seconds):
    assert retry_after(Parts(503, {} if value is None else {"retry-after": value})) == seconds
