"""Pages and API of automatic tasks: who sees what, in both languages."""

import asyncio
import json
import re
from datetime import UTC, datetime
from io import StringIO
from math import log2
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import Person
from automatic_tasks.actions import change_task, keep_file, score_baselines, submit_file_run
from automatic_tasks.hand_in_outcomes import Outcome, last_of
from automatic_tasks.models import AutomaticTask, Run, RunState, Split
from automatic_tasks.runs.queue import Troubles, report_presence
from automatic_tasks.runs.quotas import allowance_of
from automatic_tasks.runs.worker import Worker
from campaigns.models import Role
from participants.models import Team

pytestmark = [pytest.mark.django_db(transaction=True)]
BASE = "/campaigns/small/tasks/"
API = "/api/v1/campaigns/small/tasks/"


def client_of(person, language="en") -> Client:
    client = Client()
    client.force_login(person)
    client.cookies["django_language"] = language
    return client


def upload(content: bytes, name="run.json"):
    return SimpleUploadedFile(name, content, content_type="application/json")


def scored(task, team, content) -> Run:
    run = submit_file_run(task=task, team=team, person=None, content=content, file_name="run.json", at=timezone.now())
    asyncio.run(Worker().work(until_empty=True))
    return Run.objects.get(pk=run.pk)


def test_a_team_hands_in_a_run_and_follows_it(quality, participant, good_run):
    client = client_of(participant)
    answer = client.post(f"{BASE}quality/submit/", {"file": upload(good_run), "note": "first try"})
    run = Run.objects.get()
    assert answer.headers["Location"] == f"/campaigns/small/runs/{run.pk}/"
    waiting = client.get(answer.headers["Location"]).content.decode()
    assert "waiting" in waiting
    assert "No worker is running" in waiting
    assert "This page updates by itself." in waiting
    progress = client.get(f"/campaigns/small/runs/{run.pk}/progress/").json()
    assert progress == {"state": "queued", "word": "waiting", "is_over": False, "done": 0, "total": 0}
    asyncio.run(Worker().work(until_empty=True))
    page = client.get(f"/campaigns/small/runs/{run.pk}/").content.decode()
    assert "development split" in page
    assert "hidden split" not in page
    assert client.get(f"/campaigns/small/runs/{run.pk}/file/").getvalue() == good_run
    listed = client.get(f"{BASE}quality/").content.decode()
    assert "first try" in listed
    assert "of 5 runs left today" in listed


@pytest.mark.parametrize(("language", "said"), [("en", "must be a probability"), ("zh-hans", "必须是概率")])
def test_problems_are_listed_by_place_in_the_readers_language(quality, participant, bad_run, language, said):
    answer = client_of(participant, language).post(f"{BASE}quality/submit/", {"file": upload(bad_run)})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "[0].quality.A.2" in page
    assert said in page
    assert not Run.objects.exists()


def test_a_change_of_language_keeps_the_problems_of_a_file_and_what_was_typed(quality, participant, bad_run):
    client = client_of(participant, "en")
    page = client.post(f"{BASE}quality/submit/", {"file": upload(bad_run), "note": "third try"}).content.decode()
    here = re.search(r'name="next" value="([^"]+)"', page)[1]
    assert here == f"{BASE}quality/?last"
    answer = client.post("/preferences/", {"language": "zh-hans", "next": here}, follow=True)
    assert answer.status_code == 200
    shown = answer.content.decode()
    assert "必须是概率" in shown
    assert "[0].quality.A.2" in shown
    assert 'value="third try"' in shown
    assert "必须是概率" not in client.get(f"{BASE}quality/").content.decode()


def test_a_refusal_is_said_again_in_the_other_language(quality, participant, good_run):
    quality.quota_per_day = 1
    quality.save()
    client = client_of(participant)
    for _ in range(2):
        client.post(f"{BASE}quality/submit/", {"file": upload(good_run)})
    shown = client.post("/preferences/", {"language": "zh-hans", "next": f"{BASE}quality/?last"}, follow=True)
    assert "今天" in shown.content.decode()


def test_what_was_wrong_with_another_tasks_file_is_not_shown(quality, participant, bad_run, rf):
    client = client_of(participant)
    client.post(f"{BASE}quality/submit/", {"file": upload(bad_run)})
    request = rf.get("/")
    request.session = client.session
    assert last_of(request, quality).n_problems > 0
    quality.pk += 1
    assert last_of(request, quality) == Outcome()


