from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.utils import timezone

from automatic_tasks.actions import (
    load_tasks,
    preview_task,
    register_service,
    score_baselines,
    store_task,
    writing,
)
from automatic_tasks.models import AutomaticTask, Service
from automatic_tasks.task_file import read_task_file
from campaigns.models import Campaign
from measures.ranking import RankingKey
from participants.models import Team
from reading.checking import BadFile
from scoring.one_run import read_gold
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Quota
from tests.automatic_tasks.conftest import TASKS, content_of
from tests.scoring.conftest import EXAMPLES

pytestmark = [pytest.mark.django_db]


def load(text: str, **asked):
    return load_tasks(file=read_task_file("tasks.toml", text.encode()), content_of=content_of, **asked)


def changes_of(text: str):
    return load(text).changes


def test_the_same_file_again_changes_nothing(tasks):
    assert load(TASKS)[1] == []


def test_a_task_type_brings_its_split_and_quota(tasks):
    quality, intents = tasks["quality"], tasks["intents"]
    assert (quality.n_items, len(quality.development_ids)) == (6, 3)
    assert (quality.quota_total, quality.quota_per_day) == (50, 5)
    assert (intents.has_development, intents.has_hidden, intents.deadline_s) == (False, True, 4.0)


def test_a_task_says_which_defaults_it_keeps_after_they_changed(tasks, monkeypatch):
    load(TASKS.replace('key = "responses"', 'key = "responses"\nquota_total = 50\nquota_per_day = 5'))
    for name in ("dialogue-quality", "response-generation"):
        changed = replace(TASK_TYPES[name], quota=Quota(total=80, per_day=5))
        monkeypatch.setitem(TASK_TYPES, name, changed)
    quality, responses = AutomaticTask.objects.get(key="quality"), AutomaticTask.objects.get(key="responses")
    assert (quality.quota_total, quality.changed_defaults) == (50, [("quota_total", 50, 80)])
    assert responses.changed_defaults == []
    assert load(TASKS.replace('key = "responses"', 'key = "responses"\nquota_total = 50\nquota_per_day = 5'))[1] == [
        "task quality: quota_total, defaults changed"
    ]
    quality.refresh_from_db()
    assert (quality.quota_total, quality.changed_defaults) == (80, [])


def test_a_task_keeps_the_ranking_that_it_was_loaded_with_and_says_when_the_default_is_another(tasks, monkeypatch):
    other = (RankingKey("quality.S.rsnod", "lower"), RankingKey("quality.A.nmd", "lower"))
    monkeypatch.setitem(TASK_TYPES, "dialogue-quality", replace(TASK_TYPES["dialogue-quality"], ranking=other))
    quality = AutomaticTask.objects.get(key="quality")
    assert quality.ranking_rule == (RankingKey("quality.A.nmd", "lower"),)
    assert quality.changed_defaults == [("ranking", ["quality.A.nmd"], ["quality.S.rsnod", "quality.A.nmd"])]
    assert load(TASKS)[1] == ["task quality: ranking, defaults changed"]
    quality.refresh_from_db()
    assert (quality.ranking_rule, quality.changed_defaults) == (other, [])


def test_a_figure_that_a_later_release_dropped_is_no_key_of_the_ranking(tasks, monkeypatch):
    left = tuple(figure for figure in TASK_TYPES["dialogue-quality"].figures if figure.name != "quality.A.nmd")
    other = (RankingKey("quality.S.nmd", "lower"),)
    changed = replace(TASK_TYPES["dialogue-quality"], figures=left, ranking=other)
    monkeypatch.setitem(TASK_TYPES, "dialogue-quality", changed)
    assert tasks["quality"].ranking_rule == other


