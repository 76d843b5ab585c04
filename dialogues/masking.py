"""Blots out the names that would tell who made a bot, in any spelling: letter case, full-width letters, accents,
spaces, dashes, dots or invisible characters within, letters of other scripts that look the same.

Pure, and linear in the length of the text: names are looked for in a folded copy of it, with a search that never goes
back. A name in its own spelling, or with all its letters spaced out, is found inside other words too ("AlphaBot"), but a short
one ("Ant"), or one with gaps that are not its own ("for two" and the team Ort), must be a word of its own. Characters that
show nothing are no gaps. A digit or a capital after a small letter begins a new word ("Ant2", "myAntBot").

A name with some look-alikes among its letters ("Tеam" with a Cyrillic е) is found as in its own letters. One that is wholly of one other script
may be an ordinary word of it ("том" and the team Tom): it must be a word of its own, and no text of that script may stand beside it.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from participants.picture_lines import picture_said

# From confusables.txt of Unicode Technical Standard #39 (Unicode Security Mechanisms, version 16.0): single letters of alphabets that
# common fonts have, whose prototype is a Latin letter or its small capital. What NFKD and case folding already make a Latin letter is
# left out. I and l share a prototype there; here each letter is the one that its own lower case looks like.
_LOOK_LIKE = {
    "a": "ɑΑαАаᎪꓮꭺ",
    "b": "ƄΒВЬвᏏᏴᏼꓐꞴ",
    "c": "СсᏟⲤⲥꓚꮯ",
    "d": "ԁᎠᏧꓒꓓꭰ",
    "e": "ΕЕеҽᎬꓰꬲꭼ",
    "f": "ϜքẝꓝꞘꞙꬵ",
    "g": "ƍɡԌԍցᏀᏳᏻᶃꓖꮐ",
    "h": "ΗНнһհᎻᏂⲎꓧꮋ",
    "i": "ƖɩΙιІіӏᎥⲒꓲꙇꭵ",
    "j": "ͿϳЈјᎫꓙꞲꭻ",
    "k": "ĸΚκКкᏦⲔⲕꓗꮶ",
    "l": "ǀӀᏞⳐⳑꓡꮮ",
    "m": "ʍмΜϺМᎷⲘꓟ",
    "n": "ΝոռⲚꓠ",
    "o": "ΟοσОоՕօᴑⲞⲟꓳꬽ",
    "p": "ΡρРрᏢᴩⲢⲣꓑꮲ",
    "q": "ԛգզ",
    "r": "гᎡᏒᴦⲅꓣꭇꭈꭱꮁꮢ",
    "s": "ƽЅѕՏᏕᏚꓢꮪ",
    "t": "ΤτТтᎢⲦꓔꭲ",
    "u": "ʋυՍսꓴꞟꭎꭒ",
    "v": "νѴѵᏙꓦꮩ",
    "w": "ɯѡԜԝաᎳᏔꓪꮃ",
    "x": "ΧХхⲬꓫꞳ",
    "y": "ɣΥγУуҮүᎩᎽᶌỿⲨꓬꭚ",
    "z": "ΖᏃꓜꮓ",
}
LOOK_ALIKES = {character: latin for latin, characters in _LOOK_LIKE.items() for character in characters}


@lru_cache(maxsize=2_000)
def script_of(character: str) -> str:
    """The first word of the character's name, which for letters is their script: GREEK, CYRILLIC, CJK."""
    return unicodedata.name(character, "").partition(" ")[0]


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
        letters = without_thin(unicodedata.normalize("NFKD", chr(code)))
        folded = without_thin(unicodedata.normalize("NFKD", letters.casefold()))
        folded = _LOOKS_LIKE.get(folded, folded)
        if len(self) < FOLDINGS_KEPT:
            self[code] = folded
        return folded


def without_thin(text: str) -> str:
    return "".join(character for character in text if not _is_thin(character))


def _is_thin(character: str) -> bool:
    return character in _THIN or unicodedata.category(character) in _THIN_CATEGORIES


def is_gap(character: str) -> bool:
    """Whether a thin character is seen between two letters."""
    return character.isspace() or unicodedata.category(character) not in _INVISIBLE_CATEGORIES