def test_a_form_without_a_file_is_answered_in_words(quality, participant):
    answer = client_of(participant).post(f"{BASE}quality/submit/", {})
    assert answer.status_code == 400
    assert "Choose the file" in answer.content.decode()


def test_a_used_up_quota_is_answered_in_words(quality, participant, good_run):
    quality.quota_per_day = 1
    quality.save()
    client = client_of(participant)
    client.post(f"{BASE}quality/submit/", {"file": upload(good_run)})
    answer = client.post(f"{BASE}quality/submit/", {"file": upload(good_run)})
    assert answer.status_code == 409
    assert "Tomorrow there are new ones" in answer.content.decode()


def test_a_file_over_the_limit_is_refused_in_words(quality, participant, settings):
    settings.UPLOAD_LIMIT_BYTES = 1024 * 1024
    answer = client_of(participant).post(f"{BASE}quality/submit/", {"file": upload(b" " * 1_100_000)})
    assert answer.status_code == 409
    assert "larger than 1 MB" in answer.content.decode()


def test_an_arrow_says_which_way_is_better_on_the_page_of_a_task_as_on_its_board(tasks, team, organizer, good_run):
    scored(tasks["quality"], team, good_run)

    def arrows(path: str) -> set[tuple[str, str]]:
        page = client_of(organizer).get(f"{BASE}{path}").content.decode()
        told = r'<span aria-hidden="true">([↑↓])</span><span class="visually-hidden"> \((\w+) is better\)</span>'
        return set(re.findall(told, page))

    assert arrows("quality/") == arrows("quality/board/hidden/") == {("↓", "lower")}
    assert arrows("intents/") == {("↑", "higher")}


@pytest.mark.parametrize("split", Split.values)
def test_the_command_gives_the_figures_of_the_board_of_each_split(split, quality, team, good_run, tmp_path):
    run = scored(quality, team, good_run)
    (tmp_path / "gold.json").write_bytes(bytes(quality.gold.content))
    (tmp_path / "run.json").write_bytes(good_run)
    files, out = ["--gold", str(tmp_path / "gold.json"), "--run", str(tmp_path / "run.json")], StringIO()
    call_command("score", quality.type, *files, "--split", split, "--key", quality.key, "--format", "json", stdout=out)
    told = json.loads(out.getvalue())["quality"]
    on_the_board = run.scores.get(split=split).figures
    assert {
        f"quality.{one}.{measure}": value for one, of in told.items() for measure, value in of.items()
    } == on_the_board


def test_a_board_of_distances_is_shown_as_minus_log2_where_a_reader_asks_for_it(quality, team, organizer, good_run):
    run = scored(quality, team, good_run)
    score_baselines(task=quality, person=None, at=timezone.now())
    asyncio.run(Worker().work(until_empty=True))
    client, mean = client_of(organizer), run.scores.get(split="hidden").figures["quality.A.nmd"]
    page = client.get(f"{BASE}quality/board/hidden/").content.decode()
    assert "scale=minus-log2" in page
    page = client.get(f"{BASE}quality/board/hidden/?scale=minus-log2").content.decode()
    assert f"{-log2(mean):.4f}" in page
    assert "(higher is better)" in page
    assert "(lower is better)" not in page
    told = client.get(f"{API}quality/board/hidden/?scale=minus-log2").json()
    row = next(row for row in told["rows"] if row["team"] == "Team Alpha")
    assert (row["figures"]["quality.A.nmd"], told["rule"][0]["better"]) == (-log2(mean), "higher")
    plain = client.get(f"{API}quality/board/hidden/").json()
    assert [one["run"] for one in told["rows"]] == [one["run"] for one in plain["rows"]]
    csv = client.get(f"{BASE}quality/board/hidden/?scale=minus-log2&format=csv").content.decode()
    assert str(-log2(mean)) in csv
    assert client.get(f"{BASE}intents/board/hidden/?scale=minus-log2").status_code == 404
    assert client.get(f"{API}intents/board/hidden/?scale=minus-log2").json()["code"] == "unknown_scale"


