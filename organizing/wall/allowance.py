"""How often work may be done that happens whenever something changes, however often that is. Pure."""

from dataclasses import dataclass

# Of a core, in the long run; how many seconds of work may be done one after the other before; and after work that took
# for ever once, as the first in a process does, nobody rests longer than this.
SHARE = 0.03
BURST_S = 0.3
LONGEST_REST_S = 10.0


@dataclass(slots=True)
class Allowance:
    """Work that was not done for a while may be done at once; what goes on and on takes no more than its share of the time."""

    work_s: float = 0.0
    noted_at_s: float = 0.0

    def note(self, work_s: float, now_s: float) -> None:
        """So many seconds were worked until now."""
        self.work_s = min(self._left_at(now_s) + work_s, BURST_S + LONGEST_REST_S * SHARE)
        self.noted_at_s = now_s

    def rest_s(self, now_s: float) -> float:
        """How long to wait before more is done."""
        return min(LONGEST_REST_S, max(0.0, (self._left_at(now_s) - BURST_S) / SHARE))

    def _left_at(self, now_s: float) -> float:
        return max(0.0, self.work_s - SHARE * (now_s - self.noted_at_s))
