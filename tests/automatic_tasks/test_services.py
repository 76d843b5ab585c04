"""Service runs over real HTTP against an independent template server, noise included."""

import asyncio
import json
import threading
from io import StringIO
from types import SimpleNamespace

import pytest
from aiohttp import web
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone, translation
from django.utils.html import escape

from automatic_tasks import service_runs
from automatic_tasks.actions import (
    NotAccepted,
    keep_file,
    register_service,
    score_again,
    send_back_service,
    start_all_service_runs,
    start_service_run,
    withdraw_service,
)
from automatic_tasks.models import AutomaticTask, Run, RunState, Score, ServicePlan, Split
from automatic_tasks.runs.failures import NOT_CALLED
from automatic_tasks.runs.queue import claim_run
from automatic_tasks.runs.quotas import allowance_of
from automatic_tasks.runs.worker import Worker
from automatic_tasks.service_runs import ServiceRun, as_run_file, sentences_of
from participants.adapters.smp2018_task1 import label_sentences
from participants.failures import BotFailure, FailureKind, Fault
from participants.outbound import Door
from reading.checking import BadForm
from reading.findings import sentence
from scoring.mixing import batches
from tests.fakes.template_service import template_service
from tests.scoring.conftest import EXAMPLES, content_of

pytestmark = [pytest.mark.django_db(transaction=True)]

GOLD = [json.loads(line) for line in content_of("intent-classification/gold.jsonl").splitlines()]
LABELS = {row["content"]: row["label"] for row in GOLD}


def work(settings, *services) -> int:
    settings.OUTBOUND_ALLOW = frozenset(("127.0.0.1", service.port) for service in services)
    return asyncio.run(Worker().work(until_empty=True))


class OwnMachine(frozenset):
    """Lets every port of this machine through, before it is known which ones the services of a test have."""

    def __contains__(self, place) -> bool:
        return place[0] == "127.0.0.1"


@pytest.fixture(autouse=True)
def own_machine(settings) -> None:
    settings.OUTBOUND_ALLOW = OwnMachine()


def started(task, team, service) -> Run:
    kept = register_service(task=task, team=team, url=service.url)
    return start_service_run(service=kept, person=None, at=timezone.now())