def test_another_teams_runs_are_not_there(quality, team, other_team, good_run):
    run = scored(quality, team, good_run)
    spy = Person.objects.create_user("spy")
    quality.campaign.roles.create(person=spy, role=Role.PARTICIPANT)
    quality.campaign.team_members.create(team=other_team, person=spy)
    client = client_of(spy)
    for path in ("", "progress/", "file/"):
        assert client.get(f"/campaigns/small/runs/{run.pk}/{path}").status_code == 404
    assert client.post(f"/campaigns/small/runs/{run.pk}/choose/").status_code == 404
    assert client.get(f"/api/v1/campaigns/small/runs/{run.pk}/").status_code == 404
    assert client.get(f"{API}quality/runs/").json() == []
    assert "Team Alpha" not in client.get(f"{BASE}quality/").content.decode()


def test_hidden_scores_stay_hidden_everywhere_until_the_release(quality, team, participant, organizer, good_run):
    run = scored(quality, team, good_run)
    hidden = run.scores.get(split=Split.HIDDEN).figures["quality.A.nmd"]
    client = client_of(participant)
    places = (
        f"{BASE}quality/",
        f"/campaigns/small/runs/{run.pk}/",
        f"{API}quality/runs/",
        f"/api/v1/campaigns/small/runs/{run.pk}/",
    )
    for place in places:
        body = client.get(place).content.decode()
        assert f"{hidden:.4f}" not in body, place
        assert str(hidden) not in body, place
    for split in Split.values:
        assert client.get(f"{BASE}quality/board/{split}/").status_code == 404
        assert client.get(f"{API}quality/board/{split}/").status_code == 404
    client_of(organizer).post(f"{BASE}quality/change/", {"released": "1"})
    for place in places:
        assert f"{hidden:.4f}"[:5] in client.get(place).content.decode(), place
    assert client.get(f"{BASE}quality/board/hidden/").status_code == 200
    assert client.get(f"{API}quality/board/hidden/").json()["rows"][0]["run"] == "Team Alpha-run1"


def test_the_development_board_is_open_to_teams_when_the_organizer_says_so(quality, team, participant, good_run):
    scored(quality, team, good_run)
    change_task(task=quality, changes={"board_is_open": True}, at=timezone.now())
    client = client_of(participant)
    assert client.get(f"{BASE}quality/board/development/").status_code == 200
    assert client.get(f"{BASE}quality/board/development/?by=quality.S.nmd").status_code == 200
    assert client.get(f"{BASE}quality/board/development/?by=luck").status_code == 404
    table = client.get(f"{BASE}quality/board/development/?format=csv").content.decode("utf-8-sig").splitlines()
    assert table[0].startswith("rank,run,team,quality.A.nmd,")
    assert table[1].startswith("1,Team Alpha-run1,Team Alpha,0.")
    assert client.get(f"{API}quality/board/development/?by=luck").status_code == 400
    assert client.get(f"{BASE}quality/board/hidden/").status_code == 404


def test_a_released_board_of_a_published_campaign_is_open_to_everybody(quality, team, good_run):
    scored(quality, team, good_run)
    quality.campaign.is_published = True
    quality.campaign.save()
    assert Client().get(f"{BASE}quality/board/hidden/").status_code == 302
    change_task(task=quality, changes={"released": True}, at=timezone.now())
    assert Client().get(f"{BASE}quality/board/hidden/").status_code == 200


def test_a_service_is_registered_and_started_from_the_page(tasks, participant):
    client = client_of(participant)
    kept = client.post(
        f"{BASE}intents/service/", {"url": "http://service.example.com:21628/smp2018_ecdt", "then": "keep"}
    )
    assert kept.status_code == 302
    assert not Run.objects.exists()
    client.post(f"{BASE}intents/service/", {"url": "http://service.example.com:21628/smp2018_ecdt", "then": "run"})
    assert Run.objects.get().url == "http://service.example.com:21628/smp2018_ecdt"
    again = client.post(
        f"{BASE}intents/service/", {"url": "http://service.example.com:21628/smp2018_ecdt", "then": "run"}
    )
    assert again.status_code == 409
    bad = client.post(f"{BASE}intents/service/", {"url": "ftp://x", "then": "run"})
    assert (bad.status_code, 'aria-invalid="true"' in bad.content.decode()) == (422, True)
    assert client.post(f"{BASE}quality/service/", {"url": "http://x/"}).status_code == 404


