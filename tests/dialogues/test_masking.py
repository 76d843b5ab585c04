"""Names that tell who made a bot: found in any spelling, at a cost that grows with the text only."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogues.masking import (
    GAP_LIMIT,
    LOOK_ALIKES,
    MaskedStream,
    Masker,
    folded,
    is_alien,
    is_long_enough,
    latinized,
    script_of,
)
from tests.linear_time import assert_linear

ONE_NAME = Masker(["Team Alpha"])


def masked(text: str, *words: str) -> str:
    return Masker(words).mask(text)


@pytest.mark.parametrize(
    "spelling",
    [
        "Team Alpha", "team alpha", "TEAM ALPHA", "TeamAlpha", "team-alpha", "team_alpha", "Ｔｅａｍ Ａｌｐｈａ", "T e a m A l p h a",
        "T.e.a.m.A.l.p.h.a", "Team\u200bAlpha", "Te\u00adam Al\ufeffpha", "Téam Ålpha", "Te\u0301am Alpha", "Team\nAlpha",
        "𝐓𝐞𝐚𝐦 𝐀𝐥𝐩𝐡𝐚", "Ⓣⓔⓐⓜ Ⓐⓛⓟⓗⓐ", "Team\u3164Alpha", "TEAM\u2003ALPHA",
    ],
)  # fmt: skip
def test_a_name_is_found_in_every_spelling(spelling):
    assert ONE_NAME.mask(f"我是 {spelling}！") == f"我是 {'█' * len(spelling)}！"


def test_one_turkish_letter_switches_nothing_off():
    assert masked("İstanbul'da ACME var", "acme") == "İstanbul'da ████ var"
    assert masked("ben İSTANBULbot", "istanbulbot") == "ben ███████████"


def test_letters_that_fold_into_two_are_blotted_whole():
    assert masked("Straße", "strasse") == "██████"
    assert masked("ﬁnbot", "finbot") == "█████"


def test_a_chinese_name_of_two_characters_is_found_anywhere():
    assert masked("我们华测公司的华　测系统", "华测") == "我们██公司的███系统"


def test_a_sentence_mark_between_them_is_no_gap():
    assert masked("他去了中华。测试开始", "华测") == "他去了中华。测试开始"


def test_a_short_latin_name_must_stand_as_a_word():
    assert masked("I want an Ant, ANT. 是ant吗", "Ant") == "I want an ███, ███. 是███吗"


@pytest.mark.parametrize(
    "text", ["Ant2", "3Ant", "myAntBot", "我是Ant机器人", "botA n t", "the A-n-t", "myA\u200bn\u200bt"]
)
def test_a_short_name_is_found_where_a_digit_a_capital_or_chinese_ends_it(text):
    assert "█" in masked(text, "Ant")


@pytest.mark.parametrize("text", ["want", "Antarctica", "ANTARCTICA", "pliant 2"])
def test_a_short_name_is_not_blotted_out_of_ordinary_words(text):
    assert masked(text, "Ant") == text


# Letters whose cases have no simple counterpart: Turkish, German, Greek with an iota below, Cherokee, Georgian, Armenian.
CASED = [chr(code) for code in range(0x110000) if (letter := chr(code)).upper() != letter or letter.lower() != letter]


def test_a_name_is_found_in_every_case_of_every_letter_of_unicode():
    assert len(CASED) > 2700
    for letter in CASED:
        name = f"名{letter}测"
        for spelling in {name.upper(), name.lower(), name.title(), name.casefold(), name.swapcase()}:
            assert masked(spelling, name) == "█" * len(spelling), f"{letter} U+{ord(letter):04X} as {spelling}"


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_a_name_is_found_in_every_normal_form(form):
    for name in ("Zoë Ǻß", "ﬃnbot", "ᾳβγδ", "İstanbul", "한국어", "ガイド", "㍿テスト", "Ἀθῆναι"):
        spelling = unicodedata.normalize(form, name)
        # A mark behind the last letter may stay: it tells nothing.
        assert masked(spelling, name).rstrip("\u3099\u0301") in {"█" * n for n in (len(spelling), len(spelling) - 1)}


SHOWS_NOTHING = [
    chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in {"Cf", "Mn", "Me"}
] + ["\u3164", "\u115f", "\uffa0", "\u2065", "\ufff0", "\U000e0fff", "\x01", "\U0001d159"]  # fmt: skip


def test_a_character_that_shows_nothing_hides_no_name_wherever_it_stands():
    names = Masker(["Acme", "华测"])
    for character in SHOWS_NOTHING:
        spelled = f"xAc{character}meBot 是华{character}测"
        assert names.mask(spelled) == "x█████Bot 是███", f"U+{ord(character):04X}"


def test_no_number_of_characters_that_show_nothing_parts_a_name():
    hidden = "A" + "\u200b" * 500 + "cme"
    assert masked(f"我是{hidden}", "Acme") == "我是" + "█" * len(hidden)
    assert Masker(["Acme"]).mask_beginning(f"{hidden}!", 503) == "█" * 503


@pytest.mark.parametrize(
    "spelling", ["🅐🅒🅜🅔", "🅰🅲🅼🅴", "🇦🇨🇲🇪", "🄰🄲🄼🄴", "ᴀᴄᴍᴇ", "ᵃᶜᵐᵉ", "ａｃｍｅ", "A C M E", "A.C.M.E", "Ａ　Ｃ　Ｍ　Ｅ"]
)
def test_letters_drawn_otherwise_are_letters(spelling):
    assert masked(spelling, "Acme") == "█" * len(spelling)


def test_a_name_with_all_its_letters_spaced_out_is_found_behind_another_word():
    assert masked("botA c m e here", "Acme") == "bot███████ here"


def test_a_stream_ends_where_a_name_could_go_on_behind_characters_that_show_nothing():
    stream = MaskedStream(Masker(["Acme"]))
    hidden = ["我是 A", "\u200b" * 5, "\u200b" * 5, "cme", "！", "好"]
    assert [stream.hear(part) for part in hidden] == ["我是 ", "", "", "", "", ""]


def test_a_name_of_four_letters_is_found_inside_other_words():
    assert masked("das AcmeBot", "acme") == "das ████Bot"


def test_a_name_with_gaps_that_are_not_its_own_must_be_a_word():
    assert masked("only for two people", "Ort") == "only for two people"
    assert masked("our tea milk", "Teami") == "our tea milk"
    assert masked("from tea mi, o r t", "Teami", "Ort") == "from ██████, █████"


@pytest.mark.parametrize("text", ["Team AlphaBot", "Team Alpha2", "Team Alphas", "team-alphabot", "TeamAlphaBot"])
def test_a_name_with_its_own_gaps_is_found_inside_other_words(text):
    shown = ONE_NAME.mask(f"我是{text}")
    assert shown.startswith("我是█████████")
    assert "lph" not in shown


def test_longer_gaps_than_the_limit_part_two_words():
    assert masked(f"A{' ' * GAP_LIMIT}cme", "Acme") == "█" * (4 + GAP_LIMIT)
    apart = f"A{' ' * (GAP_LIMIT + 1)}cme"
    assert masked(apart, "Acme") == apart


def test_overlapping_names_leave_nothing_standing():
    assert masked("alphabeta", "alphab", "betab", "habe") == "███████ta"
    assert masked("aaaaa", "aaaa") == "█████"


def test_a_word_without_letters_masks_nothing():
    assert masked("a - b", "", " ", "-", "\u200b") == "a - b"


@pytest.mark.parametrize(
    ("name", "is_masked"), [("华测", True), ("华", False), ("Ant", True), ("ab", False), ("a-b", False), ("Ａ组", True), ("  ", False)]
)  # fmt: skip
def test_names_shorter_than_two_chinese_or_three_other_letters_are_left_alone(name, is_masked):
    assert is_long_enough(name) is is_masked


LETTERS = st.text(st.sampled_from("aAbBß İ-华测. \u200bé㍿ﬃ社f2ı"), max_size=40)
HIDING = st.text(st.sampled_from("aAbB 测\u200b\u0301"), max_size=60)


@given(st.text(), st.lists(st.text(max_size=5), max_size=3))
def test_masking_keeps_the_length_and_everything_else(text, words):
    shown = masked(text, *words)
    assert len(shown) == len(text)
    assert all(after in {before, "█"} for before, after in zip(text, shown, strict=True))


@given(LETTERS, st.lists(LETTERS, max_size=3))
def test_no_listed_word_of_four_letters_is_left_standing(text, words):
    shown = masked(text, *words)
    for word in words:
        if len(folded(word)) >= 4:
            assert word.casefold() not in shown.casefold()


@given(st.lists(LETTERS, max_size=12), st.lists(LETTERS, max_size=3))
def test_a_stream_shows_a_beginning_of_what_the_whole_text_shows(parts, words):
    masker = Masker(words)
    stream = MaskedStream(masker)
    shown = "".join(stream.hear(part) for part in parts)
    assert masker.mask("".join(parts)).startswith(shown)


@given(st.lists(HIDING, max_size=12), st.lists(HIDING, max_size=3))
def test_a_stream_shows_a_beginning_also_of_texts_full_of_characters_that_show_nothing(parts, words):
    masker = Masker(words)
    stream = MaskedStream(masker)
    shown = "".join(stream.hear(part) for part in parts)
    assert masker.mask("".join(parts)).startswith(shown)


def test_a_stream_holds_back_only_what_may_become_a_name():
    stream = MaskedStream(ONE_NAME)
    assert [stream.hear(part) for part in ("你好，我是 Te", "am", " Alp", "ine，", "Team ", "Alpha", "！")] == [
        "你好，我是 ", "", "", "Team Alpine，", "", "", "██████████！",
    ]  # fmt: skip


HOSTILE = {
    "the name again and again": lambda n: "Team Alpha" * (n // 10),
    "nearly the name": lambda n: "Team Alph " * (n // 10),
    "one letter": lambda n: "a" * n,
    "marks in bad order": lambda n: "a" + "\u0316\u0301" * (n // 2),
    "spaces": lambda n: "t" + " " * n,
    "look-alikes": lambda n: "а" * n,
    "the name in look-alikes": lambda n: "Теаm Аlphа " * (n // 11),
    "nothing to be seen": lambda n: "Team" + "\u200b" * n + "Alpha",
}


@pytest.mark.long
@pytest.mark.parametrize("text_of", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("names", [["Team Alpha", "a" * 200, "aaaab"]], ids=["names"])
def test_masking_takes_linear_time_whatever_the_text(text_of, names):
    assert_linear(Masker(names).mask, text_of, sizes=(50_000, 100_000, 200_000, 400_000))


@pytest.mark.long
@pytest.mark.parametrize("part", ["a", " ", "Team ", "A", "\u0301", "T\u200b"])
def test_a_stream_takes_linear_time_however_many_its_parts(part):
    def hear_all(n: int) -> None:
        stream = MaskedStream(ONE_NAME)
        for _ in range(n):
            stream.hear(part)

    assert_linear(hear_all, lambda n: n, sizes=(2_500, 5_000, 10_000, 20_000))


@pytest.mark.parametrize(
    "spelling",
    [
        "Теаm Аlрhа", "Τeam Αlpha", "TEAM ΑLPHΑ", "Ꭲeam Ꭺlpha", "ꓔeam Alphɑ", "T е a m", "Те\u200bаm", "Tеàm", "𝛕eam", "tеam Bot",
    ],
)  # fmt: skip
def test_look_alikes_of_other_scripts_hide_no_name(spelling):
    shown = Masker(["Team Alpha", "Team"]).mask(f"我是 {spelling}！")
    assert "m" not in shown.casefold()
    assert shown[3:].startswith("█")


def test_every_look_alike_is_found_within_a_name_in_either_case():
    for character, latin in LOOK_ALIKES.items():
        name = f"Q{latin}{latin}Z"
        for spelled in (f"Q{character}{latin}Z", f"q{latin}{character}z"):
            assert masked(f"是{spelled}吗", name) == "是████吗", f"{character} U+{ord(character):04X} for {latin}"


def test_a_name_wholly_of_another_script_is_found_where_no_text_of_that_script_stands_beside_it():
    assert masked("我们是АСМЕ公司", "Acme") == "我们是████公司"
    assert masked("АСМЕ", "Acme") == "████"
    assert masked("we are А С М Е, hello", "Acme") == "we are ███████, hello"
    assert masked("ΤΟΜ and Τom", "Tom") == "███ and ███"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("первый том", "Tom"), ("Том первый", "Tom"), ("он видел Том Сойер", "Tom"), ("атом", "Tom"), ("автоматы", "Toma"),
        ("это кот, и это рота", "Kot"), ("σας το λέω", "To λ"), ("томаты", "Tomat"), ("моя мама", "Mama"),
    ],
)  # fmt: skip
def test_ordinary_words_of_another_script_are_left_alone(text, name):
    assert masked(text, name) == text


def test_a_name_of_another_script_is_found_in_latin_look_alikes_too():
    assert masked("это Яндeкс и яндекc", "Яндекс") == "это ██████ и ██████"


def test_a_stream_waits_for_what_tells_an_ordinary_word():
    stream = MaskedStream(Masker(["Tom"]))
    assert [stream.hear(part) for part in ("Т", "о", "м", " п", "ервый")] == ["", "", "", "Том п", "ервый"]
    stream = MaskedStream(Masker(["Tom"]))
    assert [stream.hear(part) for part in ("我是", "Т", "ом", "！", "好")] == ["我是", "", "", "███！", "好"]


ALIENS = st.text(st.sampled_from("aAаАbвMмМoо测 .\u200bжйiіΙlα"), max_size=40)


@given(st.lists(ALIENS, max_size=12), st.lists(ALIENS, max_size=3))
def test_a_stream_shows_a_beginning_also_of_texts_with_look_alikes(parts, words):
    masker = Masker(words)
    stream = MaskedStream(masker)
    shown = "".join(stream.hear(part) for part in parts)
    assert masker.mask("".join(parts)).startswith(shown)


@given(ALIENS, st.lists(ALIENS, max_size=3), st.integers(0, 40))
def test_a_beginning_is_masked_as_the_whole_also_with_look_alikes(text, words, length):
    masker = Masker(words)
    assert masker.mask_beginning(text, length) == masker.mask(text)[:length]


@pytest.mark.parametrize(
    ("name", "text"), [("Moka", "I am ʍᴑĸɑ, hello"), ("Agora", "team ɑɡᴑꭇɑ"), ("Gao", "我是 ɡɑᴑ AI")]
)
def test_a_name_in_latin_letters_of_phonetic_alphabets_is_no_ordinary_word(name, text):
    assert "█" in Masker([name]).mask(text)


@given(st.text(max_size=60))
def test_what_a_text_looks_like_has_a_letter_for_each_it_is_compared_as(text):
    assert [len(latinized(one)) for one in text] == [len(folded(one)) for one in text]


def test_folding_knows_no_case_width_accent_or_gap():
    assert folded("Ｔéam—ALPHA\u200b") == "teamalpha"


def test_a_capital_and_its_small_letter_look_like_themselves_each():
    """The Greek Ν looks like N, ν like v."""
    assert (latinized("Νν"), folded("Νν")) == ("nv", "νν")


def test_marks_on_a_look_alike_make_no_difference():
    assert latinized("Τέαм") == "tεam"


def test_ordinary_letters_look_like_themselves():
    assert latinized("Team 华测, Straße") == folded("Team 华测, Straße")
    assert [is_alien(one) for one in "aжа"] == [False, False, True]


def test_every_look_alike_is_a_letter_for_a_latin_one_that_folding_does_not_know_yet():
    assert len(LOOK_ALIKES) > 200
    for character, latin in LOOK_ALIKES.items():
        assert character.isalpha()
        assert latin.isascii()
        assert latin.islower()
        assert not folded(character).isascii()


def test_no_letter_of_scripts_without_latin_shapes_is_one():
    assert {script_of(one) for one in LOOK_ALIKES} == {
        "LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU",
    }  # fmt: skip


def test_the_script_of_a_letter():
    assert [script_of(one) for one in "aж华α"] == ["LATIN", "CYRILLIC", "CJK", "GREEK"]
    assert script_of("\ue000") == ""
