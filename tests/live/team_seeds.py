"""What the pages of teams, of their organizer and of services show in browser tests: failures, reports of the lab, practice, data, applications."""

from datetime import timedelta
from uuid import uuid4

from django.core.files.base import ContentFile

from accounts.models import Person
from automatic_tasks.checked_services import SERVICES
from automatic_tasks.models import Service
from campaigns.access import team_of
from campaigns.models import Campaign, Role, Scenario
from campaigns.origins import Origin
from conformance import label_services
from conformance.actions import ask_check, claim_check, end_check
from conformance.canary_calls import CALL_FAILED
from conformance.models import Check
from conformance.probes import disturbances, first_word, load, memory, texts
from conformance.results import Result, Verdict
from conformance.system_kinds import BOTS
from dialogues.actions import open_dialogue, record_failure, take_turn
from dialogues.actions.opening import open_practice
from dialogues.actions.reports import flag_turn, report_problem
from dialogues.models import Dialogue
from notifications.models import Delivery, Event
from notifications.postman import ANSWERED
from participants import failure_sentences as sentences
from participants.failures import BotFailure, FailureKind
from reading.findings import Finding, sentence
from registration.actions import accept_agreement, apply_for_place, refuse_application, upload_package, write_agreement
from registration.application_form import read_application
from tests.live.talking import Admitted, moment, talk

PRACTICE = (
    ("你好，我想试一下订票", "您好！请问从哪里到哪里？", 800),
    ("北京到上海，明天", "明天北京到上海有 3 个航班，最早 09:10 起飞，610 元。要订吗？", 1900),
)
SLOW = (("查一下从广州去成都的飞机票", "请问您哪天出发？", 6200), ("后天下午", "后天下午有 2 个航班，580 元起。", 2100))
FAILED = ("要经济舱", "就订最便宜的", "那就换一班")


def webhook_messages(campaign, organizer):
    """A webhook with a message that arrived, one that is tried again, and one that was given up."""
    hook = campaign.webhooks.create(
        url="https://hooks.example.org/huace",
        kinds=["bot.paused", "board.published"],
        made_by=organizer,
        made_at=moment(0),
    )
    answers = (
        ("bot.paused", "sent", 1, sentence(ANSWERED, status=204)),
        ("check.failed", "waiting", 2, sentence(ANSWERED, status=503)),
        ("board.published", "failed", 7, sentence(sentences.NO_ANSWER_IN_TIME, seconds=15)),
    )
    for number, (kind, state, n_tries, answer) in enumerate(answers):
        at = moment(number)
        event = Event.objects.create(key=f"seed:{number}", kind=kind, at=at, campaign=campaign)
        Delivery.objects.create(
            event=event, webhook=hook, path="/", state=state, n_tries=n_tries, made_at=at, next_try_at=at,
            ended_at=None if state == "waiting" else at, answer=answer.to_json(),
        )  # fmt: skip


def team_pages():
    """What stands for each name in the addresses of these pages."""
    campaign = Campaign.objects.get(slug="smp2018-demo")
    organizer, participant = (Person.objects.get(username=name) for name in ("organizer", "participant"))
    own = campaign.entries.get(key="booking")
    # Tests of every page open dialogues of the same few testers.
    Campaign.objects.filter(pk=campaign.pk).update(
        releases_transcripts=True, takes_applications=True, open_dialogues_per_tester=100
    )
    data_and_agreement(campaign, organizer, participant)
    applications(campaign)
    fingerprints(own)
    webhook_messages(campaign, organizer)
    objections(own, participant, organizer)
    takes_part_where_it_is_published(participant)
    return (
        replays(own, participant, organizer)
        | own_replays(own, participant)
        | {
            "own_bot": own.pk,
            "other_bot": campaign.entries.get(key="flights").pk,
            "report": report(own, participant).pk,
            "green_report": report(own, participant, is_green=True).pk,
            "report_of_organizer": running_report(campaign.entries.get(key="flights"), organizer).pk,
            "practice": practice(campaign, own, participant).pk,
            "with_failures": with_failures(campaign).pk,
            "assignment": not_begun(campaign).pk,
            "tester": Person.objects.get(username="tester-2").pk,
        }
    )


