"""The words that published files hold: a changed one would be another format."""

import json

from automatic_tasks.combined.joining import NOT_THERE, WITHOUT_FIGURE
from campaigns.campaign_file import campaign_settings
from publication.bundle.readme import README_TEXT
from tests.test_house import ROOT
from verification import bundle_format as words
from verification.bundle_format import (
    ADDED,
    COLUMNS,
    FILES,
    FORMAT,
    IMPORTED_SCENARIO,
    MANIFEST,
    PLACE,
    README,
    as_document,
    as_line,
)


def test_every_file_of_rows_is_a_file_of_the_bundle_and_no_name_leads_elsewhere():
    assert set(COLUMNS) < set(FILES)
    assert len(set(FILES)) == len(FILES)
    assert all(name == name.strip() and "/" not in name and "\\" not in name for name in FILES)


def test_rows_of_dialogues_begin_with_the_dialogue():
    assert PLACE[0] == "dialogue"
    assert COLUMNS["turns.jsonl"][:5] == PLACE


def test_columns_that_were_added_stand_last():
    for file, added in ADDED.items():
        assert COLUMNS[file][-len(added) :] == added


def test_imported_dialogues_without_a_scenario_are_called_as_in_campaigns():
    assert IMPORTED_SCENARIO == campaign_settings.IMPORTED_SCENARIO


def test_a_row_is_one_line_whatever_its_texts_hold():
    line = as_line({"text": "好\n\u2028\r"})
    assert line.count("\n") == 1
    assert line.endswith("\n")
    assert json.loads(line) == {"text": "好\n\u2028\r"}


def test_the_page_about_bundles_and_their_own_readme_name_every_file():
    page = (ROOT / "docs" / "bundle-format.md").read_text()
    for name in (*FILES, MANIFEST):
        assert f"`{name}`" in page, name
        assert f"`{name}`" in README_TEXT or name == README, name
    assert FORMAT in page


def test_a_document_is_read_back():
    assert json.loads(as_document({"a": ["好", 1.5]})) == {"a": ["好", 1.5]}


def test_they_are_those_that_bundles_hold_and_the_platform_says():
    assert (words.TOTAL, words.SUM, words.MEAN, words.PRINTED) == ("total", "sum", "mean", "printed")
    assert (NOT_THERE.value, WITHOUT_FIGURE.value) == ("absent", "no figure")
    assert words.TEAM_WITHOUT_RUN.format(team="A") == "team A"
