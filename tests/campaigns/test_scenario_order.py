"""In which order scenarios come when only some of them are given an order."""

import pytest

from campaigns.actions.loading_scenarios import merged_order


@pytest.mark.parametrize(
    ("stored", "wanted", "order"),
    [
        ("abc", "abc", "abc"),
        ("abc", "cba", "cba"),
        ("aXb", "ba", "bXa"),
        ("aXbn", "anb", "aXnb"),
        ("XY", "", "XY"),
        ("ab", "gab", "ab"),
    ],
)
def test_what_is_named_exchanges_places_and_all_others_stay(stored, wanted, order):
    assert "".join(merged_order(list(stored), list(wanted))) == order
