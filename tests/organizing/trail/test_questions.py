import pytest

from audit.models import TrailLine
from organizing.trail_page import Question, WholeQuestion, answer
from tests.organizing.trail.conftest import DIALOGUE

pytestmark = pytest.mark.django_db


def found(lines, asked, form=Question, campaign="small"):
    """The places of the lines that the question finds, the latest first."""
    question = form(asked)
    assert question.is_valid(), question.errors
    of = TrailLine.objects.of_campaign(campaign) if campaign else TrailLine.objects.all()
    numbers = [line.number for line in lines]
    return [numbers.index(line.number) for line in answer(of, question.cleaned_data) if line.number in numbers]


def test_without_a_word_it_asks_for_everything_the_latest_first(lines):
    assert found(lines, {}) == [3, 2, 1, 0]


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ({"person": "organizer"}, [2, 0]),
        ({"act": "bot.paused"}, [3, 0]),
        ({"about": "K7"}, [1, 0]),
        ({"about": DIALOGUE}, [1]),
        ({"since": "2026-05-19"}, [3, 2, 1]),
        ({"until": "2026-05-19"}, [1, 0]),
        ({"since": "2026-05-20", "until": "2026-05-20"}, [2]),
        ({"person": "organizer", "act": "bot.paused", "about": "K7"}, [0]),
        ({"person": "nobody"}, []),
    ],
)
def test_each_word_narrows_it(lines, asked, places):
    assert found(lines, asked) == places


def test_a_number_asks_for_what_came_before_it(lines):
    assert found(lines, {"before": str(lines[2].number)}) == [1, 0]


def test_the_whole_trail_is_asked_across_campaigns_or_by_one(lines):
    assert found(lines, {"about": "K7"}, WholeQuestion, campaign="") == [4, 1, 0]
    assert found(lines, {"campaign": "other"}, WholeQuestion, campaign="") == [4]


@pytest.mark.parametrize(
    "asked",
    [
        {"since": "yesterday"}, {"until": "2026-02-30"}, {"until": "9999-12-31"}, {"since": "0001-01-01"},
        {"act": "no.such"}, {"before": "x"}, {"before": "0"}, {"before": str(2**63)}, {"about": "x" * 201},
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_named(asked):
    question = Question(asked)
    assert not question.is_valid()
    assert question.errors.keys() == asked.keys()
