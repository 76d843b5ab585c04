import pytest

from reading.digits import ID_DIGITS, whole_or_none, whole_or_text


@pytest.mark.parametrize(("typed", "number"), [("0", 0), ("7", 7), ("007", 7), ("999999999", 999_999_999)])
def test_a_number_is_read(typed, number):
    assert whole_or_none(typed) == number
    assert whole_or_text(typed) == number


@pytest.mark.parametrize(
    "typed", ["", " ", "1 ", "-1", "+1", "1.0", "1e3", "1_000", "²", "١٢", "１２", "一", "1000000000"]
)
def test_any_other_text_is_none(typed):
    assert whole_or_none(typed) is None
    assert whole_or_text(typed) == typed


def test_ids_may_have_more_digits_and_no_text_is_too_long_to_be_refused():
    assert whole_or_none("9" * 18, ID_DIGITS) == 10**18 - 1 < 2**63
    assert whole_or_none("9" * 19, ID_DIGITS) is None
    # `int` refuses more than 4,300 digits with an error.
    assert whole_or_none("9" * 5000, ID_DIGITS) is None