def test_the_organizer_opens_closes_and_starts(tasks, organizer, team):
    client = client_of(organizer)
    client.post(f"{BASE}quality/change/", {"is_open": "0"})
    client.post(f"{BASE}quality/start/", {"what": "baselines"})
    assert sorted(Run.objects.values_list("baseline", flat=True)) == ["popularity", "uniform"]
    tasks["quality"].refresh_from_db()
    assert not tasks["quality"].is_open
    tasks["intents"].services.create(team=team, url="http://203.0.113.9/")
    for said in ("1 service is called", "Left out: Team Alpha. A run against this service is under way already."):
        page = client.post(f"{BASE}intents/start/", {"what": "services"}, follow=True).content.decode()
        assert said in page


def test_a_task_page_tells_an_organizer_where_the_runs_are_and_a_participant_that_a_team_is_missing(
    quality, organizer, participant
):
    page = client_of(organizer).get(f"{BASE}quality/").content.decode()
    assert "You belong to no team yet" not in page
    assert f'<a href="{BASE}quality/organize/">Manage</a>' in page
    quality.campaign.roles.create(person=organizer, role=Role.PARTICIPANT)
    assert "You belong to no team yet" in client_of(organizer).get(f"{BASE}quality/").content.decode()


def test_a_failed_run_is_scored_again_by_the_organizer(quality, team, organizer, good_run):
    run = submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="r", at=timezone.now())
    Run.objects.filter(pk=run.pk).update(
        state=RunState.FAILED, fault="platform", reasons=[["", "the disk was full", {}]]
    )
    client = client_of(organizer)
    assert "the disk was full" in client.get(f"/campaigns/small/runs/{run.pk}/").content.decode()
    client.post(f"/campaigns/small/runs/{run.pk}/again/")
    run.refresh_from_db()
    assert run.state == RunState.QUEUED
    assert (
        "Only a run that was scored or failed"
        in client.post(f"/campaigns/small/runs/{run.pk}/again/", follow=True).content.decode()
    )


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_organizer_sees_what_troubles_a_board_and_scores_its_runs_again(
    quality, team, organizer, participant, good_run, language
):
    run = scored(quality, team, good_run)
    trouble = ["hidden", "the stored sums of %(runs)s are not those of the measure of today", {"runs": run.name}]
    AutomaticTask.objects.filter(pk=quality.pk).update(
        board_troubles=[trouble],
        n_board_troubles=3,
        board_trouble_at=timezone.make_aware(datetime(2026, 11, 21, 9, 8, 7)),
    )
    page = client_of(organizer, language).get(f"{BASE}quality/organize/").content.decode()
    assert 'role="alert"' in page
    assert run.name in page.split('name="what" value="scored"')[0]
    assert "11-21 09:08:07" in page
    assert "09:08:07" not in client_of(participant, language).get(f"{BASE}quality/").content.decode()
    client_of(organizer).post(f"{BASE}quality/start/", {"what": "scored"})
    run.refresh_from_db()
    assert run.state == RunState.QUEUED


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_runs_of_an_older_version_are_named_as_such_and_scored_again(
    quality, team, organizer, participant, good_run, language
):
    run = scored(quality, team, good_run)
    assert 'value="outdated"' not in client_of(organizer, language).get(f"{BASE}quality/organize/").content.decode()
    run.scores.update(version="0:before")
    assert 'value="outdated"' in client_of(organizer, language).get(f"{BASE}quality/organize/").content.decode()
    change_task(task=quality, changes={"board_is_open": True}, at=timezone.now())
    (listed,) = client_of(participant).get(f"{API}quality/runs/").json()
    assert listed["is_outdated"] is True
    assert "older version" in client_of(participant).get(f"/campaigns/small/runs/{run.pk}/").content.decode()
    made = client_of(participant).get(f"{API}quality/board/development/").json()
    assert (made["rows"], made["unranked"]) == (
        [],
        [{"name": "Team Alpha", "team": "Team Alpha", "team_en": "", "reason": "outdated"}],
    )
    said = client_of(organizer).post(f"{BASE}quality/start/", {"what": "outdated"}, follow=True).content.decode()
    assert "1 run is scored again" in said
    asyncio.run(Worker().work(until_empty=True))
    assert client_of(participant).get(f"{API}quality/board/development/").json()["unranked"] == []


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_organizer_sees_defaults_that_changed_since_the_task_was_loaded(quality, organizer, language):
    before = client_of(organizer, language).get(f"{BASE}quality/organize/").content.decode()
    assert "<code>quota_per_day</code>" not in before
    AutomaticTask.objects.filter(pk=quality.pk).update(defaults={"quota_per_day": 4})
    page = client_of(organizer, language).get(f"{BASE}quality/organize/").content.decode()
    assert "<code>quota_per_day</code>" in page


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_organizer_sees_what_a_worker_met(quality, organizer, language):
    troubles = Troubles(4, "files: OperationalError: database is locked", timezone.now())
    report_presence(worker="w", at=timezone.now(), troubles=troubles)
    page = client_of(organizer, language).get(f"{BASE}quality/organize/").content.decode()
    assert '<code lang="en">files: OperationalError: database is locked</code>' in page


