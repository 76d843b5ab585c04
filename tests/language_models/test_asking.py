"""Models are asked over real sockets: cache, budgets, retries, strict reading, and what the ledger says of each call."""

import json
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.db.models import Sum
from django.utils import translation

from language_models.asking import Message, ModelRefusal, Prompt, ask_model, most_of, prompt_digest
from language_models.models import ModelCall, ModelEndpoint, ModelSpending
from tests.fakes.raw_bots import CLOSE, http, raw_bot
from tests.fakes.scripted_model import scripted_model
from tests.language_models.endpoints import YES_OR_NO, door_at, endpoint_at, now

pytestmark = pytest.mark.django_db(transaction=True)
HELLO = Prompt((Message("system", "Answer shortly."), Message("user", "你好")))
ASKED = Prompt((Message("system", "Is it so?"), Message("user", "它说了")), schema=YES_OR_NO)


def completed(content, **usage):
    message = {"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]}
    return http(json.dumps(message | ({"usage": usage} if usage else {})).encode())


async def ask_at(port, prompt=HELLO, slept=None, **said):
    endpoint = await endpoint_at(port, **said)
    async with door_at(port) as door:

        async def sleep(seconds):
            (slept if slept is not None else []).append(seconds)

        return await ask_model(endpoint, prompt, purpose="check", door=door, at=now, sleep=sleep)


async def refusal_at(port, prompt=HELLO, **said):
    with pytest.raises(ModelRefusal) as refused:
        await ask_at(port, prompt, **said)
    return refused.value


async def spent(period="all"):
    row = await ModelSpending.objects.aget(period=period)
    return row.calls, row.tokens, row.cost


async def ledger():
    return [(one.outcome, one.status, one.tokens_in + one.tokens_out) async for one in ModelCall.objects.order_by("pk")]


@pytest.mark.parametrize("answers", ["json_schema", "tools", "text"])
async def test_an_answer_fits_the_schema_however_the_server_is_told(campaign, answers):
    with scripted_model() as port:
        answer = await ask_at(port, ASKED, answers=answers, price_in=Decimal(2), price_out=Decimal(10))
    assert answer.parsed["verdict"] in {"yes", "no"}
    assert 1 <= answer.parsed["turn"] <= 9
    assert not answer.is_from_cache
    assert answer.cost == (2 * answer.tokens_in + 10 * answer.tokens_out) / Decimal(1_000_000)
    assert await spent() == await spent("2026-11-02") == (1, answer.tokens_in + answer.tokens_out, answer.cost)
    assert answer.cost > 0


async def test_a_repeated_prompt_is_answered_from_the_cache_for_nothing(campaign):
    with scripted_model() as port:
        first = await ask_at(port)
        endpoint = await ModelEndpoint.objects.aget()
    async with door_at(port) as door:
        # The server is gone.
        again = await ask_model(endpoint, HELLO, purpose="judge", door=door, at=now)
    assert (again.text, again.digest, again.tokens_in) == (first.text, first.digest, first.tokens_in)
    assert again.is_from_cache
    assert again.cost == 0
    assert (await spent())[0] == 1
    assert [one.is_from_cache async for one in ModelCall.objects.order_by("pk")] == [False, True]


async def test_samples_at_a_temperature_are_draws_unless_a_seed_names_them(campaign):
    async with raw_bot(completed("a"), completed("b"), completed("c")) as server:
        endpoint = await endpoint_at(server.port)
        async with door_at(server.port) as door:

            async def said(**how):
                prompt = Prompt(HELLO.messages, temperature=0.7, **how)
                return (await ask_model(endpoint, prompt, purpose="judge", door=door, at=now)).text

            assert [await said(), await said(), await said(seed=1), await said(seed=1)] == ["a", "b", "c", "c"]
        assert [one.get("seed") for one in server.asked] == [None, None, 1]


async def test_retry_after_is_respected_and_every_try_is_counted(campaign):
    busy = http(b"{}", "Retry-After: 7", status="429 Too Many Requests")
    slept = []
    async with raw_bot(busy, http(b"", status="503 Service Unavailable"), completed("ok")) as server:
        assert (await ask_at(server.port, slept=slept)).text == "ok"
    assert slept == [7.0, 2.0]
    assert (await spent())[0] == 3
    assert [row[:2] for row in await ledger()] == [("refused", 429), ("refused", 503), ("answered", 200)]


async def test_a_date_in_retry_after_is_read_and_a_far_one_ends_it(campaign):
    near = http(b"{}", "Retry-After: Mon, 02 Nov 2026 09:30:20 GMT", status="429 Too Many Requests")
    far = http(b"{}", "Retry-After: Mon, 02 Nov 2026 10:30:00 GMT", status="429 Too Many Requests")
    slept = []
    async with raw_bot(near, far) as server:
        refused = await refusal_at(server.port, slept=slept)
    assert slept == [20.0]
    assert (refused.code, refused.after_s) == ("unavailable", 3600.0)
    assert "3600" in str(refused)


async def test_tries_are_bounded_and_no_other_status_is_tried_again(campaign):
    async with raw_bot(http(b"{}", "Retry-After: 0", status="429 Too Many Requests")) as server:
        assert (await refusal_at(server.port, options={"tries": 2})).code == "unavailable"
        assert len(server.asked) == 2
    async with raw_bot(http(b'{"error": {"message": "no such model"}}', status="404 Not Found")) as server:
        refused = await refusal_at(server.port, key="other")
        assert len(server.asked) == 1
    assert "404" in str(refused)
    assert "no such model" in str(refused)


async def test_a_redirect_is_not_followed(campaign):
    async with raw_bot(completed("secret of the inner network")) as inner:
        there = http(b"", f"Location: {inner.url}", status="302 Found")
        async with raw_bot(there) as server:
            assert (await refusal_at(server.port)).code == "unavailable"
        assert inner.asked == []


async def test_no_address_that_is_not_public_is_asked(campaign):
    endpoint = await endpoint_at(9)
    async with door_at(8) as door:
        with pytest.raises(ModelRefusal) as refused:
            await ask_model(endpoint, HELLO, purpose="check", door=door, at=now)
    assert refused.value.code == "unavailable"
    # It never left: the tokens and the money that were set aside are back.
    assert await spent() == (1, 0, 0)


async def test_an_answer_beyond_the_cap_is_refused_and_stays_counted(campaign):
    async with raw_bot(http(b" " * (300 * 1024))) as server:
        assert (await refusal_at(server.port)).code == "unavailable"
    bound = most_of(HELLO, SimpleNamespace(**USUAL))
    assert (await spent())[:2] == (1, bound.tokens)


USUAL = {"url": "", "model": "scripted", "answers": "json_schema", "options": {}, "price_in": 0, "price_out": 0}


@pytest.mark.parametrize("options", [{}, {"deadline_s": 1}])
async def test_a_server_that_hangs_up_or_hangs_is_unavailable_and_stays_counted(campaign, options):
    async with raw_bot([30.0] if options else [CLOSE]) as server:
        assert (await refusal_at(server.port, options=options)).code == "unavailable"
    assert (await spent())[0] == 1
    assert (await ledger())[0][0] == "failed"
    assert (await spent())[1] > 0


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        ({"calls_a_day": 1}, "today are used up"),
        ({"tokens_a_day": 1000}, "today do not suffice"),
        ({"cost_a_day": Decimal("0.1")}, "may cost today"),
        ({"calls_in_all": 1}, "in all are used up"),
        ({"tokens_in_all": 1000}, "in all do not suffice"),
        ({"cost_in_all": Decimal("0.1")}, "may cost in all"),
    ],
)
async def test_a_budget_ends_before_the_call_that_it_does_not_cover(campaign, budget, words):
    usage = {"prompt_tokens": 300, "completion_tokens": 0}
    prompts = [Prompt((Message("user", f"{n}"),), max_tokens=700) for n in range(2)]
    async with raw_bot(completed("ok", **usage)) as server, door_at(server.port) as door:
        # 81 tokens in at most, and 700 out: 0.0781 of 0.1, of which 0.03 are used.
        endpoint = await endpoint_at(server.port, price_in=Decimal(100), price_out=Decimal(100), **budget)
        await ask_model(endpoint, prompts[0], purpose="tester", door=door, at=now)
        with pytest.raises(ModelRefusal) as refused:
            await ask_model(endpoint, prompts[1], purpose="tester", door=door, at=now)
        assert len(server.asked) == 1
    assert refused.value.code == "budget_spent"
    with translation.override("en"):
        assert words in str(refused.value)
    assert await spent() == await spent("2026-11-02") == (1, 300, Decimal("0.03"))
    assert await ModelCall.objects.acount() == 1


