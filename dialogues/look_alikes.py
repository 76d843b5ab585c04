"""Letters of other scripts that look like a Latin one: what a disguised name is made of. Pure.

From confusables.txt of Unicode Technical Standard #39 (Unicode Security Mechanisms, version 16.0): single letters of alphabets that common
fonts have, whose prototype is a Latin letter or its small capital. What NFKD and case folding already make a Latin letter is left out. I and l
share a prototype there; here each letter is the one that its own lower case looks like.
"""

import unicodedata
from functools import lru_cache

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
