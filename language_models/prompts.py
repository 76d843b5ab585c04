"""A prompt, the request that it becomes, its digest and what it can cost at most. Pure.

What an endpoint says of itself comes as `Asked`, so that nothing here knows a table.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal
from typing import Any, Literal, Protocol

from language_models.answer_schemas import refuse_unknown_words
from language_models.limits import MAX_TOKENS_LIMIT, MONEY_PLACES

# The one name under which a schema or a tool is sent.
ANSWER = "answer"
TOKENS_PER_PRICE = 1_000_000
# What chat templates put around a message, and around the whole: marks of roles, of begin and end.
TOKENS_AROUND_A_MESSAGE, TOKENS_AROUND_ALL = 16, 64
BILLIONTH = Decimal(1).scaleb(-MONEY_PLACES)
ONE_JSON_OBJECT = (
    "Answer with one JSON value and nothing else: no words around it, no code fence. It fits this JSON Schema: %s"
)


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked. With `schema` (the words of `answer_schemas.py`) the answer is JSON that fits it, else any text.

    Samples of one prompt differ by their `seed`: two prompts that are equal are one, and answered from the cache.
    Errors: `ValueError` for a schema that could not be checked and for numbers out of bounds.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    temperature: float = 0.0
    seed: int | None = None
    max_tokens: int = 800

    def __post_init__(self) -> None:
        if not self.messages or not 0 <= self.temperature <= 2 or not 1 <= self.max_tokens <= MAX_TOKENS_LIMIT:
            raise ValueError("a prompt has a message, a temperature from 0 to 2 and a bounded number of tokens")
        if self.schema is not None:
            refuse_unknown_words(self.schema)

    @property
    def n_characters(self) -> int:
        return sum(len(message.content) for message in self.messages)

    @property
    def is_repeatable(self) -> bool:
        """Whether the same answer is wanted again: at a temperature without a seed each call is a draw of its own."""
        return self.temperature == 0 or self.seed is not None


class Asked(Protocol):
    """What is read of an endpoint here."""

    url: Any
    model: Any
    answers: Any
    options: Any
    price_in: Any
    price_out: Any


@dataclass(frozen=True, slots=True)
class Most:
    """What one call can use at most: `tokens` in and out together; `cost` in the endpoint's currency."""

    tokens_in: int
    tokens_out: int
    cost: Decimal = field(default=Decimal(0))

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


def request_of(prompt: Prompt, asked: Asked) -> dict[str, Any]:
    """The body of the request, as JSON holds it."""
    options = asked.options
    messages = [{"role": one.role, "content": one.content} for one in prompt.messages]
    request: dict[str, Any] = {**options.get("extra", {}), "model": asked.model, "messages": messages, "stream": False}
    numbers = {"temperature": prompt.temperature} | ({} if prompt.seed is None else {"seed": prompt.seed})
    request |= {name: value for name, value in numbers.items() if name not in options.get("leave_out", ())}
    request[options.get("length_field", "max_tokens")] = prompt.max_tokens
    if prompt.schema is None:
        return request
    schema = dict(prompt.schema)
    match str(asked.answers):
        case "json_schema":
            form = {"name": ANSWER, "schema": schema, "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        case "tools":
            request["tools"] = [{"type": "function", "function": {"name": ANSWER, "parameters": schema}}]
            request["tool_choice"] = {"type": "function", "function": {"name": ANSWER}}
        case _:
            _ask_in_words(messages, schema)
    return request


def _ask_in_words(messages: list[dict[str, str]], schema: Mapping[str, Any]) -> None:
    """Adds the schema to the first message where that is the system's, else to the last: many templates allow one system message."""
    at = 0 if messages[0]["role"] == "system" else -1
    words = ONE_JSON_OBJECT % json.dumps(schema, ensure_ascii=False, sort_keys=True)
    messages[at]["content"] = f"{messages[at]['content']}\n\n{words}"


def body_of(prompt: Prompt, asked: Asked) -> bytes:
    return json.dumps(request_of(prompt, asked), ensure_ascii=False, allow_nan=False).encode()


def prompt_digest(prompt: Prompt, endpoint: Asked) -> str:
    """SHA-256 (64 hexadecimal digits) of the address, the whole request and the seed; the key is no part of it.

    Without a seed a server still draws each sample independently: the cache must not answer one by another.
    """
    whole = {"url": str(endpoint.url), "request": request_of(prompt, endpoint), "seed": prompt.seed}
    text = json.dumps(whole, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def most_of(prompt: Prompt, asked: Asked) -> Most:
    """A bound, not a guess: tokenizers that fall back on bytes make of no text more tokens than it has bytes of UTF-8.

    For English it is about four times too high, for Chinese about three times; the true numbers replace it when the answer is here.
    """
    request = request_of(prompt, asked)
    n_bytes = sum(len(one["content"].encode()) for one in request["messages"])
    for form in ("response_format", "tools"):
        n_bytes += len(json.dumps(request[form], ensure_ascii=False).encode()) if form in request else 0
    tokens_in = n_bytes + TOKENS_AROUND_A_MESSAGE * len(prompt.messages) + TOKENS_AROUND_ALL
    return Most(tokens_in, prompt.max_tokens, cost_of(tokens_in, prompt.max_tokens, asked))


def cost_of(tokens_in: int, tokens_out: int, asked: Asked) -> Decimal:
    """In the endpoint's currency, rounded up to a billionth of it."""
    whole = (tokens_in * Decimal(asked.price_in) + tokens_out * Decimal(asked.price_out)) / TOKENS_PER_PRICE
    return whole.quantize(BILLIONTH, ROUND_CEILING)


def money(cost: Decimal | float) -> str:
    """As it is written: 0.0314, 12; without the zeros at its end."""
    return f"{Decimal(str(cost)).normalize():f}"
