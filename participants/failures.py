"""Every way in which a call to a bot can fail, as one typed error.

BotFailure(kind, detail)
  dns connect tls blocked_address          nothing reached the bot
  timeout_first_byte timeout_total         the deadline passed
  http_4xx http_5xx                        the bot said so itself
  bad_json bad_shape empty too_long        the answer is none
  cancelled interrupted                    the platform stopped the call
"""

from enum import StrEnum


class FailureKind(StrEnum):
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT_FIRST_BYTE = "timeout_first_byte"
    TIMEOUT_TOTAL = "timeout_total"
    HTTP_4XX = "http_4xx"
    HTTP_5XX = "http_5xx"
    BAD_JSON = "bad_json"
    BAD_SHAPE = "bad_shape"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    BLOCKED_ADDRESS = "blocked_address"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


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


class BotFailure(Exception):
    """A bot call that gave no reply.

    `detail` is for the team's log, never for the tester; `reached_bot` is False only when it is certain that
    no byte of the request arrived, which is what allows an automatic retry (robustness P5).
    """

    def __init__(
        self,
        kind: FailureKind,
        detail: str,
        *,
        reached_bot: bool = True,
        evidence: str = "",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.reached_bot = reached_bot
        self.evidence = evidence
        self.retry_after_s = retry_after_s

    @property
    def fault(self) -> Fault:
        return FAULT_OF[self.kind]