@pytest.mark.parametrize(
    ("n", "said"), [(1, "but met 1 unforeseen error, at"), (2, "but met 2 unforeseen errors; the last one at")]
)
def test_the_number_of_errors_is_said_in_good_english(quality, organizer, n, said):
    report_presence(worker="w", at=timezone.now(), troubles=Troubles(n, "files: OSError: x", timezone.now()))
    assert said in client_of(organizer).get(f"{BASE}quality/organize/").content.decode()


def test_the_number_of_started_baselines_is_said_in_good_english(quality, organizer):
    client = client_of(organizer)
    for said in ("2 baselines are in the queue.", "0 baselines are in the queue."):
        assert said in client.post(f"{BASE}quality/start/", {"what": "baselines"}, follow=True).content.decode()


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "The gold of the task cannot be read."), ("zh-hans", "无法读取这个评测任务的答案文件。")],
)
def test_why_a_run_failed_is_said_in_the_readers_language(quality, team, participant, good_run, language, said):
    run = submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="r", at=timezone.now())
    AutomaticTask.objects.filter(pk=quality.pk).update(gold=keep_file(b"[{}]"))
    asyncio.run(Worker().work(until_empty=True))
    client = client_of(participant, language)
    page = client.get(f"/campaigns/small/runs/{run.pk}/").content.decode()
    assert said in page
    assert {"en": "No run was used up.", "zh-hans": "没有消耗提交次数。"}[language] in page
    assert client.get(f"/api/v1/campaigns/small/runs/{run.pk}/").json()["message"].startswith(said)
    assert said in client.get(f"{BASE}quality/").content.decode()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_page_opens_in_both_languages(tasks, team, participant, organizer, good_run, language):
    run = scored(tasks["quality"], team, good_run)
    for person, paths in (
        (participant, ["", "quality/", "intents/", "responses/"]),
        (organizer, ["", "quality/", *(f"{key}/organize/" for key in tasks), "quality/board/development/"]),
    ):
        client = client_of(person, language)
        for path in [*(BASE + path for path in paths), f"/campaigns/small/runs/{run.pk}/"]:
            page = client.get(path)
            assert page.status_code == 200, path
            assert f'lang="{language}"' in page.content.decode()


def test_no_line_of_a_template_is_over_140_characters():
    templates = Path(__file__).resolve().parents[2] / "templates" / "automatic_tasks"
    lines = [(path.name, line) for path in templates.glob("*.html") for line in path.read_text().splitlines()]
    assert len(lines) > 500
    assert [(name, line) for name, line in lines if len(line) > 140] == []


# -- API -----------------------------------------------------------------------------------------------------------


def test_the_api_takes_runs_and_lists_them(quality, participant, good_run, bad_run):
    client = client_of(participant)
    made = client.post(f"{API}quality/runs/", {"file": upload(good_run), "note": "by program"})
    assert made.status_code == 201
    assert (made.json()["run"], made.json()["state"]) == ("Team Alpha-run1", "queued")
    bad = client.post(f"{API}quality/runs/", {"file": upload(bad_run)})
    assert bad.status_code == 422
    assert bad.json()["problems"][0] == {
        "place": "[0].quality.A.2",
        "message": "must be a probability, not -1",
    }
    asyncio.run(Worker().work(until_empty=True))
    (run,) = client.get(f"{API}quality/runs/").json()
    assert set(run["scores"]) == {"development"}
    (tasks,) = [task for task in client.get(API).json() if task["key"] == "quality"]
    assert tasks["left"] == {"total": 49, "today": 4}
    assert client.get(f"/api/v1/campaigns/small/runs/{run['id']}/").json()["note"] == "by program"