class _LatinFolding(dict[int, str]):
    """What each character looks like: as many letters as it is compared as, with the Latin ones for their look-alikes."""

    def __missing__(self, code: int) -> str:
        letters = without_thin(unicodedata.normalize("NFKD", chr(code)))
        # Case first as it is: the Greek Ν looks like N, its small ν like v.
        looks = "".join(
            LOOK_ALIKES.get(one) or "".join(LOOK_ALIKES.get(small, small) for small in folded(one)) for one in letters
        )
        if len(self) < FOLDINGS_KEPT:
            self[code] = looks
        return looks


FOLDING = _Folding()
LATIN_FOLDING = _LatinFolding()


def folded(text: str) -> str:
    """`text` as names are compared: without case, width, accents, gaps and invisible characters."""
    return text.translate(FOLDING)


def latinized(text: str) -> str:
    """`folded`, with the Latin letter for each of another script that looks like it."""
    return text.translate(LATIN_FOLDING)


def is_alien(character: str) -> bool:
    """Whether it looks like a Latin letter that it is not."""
    return LATIN_FOLDING[ord(character)] != FOLDING[ord(character)]


# What the look-alikes are folded to: few texts hold any, and only those are looked at twice.
ALIEN = re.compile(f"[{re.escape(''.join(sorted(set(map(folded, LOOK_ALIKES)))))}]")


BLOT = "█"
# A name spelled with longer gaps that one sees is not taken for one. A stream stops at this many invisible characters in a
# row. Both limits keep what a stream must hold back bounded.
GAP_LIMIT = 8
SHORTEST_ANYWHERE = 4
# Letters before a word that tell whether the text is written in another script.
LETTERS_BEFORE = 8
SHORTEST_CHINESE, SHORTEST_OTHER = 2, 3


def is_long_enough(name: str) -> bool:
    """Two characters with a Chinese one among them, else three: a shorter name would blot out ordinary words."""
    letters = folded(name)
    return len(letters) >= (SHORTEST_CHINESE if any(map(_is_chinese, letters)) else SHORTEST_OTHER)


def _is_chinese(character: str) -> bool:
    """Scripts that are written without spaces: a name is one wherever it stands."""
    return "\u2e80" <= character <= "\ud7ff" or "\uf900" <= character <= "\ufaff" or character >= "\U00020000"


