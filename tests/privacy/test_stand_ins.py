"""What stands in the place of words: how they are found, and at what cost."""

import tracemalloc

from privacy.stand_ins import stand_in, without_names, without_words

KEY = "key"


def test_the_longest_word_that_occurs_goes_and_once():
    change = without_words(["erased", "was erased today"], key=KEY)
    whole, part = stand_in("was erased today", key=KEY), stand_in("erased", key=KEY)
    assert change("It was erased today, erased.") == f"It {whole}, {part}."


def test_looking_for_all_that_was_said_takes_little_memory():
    said = [f"{n:04d}" + "一二三四五六七八" * 1000 for n in range(10)]
    tracemalloc.start()
    try:
        assert without_words(said, key=KEY)("0000一二三四") == "0000一二三四"
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < sum(map(len, said))


def test_names_are_found_where_json_escapes_them():
    change = without_names(["李小明"], "erased-7")
    assert change(r'{"to": "\u674e\u5c0f\u660e", "or": "李小明"}') == '{"to": "erased-7", "or": "erased-7"}'
    assert change(r'"\u674e\u5c0f\u660eok" "\u674E\u5C0F\u660E2\u53f7"') == r'"erased-7ok" "erased-72\u53f7"'
    anna = without_names(["Anna"], "erased-8")
    assert anna(r'"Hi\nAnna" "\u4f60Anna" Joanna Annas') == r'"Hi\nerased-8" "\u4f60erased-8" Joanna Annas'
