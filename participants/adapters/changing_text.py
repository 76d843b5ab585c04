"""A reply that comes in parts, or whole again and again, or is rewritten: what of it can be shown as it comes.

What a tester has seen cannot be taken back while the reply comes. So a rewritten text is shown on only where it begins with
what was shown; the reply that is stored is what the text became, and takes the place of what was shown.
"""

from participants import failure_sentences as sentences
from participants.adapters.streams import GrowingText
from participants.failures import BotFailure, FailureKind
from reading.findings import sentence

# To give a text anew costs its length each time; a reply that is rewritten at every word stays far below.
REWRITTEN_LIMIT = 32 * 1024 * 1024


class ChangingText:
    def __init__(self) -> None:
        self._text = GrowingText()
        self._shown: list[str] = []
        self._is_shown = True
        self._n_rewritten = 0

    def add(self, part: str, place: str) -> str:
        """What can be shown of a part that follows what came before. Errors: `BotFailure`."""
        heard = self._text.hear(part, place)
        return self._show(heard) if self._is_shown else ""

    def become(self, whole: str, place: str) -> str:
        """What can be shown of a text that takes the place of all that came before. Errors: `BotFailure`."""
        self._n_rewritten += len(whole)
        if self._n_rewritten > REWRITTEN_LIMIT:
            raise BotFailure(FailureKind.TOO_LONG, sentence(sentences.TEXT_REWRITTEN))
        self._text = GrowingText()
        heard, shown = self._text.hear(whole, place), "".join(self._shown)
        self._is_shown = heard.startswith(shown)
        return self._show(heard[len(shown) :]) if self._is_shown else ""

    def _show(self, part: str) -> str:
        if part:
            self._shown.append(part)
        return part

    def whole(self, place: str) -> str:
        """All of it. Errors: `BotFailure` (`bad_shape`) where it ends within a character."""
        return self._text.whole(place)
