"""Every way in which a call to a bot can fail, as one typed error, and what each request on the way came to. Pure.

BotFailure(kind, detail)
  dns connect tls blocked_address          nothing reached the bot
  timeout_first_byte timeout_total         the deadline passed
  http_4xx http_5xx                        the bot said so itself
  bad_json bad_shape empty too_long        the answer is invalid
  other_dialogue                           the answer names another dialogue or turn
  cancelled interrupted                    the platform stopped the call
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypedDict

from django.utils.translation import gettext_noop

from reading.findings import Finding

# Characters of a failure's detail and of the answer's beginning that the ledger keeps.
EVIDENCE_LIMIT = 2000


class FailureKind(StrEnum):
    """Protocols use the values; pages show them translated."""

    DNS = gettext_noop("dns")
    CONNECT = gettext_noop("connect")
    TLS = gettext_noop("tls")
    TIMEOUT_FIRST_BYTE = gettext_noop("timeout_first_byte")
    TIMEOUT_TOTAL = gettext_noop("timeout_total")
    HTTP_4XX = gettext_noop("http_4xx")
    HTTP_5XX = gettext_noop("http_5xx")
    BAD_JSON = gettext_noop("bad_json")
    BAD_SHAPE = gettext_noop("bad_shape")
    EMPTY = gettext_noop("empty")
    TOO_LONG = gettext_noop("too_long")
    OTHER_DIALOGUE = gettext_noop("other_dialogue")
    BLOCKED_ADDRESS = gettext_noop("blocked_address")
    CANCELLED = gettext_noop("cancelled")
    INTERRUPTED = gettext_noop("interrupted")


class Fault(StrEnum):
    """Who caused a failure; kept apart from every score (design §4, rule 5)."""

    NOBODY = "nobody"
    BOT = "bot"
    PLATFORM = "platform"
    TESTER = "tester"


FAULT_OF = dict.fromkeys(FailureKind, Fault.BOT) | {
    FailureKind.CANCELLED: Fault.TESTER,
    FailureKind.INTERRUPTED: Fault.PLATFORM,
}


class Wire(NamedTuple):
    """What a request was on the wire. `connect_ms` is empty on a connection that was kept, the others where nothing came.

    `request_id` is what the bot got as `X-Request-Id`, or as the id of a turn's frame. `waited_ms` is how long the turn waited for a place before, if it did.
    """

    request_id: str = ""
    request_bytes: int | None = None
    response_bytes: int | None = None
    connect_ms: int | None = None
    first_byte_ms: int | None = None
    last_byte_ms: int | None = None
    waited_ms: int | None = None

    @property
    def stored(self) -> dict[str, Any]:
        """As rows hold it: what is known."""
        return {
            name: value for name, value in zip(self._fields, self, strict=True) if value is not None and value != ""
        }


class WireDocument(TypedDict):
    """A wire as the API gives it. `request_id` is what the bot got as `X-Request-Id`; null where something is not known."""

    request_id: str
    request_bytes: int | None
    response_bytes: int | None
    connect_ms: int | None
    first_byte_ms: int | None
    last_byte_ms: int | None
    waited_ms: int | None


def wire_of(stored: Mapping[str, Any]) -> Wire:
    """What `stored` gave; nothing is known of requests that were made before it was kept."""
    return Wire(**stored)


@dataclass(frozen=True, slots=True)
class Try:
    """One request of a turn and what it came to; the ledger holds a row for each.

    `number` counts from 1 within one `ask`. `kind` is None for a reply. `status` is None where no answer began.
    `has_left` is False only when it is certain that no byte of the request reached the bot. `latency_ms` is the
    bot's time for this request alone. Only the last one has a fault, the failure's own.
    """

    number: int
    kind: FailureKind | None
    status: int | None
    detail: Finding | None
    evidence: str
    has_left: bool
    latency_ms: int
    ended_at: datetime
    wire: Wire = Wire()  # noqa: RUF009 # a tuple, which nobody changes


class BotFailure(Exception):
    """A bot call that gave no reply.

    `detail` and `evidence` are for the team's log, never for the tester. `detail` says what happened; of an answer that is
    not of its shape it has the place. `reached_bot` is False only when it is
    certain that no byte of the request arrived. `retry_after_s` is set only by a complete 429 or 503: how long
    the bot is to be left alone. `ask` fills in `tries`, the last of which is this failure, `latency_ms`, the
    bot's time over all of them, and `heard_ago_s`, since when nothing more came in any of them; None where nothing did.
    """

    def __init__(
        self,
        kind: FailureKind,
        detail: Finding,
        *,
        reached_bot: bool = True,
        status: int | None = None,
        evidence: str = "",
        retry_after_s: float | None = None,
        fault: Fault | None = None,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail = detail
        self.reached_bot = reached_bot
        self.status = status
        self.evidence = evidence
        self.retry_after_s = retry_after_s
        self.fault = fault or FAULT_OF[kind]
        self.latency_ms = 0
        self.heard_ago_s: float | None = None
        self.tries: tuple[Try, ...] = ()

    def __str__(self) -> str:
        # Of the detail as it is now: a secret may have been hidden in it since.
        return f"{self.kind}: {self.detail.in_english}"