def test_another_default_share_of_feedback_is_said_and_changes_no_split_in_use(tasks, monkeypatch):
    score_baselines(task=tasks["quality"], person=None, at=timezone.now())
    changed = replace(TASK_TYPES["dialogue-quality"], development_share=1.0)
    monkeypatch.setitem(TASK_TYPES, "dialogue-quality", changed)
    assert AutomaticTask.objects.get(key="quality").changed_defaults == [("development_share", 0.5, 1.0)]
    with pytest.raises(BadFile, match="development_ids cannot be changed: runs were scored by it"):
        load(TASKS)


def test_a_declared_split_is_kept_as_it_is(campaign):
    changes = changes_of(TASKS.replace('key = "quality"', 'key = "quality"\ndevelopment_ids = ["d6", "d1"]'))
    assert "task quality: added with 6 items" in changes
    assert AutomaticTask.objects.get(key="quality").development_ids == ["d1", "d6"]


def test_what_scores_depend_on_is_fixed_by_the_first_run(tasks, team):
    score_baselines(task=tasks["quality"], person=None, at=timezone.now())
    with pytest.raises(BadFile, match="options cannot be changed: runs were scored by it"):
        load(TASKS.replace('key = "quality"', 'key = "quality"\noptions = {missing = "count"}'))
    changes = changes_of(TASKS.replace('key = "quality"', 'key = "quality"\ndecimals = 2'))
    assert changes == ["task quality: decimals changed"]


def test_every_problem_is_named_with_its_place(campaign):
    text = """
campaign = "small"
extra = 1
[[tasks]]
key = "a b"
type = "astrology"
name = "x"
gold = "none.json"
development_share = 3
[[tasks]]
key = "b"
type = "nugget-detection"
name = {zh = "b"}
gold = "x"
options = {alpha = 7}
ranking = ["luck"]
services = [{team = "T", url = "ftp://x"}]
"""
    with pytest.raises(BadFile) as bad:
        load(text)
    said = str(bad.value)
    for wanted in (
        "file extra: is not known here",
        "[[tasks]] 1 key: must be letters",
        "[[tasks]] 1 type: must be one of",
        "[[tasks]] 1 development_share: must be a number from 0 to 1",
        "[[tasks]] 2 options: --alpha must be a number from 0 to 1, not '7'",
        "[[tasks]] 2 ranking: “luck” is not a figure",
        "url: must start with http:// or https://",
    ):
        assert wanted in said, wanted


def test_problems_of_the_gold_are_those_of_the_file(campaign):
    with pytest.raises(BadFile) as bad:
        load(TASKS.replace("dialogue-quality/gold.json", "dialogue-quality/run.json"))
    assert "[[tasks]] 2 gold, [0].annotations: is missing" in str(bad.value)
    assert not AutomaticTask.objects.exists()


def test_an_unknown_campaign_or_file_is_an_error_in_words(campaign, tmp_path):
    with pytest.raises(BadFile, match="there is no campaign “none”"):
        load(TASKS.replace('campaign = "small"', 'campaign = "none"'))
    with pytest.raises(BadFile, match=r"gold: no\.jsonl cannot be read"):
        load(TASKS.replace("intent-classification/gold.jsonl", "no.jsonl"))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("load_tasks", tmp_path / "none.toml")


def test_the_command_says_what_it_did(campaign, tmp_path):
    file = tmp_path / "tasks.toml"
    file.write_text(TASKS.replace('gold = "', f'gold = "{EXAMPLES}/').replace('noise = "', f'noise = "{EXAMPLES}/'))
    said = StringIO()
    call_command("load_tasks", file, stderr=said)
    assert said.getvalue().endswith("small: 3 changes.\n")


def test_a_set_without_noise_is_loaded_with_a_warning_until_noise_is_mixed_in(tasks, tmp_path, organizer):
    assert load(TASKS).warnings == []
    ratio, page = "noise_ratio = 0.5\n", "/campaigns/small/tasks/intents/organize/"
    client = Client(headers={"accept-language": "en"})
    client.force_login(organizer)
    assert "No noise is mixed" not in client.get(page).content.decode()
    for text in (
        TASKS.replace(ratio, "noise_ratio = 0\n"),
        TASKS.replace(ratio, "").replace('noise = "intent-classification/noise.jsonl"\n', ""),
    ):
        (warning,) = load(text).warnings
        assert "task intents mixes no noise" in warning
        assert "No noise is mixed" in client.get(page).content.decode()
    assert load(TASKS.replace(ratio, "")).warnings == []
    assert AutomaticTask.objects.get(key="intents").noise_ratio == 1


