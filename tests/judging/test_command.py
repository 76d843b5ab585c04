"""manage.py judge: what it would cost, a run against a server, and what it refuses."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from judging.actions.declaring import withdraw_judge
from judging.models import JudgeReview
from language_models.actions.runs import only_run
from language_models.models import ModelRun, Purpose
from tests.fakes.scripted_model import scripted_model
from tests.judging.conftest import NOON, endpoint_of, judge_of
from tests.reviews.conftest import closed_dialogues

pytestmark = pytest.mark.django_db(transaction=True)


def told(*args, **said):
    out = StringIO()
    call_command("judge", *args, stdout=out, stderr=StringIO(), **said)
    return out.getvalue()


def test_a_dry_run_prints_the_prompt_and_the_cost_and_asks_nothing(campaign, tester):
    closed_dialogues(campaign, tester, 2)
    judge_of(campaign, n_samples=2)
    said = told("small", judge="scribe", dry_run=True)
    assert "The rubric:" in said
    assert "one dialogue: 2 samples, in all at most" in said
    answer = json.loads(told("small", judge="scribe", dry_run=True, format="json"))
    assert (answer["samples"], answer["currency"], answer["cost"] > 0) == (2, "USD", True)
    assert not JudgeReview.objects.exists()


def test_a_run_asks_the_server_and_a_second_one_goes_on(campaign, tester, settings):
    closed_dialogues(campaign, tester, 3)
    with scripted_model() as port:
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        endpoint_of(campaign, port=port)
        judge_of(campaign)
        first = json.loads(told("small", judge="scribe", n=2, format="json"))
        second = json.loads(told("small", judge="scribe", parallel=2, format="json"))
    assert (first["done"], first["left"], second["done"], second["left"]) == (2, 0, 1, 0)
    assert JudgeReview.objects.filter(state="done").count() == 3
    assert float(first["cost"]) > 0


def test_a_server_that_is_away_ends_the_run_and_nothing_fails(campaign, tester, settings):
    closed_dialogues(campaign, tester, 2)
    judge_of(campaign)
    with pytest.raises(CommandError, match="Run the command again"):
        told("small", judge="scribe")
    assert set(JudgeReview.objects.values_list("state", flat=True)) == {"to_do"}


def test_a_second_run_of_the_same_judge_is_refused_before_it_draws_or_asks(campaign, tester):
    closed_dialogues(campaign, tester, 2)
    judge_of(campaign)
    with only_run(campaign, Purpose.JUDGE, "scribe"), pytest.raises(CommandError, match="Another run for scribe"):
        told("small", judge="scribe")
    assert not JudgeReview.objects.exists()
    assert not ModelRun.objects.exists()


def test_a_run_that_ends_early_holds_nothing(campaign, tester):
    closed_dialogues(campaign, tester, 2)
    judge_of(campaign)
    with pytest.raises(CommandError, match="Run the command again"):
        told("small", judge="scribe")
    assert not ModelRun.objects.exists()


@pytest.mark.parametrize("said", [{"judge": "nobody"}, {"judge": "scribe", "parallel": 0}, {"judge": "scribe", "n": 0}])
def test_the_command_refuses_what_it_cannot_do(campaign, judge, said):
    with pytest.raises(CommandError):
        told("small", **said)


def test_a_withdrawn_judge_is_asked_nothing(campaign, judge):
    withdraw_judge(judge=judge, by=None, at=NOON)
    with pytest.raises(CommandError, match="withdrawn"):
        told("small", judge="scribe")
