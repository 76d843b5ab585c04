"""A replay beside its dialogue, turn by turn, with the words that differ marked."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dialogues.models import Turn
from participants.picture_lines import picture_said
from replays.actions.running import answered_in, put_in
from replays.differences import MOST_WORDS, Piece, marked
from replays.drift import is_other
from replays.models import Replay, ReplayState, ReplayTurn

# Of one page: longer dialogues go on without marks.
MOST_WORDS_OF_A_PAGE = 100_000


@dataclass(frozen=True, slots=True)
class Bubble:
    """One text of an answer, in pieces; what the other answer lacks is set as deleted, or as inserted in the new one.

    `is_stored`: its picture, if it is one, is among those of the dialogue; a replay stores none.
    """

    text: str
    pieces: Sequence[Piece]
    is_new: bool
    is_stored: bool

    @property
    def is_picture(self) -> bool:
        return picture_said(self.text) is not None

    @property
    def marked(self) -> SafeString:
        tag = "<ins>{}</ins>" if self.is_new else "<del>{}</del>"
        set_as = ("{}" if piece.part == "same" else tag for piece in self.pieces)
        return format_html("".join(set_as), *(piece.text for piece in self.pieces))


@dataclass(frozen=True, slots=True)
class TurnPair:
    """One line of the tester with the answer of then and that of now; `now` is None where the line was not put.

    `parts_here`: the first answer with other words. `is_after` says that an earlier one has.
    """

    turn: Turn
    now: ReplayTurn | None
    old: Sequence[Bubble]
    new: Sequence[Bubble]
    is_changed: bool
    parts_here: bool
    is_after: bool

    @property
    def what_happened(self) -> str:
        """The kind of the failure in the reader's language; empty where there is none."""
        return _(self.now.kind) if self.now and self.now.kind else ""


def pairs_of(replay: Replay) -> list[TurnPair]:
    """All lines of the dialogue in their order. Texts are compared as far as `MOST_WORDS_OF_A_PAGE` goes."""
    turns, put = list(replay.dialogue.turns.order_by("number")), put_in(replay)
    then, now = answered_in(turns), {number: one.answer for number, one in put.items()}
    # A line that is still to be put says nothing; one that was never put, as the system ended the talk, does.
    told = then.keys() if replay.state == ReplayState.DONE else now.keys()
    changed = {number for number in told if is_other(then[number], now.get(number))}
    parts_at = min(changed, default=None)
    stored = {text for turn in turns for text in turn.texts}
    left, pairs = MOST_WORDS_OF_A_PAGE, []
    for turn in turns:
        one = put.get(turn.number)
        old, new, n_words = _marked(turn.texts, one.texts if one else [], stored, left)
        left -= n_words
        pairs.append(
            TurnPair(
                turn, one, old, new,
                is_changed=one is not None and turn.number in changed,
                parts_here=turn.number == parts_at,
                is_after=parts_at is not None and turn.number > parts_at,
            )
        )  # fmt: skip
    return pairs


def _marked(
    old: Sequence[str], new: Sequence[str], stored: Collection[str], left: int
) -> tuple[list[Bubble], list[Bubble], int]:
    """The bubbles of both, compared in their order; one without a partner is changed as a whole."""
    olds, news, n_words = list[Bubble](), list[Bubble](), 0
    for one, other in zip_longest(old, new):
        both = marked(one or "", other or "", min(MOST_WORDS, max(0, left - n_words)))
        n_words += both.n_words
        if one is not None:
            olds.append(Bubble(one, both.old, is_new=False, is_stored=True))
        if other is not None:
            news.append(Bubble(other, both.new, is_new=True, is_stored=other in stored))
    return olds, news, n_words
