"""Figures as people read them."""

from scoring.printed_figures import fixed, told_p


def test_a_p_that_is_too_small_to_print_is_not_zero_and_no_zero_has_a_sign():
    assert (told_p(0.0002), told_p(0.04)) == ("p < 0.001", "p = 0.040")
    assert (fixed(-0.0001, 3), fixed(-0.1, 2)) == ("0.000", "−0.10")
