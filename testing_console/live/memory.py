"""What was said in the dialogues of this process, kept so that no turn reads it again; it costs bounded memory."""

from collections.abc import Collection
from uuid import UUID

from dialogues.actions.outcomes import Remembered

# Characters of all dialogues together, each about 5 bytes: the text, and its form in a protocol. 500 dialogues of 50
# turns have room for 800 characters in each turn. Replies may have 8,000: without a limit such bots would fill the memory.
CHARACTERS_LIMIT = 20_000_000


class Memory:
    """The latest of each dialogue. Touched on the event loop only."""

    def __init__(self, limit: int = CHARACTERS_LIMIT) -> None:
        self._limit = limit
        # In the order in which they were last kept.
        self._kept: dict[UUID, Remembered] = {}
        self._n_characters = 0

    def keep(self, remembered: Remembered) -> None:
        """Beyond the limit the dialogues that have been silent longest are dropped; their next turn reads."""
        self._drop(remembered.dialogue_id)
        self._kept[remembered.dialogue_id] = remembered
        self._n_characters += remembered.history.n_characters
        while self._n_characters > self._limit:
            self._drop(next(iter(self._kept)))

    def recall(self, dialogue_id: UUID) -> Remembered | None:
        """What is known of what was said; the action that is given it checks whether it is the latest.

        It stays: a turn that is refused must not cost the next one the reading of the whole history.
        """
        return self._kept.get(dialogue_id)

    def forget(self, *, but: Collection[UUID]) -> None:
        for dialogue_id in [one for one in self._kept if one not in but]:
            self._drop(dialogue_id)

    def _drop(self, dialogue_id: UUID) -> None:
        dropped = self._kept.pop(dialogue_id, None)
        if dropped is not None:
            self._n_characters -= dropped.history.n_characters