def test_what_was_made_in_the_browser_is_left_alone_and_taken_over_only_when_asked(tasks):
    AutomaticTask.objects.filter(key="quality").update(origin="page", quota_total=9, defaults={})
    assert load(TASKS.replace('key = "quality"', 'key = "other"')).left_alone == [
        "left alone: task quality, made in the browser"
    ]
    with pytest.raises(BadFile, match=r"\[\[tasks\]\] 2 key: task quality was made or changed in the browser"):
        load(TASKS)
    assert AutomaticTask.objects.get(key="quality").quota_total == 9
    assert load(TASKS, takes_over=True).changes[0] == "task quality: taken over from the browser"
    quality = AutomaticTask.objects.get(key="quality")
    assert (quality.origin, quality.quota_total) == ("file", 50)


def test_the_files_tasks_come_in_its_order_and_those_of_the_browser_stay_in_their_place(tasks):
    AutomaticTask.objects.filter(key="quality").update(origin="page")
    head, intents, _, responses = TASKS.split("[[tasks]]")
    turned = "[[tasks]]".join([head, responses, intents])
    assert load(turned).changes == ["order of the tasks changed"]
    assert list(AutomaticTask.objects.values_list("key", flat=True)) == ["responses", "quality", "intents"]
    assert load(turned).changes == []


def test_a_quota_of_the_browser_is_no_files_to_change(tasks, team):
    text = TASKS + 'quotas = [{team = "Team Alpha", total = 3, reason = "late"}]\n'
    assert load(text).changes == ["task responses: quota of Team Alpha"]
    tasks["responses"].team_quotas.update(total=4, origin="page")
    assert load(TASKS).left_alone == ["left alone: the quota of Team Alpha for task responses"]
    with pytest.raises(BadFile, match=r"\[\[tasks\]\] 3 quotas\[1\]: the quota of Team Alpha was set in the browser"):
        load(text)
    load(text, takes_over=True)
    assert tasks["responses"].team_quotas.get().total == 3


def test_dates_and_quotas_that_make_no_sense_have_their_place():
    text = TASKS + "runs_from = 2030-01-02T00:00:00Z\nruns_until = 2030-01-01T00:00:00Z\n"
    text += 'quotas = [{team = "T", reason = "x"}]\n'
    with pytest.raises(BadFile) as bad:
        read_task_file("tasks.toml", text.encode())
    said = str(bad.value)
    assert "[[tasks]] 3 runs_until: must be later than runs_from" in said
    assert "[[tasks]] 3 quotas[1]: says no quota" in said


def test_a_quota_of_no_team_of_the_campaign_is_named_and_makes_no_team(tasks):
    text = TASKS + 'quotas = [{team = "Team Ghost", total = 3, reason = "late"}]\n'
    with pytest.raises(BadFile, match=r"\[\[tasks\]\] 3 quotas\[1\].team: is not a team of this campaign"):
        load(text)
    assert not Team.objects.filter(name="Team Ghost").exists()


def test_a_team_whose_service_is_called_may_have_a_quota(campaign):
    text = TASKS + 'services = [{team = "Team Beta", url = "http://127.0.0.1:9/"}]\n'
    load(text + 'quotas = [{team = "Team Beta", total = 3, reason = "late"}]\n')
    assert campaign.automatic_tasks.get(key="responses").team_quotas.get().team.name == "Team Beta"


HERE, MOVED, ELSEWHERE = "https://a.example.com/1", "https://a.example.com/2", "https://b.example.com/"


def with_service(url=HERE, more=""):
    return TASKS + f'services = [{{team = "Team Beta", url = "{url}"{more}}}]\n'


