"""Blots out the names that would tell who made a bot, in any spelling: letter case, full-width letters, accents,
spaces, dashes, dots or invisible characters within.

Pure, and linear in the length of the text: names are looked for in a folded copy of it, with a search that never goes
back. A name in its own spelling, or with all its letters spaced out, is found inside other words too ("AlphaBot"), but a short
one ("Ant"), or one with gaps that are not its own ("for two" and the team Ort), must be a word of its own. Characters that
show nothing are no gaps. A digit or a capital after a small letter begins a new word ("Ant2", "myAntBot").
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

BLOT = "█"
# A name spelled with longer gaps that one sees is not taken for one. A stream stops at so many characters in a row that show
# nothing. Both limits keep what a stream must hold back bounded.
GAP_LIMIT = 8
SHORTEST_ANYWHERE = 4
SHORTEST_CHINESE, SHORTEST_OTHER = 2, 3
# Foldings that are kept; a text of all of Unicode's characters must not fill the memory.
FOLDINGS_KEPT = 20_000

_THIN_CATEGORIES = {"Zs", "Zl", "Zp", "Cc", "Cf", "Cn", "Mn", "Me", "Pd", "Pc"}
_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cn", "Mn", "Me"}
# Dots between letters, and letters and symbols that show nothing (Hangul fillers, the blank of braille, a note without a head).
_THIN = set(".·•・‧\u115f\u1160\u2800\U0001d159")
# Letters that Unicode takes for symbols or sounds of their own: white on black, flags, small capitals; and the dotless i, whose
# capital is I.
_LOOKS_LIKE = {"ı": "i"} | {
    chr(first + place): letter
    for first in (0x1F150, 0x1F170, 0x1F1E6)
    for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")
}
_LOOKS_LIKE |= dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))


class _Folding(dict[int, str]):
    """What each character is compared as; "" for what may stand within a name. For `str.translate`."""

    def __missing__(self, code: int) -> str:
        # Marks go before letters are folded: the Greek iota below a letter is a mark that would become a letter.
        letters = _without_thin(unicodedata.normalize("NFKD", chr(code)))
        folded = _without_thin(unicodedata.normalize("NFKD", letters.casefold()))
        folded = _LOOKS_LIKE.get(folded, folded)
        if len(self) < FOLDINGS_KEPT:
            self[code] = folded
        return folded


def _without_thin(text: str) -> str:
    return "".join(character for character in text if not _is_thin(character))


def _is_thin(character: str) -> bool:
    return character in _THIN or unicodedata.category(character) in _THIN_CATEGORIES


def _is_gap(character: str) -> bool:
    """Whether a thin character is seen between two letters."""
    return character.isspace() or unicodedata.category(character) not in _INVISIBLE_CATEGORIES


_FOLDING = _Folding()


def folded(text: str) -> str:
    """`text` as names are compared: without case, width, accents, gaps and invisible characters."""
    return text.translate(_FOLDING)


def is_long_enough(name: str) -> bool:
    """Two characters with a Chinese one among them, else three: a shorter name would blot out ordinary words."""
    letters = folded(name)
    return len(letters) >= (SHORTEST_CHINESE if any(map(_is_chinese, letters)) else SHORTEST_OTHER)


def _is_chinese(character: str) -> bool:
    """Scripts that are written without spaces: a name is one wherever it stands."""
    return "\u2e80" <= character <= "\ud7ff" or "\uf900" <= character <= "\ufaff" or character >= "\U00020000"


def _are_one_word(left: str, right: str) -> bool:
    return all(character.isalnum() and not _is_chinese(character) for character in (left, right))


class Masker:
    """Masks a fixed list of words."""

    def __init__(self, words: Iterable[str]) -> None:
        # Each folded word, with the most gaps that its spellings in the list have. Some letters have capitals of two letters.
        self._words: dict[str, int] = {}
        for spelling in (form for word in words for form in (word, word.upper())):
            letters = folded(spelling)
            if len(letters) >= SHORTEST_CHINESE:
                self._words[letters] = max(_n_gaps(spelling), self._words.get(letters, 0))
        longest = max(map(len, self._words), default=0)
        # A stream looks this far back: a longer stretch before the end cannot belong to a name any more.
        self.reach = (longest + 1) * (2 * GAP_LIMIT + 1)
        self._longest = longest
        self._beginnings = {word[:n] for word in self._words for n in range(1, len(word) + 1)}

    def mask(self, text: str) -> str:
        """`text` with each character of a name replaced by a blot; its length stays."""
        return "".join(self._pieces(text, self.spans(text)))

    def mask_beginning(self, text: str, length: int) -> str:
        """The first `length` characters as `mask` would show them, without looking at more of the text than needed."""
        return self.mask(text[: self._end_of_reach(text, length)])[:length]

    def _end_of_reach(self, text: str, start: int) -> int:
        """Where a name that began before `start` has ended: characters that show nothing are passed over."""
        left = self.reach
        for place in range(start, len(text)):
            if left == 0:
                return place
            left -= bool(_FOLDING[ord(text[place])]) or _is_gap(text[place])
        return len(text)

    @staticmethod
    def _pieces(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
        at = 0
        for start, end in spans:
            yield text[at:start]
            yield BLOT * (end - start)
            at = end
        yield text[at:]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The places of names as (start, end), in order, none overlapping another."""
        letters = folded(text)
        found = [word for word in self._words if word in letters]
        if not found:
            return []
        lined_up = _LinedUp(text, letters)
        return _merged(span for word in found for span in lined_up.spans_of(word, self._words[word]))

    def open_from(self, text: str) -> int:
        """From where on `text` may belong to a name whose end is still to come; its length if nothing does."""
        places = self._last_places(text)
        letters = folded(text[places[-1] :]) if places else ""
        for n in range(len(places), 0, -1):
            if letters[-n:] in self._beginnings:
                return places[n - 1]
        return len(text)

    def _last_places(self, text: str) -> list[int]:
        """Where the last letters stand that one name could join to what comes next; the nearest to the end first."""
        places: list[int] = []
        n_gaps = 0
        for place in range(len(text) - 1, -1, -1):
            letters = _FOLDING[ord(text[place])]
            n_gaps = 0 if letters else n_gaps + _is_gap(text[place])
            if n_gaps > GAP_LIMIT or len(places) >= self._longest:
                break
            places += [place] * len(letters)
        return places[: self._longest]


