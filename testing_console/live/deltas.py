"""The parts of a streamed reply on their way to the page: masked, joined to a few per second, no longer than a reply."""

import asyncio
from collections.abc import Callable

from dialogues.masking import MaskedStream, Masker
from dialogues.turn_taking import REPLY_LIMIT

# An eye sees no more; a bot that streams letter by letter would cost a frame for each.
TOLD_EVERY_S = 0.05


class Deltas:
    """Hears every part at once and tells what can be shown: the first part now, the rest together every 50 ms.

    What is still held back at the end is not told: the reply itself follows and holds everything.
    """

    def __init__(self, masker: Masker, tell: Callable[[str], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stream = MaskedStream(masker)
        self._tell = tell
        self._heard: list[str] = []
        self._n_left = REPLY_LIMIT
        self._pause: asyncio.TimerHandle | None = None

    def hear(self, part: str) -> None:
        if self._n_left > 0:
            self._heard.append(part)
            if self._pause is None:
                self._pass_on()

    def _pass_on(self) -> None:
        self._pause = None
        if not self._heard:
            return
        # A part may be as long as a reply's limit in bytes; what cannot be shown any more is not masked.
        part = "".join(self._heard)[: self._n_left + self._stream.reach]
        shown = self._stream.hear(part)[: self._n_left]
        self._heard.clear()
        self._n_left -= len(shown)
        self._pause = self._loop.call_later(TOLD_EVERY_S, self._pass_on)
        if shown:
            self._tell(shown)

    def close(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
