"""What programs read about publication: a freeze that failed is not one under way."""

from datetime import UTC, datetime

import pytest

from publication.actions.freezing import NOT_READY
from publication.models import FreezeOrder

pytestmark = pytest.mark.django_db
PATH = "/api/v1/campaigns/small/publication/"
AT = datetime(2026, 5, 17, 4, tzinfo=UTC)


@pytest.fixture
def signed_in(client, organizer):
    client.force_login(organizer)
    return client


@pytest.fixture
def order(scored):
    return FreezeOrder.objects.create(campaign=scored, asked_at=AT, next_at=AT, hides_teams=True)


def said(client, language="en"):
    answer = client.get(PATH, headers={"accept-language": language}).json()
    return answer["is_ordered"], answer["freeze"]


def test_nothing_is_ordered(scored, signed_in):
    assert said(signed_in) == (False, None)


def test_a_freeze_under_way_says_since_when(order, signed_in):
    running = {
        "state": "running",
        "board": None,
        "since": "2026-05-17T04:00:00+00:00",
        "began_at": None,
        "percent_done": None,
        "hides_teams": True,
        "failure": None,
    }
    assert said(signed_in) == (True, running)
    FreezeOrder.objects.update(began_at=AT, share_done=0.375)
    assert said(signed_in) == (True, running | {"began_at": running["since"], "percent_done": 37})
    FreezeOrder.objects.update(failure=NOT_READY)
    assert (said(signed_in)[1]["began_at"], said(signed_in)[1]["percent_done"]) == (None, None)


def test_a_freeze_that_failed_is_not_under_way_and_says_why_in_the_readers_language(order, signed_in):
    FreezeOrder.objects.update(failure=NOT_READY)
    is_ordered, freeze = said(signed_in)
    assert (is_ordered, freeze["state"], freeze["failure"]) == (False, "failed", NOT_READY)
    assert "必须" in said(signed_in, "zh-hans")[1]["failure"]
