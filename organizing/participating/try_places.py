"""Who may wait for a bot that is being tried: few at once, fewer of one person and team, and teams by turns. Pure."""

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from threading import Lock

# Each holds the thread of its page until the bot has answered.
AT_ONCE, OF_A_TEAM, OF_A_PERSON = 6, 2, 1
# A team that was refused is asked to come again after the first, and keeps its turn until the second.
COME_AGAIN_S, TURN_LASTS_S = 5, 15


class Taken(Enum):
    YES = "yes"
    NOT_NOW = "others have all places, or have waited for longer"
    OWN_ARE_USED = "the person or their team has as many as each may have"


@dataclass(frozen=True, slots=True)
class Asker:
    """`team` names those who share places: a team, or a campaign's organizers."""

    person: str
    team: str


class TryPlaces:
    """The places of one process; `at_s` is a monotonic clock.

    Nobody waits in here: a team that is refused has a turn, and a free place is kept for the team that was refused first, as long
    as it comes again in time. A team that gets a place goes to the end.
    """

    def __init__(self, at_once: int = AT_ONCE, of_a_team: int = OF_A_TEAM, of_a_person: int = OF_A_PERSON) -> None:
        self._at_once, self._of_a_team, self._of_a_person = at_once, of_a_team, of_a_person
        self._of_persons: Counter[str] = Counter()
        self._of_teams: Counter[str] = Counter()
        # When each team was refused last, in the order in which they were refused first.
        self._turns: dict[str, float] = {}
        self._lock = Lock()

    def take(self, asker: Asker, at_s: float) -> Taken:
        with self._lock:
            self._turns = {team: since for team, since in self._turns.items() if at_s - since < TURN_LASTS_S}
            if self._has_enough(asker.team) or self._of_persons[asker.person] >= self._of_a_person:
                return Taken.OWN_ARE_USED
            before = list(self._turns)
            before = before[: before.index(asker.team)] if asker.team in before else before
            n_kept = sum(not self._has_enough(team) for team in before)
            if self._of_teams.total() + n_kept >= self._at_once:
                self._turns[asker.team] = at_s
                return Taken.NOT_NOW
            self._turns.pop(asker.team, None)
            self._of_persons[asker.person] += 1
            self._of_teams[asker.team] += 1
            return Taken.YES

    def give_back(self, asker: Asker) -> None:
        with self._lock:
            # Subtracting drops counts of zero, which would otherwise pile up.
            self._of_persons -= Counter([asker.person])
            self._of_teams -= Counter([asker.team])

    def _has_enough(self, team: str) -> bool:
        return self._of_teams[team] >= self._of_a_team
