import pytest
from django.utils import timezone

from organizing.actions import remove_metrics, store_metrics
from tests.trail import lines_of


@pytest.mark.django_db
def test_a_table_of_metrics_is_named_when_it_comes_and_when_it_goes(campaign, organizer):
    with lines_of() as lines:
        store_metrics(
            campaign=campaign, name="a.csv", content=b"system,F1\na,1\n", at=timezone.now(), by=organizer
        )  # fmt: skip
        remove_metrics(campaign=campaign, by=organizer)
        remove_metrics(campaign=campaign, by=organizer)
    assert [(line.act, line.person, line.about) for line in lines] == [
        ("metrics.stored", "organizer", "a.csv"), ("metrics.removed", "organizer", "a.csv"),
    ]  # fmt: skip
    assert lines[0].details["rows"] == 1
