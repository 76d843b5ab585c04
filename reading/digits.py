"""Whole numbers as people type them and addresses say them. Pure."""

# Digits that fit every column of numbers and of ids.
NUMBER_DIGITS, ID_DIGITS = 9, 18


def whole_or_none(typed: str, n_digits: int = NUMBER_DIGITS) -> int | None:
    """The number that the text is in at most `n_digits` digits; None for every other text.

    Digits of other scripts are refused: `int` reads them, and fails on some that look like digits. Nor does it read
    thousands of digits, which is an error there.
    """
    is_number = typed.isascii() and typed.isdigit() and len(typed) <= n_digits
    return int(typed) if is_number else None


def whole_or_text(typed: str) -> int | str:
    """The number; any other text is left as typed, for the form's reader to name."""
    number = whole_or_none(typed)
    return typed if number is None else number
