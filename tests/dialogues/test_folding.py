from hypothesis import given
from hypothesis import strategies as st

from dialogues.masking import folded, is_alien, latinized


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
