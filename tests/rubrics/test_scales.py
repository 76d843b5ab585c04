import pytest

from rubrics.scales import OffScale, accept_score

SCALE = [-1, 0, 1]


@pytest.mark.parametrize("score", SCALE)
def test_a_point_of_the_scale_is_accepted_as_it_is(score):
    assert accept_score(score, SCALE) == score


@pytest.mark.parametrize("score", [2, -2, 0.5, 1.0, "1", "１", True, False, None, [1], {}, float("nan"), 10**30])
def test_everything_else_is_off_the_scale(score):
    with pytest.raises(OffScale, match=r"on the scale -1…1"):
        accept_score(score, SCALE)


def test_a_gap_in_a_scale_is_off_it_too():
    with pytest.raises(OffScale):
        accept_score(2, [1, 3, 5])