def objections(own, participant, organizer):
    """One that waits for its answer, and one that has it."""
    ended = Dialogue.objects.filter(assignment__entry=own).exclude(closed_at=None).order_by("opened_at", "pk")[0]
    said = {"made_by": participant, "made_at": moment(1)}
    ended.objections.create(against="scores", text="第 2 轮已经订好了，完成度却记为未完成。", **said)
    answer = {"is_upheld": False, "answer": "日志显示接口超时。", "answered_by": organizer, "answered_at": moment(2)}
    ended.objections.create(against="fault", text="我们的服务当时有应答。", **said, **answer)


def replays(own, participant, organizer):
    """One that answers otherwise from its second turn on, one that was stopped, and three days of the sentinel."""
    ended = Dialogue.objects.filter(assignment__entry=own).exclude(closed_at=None).order_by("opened_at", "pk")[0]
    lines = list(ended.turns.order_by("number"))
    replay = replayed(ended, own, asked_by=organizer)
    ended.replays.create(against=own, asked_by=organizer, asked_at=moment(5), n_lines=len(lines), state="stopped")
    for day, drift in enumerate((0.04, 0.07, 0.52)):
        at = moment(day)
        own.sentinel_rounds.create(
            began_at=at, ended_at=at, n_canaries=3, distance=drift + 0.1, spread=0.1, drift=drift, limit_percent=30,
            is_flagged=drift > 0.3,
        )  # fmt: skip
    return {"replay": replay.pk, "replayed": ended.pk, "replayed_alias": own.alias}


def replayed(ended, own, **asked):
    lines = list(ended.turns.order_by("number"))
    replay = ended.replays.create(
        against=own, asked_at=moment(0), began_at=moment(0), ended_at=moment(1), n_lines=len(lines), state="done", n_attempts=1,
        n_turns=len(lines), n_changed=len(lines) - 1, parts_at=2, distance=0.41, protocol=own.protocol, **asked,
    )  # fmt: skip
    for turn in lines:
        texts = turn.texts if turn.number == 1 else [f"{text}需要我为您预订吗？" for text in turn.texts]
        failed = {"outcome": "failure", "kind": "timeout_total", "fault": "bot"}
        said = {"outcome": "reply", "texts": texts, "latency_ms": 640} if turn.number < 4 else failed
        replay.turns.create(turn=turn, attempt=1, number=turn.number, ended_at=moment(1), **said)
    return replay


def own_replays(own, participant):
    """A team reads its replays where the leaderboard is published and what was said is released: the dialogue is had there, too."""
    published = Campaign.objects.get(slug="smp2018")
    Campaign.objects.filter(pk=published.pk).update(releases_transcripts=True)
    ended = Dialogue.objects.filter(assignment__entry=own).exclude(closed_at=None).order_by("opened_at", "pk")[0]
    turns, scenario, entry = list(ended.turns.all()), ended.assignment.scenario, published.entries.order_by("pk")[0]
    scenario.pk, scenario.campaign = None, published
    scenario.save(force_insert=True)
    ended.assignment = published.assignments.create(
        tester=ended.tester, entry=entry, scenario=scenario, repetition=1, position=1, is_drawn=False,
        started_at=ended.opened_at,
    )  # fmt: skip
    ended.pk = uuid4()
    ended.save(force_insert=True)
    for turn in turns:
        turn.pk, turn.dialogue = None, ended
        turn.save(force_insert=True)
    return {"own_replay": replayed(ended, entry, asked_by=participant, is_of_team=True).pk}


def takes_part_where_it_is_published(participant):
    """The participant belongs to the team of one system of the published campaign, too, as if it had been entered."""
    published = Campaign.objects.get(slug="smp2018")
    own = published.entries.order_by("pk")[0]
    published.entries.filter(pk=own.pk).update(origin=Origin.PAGE)
    published.roles.create(person=participant, role=Role.PARTICIPANT)
    published.team_members.create(person=participant, team=own.bot.team)


def not_begun(campaign):
    """Of one part, as the transcripts that are shown are of several: a plan's order is secret, so a first one may be any."""
    several = campaign.scenarios.filter(subtasks__position=2)
    return (
        campaign.assignments.filter(tester__username="tester-3", started_at=None)
        .exclude(scenario__in=several)
        .order_by("pk")[0]
    )


