"""What one request and its answer were on the wire: filled in while they go, kept with whatever came of them."""

from collections.abc import Callable
from secrets import token_hex
from time import monotonic

from participants.failures import EVIDENCE_LIMIT, Wire


class Traffic:
    """Sizes are those of HTTP with its heads; times count from when the request might go out, waits of ours left out.

    `clock` stands still while we do; when something was last heard is told by the clock of the system (`heard_at`).
    """

    __slots__ = (
        "_began", "_clock", "_connected", "_first", "_last", "head", "heard_at", "is_sent", "n_received", "n_sent", "request_id",
    )  # fmt: skip

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        # The bot gets it in a header, so that a line of its log can be found.
        self.request_id = token_hex(8)
        self.is_sent = False
        self.n_sent = self.n_received = 0
        # The first bytes of the answer, head and all.
        self.head = b""
        self._clock = clock
        self._began = clock()
        self._connected: float | None = None
        self._first: float | None = None
        self._last: float | None = None
        self.heard_at: float | None = None

    def sent(self, n_bytes: int, *, is_new_connection: bool) -> None:
        self.is_sent = True
        self.n_sent = n_bytes
        if is_new_connection:
            self._connected = self._clock()

    def received(self, some: bytes) -> None:
        self.heard_at, self._last = monotonic(), self._clock()
        if self._first is None:
            self._first, self.head = self._last, some[:EVIDENCE_LIMIT]
        self.n_received += len(some)

    def measured(self, waited_s: float = 0.0) -> Wire:
        return Wire(
            self.request_id,
            self.n_sent,
            self.n_received,
            self._ms(self._connected),
            self._ms(self._first),
            self._ms(self._last),
            round(waited_s * 1000) or None,
        )

    def _ms(self, at: float | None) -> int | None:
        return None if at is None else round((at - self._began) * 1000)