@pytest.mark.parametrize(
    "usage", [{}, {"prompt_tokens": 0, "completion_tokens": 0}, {"prompt_tokens": -3, "completion_tokens": "7"}]
)
async def test_a_server_that_counts_nothing_is_counted_at_the_bound(campaign, usage):
    async with raw_bot(completed("ok", **usage)) as server:
        answer = await ask_at(server.port)
    bound = most_of(HELLO, SimpleNamespace(**USUAL))
    assert (answer.tokens_in, answer.tokens_out) == (bound.tokens_in, bound.tokens_out)
    assert (await ModelCall.objects.aget()).is_counted_by_us


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("Sure! {\"verdict\": \"yes\", \"turn\": 1}", "answer"),
        ('{"verdict": "maybe", "turn": 1}', "answer.verdict"),
        ('{"verdict": "yes", "turn": 1.5}', "answer.turn"),
        ('{"verdict": "yes", "turn": true}', "answer.turn"),
        ('{"verdict": "yes", "turn": 12}', "answer.turn"),
        ('{"verdict": "yes"}', "answer.turn"),
        ('{"verdict": "yes", "turn": 1, "because": "x"}', "answer.because"),
        ('{"verdict": "yes", "verdict": "no", "turn": 1}', "answer"),
        ("[]", "answer"),
        ("", "body"),
    ],
)  # fmt: skip
async def test_an_answer_that_does_not_fit_is_refused_with_its_place(campaign, content, place):
    async with raw_bot(completed(content, prompt_tokens=5, completion_tokens=7)) as server:
        refused = await refusal_at(server.port, ASKED, answers="text")
    assert refused.code == "bad_answer"
    assert refused.finding.place.startswith(place)
    # What the server counted is paid all the same.
    assert (await spent())[:2] == (1, 12)
    assert await ledger() == [("bad_answer", 200, 12)]


