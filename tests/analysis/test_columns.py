"""Frames, codebook, bundle and models say the same."""

from pathlib import Path

import pytest

from analysis import columns
from analysis.codebook import codebook
from analysis.columns import FRAMES, RECORDS
from dialogues.models import Attempt, Dialogue
from leaderboards.exports import EXPORTS
from leaderboards.table_files.column_kinds import TEXT, TEXTS
from participants.failures import FailureKind, Fault
from reviews.models import Review
from verification.bundle_format import COLUMNS, PAIR_COLUMNS, PAIRS

# What is nested in the file, told in another way, or left in the bundle: addresses are hashed there, goals are of any shape.
OTHERWISE = {
    "bots": {"fingerprint", "canary"},
    "scenarios": {"title", "opening_en", "instructions", "facts", "items", "context", "subtasks"},
    "dialogues": {"subtasks"},
    "assignments": {"dialogues"},
}
MADE = {"scenarios": {"title_zh", "title_en", "kinds"}, "assignments": {"n_dialogues"}}


def columns_of(file):
    return PAIR_COLUMNS if file == PAIRS else COLUMNS[file]


@pytest.mark.parametrize("name", sorted(FRAMES.keys() - {"records", "subtasks"}))
def test_a_frame_has_the_columns_of_its_file(name):
    own = FRAMES[name].columns.keys() - MADE.get(name, set())
    assert own == set(columns_of(FRAMES[name].file)) - OTHERWISE.get(name, set())


@pytest.mark.parametrize("name", ["dialogues", "turns", "attempts", "ratings"])
def test_a_column_is_of_the_kind_that_the_export_declares(name):
    exported = EXPORTS[name].columns(None)
    for column, described in FRAMES[name].columns.items():
        assert described.kind == (TEXT if exported[column] == TEXTS else exported[column]), column


def test_the_words_that_models_have_are_the_categories():
    assert tuple(Attempt.Outcome) == columns.OUTCOMES
    assert tuple(Dialogue.Origin) == columns.ORIGINS
    assert tuple(Fault) == columns.FAULTS
    assert tuple(FailureKind) == columns.FAILURE_KINDS
    assert set(FRAMES["ratings"].columns["part"].one_of) == set(Review.Part)


def test_keys_are_columns_and_what_a_column_refers_to_is_there():
    for described in FRAMES.values():
        assert set(described.key) <= described.columns.keys()
        for column in described.columns.values():
            frame, _, name = column.refers_to.partition(".")
            assert not frame or name in FRAMES[frame].columns


def test_the_codebook_is_current():
    """python -m analysis.codebook > docs/codebook.md"""
    assert (Path(__file__).parents[2] / "docs" / "codebook.md").read_text() == codebook()


def test_the_codebook_says_of_each_column_its_type_unit_and_categories():
    page = codebook()
    assert (
        "| `latency_ms` | Int64 | ms | until the answer was there; empty: there is no answer, or it was imported |"
        in page
    )
    assert "one of `waiting`, `answered`, `failed` |" in page
    assert page.count("\n| `") == sum(len(one.columns) for one in FRAMES.values())
    assert RECORDS.row in page