def with_failures(campaign):
    """A dialogue whose bot was slow, then failed in several ways: one turn was asked again, one is marked and reported."""
    assignment = (
        campaign.assignments.filter(tester__username="tester-2", entry__key="flights").in_order().with_names()[0]
    )
    dialogue = open_dialogue(assignment=assignment, at=moment(0))
    clock = iter(range(1, 100))
    talk(dialogue, SLOW, clock)
    failures = (
        BotFailure(FailureKind.HTTP_5XX, sentence(sentences.STATUS, status=502), status=502, evidence="<html><h1>502 Bad Gateway</h1></html>"),
        BotFailure(FailureKind.BAD_SHAPE, Finding("body.choices", "is missing"), status=200, evidence='{"error": "模型正在加载"}'),
        BotFailure(FailureKind.TIMEOUT_FIRST_BYTE, sentence(sentences.NO_ANSWER_IN_TIME, seconds="15")),
    )  # fmt: skip
    for said, failure in zip(FAILED, failures, strict=True):
        taken = take_turn(
            dialogue_id=dialogue.pk, admission=Admitted(dialogue.tester_id), key=said, text=said, at=moment(next(clock)),
            owner="seeds",
        )  # fmt: skip
        failure.latency_ms = 1500 if failure.status else 15_000
        record_failure(asked=taken.asked, failure=failure, at=moment(next(clock)))
    dialogue.refresh_from_db()
    turn = dialogue.turns.get(number=2)
    flag_turn(turn=turn, at=moment(next(clock)))
    text = "票价和目标里给的对不上，请看一下。"
    report_problem(dialogue=dialogue, person=dialogue.tester, turn=turn, text=text, at=moment(next(clock)))
    return dialogue


def of_bot(*, is_green):
    """What the lab finds of a bot that answers well, and of one whose dialogues are mixed up."""
    said = [
        ("tls", "warn", first_word.SECRET_IN_CLEAR, {}),
        ("words", "pass", first_word.SAYS, {"said": "您好！我可以帮您订机票、火车票和酒店。"}),
        ("chinese", "pass", texts.NOT_GARBLED, {}),
        ("emoji", "pass", texts.EMOJI_KEPT, {}),
        ("long_input", "pass", texts.LONG_IS_FINE, {"n": 2000}),
        ("long_dialogue", "pass", memory.ALL_TURNS, {"n": 30}),
        ("streaming", "pass", disturbances.NOT_STREAMED, {}),
        ("latency", "pass", load.QUICK, {"p50": 820, "p95": 1940, "n": 12, "dialogues": 1}),
    ]
    if not is_green:
        said[7:7] = [
            ("isolation", "fail", memory.MIXED_UP, {"name": "海淀知春路"}),
            ("repeated_turn", "warn", memory.OTHER_ANSWER, {}),
        ]
    return said


def results_of(said):
    curl = """curl -X POST http://127.0.0.1:8101/ -H 'Content-Type: application/json' --data-binary '{"protocol":"huace/1","dialogue":"lab-7","turn":2,"text":"你好"}'"""
    return [
        Result(name, Verdict(verdict), Finding("", text, values), "" if verdict == "pass" else curl, 40 + 90 * n)
        for n, (name, verdict, text, values) in enumerate(said)
    ]


def report(entry, by, *, is_green=False):
    at = moment(40 if is_green else 20)
    asked = ask_check(BOTS, system=entry, by=by, at=at)
    check = claim_check(BOTS, worker="seeds", at=at + timedelta(seconds=1))
    assert check == asked
    end_check(
        BOTS, check=check, worker="seeds", results=results_of(of_bot(is_green=is_green)), at=at + timedelta(seconds=48)
    )
    return check


def running_report(entry, by):
    """A check that goes on for as long as one looks: its worker's lease lasts."""
    asked = ask_check(BOTS, system=entry, by=by, at=moment(50))
    Check.objects.filter(pk=asked.pk).update(
        state="running", worker="seeds", began_at=moment(50), lease_until=moment(50) + timedelta(days=1), n_attempts=1,
        results=[result.to_json() for result in results_of(of_bot(is_green=True)[:6])],
    )  # fmt: skip
    return asked


def fingerprints(entry):
    """The reference, one as then, one that could not be taken, and one that differs."""
    said = {"protocol": entry.protocol, "url": entry.url, "version": "booking 1.2"}
    for days, more in (
        (3, {"answers": [["您好"]], "is_reference": True}),
        (2, {"answers": [["您好"]]}),
        (1, {"failure": sentence(CALL_FAILED, failure="connect", detail="nobody listens at this address").to_json()}),
        (0, {"answers": [["欢迎光临"]], "differs": [0]}),
    ):
        entry.fingerprints.create(taken_at=moment(30) - timedelta(days=days), **said, **more)