async def test_a_fence_around_the_json_is_taken_off_and_nothing_else(campaign):
    async with raw_bot(completed('```json\n{"verdict": "no", "turn": 2}\n```')) as server:
        assert (await ask_at(server.port, ASKED, answers="text")).parsed == {"verdict": "no", "turn": 2}


async def test_a_bad_answer_is_not_cached(campaign):
    good = completed('{"verdict": "no", "turn": 2}')
    async with raw_bot(completed("no"), good) as server, door_at(server.port) as door:
        endpoint = await endpoint_at(server.port)
        with pytest.raises(ModelRefusal):
            await ask_model(endpoint, ASKED, purpose="judge", door=door, at=now)
        assert (await ask_model(endpoint, ASKED, purpose="judge", door=door, at=now)).parsed["turn"] == 2


async def test_the_key_goes_in_its_header_and_is_hidden_where_the_server_repeats_it(campaign):
    said = http(b'{"error": {"message": "bad key sk-very-secret"}}', status="401 Unauthorized")
    async with raw_bot(said) as server:
        refused = await refusal_at(server.port, secret="sk-very-secret")
        assert "bearer sk-very-secret" in server.heads[0].lower()
        assert server.paths == ["/v1/chat/completions"]
    assert "sk-very-secret" not in str(refused)
    assert "sk-very-secret" not in str((await ModelCall.objects.aget()).trouble)


async def test_a_withdrawn_model_is_asked_nothing(campaign):
    async with raw_bot(completed("ok")) as server:
        assert (await refusal_at(server.port, withdrawn_at=now())).code == "withdrawn"
        assert server.asked == []
    assert not await ModelCall.objects.aexists()


async def test_options_add_to_the_request_and_change_nothing_of_ours(campaign):
    options = {"extra": {"top_p": 0.9, "model": "dearer", "stream": True}, "leave_out": ["seed"], "length_field": "max_completion_tokens"}  # fmt: skip
    async with raw_bot(completed("ok")) as server:
        await ask_at(server.port, Prompt(HELLO.messages, seed=3), options=options)
    body = server.asked[0]
    assert (body["top_p"], body["model"], body["stream"], body["max_completion_tokens"]) == (
        0.9,
        "scripted",
        False,
        800,
    )
    assert body.keys() & {"seed", "max_tokens"} == set()


def test_the_digest_is_of_all_that_the_answer_depends_on():
    first = SimpleNamespace(**USUAL)
    others = [
        (HELLO, SimpleNamespace(**USUAL | {"model": "other"})),
        (HELLO, SimpleNamespace(**USUAL | {"options": {"extra": {"top_p": 1}}})),
        (HELLO, SimpleNamespace(**USUAL | {"url": "http://a/v1"})),
        (Prompt(HELLO.messages, seed=1), first),
        (Prompt(HELLO.messages, temperature=0.5), first),
        (Prompt(HELLO.messages, max_tokens=7), first),
        (Prompt(HELLO.messages, schema=YES_OR_NO), first),
        (Prompt(HELLO.messages[::-1]), first),
    ]
    digests = {prompt_digest(prompt, asked) for prompt, asked in [(HELLO, first), *others]}
    assert len(digests) == len(others) + 1
    assert prompt_digest(HELLO, SimpleNamespace(**USUAL | {"price_in": 3})) == prompt_digest(HELLO, first)


async def test_the_ledger_adds_up_to_what_is_counted(campaign):
    async with raw_bot(completed("a", prompt_tokens=5, completion_tokens=7), completed("b"), http(b"", status="500 Broken")) as server, door_at(server.port) as door:  # fmt: skip
        endpoint = await endpoint_at(server.port, price_in=Decimal("0.15"), price_out=Decimal("0.6"))
        for n in range(2):
            await ask_model(endpoint, Prompt((Message("user", f"{n}"),)), purpose="judge", door=door, at=now)
        with pytest.raises(ModelRefusal):
            await ask_model(endpoint, HELLO, purpose="judge", door=door, at=now)
    sums = await ModelCall.objects.aaggregate(i=Sum("tokens_in"), o=Sum("tokens_out"), c=Sum("cost"))
    assert await spent() == (3, sums["i"] + sums["o"], sums["c"])
