import pytest
from django.utils import timezone

from dialogues.actions.reports import report_problem, settle_problem
from tests.dialogues.test_importing import line as told
from tests.dialogues.test_importing import load
from tests.trail import lines_of

__all__ = ["load"]
pytestmark = pytest.mark.django_db


def test_a_settled_problem_is_one_line_however_often_it_is_settled(dialogue, tester, organizer):
    now = timezone.now()
    problem = report_problem(dialogue=dialogue, person=tester, turn=None, text="too slow", at=now)
    with lines_of() as lines:
        settle_problem(problem=problem, at=now, by=organizer)
        settle_problem(problem=problem, at=now, by=organizer)
    (line,) = lines
    assert (line.act, line.person, line.campaign) == ("problem.settled", "organizer", "small")
    assert line.details == {"dialogue": str(dialogue.pk), "problem": problem.pk}


def test_an_import_is_one_line_by_the_importing_organizer_and_none_where_nothing_is_new(load):
    with lines_of() as lines:
        load(told("d1", "你好", "您好"), told("d2", "你好", "您好"))
        load(told("d1", "你好", "您好"))
    assert [(line.act, line.person, line.details) for line in lines] == [("dialogues.imported", "organizer", {"n": 2})]
