"""The coverage over the API: the matrices of the page, with what is missing in numbers and in words."""

import pytest

from campaigns.actions import pause_bot
from reviews.actions.placing import draw_review_places
from tests.campaigns.test_assigning import drawn
from tests.organizing.test_views import close, open_first, organizing
from tests.reviews.conftest import NOON, closed_dialogues, panel, submit

__all__ = ["drawn", "organizing"]
pytestmark = pytest.mark.django_db
COVERAGE = "/api/v1/campaigns/{}/coverage/"


def matrix(client, campaign, **asked):
    answer = client.get(COVERAGE.format(campaign.slug), asked, headers={"accept-language": "en"})
    assert answer.status_code == 200, answer.content
    return answer.json()


def cell_of(shown, row, column):
    place = [head["name"] for head in shown["columns"]].index(column)
    return next(one for one in shown["rows"] if one["name"] == row)["cells"][place]


def test_a_cell_counts_what_is_done_and_who_has_not_begun(drawn, organizing):
    dialogue = open_first(drawn)
    close(dialogue)
    assignment = dialogue.assignment
    cell = cell_of(matrix(organizing, drawn), assignment.entry.alias, assignment.scenario.key)
    (other,) = drawn.assignments.filter(entry=assignment.entry, scenario=assignment.scenario).exclude(pk=assignment.pk)
    assert cell == {
        "needed": 2, "done": 1, "open": 0, "left": {other.tester.username: 1},
        "paused": 0, "undrawn": 0, "short": 0, "coming": 0, "is_hole": False,
    }  # fmt: skip
    total = matrix(organizing, drawn)["total"]
    assert (total["needed"], total["done"], sum(total["left"].values())) == (32, 1, 31)


def test_by_says_which_matrix_and_an_unknown_one_is_refused(drawn, organizing):
    by_person = matrix(organizing, drawn, by="person")
    assert [head["name"] for head in by_person["columns"]] == ["tester", "tester-2", "tester-3", "tester-4"]
    assert by_person["rows"][0]["total"]["needed"] == 8
    crossed = matrix(organizing, drawn, by="scenario-person")
    assert [row["name"] for row in crossed["rows"]] == ["flight-then-hotel", "s2", "s3", "s4"]
    assert organizing.get(COVERAGE.format(drawn.slug), {"by": "colour"}).status_code == 400


def test_holes_are_counted_and_the_chosen_bot_says_what_would_fill_them(drawn, organizing, organizer_of_drawn):
    entry = drawn.entries.get(key="b")
    drawn.assignments.filter(entry=entry, scenario__key="s2").delete()
    open_first(drawn)
    pause_bot(entry=drawn.entries.get(key="c"), because="x", by=organizer_of_drawn, at=NOON)
    shown = matrix(organizing, drawn, chosen=entry.alias)
    assert cell_of(shown, entry.alias, "s2")["is_hole"]
    assert cell_of(shown, entry.alias, "s2")["undrawn"] == 2
    paused = next(row for row in shown["rows"] if row["name"] == drawn.entries.get(key="c").alias)
    assert (paused["state"], paused["total"]["paused"] + paused["total"]["open"]) == ("paused", 8)
    assert shown["n_holes"] == 5
    assert (shown["chosen"]["name"], shown["chosen"]["is_tester"]) == (entry.alias, False)
    title = drawn.scenarios.get(key="s2").title
    said = {gap["scenario"]: gap["missing"] for gap in shown["chosen"]["gaps"]}
    assert said[title] == "2 dialogues are missing: 2 not drawn yet: draw."
    assert matrix(organizing, drawn, chosen="nobody")["chosen"] is None


def test_the_reviews_of_panels_have_a_matrix_of_their_own(campaign, tester, organizer, client):
    client.force_login(organizer)
    assert matrix(client, campaign, by="reviews")["by"] == "scenario"
    people = panel(campaign, 2)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, people[0])
    shown = matrix(client, campaign, by="reviews")
    assert shown["by"] == "reviews"
    assert (shown["total"]["needed"], shown["total"]["done"]) == (2, 1)


@pytest.fixture
def organizer_of_drawn(drawn, django_user_model):
    return django_user_model.objects.get(username="organizer")
