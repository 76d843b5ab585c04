"""Codes as people type and read them."""

import re

from accounts.second_factor.codes import as_typed, digest_of_code, fresh_codes, spaced


def test_spaces_hyphens_and_capitals_make_no_difference():
    assert as_typed(" K3MP - x7qa\n") == "k3mpx7qa"
    assert as_typed("123 456") == "123456"


def test_ten_different_codes_without_letters_that_look_alike():
    codes = fresh_codes()
    assert len(set(codes)) == 10
    assert all(re.fullmatch(r"[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{4}", code) for code in codes)


def test_a_code_is_stored_as_a_digest_of_sixteen_letters():
    digest = digest_of_code("k3mp-x7qa", "key")
    assert digest == digest_of_code("K3MP x7qa", "key") != digest_of_code("k3mp-x7qa", "other")
    assert len(digest) == 16


def test_a_secret_is_read_in_groups_of_four():
    assert spaced("ABCDEFGHIJ") == "ABCD EFGH IJ"
