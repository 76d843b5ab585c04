"""How many frames a socket may send: what comes faster is refused unread."""

import time

BURST_FRAMES = 40
FRAMES_REFUSED_BEFORE_CLOSE = 2000


class FrameBucket:
    """A token bucket: `rate` frames per second with a burst; rate 0 lets everything through."""

    def __init__(self, rate: float, burst: int = BURST_FRAMES) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = float(burst), time.monotonic()

    def takes(self) -> bool:
        if not self._rate:
            return True
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def debt_s(self) -> float:
        """Takes the frame in any case; gives the seconds for which nothing more should be read."""
        if self.takes() or not self._rate:
            return 0.0
        self._left -= 1
        return -self._left / self._rate