def _are_one_word(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and not _is_chinese(left) and not _is_chinese(right)


class Masker:
    """Masks a fixed list of words."""

    def __init__(self, words: Iterable[str]) -> None:
        # Each folded word, with the most gaps that its spellings in the list have. Some letters have capitals of two letters.
        self._words: dict[str, int] = {}
        self._disguises: dict[str, int] = {}
        for spelling in (form for word in words for form in (word, word.upper())):
            letters = folded(spelling)
            if len(letters) >= SHORTEST_CHINESE:
                self._words[letters] = max(_n_gaps(spelling), self._words.get(letters, 0))
            looks = latinized(spelling)
            if len(looks) >= SHORTEST_CHINESE:
                self._disguises[looks] = max(_n_gaps(spelling), self._disguises.get(looks, 0))
        longest = max(map(len, self._words), default=0)
        # A stream looks this far back: a longer stretch before the end cannot belong to a name any more, nor to the word before it.
        self.reach = (longest + 1 + LETTERS_BEFORE) * (2 * GAP_LIMIT + 1)
        self._longest = longest
        self._beginnings = _beginnings(self._words)
        self._disguised_beginnings = _beginnings(self._disguises)

    def mask(self, text: str) -> str:
        """`text` with each character of a name replaced by a blot; its length stays. The line of a picture stands."""
        if picture_said(text):
            return text
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
            left -= bool(FOLDING[ord(text[place])]) or is_gap(text[place])
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
        return _merged([*self._spans(text, letters), *self._disguised_spans(text, letters)])

    def _spans(self, text: str, letters: str) -> Iterator[tuple[int, int]]:
        if found := [word for word in self._words if word in letters]:
            lined_up = _LinedUp(text, letters)
            for word in found:
                yield from lined_up.spans_of(word, self._words[word])

    def _disguised_spans(self, text: str, letters: str) -> Iterator[tuple[int, int]]:
        looks = latinized(text) if ALIEN.search(letters) else ""
        if found := [word for word in self._disguises if word in looks]:
            lined_up = _LinedUpLooks(text, looks)
            for word in found:
                yield from lined_up.spans_of(word, self._disguises[word])

    def open_from(self, text: str) -> int:
        """From where on `text` may belong to a name whose end is still to come; its length if nothing does."""
        places = self._last_places(text)
        ending = text[places[-1] :] if places else ""
        letters, looks = folded(ending), latinized(ending)
        for n in range(len(places), 0, -1):
            if letters[-n:] in self._beginnings or looks[-n:] in self._disguised_beginnings:
                return places[n - 1]
        return len(text)

    def _last_places(self, text: str) -> list[int]:
        """Where the last letters stand that one name could join to what comes next; the nearest to the end first."""
        places: list[int] = []
        n_gaps = 0
        for place in range(len(text) - 1, -1, -1):
            letters = FOLDING[ord(text[place])]
            n_gaps = 0 if letters else n_gaps + is_gap(text[place])
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
            folded_to = FOLDING[ord(character)]
            n_gaps += not folded_to and is_gap(character)
            for _ in folded_to:
                n_apart += n_gaps > n_before
                n_far += n_gaps - n_before > GAP_LIMIT
                n_before = n_gaps
                self._places.append(place)
                self._gaps.append(n_gaps)
                self._apart.append(n_apart)
                self._far.append(n_far)

    def spans_of(self, word: str, n_gaps: int) -> Iterator[tuple[int, int]]:
        """Every place of the word, whose own spelling has `n_gaps` gaps; places may overlap."""
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


class _LinedUpLooks(_LinedUp):
    """The same of what the characters look like, with how many of the letters up to each look like another."""

    def __init__(self, text: str, letters: str) -> None:
        super().__init__(text, letters)
        # By letter, up to it: look-alikes, and letters that are of another script than the one before.
        self._aliens: list[int] = []
        self._changes: list[int] = []
        n_aliens = n_changes = 0
        script = None
        for place in self._places:
            character = text[place]
            looks_otherwise = is_alien(character)
            n_aliens += looks_otherwise
            before, script = script, script_of(character) if looks_otherwise else ""
            n_changes += script != before
            self._aliens.append(n_aliens)
            self._changes.append(n_changes)

    def _is_name(self, first: int, last: int, n_gaps: int) -> bool:
        n_aliens = self._aliens[last] - (self._aliens[first - 1] if first else 0)
        if n_aliens == 0 or not super()._is_name(first, last, n_gaps):
            return False
        is_wholly_alien = n_aliens == last - first + 1 and self._changes[first] == self._changes[last]
        # Nobody writes a language with the Latin letters of phonetic alphabets alone.
        is_phonetic = script_of(self._text[self._places[first]]) == "LATIN"
        return not is_wholly_alien or is_phonetic or not self._may_be_ordinary(first, last)

    def _may_be_ordinary(self, first: int, last: int) -> bool:
        """Whether a name that is wholly of one other script may be a word of a text in it, or part of one."""
        if self._is_joined(first - 1, first) or self._is_joined(last, last + 1):
            return True
        script = script_of(self._text[self._places[first]])
        # One letter behind it, since a stream waits for no more.
        return self._is_text_of(script, last + 1, last) or self._is_behind_text_of(script, first)

    def _is_behind_text_of(self, script: str, first: int) -> bool:
        for letter in range(first - 1, max(first - 1 - LETTERS_BEFORE, -1), -1):
            if self._is_text_of(script, letter, letter + 1):
                return True
            if letter and self._gaps[letter] > self._gaps[letter - 1]:
                break
        return False

    def _is_text_of(self, script: str, letter: int, beside: int) -> bool:
        """Whether a letter is of that script and looks like no other; one that is far from the letter beside it is not asked."""
        if not 0 <= letter < len(self._places) or abs(self._gaps[letter] - self._gaps[beside]) > GAP_LIMIT:
            return False
        character = self._text[self._places[letter]]
        return not is_alien(character) and script_of(character) == script


def _beginnings(words: Iterable[str]) -> set[str]:
    return {word[:n] for word in words for n in range(1, len(word) + 1)}


def _n_gaps(word: str) -> int:
    """How many gaps stand between the letters of a spelling."""
    inner = word[next((place for place, one in enumerate(word) if FOLDING[ord(one)]), 0) :]
    n_gaps = n_before_last = 0
    for character in inner:
        if FOLDING[ord(character)]:
            n_before_last = n_gaps
        else:
            n_gaps += is_gap(character)
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
            if FOLDING[ord(character)]:
                self._n_invisible = 0
            else:
                self._n_invisible += not is_gap(character)
        return self._n_invisible > GAP_LIMIT
