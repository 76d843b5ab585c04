"""The organizer's page of panels that nobody can fill, and the same by API."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Role
from reviews.actions.closing import close_panel, reopen_panel
from reviews.actions.placing import draw_review_places
from reviews.actions.submitting import add_remark
from reviews.models import ClosedPanel
from tests.reviews.conftest import NOON, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db

PANELS = "/campaigns/small/panels/"


@pytest.fixture
def organizing(client, campaign, organizer):
    organizer.language = "en"
    organizer.save()
    client.force_login(organizer)
    return client


@pytest.fixture
def short(campaign, tester):
    """A panel of two with one review; the other reviewer cannot judge the dialogue."""
    people = panel(campaign, 2)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, people[0])
    add_remark(dialogue=dialogue, reviewer=people[1], kind="cannot_judge", text="", at=NOON)
    return dialogue


def shown(client, address=PANELS):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def post(client, dialogue, **said):
    return client.post(f"{PANELS}{dialogue.pk}/", said, follow=True).content.decode()


def test_the_page_says_since_when_why_and_what_would_fill_it(organizing, campaign, short):
    page = shown(organizing)
    for words in (
        campaign.entries.get().alias,
        "1 / 2",
        "2026-05-18",
        "scored it: reviewer",
        "cannot judge it: reviewer-2",
        "1 more reviewer who did not talk in it",
        "your decision to count it with 1 review",
    ):
        assert words in page, words


def test_a_campaign_at_rest_says_so(organizing, campaign):
    assert "there are no panels" in shown(organizing)
    panel(campaign, 2)
    assert "No panel is stuck" in shown(organizing)


def test_an_organizer_closes_with_a_reason_and_reopens(organizing, short):
    silent = organizing.post(f"{PANELS}{short.pk}/", {"act": "close", "because": " "})
    assert (silent.status_code, "Say why." in silent.content.decode()) == (422, True)
    assert "<details open>" in silent.content.decode()
    page = post(organizing, short, act="close", because="Nobody else speaks the dialect.")
    assert "counts with the reviews that it has: 1." in page
    assert "Nobody else speaks the dialect." in page
    assert "Panels that nobody can fill" not in page
    late = organizing.post(f"{PANELS}{short.pk}/", {"act": "close", "because": "She is ill."})
    field = late.content.decode().split('value="She is ill."')[1].split("</label>")[0]
    assert (late.status_code, "is closed" in field) == (409, True)
    assert "waits for all its reviews again" in post(organizing, short, act="reopen")
    assert not ClosedPanel.objects.in_force().exists()
    assert organizing.post(f"{PANELS}{short.pk}/", {"act": "delete"}).status_code == 400


def test_the_same_by_api(organizing, short):
    address = f"/api/v1/dialogues/{short.pk}/panel/"

    def told(**said):
        answer = organizing.post(address, said, content_type="application/json")
        return answer.status_code, answer.json()

    assert told(closed=True)[0] == 400
    assert told(closed=True, because="ill") == (201, {"closed": True, "n_reviews": 1})
    assert told(closed=True, because="ill")[0] == 409
    assert told(closed=False) == (201, {"closed": False, "n_reviews": 1})


def test_reviewers_see_none_of_it(client, campaign, short):
    client.force_login(person(campaign, "reviewer"))
    assert client.get(PANELS).status_code == 404
    assert client.post(f"{PANELS}{short.pk}/", {"act": "close", "because": "x"}).status_code == 404


def test_the_page_asks_the_database_no_more_often_for_more_panels(organizing, campaign, short, tester):
    def n_queries():
        with CaptureQueriesContext(connection) as asked:
            shown(organizing)
        return len(asked)

    n_queries()  # the first loads what is kept
    few = n_queries()
    closed_dialogues(campaign, tester, 10, first=2000)
    person(campaign, "reviewer-2").campaign_roles.filter(role=Role.REVIEWER).delete()
    assert n_queries() == few
    assert "the first" not in shown(organizing)


LISTED = "/api/v1/campaigns/small/panels/"


def test_a_short_panel_says_since_when_why_and_what_would_fill_it(organizing, campaign, short):
    (row,) = organizing.get(LISTED, headers={"accept-language": "en"}).json()
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
    assert organizing.get(LISTED).json() == []
    (row,) = organizing.get(f"{LISTED}closed/").json()
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
    assert organizing.get(f"{LISTED}closed/").json() == []
