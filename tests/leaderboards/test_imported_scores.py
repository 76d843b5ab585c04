"""What imported records tell beside their figures; the parts and the agreement that pages show are in test_slices and test_agreement_board."""

from leaderboards.agreement_board import scores_fit
from reviews import agreement


def test_a_table_of_reviewers_and_things_is_compared_up_to_its_limit(monkeypatch):
    """Two reviewers, three things: six cells, however many are filled."""
    monkeypatch.setattr(agreement, "LARGEST_TABLE", 6)
    scores = [("r", ("1", "a", ""), 1.0), ("s", ("1", "b", ""), 0.0), ("s", ("2", "a", ""), 0.0)]
    assert scores_fit(scores)
    assert not scores_fit([*scores, ("t", ("1", "a", ""), 1.0)])
