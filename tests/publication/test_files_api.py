"""A program with a token downloads what the page of a frozen leaderboard offers."""

import pytest

from tests.publishing import publish_now, snapshot_of
from tests.trail import lines_of

pytestmark = pytest.mark.django_db
FILES = "/api/v1/campaigns/small/leaderboard/1/"


@pytest.mark.parametrize("what", ["leaderboard.csv", "leaderboard.json", "bundle.zip"])
def test_the_file_is_that_of_the_page(scored, client, what):
    publish_now(scored, has_bundle=True)
    answer = client.get(FILES + what, headers={"accept": "image/png"})
    page = client.get(f"/campaigns/small/leaderboard/1/{what}")
    assert (answer.status_code, b"".join(answer)) == (200, b"".join(page))
    assert answer.headers["Content-Disposition"] == page.headers["Content-Disposition"]


def test_before_its_day_it_is_for_organizers_alone(scored, client, organizer, tester):
    snapshot_of(scored, has_bundle=True)
    assert client.get(f"{FILES}leaderboard.json").status_code == 404
    client.force_login(tester)
    assert client.get(f"{FILES}leaderboard.json").status_code == 404
    client.force_login(organizer)
    with lines_of() as lines:
        assert client.head(f"{FILES}leaderboard.json").status_code == 200
        assert lines == []
        assert client.get(f"{FILES}leaderboard.json").status_code == 200
    assert [(line.act, line.person) for line in lines] == [("export.made", "organizer")]