def practice(campaign, entry, person):
    """A scenario to practise on, and the team's talk with its own bot about it."""
    scenario = Scenario.objects.create(
        campaign=campaign, key="practice-flight", position=100, is_practice=True, title_zh="练习：订一张机票", title_en="Practice: a flight",
        opening="我想订机票", opening_en="I want a flight", instructions_zh="订明天从北京到上海的机票，票价不超过 700 元。",
        instructions_en="Book a flight from Beijing to Shanghai, tomorrow, for at most 700 yuan.",
        facts={"flight": {"from": "北京", "to": "上海", "date": "明天"}},
    )  # fmt: skip
    scenario.subtasks.create(position=1, kind="flight", turn_cap=10)
    dialogue = open_practice(entry=entry, scenario=scenario, person=person, at=moment(60))
    talk(dialogue, PRACTICE, iter(range(61, 100)))
    return dialogue


def data_and_agreement(campaign, organizer, participant):
    agreed = write_agreement(
        campaign=campaign, by=organizer, at=moment(1), text_zh="数据只用于本次评测。\n评测结束后请删除全部副本。",
        text_en="The data is for this evaluation alone.\nPlease delete every copy once it is over.",
    )  # fmt: skip
    accept_agreement(
        campaign=campaign, team=team_of(participant, campaign), person=participant, version=agreed.version, at=moment(2)
    )
    upload_package(
        campaign=campaign,
        file_name="smp2018-train.zip",
        content=ContentFile(b"PK" * 40_000),
        about="训练集 train set",
        by=organizer,
        at=moment(3),
    )


def applications(campaign):
    """One that waits and one that was refused; both applicants see what became of theirs."""
    for username, name in (("applicant", "复旦大学 KELAB 二队"), ("refused-applicant", "测试队")):
        said = {
            "name_zh": name,
            "name_en": f"Team of {username}",
            "affiliation": "复旦大学",
            "contact": "kelab@example.com",
        }
        form = read_application(said | {"members": ["张三", "李四"]})
        made = apply_for_place(
            campaign=campaign, applicant=Person.objects.create_user(username), form=form, at=moment(4)
        )
        if username == "refused-applicant":
            refuse_application(application=made, by=None, because="请用学校邮箱申请。", at=moment(5))


def service_pages():
    """What stands for each name in the addresses of these pages: the service that the demo's tasks name."""
    service = Service.objects.get(task__campaign__slug="smp2018-demo", task__key="intents")
    service_report(service, moment(20), warns=True)
    service_fingerprints(service)
    return {"service": service.pk, "service_report": service_report(service, moment(40)).pk}


def of_service(*, warns):
    """What the lab finds of a service that labels well, and of one that answers half a request."""
    return [
        ("reachable", "pass", first_word.RIGHT["reachable"], {}),
        ("labels", "pass", label_services.LABELLED, {"labels": "chat, flight, train"}),
        ("batch", "pass", label_services.BATCH_IS_FINE, {"n": 6, "took_ms": 120}),
        ("errors", "warn", disturbances.TOOK_IT, {})
        if warns
        else ("errors", "pass", disturbances.REFUSED, {"status": 400}),
        ("latency", "pass", load.QUICK, {"p50": 20, "p95": 44, "n": 10, "dialogues": 1}),
    ]


def service_report(service, at, *, warns=False):
    asked = ask_check(SERVICES, system=service, by=None, at=at)
    check = claim_check(SERVICES, worker="seeds", at=at + timedelta(seconds=1))
    assert check == asked
    end_check(
        SERVICES,
        check=check,
        worker="seeds",
        results=results_of(of_service(warns=warns)),
        at=at + timedelta(seconds=12),
    )
    return check


def service_fingerprints(service):
    """The reference, and one that differs."""
    said = {"protocol": service.protocol, "url": service.url}
    for days, more in (
        (2, {"answers": [["flight"]], "is_reference": True}),
        (1, {"answers": [["chat"]], "differs": [0]}),
    ):
        service.fingerprints.create(taken_at=moment(30) - timedelta(days=days), **said, **more)
