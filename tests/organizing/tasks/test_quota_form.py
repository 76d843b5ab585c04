import pytest

from organizing.tasks.quota_views import quota_of, typed_quota
from reading.checking import BadForm


def test_what_is_empty_is_as_for_every_team():
    spec = quota_of(typed_quota({"team": "A", "total": "0", "per_day": "", "reason": " late "}))
    assert (spec.team, spec.total, spec.per_day, spec.reason) == ("A", 0, None, "late")


@pytest.mark.parametrize(
    ("sent", "place"),
    [
        ({"team": "A", "reason": "x"}, "total"),
        ({"team": "A", "total": "many", "reason": "x"}, "total"),
        ({"team": "A", "total": "1"}, "reason"),
        ({"total": "1", "reason": "x"}, "team"),
    ],
)
def test_what_is_wrong_has_its_field(sent, place):
    with pytest.raises(BadForm) as bad:
        quota_of(typed_quota(sent))
    assert [one.place for one in bad.value.problems] == [place]
