"""NTCIR-14: one file carries nuggets and quality, is scored by two tasks and uses one run of the quota over both."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from audit.models import TrailLine
from automatic_tasks.actions import IsNeeded, NotAccepted, load_tasks, remove_task, runs, set_quota, submit_file_run
from automatic_tasks.actions.runs import check_run_file
from automatic_tasks.dumping import file_of
from automatic_tasks.models import Run, RunState
from automatic_tasks.runs.quotas import Allowance, allowance_of, allowances_of
from automatic_tasks.task_file import QuotaSpec, read_task_file
from reading.checking import BadFile, BadForm
from tests.scoring.conftest import content_of
from tests.world import client_of

pytestmark = pytest.mark.django_db
AT = datetime(2030, 1, 15, 4, tzinfo=UTC)
TASKS = """
campaign = "small"

[[tasks]]
key = "nuggets"
type = "nugget-detection"
name = "ND"
gold = "nugget-detection/gold.json"
handed_in_with = "quality"

[[tasks]]
key = "quality"
type = "dialogue-quality"
name = "DQ"
gold = "dialogue-quality/gold.json"
quota_total = 3
quota_per_day = 2
"""


def load(text=TASKS):
    return load_tasks(file=read_task_file("tasks.toml", text.encode()), content_of=content_of)


@pytest.fixture
def two(campaign):
    load()
    return [campaign.automatic_tasks.get(key=key) for key in ("quality", "nuggets")]


@pytest.fixture
def both():
    """One row a dialogue, with both parts."""
    quality = json.loads(content_of("dialogue-quality/run.json"))
    nuggets = {row["id"]: row["nugget"] for row in json.loads(content_of("nugget-detection/run.json"))}
    assert {row["id"] for row in quality} == set(nuggets)
    return json.dumps([row | {"nugget": nuggets[row["id"]]} for row in quality]).encode()


def hand_in(task, team, content, at=AT):
    return submit_file_run(task=task, team=team, person=None, content=content, file_name="run.json", at=at)


def test_one_file_is_a_run_of_each_task_and_one_of_the_quota(two, team, both):
    quality, nuggets = two
    run = hand_in(quality, team, both)
    assert run.task == quality
    made = Run.objects.order_by("task__position")
    assert [(one.task.key, one.number, one.submission) for one in made] == [
        ("nuggets", 1, run.submission), ("quality", 1, run.submission),
    ]  # fmt: skip
    # Three in all and two a day, of which one is gone, whichever task is asked.
    assert allowances_of(two, team, AT) == dict.fromkeys([quality.pk, nuggets.pk], Allowance(3, 2, left=2, today=1))
    line = TrailLine.objects.get(act="run.handed_in")
    assert (line.details["task"], line.details["with"]) == ("quality", "nuggets")


def test_a_file_with_one_part_is_for_one_task_and_uses_a_run_of_both(two, team):
    quality, nuggets = two
    # Whichever task's page it is handed in on.
    run = hand_in(quality, team, content_of("nugget-detection/run.json"))
    assert (run.task, Run.objects.count()) == (nuggets, 1)
    hand_in(nuggets, team, content_of("dialogue-quality/run.json"))
    assert [one.number for one in Run.objects.order_by("number")] == [1, 2]
    with pytest.raises(NotAccepted) as refused:
        hand_in(nuggets, team, content_of("nugget-detection/run.json"))
    assert (refused.value.code, refused.value.values) == ("quota_day", {"limit": 2})
    hand_in(nuggets, team, content_of("nugget-detection/run.json"), AT + timedelta(days=1))
    with pytest.raises(NotAccepted) as refused:
        hand_in(quality, team, content_of("dialogue-quality/run.json"), AT + timedelta(days=2))
    assert (refused.value.code, refused.value.values) == ("quota_total", {"limit": 3})


def test_a_run_that_failed_for_one_task_still_counts_for_the_other(two, team, both):
    quality, nuggets = two
    hand_in(quality, team, both)
    Run.objects.filter(task=nuggets).update(state=RunState.FAILED)
    assert allowance_of(nuggets, team, AT).left == 2
    Run.objects.update(state=RunState.FAILED)
    assert allowance_of(nuggets, team, AT).left == 3


def test_the_problems_of_both_parts_are_named_each_once_and_nothing_is_kept(two, team, both):
    rows = json.loads(both)
    rows[0]["quality"]["A"] = {"2": -1}
    rows[0]["nugget"] = rows[0]["nugget"][:1]
    lacking = rows.pop()["id"]
    with pytest.raises(BadFile) as bad:
        hand_in(two[0], team, json.dumps(rows).encode())
    assert [problem.place for problem in bad.value.problems] == [
        "[0].quality.A.2", f"dialogue {lacking}", "[0].nugget",
    ]  # fmt: skip
    assert not Run.objects.exists()


def test_a_task_that_is_closed_refuses_its_part_alone(two, team, both):
    quality, nuggets = two
    type(nuggets).objects.filter(pk=nuggets.pk).update(is_open=False)
    with pytest.raises(NotAccepted) as refused:
        hand_in(quality, team, both)
    assert refused.value.code == "closed"
    assert hand_in(quality, team, content_of("dialogue-quality/run.json")).task == quality


def test_tasks_that_were_parted_while_the_file_was_checked_refuse_it(two, team, both, monkeypatch):
    def checked(**asked):
        found = check_run_file(**asked)
        load(TASKS.replace('handed_in_with = "quality"\n', ""))
        return found

    monkeypatch.setattr(runs, "check_run_file", checked)
    with pytest.raises(NotAccepted) as refused:
        hand_in(two[0], team, both)
    assert refused.value.code == "changed"
    assert not Run.objects.exists()


def test_a_check_says_which_parts_a_file_has(two, both, participant):
    assert [one.key for one in check_run_file(task=two[1], content=both, at=AT).parts] == ["quality", "nuggets"]
    page = client_of(participant).get(reverse("task", args=["small", "nuggets"])).content.decode()
    assert "DQ + ND" in page


def test_the_page_of_a_run_leads_to_the_other(two, team, both, participant):
    run = hand_in(two[0], team, both)
    other = Run.objects.exclude(pk=run.pk).get()
    page = client_of(participant).get(reverse("run", args=["small", run.pk])).content.decode()
    assert reverse("run", args=["small", other.pk]) in page


def test_the_quota_is_that_of_the_first_task_alone(two, team):
    quality, nuggets = two
    spec = QuotaSpec(team="Team Alpha", total=9, reason="why")
    with pytest.raises(BadForm):
        set_quota(task=nuggets, spec=spec, by=None, at=AT)
    set_quota(task=quality, spec=spec, by=None, at=AT)
    assert allowance_of(nuggets, team, AT).total == 9


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ('handed_in_with = "quality"\nquota_total = 9', "[[tasks]] 1 quota_total"),
        ('handed_in_with = "none"', "[[tasks]] 1 handed_in_with"),
        ('handed_in_with = "nuggets"', "[[tasks]] 1 handed_in_with"),
    ],
)
def test_a_file_that_joins_what_cannot_be_is_refused_with_the_place(campaign, change, place):
    with pytest.raises(BadFile) as bad:
        load(TASKS.replace('handed_in_with = "quality"', change))
    assert [problem.place for problem in bad.value.problems] == [place]
    assert not campaign.automatic_tasks.exists()


def test_a_task_whose_files_hold_one_thing_is_handed_in_with_none(campaign):
    text = 'campaign = "small"\n[[tasks]]\nkey = "r"\ntype = "response-generation"\nname = "R"\n'
    with pytest.raises(BadFile) as bad:
        load(f'{text}gold = "response-generation/gold.jsonl"\nhanded_in_with = "quality"\n')
    assert "[[tasks]] 1 handed_in_with" in [problem.place for problem in bad.value.problems]


def test_what_runs_were_counted_by_is_fixed(two, team, both, campaign):
    hand_in(two[0], team, both)
    with pytest.raises(BadFile) as bad:
        load(TASKS.replace('handed_in_with = "quality"\n', ""))
    assert "handed_in_with" in str(bad.value)


def test_a_task_that_another_is_handed_in_with_stays(two, organizer):
    with pytest.raises(IsNeeded) as needed:
        remove_task(task=two[0], by=organizer, at=AT)
    assert needed.value.by == ("task nuggets",)


def test_the_file_that_is_dumped_says_it_again(two, campaign):
    text = file_of(campaign)
    assert 'handed_in_with = "quality"' in text
    assert text.count("quota_total") == 1
