from random import Random

import pytest

from conformance.examiner import PHRASES


@pytest.mark.parametrize("language", list(PHRASES))
def test_no_name_is_part_of_another(language):
    lines, rng = PHRASES[language], Random(7)
    names = {lines.name(rng) for _ in range(300)}
    assert not any(one in other for one in names for other in names if one != other)


@pytest.mark.parametrize("language", list(PHRASES))
def test_a_long_text_has_exactly_its_length(language):
    assert len(PHRASES[language].long_text(2000)) == 2000


def test_a_name_is_told_in_a_sentence():
    assert PHRASES["zh"].my_name_is("青鹭1234") == "我的名字是青鹭1234。"
    assert PHRASES["en"].turn_number(3) == "This is sentence 3, please go on."