def test_the_template_server_is_scored_end_to_end_with_noise(tasks, team, settings):
    # Two of the four train sentences are answered "flight"; of 24 sentences in 6 classes all others are right.
    wrong = dict.fromkeys(["后天早上去苏州的动车还有座吗", "查一下郑州到西安的高铁"], "flight")
    with template_service(LABELS | wrong) as service:
        run = started(tasks["intents"], team, service)
        assert work(settings, service) == 1
    run.refresh_from_db()
    # By hand: precision 5 · 1 with flight 4/6; recall 5 · 1 with train 2/4.
    precision, recall = (5 + 4 / 6) / 6, (5 + 2 / 4) / 6
    figures = Score.objects.get(run=run, split=Split.HIDDEN).figures
    assert figures["macro_precision"] == pytest.approx(precision)
    assert figures["macro_recall"] == pytest.approx(recall)
    assert figures["f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert (run.state, run.n_done, run.n_total, run.warnings) == (RunState.SCORED, 36, 36, [])
    # 24 sentences and half as many of noise, in batches of 7, numbered so that nothing tells them apart.
    asked = [row for batch in service.asked for row in batch]
    assert [len(batch) for batch in service.asked] == [7, 7, 7, 7, 7, 1]
    assert [row["id"] for row in asked] == list(range(1, 37))
    assert sum(row["content"] not in LABELS for row in asked) == 12
    assert {row["content"] for row in asked} >= set(LABELS)
    assert set(asked[0]) == {"id", "content"}


def test_an_organizer_can_recompute_a_service_run_from_its_answers(
    tasks, team, settings, organizer, participant, tmp_path
):
    with template_service(dict.fromkeys(LABELS, "music")) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    client = Client()
    client.force_login(participant)
    assert client.get(f"/campaigns/small/runs/{run.pk}/file/").status_code == 404
    client.force_login(organizer)
    file = tmp_path / "answers.json"
    file.write_bytes(client.get(f"/campaigns/small/runs/{run.pk}/file/").getvalue())
    out = StringIO()
    gold = EXAMPLES / "intent-classification" / "gold.jsonl"
    call_command("score", "intent-classification", gold=gold, run_file=file, format="json", missing="count", stdout=out)
    figures = Score.objects.get(run=run, split=Split.HIDDEN).figures
    assert {name: json.loads(out.getvalue())[name] for name in figures} == figures


def test_the_stored_seed_gives_the_same_sentences_again(tasks, team, settings):
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    again = sentences_of(Run.objects.get(pk=run.pk))
    asked = [(row["id"], row["content"]) for batch in service.asked for row in batch]
    assert [(sentence.number, sentence.content) for sentence in again] == asked


def test_another_noise_ratio_afterwards_changes_no_score_of_a_perfect_service(tasks, team, settings):
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    assert Score.objects.get(run=run).figures["f1"] == 1.0
    AutomaticTask.objects.filter(key="intents").update(noise_ratio=2.0, batch_size=3, deadline_s=0.1)
    interrupted_before_its_score_was_stored(run)
    work(settings)
    assert Score.objects.get(run=run).figures["f1"] == 1.0
    assert len(json.loads(as_run_file(Run.objects.get(pk=run.pk)))["resultsList"]) == 24


def test_a_run_that_was_killed_goes_on_with_the_sentences_of_its_start(tasks, team, settings):
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        asked_first = [sentence.content for sentence in sentences_of(Run.objects.get(pk=run.pk))]
        AutomaticTask.objects.filter(key="intents").update(noise_ratio=0.0, noise=None, batch_size=36)
        work(settings, service)
    assert [len(batch) for batch in service.asked] == [7, 7, 7, 7, 7, 1]
    assert [row["content"] for batch in service.asked for row in batch] == asked_first


def interrupted_before_its_score_was_stored(run) -> None:
    """As if the worker had been killed after the last answer, before the score was stored."""
    Run.objects.filter(pk=run.pk).update(state=RunState.QUEUED)


def test_missing_extra_and_unknown_answers_are_counted_wrong_and_listed(tasks, team, settings):
    def spoiled(call, sentences):
        rows = [{"id": row["id"], "result": LABELS.get(row["content"], "chat")} for row in sentences]
        if call == 1:
            return [*rows[1:], {"id": 999, "result": "chat"}, rows[1], "nonsense"]
        if call == 2:
            return [
                {"id": rows[0]["id"], "result": "astrology"},
                {"id": rows[1]["id"], "result": 5},
                *reversed(rows[2:]),
            ]
        return rows

    with template_service(LABELS, spoiled) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    run.refresh_from_db()
    assert run.state == RunState.SCORED
    said = "\n".join(map(str, run.findings))
    for wanted in (
        "batch 1: sentence 1 has no answer",
        "batch 1, resultsList[6]: no sentence of this batch has that id",
        "batch 1, resultsList[7]: sentence 2 was answered before",
        "batch 1, resultsList[8]: no sentence of this batch has that id",
        "batch 2, sentence 8: “astrology” is not a class of this task",
        "batch 2, resultsList[1]: the result of sentence 9 is not a label",
        "batch 2: the answers are in another order",
    ):
        assert wanted in said, wanted
    spoiled_items = {s.item for s in sentences_of(run) if s.number in {1, 2, 8, 9}} - {None}
    figures = Score.objects.get(run=run, split=Split.HIDDEN).figures
    by_class = [row["label"] for row in GOLD if str(row["id"]) not in spoiled_items]
    recall = sum(by_class.count(label) / 4 for label in set(LABELS.values())) / 6
    assert figures["macro_recall"] == pytest.approx(recall)


def test_a_failed_batch_is_asked_once_more_and_then_counted_wrong(tasks, team, settings):
    def failing(call, sentences):
        # The first batch fails once, the second twice.
        return web.Response(status=503) if call in {1, 3, 4} else None

    with template_service(LABELS, failing) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    run.refresh_from_db()
    first, second, *others = run.batches.all()
    assert (first.n_calls, first.failure, len(first.answers)) == (2, "", 7)
    assert (second.n_calls, second.failure, second.answers) == (2, "http_5xx", {})
    assert {batch.n_calls for batch in others} == {1}
    assert run.state == RunState.SCORED
    assert "batch 2: no answer: server error (http_5xx), so its sentences count as wrong" in str(run.findings[0])
    lost = {s.item for s in sentences_of(run) if 8 <= s.number <= 14} - {None}
    assert Score.objects.get(run=run, split=Split.HIDDEN).figures["macro_recall"] == pytest.approx(
        (24 - len(lost)) / 24
    )


def test_a_batch_that_is_late_is_cut_off_at_its_deadline(tasks, team, settings):
    async def late(call, sentences):
        if call <= 2:
            await asyncio.sleep(2)

    task = tasks["intents"]
    task.deadline_s = 0.2
    task.save()
    with template_service(LABELS, late) as service:
        run = started(task, team, service)
        work(settings, service)
    run.refresh_from_db()
    assert run.state == RunState.SCORED
    assert run.batches.get(number=1).failure == "timeout_first_byte"


def test_a_service_that_is_not_there_fails_the_run_and_uses_no_quota(tasks, team, settings):
    with template_service(LABELS) as service:
        pass
    run = started(tasks["intents"], team, service)
    work(settings, service)
    run.refresh_from_db()
    assert (run.state, run.fault) == (RunState.FAILED, "team")
    assert "connect" in run.message
    assert not Run.objects.using_quota().exists()


def test_what_a_failed_call_came_to_is_said_in_chinese_on_a_chinese_page(tasks, team, participant, settings):
    with template_service(LABELS, lambda call, _: web.Response(status=503) if call in {1, 2} else None) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    dead = started(tasks["intents"], team, service)
    work(settings, service)
    client = Client()
    client.force_login(participant)
    client.cookies["django_language"] = "zh-hans"
    for one in (run, dead):
        happened = one.batches.exclude(failure="").first().what_happened
        page = client.get(f"/campaigns/small/runs/{one.pk}/").content.decode()
        with translation.override("zh-hans"):
            said = str(happened)
        assert said != happened.in_english
        assert escape(happened.in_english) not in page
        assert page.count(escape(said)) >= 2, "in the list and in the table of calls"
        first = client.get(f"/api/v1/campaigns/small/runs/{one.pk}/batches/").json()[0]
        assert first["detail"] == said
    answer = client.get(f"/api/v1/campaigns/small/runs/{run.pk}/").json()
    with translation.override("zh-hans"):
        assert answer["warnings"][0].endswith(f"[{run.batches.get(number=1).what_happened}]")


def test_why_an_answer_is_none_is_said_in_chinese_on_a_chinese_page(tasks, team, participant, settings):
    def broken(call, _sentences):
        return web.Response(text='{"resultsList" []}', content_type="application/json") if call in {1, 2} else None

    with template_service(LABELS, broken) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    client = Client()
    client.force_login(participant)
    client.cookies["django_language"] = "zh-hans"
    page = client.get(f"/campaigns/small/runs/{run.pk}/").content.decode()
    assert "第 1 批, 第 1 行第 16 列: 不是 JSON" in page, "in the list of warnings"
    assert page.count("第 1 行第 16 列: 不是 JSON") == 2, "and in the table of calls"
    assert "line 1, column 16" not in page


def test_a_gold_that_changed_after_the_questions_is_the_platforms_failure(tasks, team, settings):
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        AutomaticTask.objects.filter(key="intents").update(gold=keep_file(b'{"id": 1, "content": "x", "label": "y"}'))
        work(settings, service)
    run.refresh_from_db()
    assert (run.state, run.fault, service.asked) == (RunState.FAILED, "platform", [])
    assert run.message == "The gold of the task was changed after this run asked its sentences. Start a new run."
    assert allowance_of(tasks["intents"], team, timezone.now()).left == 50


def test_a_call_that_the_platform_broke_off_is_asked_again_and_no_mistake_of_the_team(
    tasks, team, settings, monkeypatch
):
    n_broken = []

    async def broken_at_first(door, url, sentences, *, deadline_s, secret):
        if len(n_broken) < 2:
            n_broken.append(1)
            raise BotFailure(FailureKind.INTERRUPTED, sentence("The platform restarts."))
        return await label_sentences(door, url, sentences, deadline_s=deadline_s, secret=secret)

    monkeypatch.setattr(service_runs, "label_sentences", broken_at_first)
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    run.refresh_from_db()
    assert (run.state, run.n_attempts, run.warnings) == (RunState.SCORED, 2, [])
    assert Score.objects.get(run=run).figures["f1"] == 1.0


def test_a_kept_connection_that_broke_is_nobodys_fault_and_no_mistake_of_the_team(tasks, team, settings, monkeypatch):
    calls = []

    async def broken_in_the_second_batch(door, url, sentences, *, deadline_s, secret):
        calls.append(sentences[0][0])
        if calls.count(8) in {1, 2} and sentences[0][0] == 8:
            raise BotFailure(FailureKind.CONNECT, sentence("A kept connection broke: reset"), fault=Fault.NOBODY)
        return await label_sentences(door, url, sentences, deadline_s=deadline_s, secret=secret)

    monkeypatch.setattr(service_runs, "label_sentences", broken_in_the_second_batch)
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
    run.refresh_from_db()
    assert (run.state, run.n_attempts, run.warnings) == (RunState.SCORED, 2, [])
    assert calls == [1, 8, 8, 8, 15, 22, 29, 36]


def test_a_connection_that_breaks_each_time_fails_the_run_with_its_own_reason(tasks, team, settings, monkeypatch):
    async def broken(door, url, sentences, *, deadline_s, secret):
        raise BotFailure(FailureKind.CONNECT, sentence("A kept connection broke: reset"), fault=Fault.NOBODY)

    monkeypatch.setattr(service_runs, "label_sentences", broken)
    run = started(tasks["intents"], team, SimpleNamespace(url="http://127.0.0.1:9/"))
    work(settings)
    run.refresh_from_db()
    assert (run.state, run.fault, run.n_attempts) == (RunState.FAILED, "nobody", 3)
    assert run.message == "A call to the service failed through no fault of the team: no connection (connect)."
    assert not Run.objects.using_quota().exists()


def test_noise_that_cannot_be_read_starts_no_run_and_is_the_platforms_failure(tasks, team, organizer, settings):
    task = tasks["intents"]
    with template_service(LABELS) as service:
        run = started(task, team, service)
        work(settings, service)
        bad = keep_file(b'{"text": "a"}')
        AutomaticTask.objects.filter(pk=task.pk).update(noise=bad)
        with pytest.raises(NotAccepted) as refused:
            started(AutomaticTask.objects.get(pk=task.pk), team, service)
    assert refused.value.code == "noise"
    ServicePlan.objects.filter(run=run).update(noise=bad)
    client = Client()
    client.force_login(organizer)
    assert client.get(f"/campaigns/small/runs/{run.pk}/file/").status_code == 302
    interrupted_before_its_score_was_stored(run)
    work(settings)
    run.refresh_from_db()
    assert (run.state, run.fault) == (RunState.SCORED, "platform")
    assert run.message.startswith("The noise of the task cannot be read.\nline 1, content: is missing")


def test_the_address_guard_stands_before_services_too(tasks, team, settings):
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        assert work(settings) == 1
        assert service.asked == []
    run.refresh_from_db()
    assert "blocked_address" in run.message


def test_all_services_are_called_at_the_same_time(tasks, team, other_team, settings):
    # Each waits for the other's first call: one after the other, neither would ever be answered.
    meeting = threading.Barrier(2, timeout=60)

    async def wait(barrier):
        await asyncio.get_running_loop().run_in_executor(None, barrier.wait)

    def first_call(call, sentences):
        return wait(meeting) if call == 1 else None

    with template_service(LABELS, first_call) as one, template_service(LABELS, first_call) as other:
        register_service(task=tasks["intents"], team=team, url=one.url)
        register_service(task=tasks["intents"], team=other_team, url=other.url)
        runs, left_out = start_all_service_runs(task=tasks["intents"], person=None, at=timezone.now())
        assert (len(runs), left_out) == (2, {})
        assert work(settings, one, other) == 2
    assert not Run.objects.exclude(state=RunState.SCORED).exists()
    assert len({run.seed for run in runs}) == 2


def test_a_killed_run_goes_on_where_it_was(tasks, team, settings):
    with template_service(LABELS) as service:
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", service.port)})
        run = started(tasks["intents"], team, service)
        claimed = claim_run(worker="killed", lane="services", at=timezone.now())

        async def two_batches() -> None:
            door = Door(settings.OUTBOUND_ALLOW)
            asking = ServiceRun(claimed, door)
            for number, part in enumerate(batches(sentences_of_cached, 7)[:2], start=1):
                batch = await asking._ask_batch(number, part, "")
                await asyncio.to_thread(batch.save)
            await door.close()

        sentences_of_cached = sentences_of(claimed)
        asyncio.run(two_batches())
        Run.objects.filter(pk=run.pk).update(lease_until=timezone.now())
        assert work(settings, service) == 1
    assert [batch[0]["id"] for batch in service.asked] == [1, 8, 15, 22, 29, 36]
    run.refresh_from_db()
    assert (run.state, run.n_done, run.n_attempts) == (RunState.SCORED, 36, 2)


@pytest.mark.parametrize("act", [withdraw_service, send_back_service])
def test_a_queued_run_of_a_service_that_takes_no_part_any_more_calls_nothing(tasks, team, settings, act):
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        act(service=team.services.get(), because="The team asked for it.", by=None, at=timezone.now())
        assert work(settings, service) == 1
    run.refresh_from_db()
    assert (run.state, run.fault, service.asked) == (RunState.FAILED, "nobody", [])
    assert run.reasons == [NOT_CALLED.to_json()]
    assert not run.batches.exists()


@pytest.mark.parametrize(
    ("act", "n_calls", "state"), [(withdraw_service, 2, RunState.FAILED), (send_back_service, 6, RunState.SCORED)]
)
def test_a_run_under_way_ends_at_the_batch_after_a_withdrawal_and_goes_on_when_sent_back(
    tasks, team, settings, act, n_calls, state
):
    def stopped_in_the_second_batch(call, sentences):
        return asyncio.to_thread(stop) if call == 2 else None

    def stop():
        act(service=team.services.get(), because="The team asked for it.", by=None, at=timezone.now())
        connection.close()

    with template_service(LABELS, stopped_in_the_second_batch) as service:
        run = started(tasks["intents"], team, service)
        assert work(settings, service) == 1
    run.refresh_from_db()
    assert (run.state, len(service.asked)) == (state, n_calls)


def test_what_is_stored_of_a_withdrawn_service_is_scored_again(tasks, team, settings):
    with template_service(LABELS) as service:
        run = started(tasks["intents"], team, service)
        work(settings, service)
        withdraw_service(service=team.services.get(), because="The team asked for it.", by=None, at=timezone.now())
        score_again(run=run)
        assert work(settings, service) == 1
    run.refresh_from_db()
    assert (run.state, run.reasons, len(service.asked)) == (RunState.SCORED, [], 6)


def test_one_run_a_service_at_a_time_and_only_urls(tasks, team):
    kept = register_service(task=tasks["intents"], team=team, url="http://service.example.com:21628/smp2018_ecdt")
    start_service_run(service=kept, person=None, at=timezone.now())
    with translation.override("en"), pytest.raises(NotAccepted, match="under way"):
        start_service_run(service=kept, person=None, at=timezone.now())
    sockets = ("ws://service.example.com/", "wss://service.example.com/")
    for bad in (
        "",
        "ftp://x/",
        "javascript:alert(1)",
        "http://a b/",
        "http://x/" + "y" * 2000,
        "http://10.0.0.5/",
        *sockets,
    ):
        with pytest.raises(BadForm) as refused:
            register_service(task=tasks["intents"], team=team, url=bad)
        assert [problem.place for problem in refused.value.problems] == ["url"]


def test_the_secret_is_sent_with_each_batch_and_stored_nowhere_in_the_run(tasks, team, settings):
    secret = "s3cret-of-the-service"

    def echo(call, sentences):
        return [{"id": row["id"], "result": secret if call == 1 else "chat"} for row in sentences]

    with template_service(LABELS, echo, secret=secret) as service:
        kept = register_service(task=tasks["intents"], team=team, url=service.url, secret=secret)
        run = start_service_run(service=kept, person=None, at=timezone.now())
        assert work(settings, service) == 1
    run.refresh_from_db()
    assert (run.state, set(service.said)) == (RunState.SCORED, {f"Bearer {secret}"})
    stored = json.dumps([run.warnings, *run.batches.values_list("answers", "problems", "detail")])
    assert secret not in stored
    assert "***" in stored


def test_a_service_that_repeats_its_secret_in_an_error_tells_it_to_nobody(tasks, team, settings):
    with template_service(LABELS, secret="another") as service:
        kept = register_service(task=tasks["intents"], team=team, url=service.url, secret="s3cret-of-the-service")
        run = start_service_run(service=kept, person=None, at=timezone.now())
        work(settings, service)
    run.refresh_from_db()
    assert (run.state, run.fault) == (RunState.FAILED, "team")
    assert "http_4xx" in run.message
    assert "s3cret" not in run.message + json.dumps(list(run.batches.values_list("detail", flat=True)))


def test_a_run_sends_the_secret_to_no_server_but_the_registered_one(tasks, team, settings):
    with template_service(LABELS, secret="the-other-one") as old, template_service(LABELS) as new:
        kept = register_service(task=tasks["intents"], team=team, url=old.url, secret="of-the-old-one")
        start_service_run(service=kept, person=None, at=timezone.now())
        register_service(task=tasks["intents"], team=team, url=new.url, secret="the-other-one")
        assert work(settings, old, new) == 1
    assert (set(old.said), new.asked) == ({""}, [])


def test_a_secret_that_no_key_reads_fails_the_run_as_the_platforms_fault(tasks, team, settings):
    with template_service(LABELS) as service:
        kept = register_service(task=tasks["intents"], team=team, url=service.url, secret="s3cret")
        run = start_service_run(service=kept, person=None, at=timezone.now())
        settings.SECRET_KEY = "another" * 10
        work(settings, service)
    run.refresh_from_db()
    assert (run.state, run.fault, service.asked) == (RunState.FAILED, "platform", [])
    assert run.message.startswith("The platform can no longer read the secret of the service.")
