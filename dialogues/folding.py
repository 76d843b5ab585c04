"""What characters are compared as where names are looked for: case, width, accents and gaps make no difference. Pure."""

import re
import unicodedata

from dialogues.look_alikes import LOOK_ALIKES

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
