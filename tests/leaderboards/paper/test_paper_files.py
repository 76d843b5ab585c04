"""Tables and figures of a live board are files, too, and each says that it is not final."""

import csv
import io

import pytest
from django.utils import timezone

from leaderboards.actions import refresh_leaderboard, refresh_statistics
from leaderboards.paper.paper_files import marked
from look.plots import Plot, Word
from tests.publication.conftest import add_records, record
from tests.world import client_of

pytestmark = pytest.mark.django_db
FILES = "/campaigns/small/leaderboard/files/"


@pytest.fixture
def browser(campaign, organizer, few_are_enough):
    add_records(
        campaign, *(record(team, n, n > place, 2 + place) for place, team in enumerate("ABC") for n in range(1, 5))
    )
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    refresh_statistics(campaign=campaign, at=timezone.now())
    return client_of(organizer)


def text_of(browser, name, language="en"):
    answer = browser.get(f"{FILES}{name}?in={language}")
    assert answer.status_code == 200, name
    assert answer.headers["Content-Disposition"] == f'attachment; filename="small-not-final-{name}"'
    return answer.content.decode()


@pytest.mark.parametrize("name", ["leaderboard.tex", "leaderboard.md", "ranks.svg", "ranks.tex", "captions.csv"])
def test_each_file_says_that_it_is_not_final(browser, name):
    assert "Not final: as of" in text_of(browser, name)
    assert "非最终结果" in text_of(browser, name, "zh-hans")


def test_a_csv_says_so_in_each_row(browser):
    rows = list(csv.reader(io.StringIO(text_of(browser, "leaderboard.csv").removeprefix("\ufeff"))))
    assert rows[0][-1] == "State"
    assert len(rows) == 4
    assert all(row[-1].startswith("Not final: as of") for row in rows[1:])


def test_what_there_is_not_is_not_found(browser):
    for name in ("leaderboard.svg", "nothing.csv", "ranks.xlsx"):
        assert browser.get(FILES + name).status_code == 404


def test_the_page_of_the_figures_has_them(browser):
    page = browser.get("/campaigns/small/leaderboard/figures/").content.decode()
    assert f'href="{FILES}ranks.svg"' in page
    assert f'href="{FILES}leaderboard.tex"' in page


def test_a_picture_has_the_words_below():
    plot = Plot(40, ())
    assert marked(plot, "") is plot
    assert marked(plot, "x") == Plot(56, (Word("number", 0, 52, "x"),))


def test_old_links_to_the_ranks_lead_to_their_file(client, campaign):
    answer = client.get("/campaigns/small/leaderboard/1/ranks.svg")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/campaigns/small/leaderboard/1/files/ranks.svg")
