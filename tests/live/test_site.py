"""The first contest of the site, and each of its tasks, played by their own commands over a real server."""

import re
from pathlib import Path

import pytest

from tests.live.databases import ROOT
from tests.live.site_pages import Reader, blocks_of, reader

pytestmark = pytest.mark.server

DOCS = ROOT / "docs"
LEARN = {"en": DOCS / "learn" / "first-contest.md", "zh": DOCS / "zh" / "learn" / "first-contest.md"}
# After the first contest, in the order of the menu: a page goes on with what those before it made.
TASKS = [
    DOCS / name for name in re.findall(r"\bdo/[a-z-]+\.md", (ROOT / "mkdocs.yml").read_text()) if "index" not in name
]


@pytest.fixture(scope="module")
def after_the_first(tmp_path_factory) -> Reader:
    with reader(tmp_path_factory.mktemp("reader")) as found:
        found.play(LEARN["en"])
        yield found


def test_the_first_contest_is_set_up_played_published_and_verified(after_the_first):
    board = after_the_first.run("the board", ".venv/bin/python manage.py leaderboard first --format csv")
    assert {"my_bot", "booking_bot"} <= {cell for line in board.splitlines() for cell in line.split(",")}


@pytest.mark.rehearsal
@pytest.mark.parametrize("page", TASKS, ids=lambda page: page.stem)
def test_a_task_is_done_by_its_commands(page: Path, after_the_first):
    after_the_first.play(page)


def test_every_page_of_do_stands_in_the_menu():
    assert sorted(TASKS) == sorted(page for page in (DOCS / "do").glob("*.md") if page.stem != "index")


@pytest.mark.rehearsal
@pytest.mark.parametrize("folder", [DOCS, DOCS / "zh"], ids=["en", "zh"])
def test_the_second_contest_ends_in_a_verified_board_of_pairs(folder: Path, tmp_path):
    with reader(tmp_path) as found:
        found.play(folder / "learn" / "second-contest.md")
        strengths = (tmp_path / "strengths.json").read_text()
    assert {"plain", "chatty", "hasty"} <= set(re.findall(r'"(plain|chatty|hasty)', strengths))


@pytest.mark.rehearsal
def test_the_chinese_page_sets_up_the_same(tmp_path):
    with reader(tmp_path) as found:
        found.play(LEARN["zh"])


def test_each_page_of_do_has_a_chinese_one_with_its_commands():
    for page in sorted((DOCS / "do").glob("*.md")):
        english = [one.text for one in blocks_of(page) if one.language == "sh"]
        chinese = blocks_of(DOCS / "zh" / "do" / page.name)
        assert [one.text for one in chinese if one.language == "sh"] == english, page.name