class _LinedUp:
    """Which character of a text each of its folded letters came from, and what gaps stand before it.

    Counts run over the whole text, so that a stretch of letters takes two look-ups, however long it is.
    """

    def __init__(self, text: str, letters: str) -> None:
        self._text, self._letters = text, letters
        self._places: list[int] = []
        # By letter, up to it: characters that are gaps, letters with a gap before them, and those whose gap is too long.
        self._gaps: list[int] = []
        self._apart: list[int] = []
        self._far: list[int] = []
        n_gaps = n_before = n_apart = n_far = 0
        for place, character in enumerate(text):
            folded_to = _FOLDING[ord(character)]
            n_gaps += not folded_to and _is_gap(character)
            for _ in folded_to:
                n_apart += n_gaps > n_before
                n_far += n_gaps - n_before > GAP_LIMIT
                n_before = n_gaps
                self._places.append(place)
                self._gaps.append(n_gaps)
                self._apart.append(n_apart)
                self._far.append(n_far)

    def spans_of(self, word: str, n_gaps: int) -> Iterator[tuple[int, int]]:
        """Every place of the word, whose own spelling has so many gaps; they may overlap."""
        first = self._letters.find(word)
        while first >= 0:
            last = first + len(word) - 1
            if self._is_name(first, last, n_gaps):
                yield self._places[first], self._places[last] + 1
            first = self._letters.find(word, first + 1)

    def _is_name(self, first: int, last: int, n_gaps: int) -> bool:
        if self._far[first] != self._far[last]:
            return False
        length = last - first + 1
        is_spaced_out = self._apart[last] - self._apart[first] == length - 1
        is_own_spelling = self._gaps[last] - self._gaps[first] <= n_gaps
        if (length >= SHORTEST_OTHER and is_spaced_out) or (length >= SHORTEST_ANYWHERE and is_own_spelling):
            return True
        return not self._is_joined(first - 1, first) and not self._is_joined(last, last + 1)

    def _is_joined(self, left: int, right: int) -> bool:
        """Whether two letters, one behind the other, belong to one word: no gap between them, or one character."""
        if left < 0 or right == len(self._places) or self._gaps[right] > self._gaps[left]:
            return False
        before, after = self._text[self._places[left]], self._text[self._places[right]]
        if before.isdecimal() != after.isdecimal() or (before.islower() and after.isupper()):
            return False
        return _are_one_word(self._letters[left], self._letters[right])


def _n_gaps(word: str) -> int:
    """How many gaps stand between the letters of a spelling."""
    inner = word[next((place for place, one in enumerate(word) if _FOLDING[ord(one)]), 0) :]
    n_gaps = n_before_last = 0
    for character in inner:
        if _FOLDING[ord(character)]:
            n_before_last = n_gaps
        else:
            n_gaps += _is_gap(character)
    return n_before_last


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


@lru_cache(maxsize=200)
def masker_of(words: tuple[str, ...]) -> Masker:
    """The masker of a campaign's words, made once."""
    return Masker(words)


class MaskedStream:
    """A streamed text, shown masked as it comes: what might be the beginning of a name is held back until it is known.

    What has been shown is always a beginning of the whole text as `Masker.mask` shows it. More characters in a row that
    show nothing than a name may have gaps end the stream: a name could go on behind any number of them.
    """

    def __init__(self, masker: Masker) -> None:
        self.reach = masker.reach
        self._masker = masker
        self._context = ""
        self._n_shown = 0
        self._n_invisible = 0

    def hear(self, part: str) -> str:
        """What can be shown now that this part has come."""
        if self._is_over(part):
            return ""
        window = self._context + part
        ready = max(self._n_shown, self._masker.open_from(window))
        shown = self._masker.mask(window)[self._n_shown : ready]
        dropped = max(0, ready - self._masker.reach)
        self._context, self._n_shown = window[dropped:], ready - dropped
        return shown

    def _is_over(self, part: str) -> bool:
        for character in part:
            if self._n_invisible > GAP_LIMIT:
                break
            if _FOLDING[ord(character)]:
                self._n_invisible = 0
            else:
                self._n_invisible += not _is_gap(character)
        return self._n_invisible > GAP_LIMIT