def stored():
    return Service.objects.with_names().get()


def test_a_service_of_a_file_takes_part_and_one_called_a_draft_waits(campaign):
    load(with_service(more=', secret = "s3cret", draft = true'))
    service = stored()
    assert (service.secret, service.draft_since is None, service.registered_at) == ("s3cret", False, None)
    Service.objects.all().delete()
    load(with_service())
    assert stored().draft_since is None
    # Of a service that is there, the file says nothing of that.
    load(with_service(more=", draft = true"))
    assert stored().draft_since is None


def test_what_a_file_omits_of_a_secret_stays_and_what_it_says_is_stored(campaign):
    load(with_service(more=', secret = "s3cret"'))
    assert load(with_service()).changes == []
    assert load(with_service(MOVED)).changes == [
        "task responses: the service of Team Beta is at https://a.example.com/2"
    ]
    assert stored().secret == "s3cret"
    assert load(with_service(MOVED, ', secret = "another"')).changes == [
        "task responses: the service of Team Beta has another secret"
    ]
    assert stored().secret == "another"


def test_a_file_sends_no_secret_to_another_server_by_omission(campaign):
    load(with_service(more=', secret = "s3cret"'))
    with pytest.raises(
        BadFile, match=r"\[\[tasks\]\] 3 services\[1\].secret: the secret of Team Beta was given for another"
    ):
        load(with_service(ELSEWHERE))
    assert stored().url == HERE
    load(with_service(ELSEWHERE, ', secret = ""'))
    assert (stored().url, stored().secret) == (ELSEWHERE, "")


@pytest.mark.parametrize(
    ("change", "otherwise"),
    [
        ({"url": MOVED, "secret": "typed"}, with_service()),
        ({"url": HERE, "secret": "typed"}, with_service(more=', secret = "s3cret"')),
    ],
)
def test_what_a_team_changed_of_its_service_no_file_takes_back_unless_it_takes_over(campaign, change, otherwise):
    load(with_service(more=', secret = "s3cret"'))
    service = stored()
    register_service(task=service.task, team=service.team, **change)
    with pytest.raises(
        BadFile, match=r"\[\[tasks\]\] 3 services\[1\]: the service of Team Beta was registered or changed"
    ):
        load(otherwise)
    assert (stored().url, stored().secret, stored().origin) == (change["url"], "typed", "page")
    # What says nothing else is no problem, and leaves it the team's.
    assert load(with_service(change["url"])).changes == []
    assert stored().origin == "page"
    load(otherwise, takes_over=True)
    assert (stored().url, stored().origin) == (HERE, "file")
    load(with_service(ELSEWHERE, ', secret = ""'))
    assert stored().url == ELSEWHERE


def test_after_the_freeze_a_file_changes_no_address_of_a_service(campaign):
    load(with_service())
    Service.objects.update(green_at=timezone.now())
    load(with_service(MOVED))
    assert stored().green_at is None
    Campaign.objects.update(frozen_at=timezone.now() - timezone.timedelta(hours=1))
    with pytest.raises(BadFile, match=r"services\[1\].url: the service of Team Beta is frozen"):
        load(with_service(HERE))
    load(with_service(MOVED, ', secret = "new"'))
    assert stored().secret == "new"


@pytest.mark.django_db(transaction=True)
def test_gold_is_read_before_the_writer_is_held(campaign, monkeypatch):
    held = []

    def noted(*said):
        held.append(connection.in_atomic_block)
        return read_gold(*said)

    monkeypatch.setattr(writing, "read_gold", noted)
    load(TASKS)
    spec = read_task_file("tasks.toml", TASKS.encode()).tasks[0]
    preview_task(campaign=campaign, spec=spec, content_of=content_of, at=timezone.now())
    store_task(campaign=campaign, spec=spec, content_of=content_of, by=None, at=timezone.now())
    assert held == [False] * (TASKS.count("[[tasks]]") + 2)