def test_the_api_says_what_is_wrong_with_a_request(quality, participant, organizer):
    client = client_of(participant)
    assert client.post(f"{API}quality/runs/", {}, content_type="application/json").json()["code"] == "no_file"
    wrong_team = client.post(f"{API}quality/runs/", json.dumps({"team": "Team Beta"}), content_type="application/json")
    assert wrong_team.json()["code"] == "no_team"
    assert client.post(f"{API}none/runs/", {}).status_code == 404
    assert client_of(organizer).post(f"{API}quality/runs/", {}).status_code == 404


def test_the_api_starts_a_service_run(tasks, team, participant):
    tasks["intents"].services.create(team=team, url="http://203.0.113.9/")
    client = client_of(participant)
    assert client.post(f"{API}intents/runs/", {}, content_type="application/json").status_code == 201
    again = client.post(f"{API}intents/runs/", {}, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "running")


def test_a_file_is_checked_without_being_handed_in(participant, quality, good_run, bad_run):
    client = client_of(participant)
    answer = client.post(f"{BASE}quality/submit/", {"file": upload(good_run), "then": "check"}, follow=True)
    assert "The file is right" in answer.content.decode()
    wrong = client.post(f"{BASE}quality/submit/", {"file": upload(bad_run), "then": "check"})
    assert wrong.status_code == 422
    api = f"{API}quality/runs/"
    answer = client.post(api, {"file": upload(good_run), "check_only": "true"})
    assert (answer.status_code, answer.json()["warnings"]) == (200, [])
    assert client.post(api, {"check_only": "true"}).status_code == 400
    assert quality.runs.count() == 0
    assert allowance_of(quality, Team.objects.get(name="Team Alpha"), timezone.now()).today > 0


def test_a_team_gets_an_example_of_a_run_for_every_task(participant, tasks):
    client = client_of(participant)
    for key, task in tasks.items():
        answer = client.get(f"{BASE}{key}/example/")
        assert answer.status_code == 200
        assert task.type in answer.headers["Content-Disposition"]
        assert answer.getvalue()


def test_the_form_closes_with_the_campaigns_dates(participant, quality, campaign):
    client = client_of(participant)
    assert 'type="file"' in client.get(f"{BASE}quality/").content.decode()
    campaign.publication_at = datetime(2020, 5, 1, 10, tzinfo=UTC)
    campaign.save()
    page = client.get(f"{BASE}quality/").content.decode()
    assert 'type="file"' not in page
    assert "Runs were accepted until 2020-05-01 18:00 (UTC+08:00)." in page


def test_a_run_that_waits_says_for_whom_and_until_when(participant, organizer, quality, team, good_run):
    at = timezone.now()
    run = submit_file_run(task=quality, team=team, person=None, content=good_run, file_name="run.json", at=at)
    pages = (
        (participant, f"{BASE}quality/"),
        (participant, f"/campaigns/small/runs/{run.pk}/"),
        (organizer, f"{BASE}quality/organize/"),
    )
    for person, page in pages:
        assert "until a worker is started" in client_of(person).get(page).content.decode(), page


def test_the_page_of_a_task_says_until_when_and_its_board_leads_back(participant, quality, campaign):
    client = client_of(participant)
    assert "accepted until" not in client.get(f"{BASE}quality/").content.decode()
    campaign.publication_at = datetime(2030, 5, 1, 10, tzinfo=UTC)
    campaign.save()
    page = strip_tags(client.get(f"{BASE}quality/").content.decode())
    assert "Runs are accepted until 2030-05-01 18:00 (UTC+08:00)." in page
    quality.board_is_open = True
    quality.save()
    board = client.get(f"{BASE}quality/board/development/").content.decode()
    assert f'href="{BASE}quality/"' in board
