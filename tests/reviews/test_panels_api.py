"""An organizer's program finds the panels that nobody can fill and those that were closed, as the page shows them."""

import pytest

from reviews.actions.closing import close_panel, reopen_panel
from tests.reviews.conftest import NOON
from tests.reviews.test_panel_views import organizing, short

__all__ = ["organizing", "short"]
pytestmark = pytest.mark.django_db
PANELS = "/api/v1/campaigns/small/panels/"


def test_a_short_panel_says_since_when_why_and_what_would_fill_it(organizing, campaign, short):
    (row,) = organizing.get(PANELS, headers={"accept-language": "en"}).json()
    assert row == {
        "dialogue": str(short.pk),
        "bot": campaign.entries.get().alias,
        "scenario": "flight-then-hotel",
        "since": NOON.isoformat(),
        "needed": 2,
        "scored": 1,
        "at_work": 0,
        "to_draw": 0,
        "short": 1,
        "may_be_closed": True,
        "why": ["scored it: reviewer", "cannot judge it: reviewer-2"],
        "ways": ["1 more reviewer who did not talk in it", "your decision to count it with 1 review"],
    }


def test_a_closed_panel_moves_to_the_other_list_until_it_is_reopened(organizing, organizer, campaign, short):
    close_panel(dialogue=short, organizer=organizer, because="nobody is left", at=NOON)
    assert organizing.get(PANELS).json() == []
    (row,) = organizing.get(f"{PANELS}closed/").json()
    assert row == {
        "dialogue": str(short.pk),
        "bot": campaign.entries.get().alias,
        "scenario": "flight-then-hotel",
        "n_reviews": 1,
        "because": "nobody is left",
        "closed_by": "organizer",
        "closed_at": NOON.isoformat(),
    }
    reopen_panel(dialogue=short, organizer=organizer, at=NOON)
    assert organizing.get(f"{PANELS}closed/").json() == []
