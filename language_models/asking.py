"""Asks a model: from the cache, or over the door with budget, retries and strict reading.

ask_model ── cache? ──▶ begin_call (counted) ──▶ transport ──▶ door ──▶ server
                             ▲                                   │
                429, 503: pause, counted anew                    ▼
                                               end_call (set right) ──▶ ModelAnswer
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any

import httpx
from asgiref.sync import sync_to_async

from language_models.actions.calls import begin_call, end_call, note_from_cache
from language_models.completions import (
    Usage,
    completion_of,
    json_of,
    parsed_answer,
    said_in_error,
    usage_of,
)
from language_models.limits import PAUSE_LIMIT_S, PROMPT_LIMIT
from language_models.models import ModelCall, ModelEndpoint, Outcome
from language_models.prompts import Message, Most, Prompt, body_of, cost_of, most_of, prompt_digest
from language_models.refusals import (
    KEY_LOST,
    LATER,
    NOT_NOW,
    NOTHING_USED,
    PROMPT_TOO_LONG,
    STATUS,
    ModelRefusal,
    Used,
    Why,
)
from language_models.transport import client_through
from participants.adapters.calls import bearer
from participants.adapters.openai import endpoint_of
from participants.adapters.shown_requests import finding_without, without_secret
from participants.failures import BotFailure
from participants.outbound import Door
from participants.secrets import SecretLost
from reading.digits import whole_or_none
from reading.findings import sentence

__all__ = ["Message", "ModelAnswer", "ModelRefusal", "Prompt", "ask_model", "most_of", "prompt_digest"]

NOT_NOW_STATUSES = {429, 503}
# Where the server does not say how long; doubled with each try.
FIRST_PAUSE_S = 1.0
PAUSE_DIGITS = 9

Clock = Callable[[], datetime]
Sleep = Callable[[float], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """`parsed` is the JSON value where the prompt has a schema, and fits it. `digest` is the request's; `model` is the server's own name for it.

    An answer from the cache has the tokens of when it was made and costs nothing. `call` is the ledger's row.
    """

    text: str
    parsed: Any | None
    tokens_in: int
    tokens_out: int
    cost: Decimal
    digest: str
    model: str
    is_from_cache: bool
    call: int


async def ask_model(
    endpoint: ModelEndpoint,
    prompt: Prompt,
    *,
    purpose: str,
    door: Door,
    at: Clock,
    sleep: Sleep = asyncio.sleep,
    uses_cache: bool = True,
) -> ModelAnswer:
    """What the model answers. Each request is counted in the database before it goes out; only 429 and 503 are tried again.

    A prompt that is repeatable is answered from the cache where this endpoint answered the same request before.
    Errors: `ModelRefusal`: withdrawn, budget_spent, key_lost, prompt_too_long, unavailable, refused_by_model, bad_answer.
    """
    if prompt.n_characters > PROMPT_LIMIT:
        refused = sentence(PROMPT_TOO_LONG, n=prompt.n_characters, limit=PROMPT_LIMIT)
        raise ModelRefusal(Why.PROMPT_TOO_LONG, refused)
    digest = prompt_digest(prompt, endpoint)
    if uses_cache and prompt.is_repeatable:
        cached = await sync_to_async(_from_cache)(endpoint, prompt, digest, purpose, at())
        if cached is not None:
            return cached
    return await _Asking(endpoint, prompt, purpose, digest, door, at, sleep).answer()


def _from_cache(endpoint: ModelEndpoint, prompt: Prompt, digest: str, purpose: str, at: datetime) -> ModelAnswer | None:
    earlier = ModelCall.objects.answering(endpoint, digest)
    if earlier is None or not earlier.answer:
        return None
    parsed = None if prompt.schema is None else parsed_answer(earlier.answer, prompt.schema)
    noted = note_from_cache(earlier=earlier, purpose=purpose, at=at)
    return ModelAnswer(
        text=earlier.answer,
        parsed=parsed,
        tokens_in=earlier.tokens_in,
        tokens_out=earlier.tokens_out,
        cost=Decimal(0),
        digest=digest,
        model=earlier.model,
        is_from_cache=True,
        call=noted.pk,
    )


@dataclass(slots=True)
class _Asking:
    endpoint: ModelEndpoint
    prompt: Prompt
    purpose: str
    digest: str
    door: Door
    at: Clock
    sleep: Sleep

    async def answer(self) -> ModelAnswer:
        try:
            headers = {"Content-Type": "application/json", **bearer(self.endpoint.secret)}
        except SecretLost as lost:
            raise ModelRefusal(Why.KEY_LOST, sentence(KEY_LOST, key=self.endpoint.key)) from lost
        most, content = most_of(self.prompt, self.endpoint), body_of(self.prompt, self.endpoint)
        async with client_through(self.door, self.endpoint.deadline_s) as client:
            for n_left in reversed(range(self.endpoint.tries)):
                call = await self._begin(most)
                response = await self._post(client, content, headers, call)
                if response.status_code == 200:
                    return await self._read(response.content, call)
                pause_s = await self._refuse(response, call, n_left)
                await self.sleep(pause_s)
        raise AssertionError("the last try pauses for nothing more")

    async def _begin(self, most: Most) -> ModelCall:
        begun = partial(
            begin_call, endpoint=self.endpoint, purpose=self.purpose, digest=self.digest, most=most, at=self.at()
        )
        return await sync_to_async(begun)()

    async def _end(self, call: ModelCall, outcome: Outcome, **found: Any) -> None:
        await sync_to_async(partial(end_call, call=call, outcome=outcome, at=self.at(), **found))()

    async def _post(
        self, client: httpx.AsyncClient, content: bytes, headers: dict[str, str], call: ModelCall
    ) -> httpx.Response:
        try:
            return await client.post(endpoint_of(self.endpoint.url), content=content, headers=headers)
        except BotFailure as failure:
            # Of a request that arrived nobody knows what the server counts: the bound stands.
            used = None if failure.reached_bot else NOTHING_USED
            told = finding_without(failure.detail, self.endpoint.secret)
            await self._end(call, Outcome.FAILED, used=used, status=failure.status, trouble=told)
            raise ModelRefusal(Why.UNAVAILABLE, told) from failure

    async def _refuse(self, response: httpx.Response, call: ModelCall, n_left: int) -> float:
        """Seconds until the next try. Errors: `ModelRefusal` (unavailable) where there is none."""
        status = response.status_code
        told = sentence(
            STATUS, status=status, said=without_secret(said_in_error(response.content), self.endpoint.secret)
        )
        pause_s = None
        if status in NOT_NOW_STATUSES:
            told = sentence(NOT_NOW, status=status)
            pause_s = self._pause_s(response.headers.get("retry-after"), self.endpoint.tries - n_left)
            if pause_s > PAUSE_LIMIT_S:
                told = sentence(LATER, status=status, seconds=f"{pause_s:g}")
        await self._end(call, Outcome.REFUSED, used=NOTHING_USED, status=status, trouble=told)
        if pause_s is None or pause_s > PAUSE_LIMIT_S or not n_left:
            raise ModelRefusal(Why.UNAVAILABLE, told, after_s=pause_s)
        return pause_s

    def _pause_s(self, said: str | None, n_tried: int) -> float:
        """Both forms of Retry-After (RFC 9110, 10.2.3): seconds, or a date; without a readable one a pause of ours."""
        ours = FIRST_PAUSE_S * 2 ** (n_tried - 1)
        if said is None:
            return ours
        seconds = whole_or_none(said.strip(), PAUSE_DIGITS)
        if seconds is not None:
            return float(seconds)
        try:
            return max(0.0, (parsedate_to_datetime(said) - self.at()).total_seconds())
        except (TypeError, ValueError):
            return ours

    async def _read(self, body: bytes, call: ModelCall) -> ModelAnswer:
        """Reads the answer; what the server counted is stored also where the answer cannot be used."""
        usage = None
        try:
            answer = json_of(body)
            usage = usage_of(answer)
            completion = completion_of(answer, self.prompt, self.endpoint.answers)
        except ModelRefusal as refusal:
            told = finding_without(refusal.finding, self.endpoint.secret)
            used = self._used(usage)
            await self._end(call, Outcome.BAD_ANSWER, used=used, status=200, trouble=told)
            raise ModelRefusal(refusal.why, told, used=used or _bound(call)) from refusal
        used = self._used(usage)
        await self._end(call, Outcome.ANSWERED, used=used, status=200, model=completion.model, answer=completion.text)
        tokens_in, tokens_out, cost = used or _bound(call)
        return ModelAnswer(
            text=completion.text,
            parsed=completion.parsed,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost=cost,
            digest=self.digest,
            model=completion.model,
            is_from_cache=False,
            call=call.pk,
        )

    def _used(self, usage: Usage | None) -> Used | None:
        """None where the server named no tokens: the bound that was counted stands."""
        if usage is None:
            return None
        return usage.tokens_in, usage.tokens_out, cost_of(usage.tokens_in, usage.tokens_out, self.endpoint)


def _bound(call: ModelCall) -> Used:
    return call.tokens_in, call.tokens_out, call.cost
