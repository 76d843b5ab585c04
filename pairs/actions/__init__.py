"""What judges do with pairs: open the next one, vote, take a vote back."""

from pairs.actions.opening import NoPairs, PausedJudge, open_next_pair
from pairs.actions.voting import Conflict, NotComparable, undo_vote, vote

__all__ = ["Conflict", "NoPairs", "NotComparable", "PausedJudge", "open_next_pair", "undo_vote", "vote"]
