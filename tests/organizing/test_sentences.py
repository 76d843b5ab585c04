import pytest
from django.utils import translation

from organizing.coverage_matrix import Cell, State, missing_reviews_sentence, missing_sentence
from tests.organizing.test_coverage import DONE, LEFT, OPEN, SHORT, UNDRAWN, cell_of, fact


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def test_a_sentence_says_what_would_fill_the_hole():
    cell = cell_of(fact(DONE), fact(LEFT, "tester-3"), fact(LEFT, "tester-3"), fact(UNDRAWN), fact(SHORT, ""))
    assert missing_sentence(cell) == (
        "4 dialogues are missing: 2 not begun: tester-3; 1 not drawn yet: draw; 1 that no tester can be drawn for."
    )


def test_a_sentence_names_those_with_most_of_it_and_counts_the_others():
    left = [fact(LEFT, name) for name in ("t1", "t2", "t2", "t3", "t4", "t5")]
    said = missing_sentence(cell_of(*left))
    assert said == "6 dialogues are missing: 6 not begun: t2 (2), t1 (1), t3 (1), 2 others."


def test_what_pauses_waits_for_its_system():
    facts = [fact(OPEN), fact(LEFT, is_paused=True), fact(LEFT, "t2")]
    said = missing_sentence(cell_of(*facts))
    assert said == "3 dialogues are missing: 1 in progress; 1 not begun: t2; 1 waiting for the paused system."


def test_nothing_is_said_where_nothing_is_missing():
    assert missing_sentence(cell_of(fact(DONE))) == ""
    assert missing_sentence(Cell()) == ""


def test_missing_reviews_are_said_in_words_of_their_own():
    cell = cell_of(fact(DONE), fact(OPEN), fact(LEFT, "reviewer-3"), fact(State.COMING, ""), fact(SHORT, ""))
    assert missing_reviews_sentence(cell) == (
        "4 reviews are missing: 1 in progress; 1 not begun: reviewer-3; 1 to be drawn by the platform; "
        "1 that no reviewer can be drawn for."
    )
    assert missing_reviews_sentence(cell_of(fact(DONE))) == ""
