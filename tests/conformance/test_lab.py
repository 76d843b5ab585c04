"""A healthy bot is green; every defect is found by the probe that looks for it."""

import asyncio
import json
from dataclasses import replace

import pytest

from conformance.examiner import Examiner
from conformance.guessing import Guess
from conformance.lab import agreement, check_bot
from conformance.probes import NAMES, PROBES, load
from conformance.probes.disturbances import errors
from conformance.probes.outcomes import Probe, passed
from conformance.results import Verdict, is_finished
from participants.adapters import ADAPTERS, BotAddress
from participants.outbound import Door, line
from reading.findings import sentence
from tests.conformance.checking import SMALL, allowed_of, checked, of, verdicts
from tests.fakes.defective_bots import answering_bot, defective_bot, streaming_bot
from tests.fakes.raw_bots import http, raw_bot

# What is wrong, the probe that finds it, how bad that is, and a word of its sentence.
DEFECTS = [
    ("html-error-page", "status", "fail", "500"),
    ("created", "status", "fail", "201"),
    ("redirect", "status", "fail", "307"),
    ("gzip", "status", "fail", "compressed"),
    ("hangs", "status", "fail", "No answer began"),
    ("html-page", "json", "fail", "Expecting value"),
    ("truncated-json", "json", "fail", "Unterminated string"),
    ("gbk", "charset", "fail", "UTF-8"),
    ("null-text", "schema", "fail", "text"),
    ("other-shape", "schema", "fail", "neither text nor texts"),
    ("mojibake", "chinese", "fail", "garbled"),
    ("question-marks", "chinese", "fail", "garbled"),
    ("empty-on-long", "long_input", "warn", "2000"),
    ("crashes-on-empty", "empty_input", "fail", "connect"),
    ("breaks-at-turn-20", "long_dialogue", "fail", "turn 20 of 22"),
    ("never-resets", "reset", "fail", "goes on"),
    ("shared-state", "isolation", "fail", "came back in another"),
    ("forgets", "memory", "fail", "forgot"),
    ("no-idempotency", "repeated_turn", "warn", "two different answers"),
    ("takes-garbage", "errors", "warn", "as if it were whole"),
    ("dies-of-garbage", "errors", "fail", "no longer answers"),
    ("drops-under-load", "parallel_declared", "fail", "dialogues at once: 8"),
    ("busy-under-load", "parallel_declared", "fail", "http_5xx"),
    ("mixed-up-under-load", "parallel_apart", "fail", "what was said in another"),
    ("dies-after-cancel", "cancelled_call", "fail", "no longer answers"),
]

ASKED = ("OPTIONS /", "GET /version")


def only(*names):
    return tuple(probe for probe in PROBES if probe.name in names)


def test_a_healthy_bot_passes_every_probe():
    with defective_bot() as bot:
        report = checked(bot.url)
    assert verdicts(report) == dict.fromkeys(NAMES, "pass")
    assert report.verdict is Verdict.PASS


def test_calls_that_run_out_under_load_break_off_no_check():
    with defective_bot() as bot:
        report = checked(bot.url, probes=only("parallel_declared"), n_calls=5)
    found = of(report, "parallel_declared")
    assert (str(found.verdict), "TooManyCalls" in found.sentence.in_english) == ("warn", True)


def test_more_than_a_check_has_at_once_is_said_not_to_be_tried(monkeypatch):
    monkeypatch.setattr(load, "PARALLEL_LIMIT", 4)
    with defective_bot() as bot:
        quick, declared_4 = (checked(bot.url, probes=only("parallel_declared"), parallel=n) for n in (8, 4))
        dropped = checked(bot.url, probes=only("parallel_declared"), parallel=8, n_calls=3)
    found = of(quick, "parallel_declared")
    assert str(found.verdict) == "warn"
    assert "with 4 dialogues at once" in found.sentence.in_english
    assert "declared are 8, which were not tried" in found.sentence.in_english
    assert str(of(declared_4, "parallel_declared").verdict) == "pass"
    assert "not tried" not in of(dropped, "parallel_declared").sentence.in_english


@pytest.mark.parametrize(("defect", "name", "verdict", "word"), DEFECTS, ids=[row[0] for row in DEFECTS])
def test_a_defect_is_found_by_its_probe(defect, name, verdict, word):
    with defective_bot(defect) as bot:
        report = checked(bot.url, probes=only(name, "parallel_declared"), deadline_s=0.4)
    found = of(report, name)
    assert found.verdict == verdict, found.sentence.in_english
    assert word in found.sentence.in_english
    assert found.curl.startswith("curl -sS -X POST")
    assert bot.url in found.curl
    assert report.verdict == verdict


def test_a_bot_that_takes_long_for_every_answer_is_too_slow():
    """12 s of the 30 s that a bot has, a hundred and fifty times as fast."""
    with defective_bot("slow", slow_s=0.08) as bot:
        report = checked(bot.url, probes=only("long_dialogue", "latency"), slow_ms=66, long_turns=5)
    assert of(report, "long_dialogue").verdict == "pass"
    assert of(report, "latency").verdict == "fail"
    assert "(answers: 5, dialogues at once: 1)" in of(report, "latency").sentence.in_english


@pytest.mark.parametrize(("defect", "verdict"), [("", "pass"), ("one-piece", "warn"), ("whole", "warn")])
def test_a_stream_that_is_none_is_told_from_one(defect, verdict):
    with streaming_bot(defect) as url:
        report = checked(url, "openai", probes=only("streaming"))
    assert of(report, "streaming").verdict == verdict


def test_what_breaks_at_the_first_word_ends_the_check():
    with defective_bot("null-text") as bot:
        report = checked(bot.url)
    assert [result.name for result in report.results][-1] == "schema"
    assert len(bot.bodies) == 1


def test_nobody_listens():
    report = checked("http://127.0.0.1:9/", deadline_s=0.4)
    assert verdicts(report)["reachable"] == "fail"
    assert verdicts(report)["address"] == "pass"


def test_a_check_that_takes_too_long_is_stopped_and_says_so():
    with defective_bot("slow", slow_s=0.1) as bot:
        report = checked(bot.url, total_s=0.5)
    assert report.results[-1].name == "time"
    assert report.verdict is Verdict.FAIL


def test_the_secret_is_sent_and_never_shown():
    with defective_bot("breaks-at-turn-20") as bot:
        report = checked(bot.url, secret="hush-hush", probes=only("long_dialogue"))
    shown = json.dumps([result.to_json() for result in report.results], ensure_ascii=False)
    assert "hush-hush" not in shown
    assert "***" in shown


def test_a_secret_in_the_body_of_a_mapping_is_hidden_in_every_request_that_is_shown():
    mapping = {
        "request": '{"key": "{{secret}}", "text": "{{text}}", "dialogue": "{{dialogue}}", "turn": "{{turn}}"}',
        "reply": "text",
    }
    with defective_bot("takes-garbage") as bot:
        report = checked(bot.url, "mapping", "hush-hush", mapping, probes=only("errors"))
    assert of(report, "errors").verdict == "warn"
    assert '{"key":"***"' in of(report, "errors").curl
    assert all("hush" not in result.curl for result in report.results)


@pytest.mark.parametrize("body", [b'{"text": "hush-hush"}', b'{"text": "a", "e": "hush-hush"}', b'["hush-hush"]'])
def test_a_secret_that_a_bot_repeats_is_hidden_in_every_sentence(body):
    mapping = {"request": '{"text": "{{text}}"}', "reply": "text", "error": "[0]", "end": "e"}
    with answering_bot(body) as url:
        report = checked(url, "mapping", "hush-hush", mapping, probes=())
    shown = json.dumps([result.to_json() for result in report.results], ensure_ascii=False)
    assert "hush" not in shown


def test_results_are_told_as_they_come():
    told = []
    with defective_bot() as bot:
        report = checked(bot.url, probes=only("chinese"), on_result=told.append)
    assert tuple(told) == report.results


def test_answers_that_speak_for_another_protocol_are_a_warning():
    other = agreement("huace/1", Guess({"rasa": "It says so."}, 2, ASKED))
    assert other.verdict is Verdict.WARN
    assert "rasa" in other.sentence.in_english
    assert agreement("openai-plain", Guess({"openai": "Its path."}, 2, ASKED)).verdict is Verdict.PASS
    assert agreement("huace/1", Guess({}, 0, ASKED)).verdict is Verdict.PASS


@pytest.mark.parametrize("clues", [{}, {"rasa": sentence("It says so.")}, {"huace/1": sentence("It says so.")}])
def test_whoever_checks_a_bot_reads_what_its_url_was_asked(clues):
    assert "OPTIONS /, GET /version" in agreement("huace/1", Guess(clues, 2, ASKED)).sentence.in_english
    assert "was asked nothing" in agreement("convlab", Guess()).sentence.in_english


def test_an_agent_that_a_get_would_end_is_asked_nothing_before():
    with defective_bot() as bot:
        checked(bot.url, "convlab")
    assert set(bot.methods) == {"POST"}


def test_a_bot_that_declares_many_is_asked_as_many_at_a_time():
    asked = []

    async def note(examiner):
        asked.append(examiner.bot.parallel)
        return passed("seen")

    with defective_bot() as bot:
        checked(bot.url, probes=[Probe("places", note)], parallel=300)
    assert asked == [300]


def checked_while_others_talk(others_s=None, **limits):
    """The bot answers one turn at a time; somebody has its place to the end, or for so long after the check began to wait.

    That time passes at once, by the clock of the event loop, so that real answers need not fit into less.
    """

    async def check(url):
        loop, passed_s = asyncio.get_running_loop(), [0.0]
        time = loop.time
        loop.time = lambda: time() + sum(passed_s)
        door = Door(allowed_of(url))
        bot, limited = BotAddress("huace/1", url, key="entry 1"), replace(SMALL, parallel=1, some_parallel=2, **limits)
        places = door.places_at(bot.key, 1)
        await places.take(door.line(1))

        async def leave():
            while not places.n_waiting:
                await asyncio.sleep(0.01)
            passed_s.append(others_s)
            places.give_back()

        leaving = asyncio.create_task(leave()) if others_s is not None else None
        try:
            bot = replace(bot, parallel=1)
            report = await check_bot(bot, door, ADAPTERS, limits=limited, guess=Guess(), probes=only("chinese"))
        finally:
            await door.close()
        assert leaving is None or leaving.done()
        return report

    with defective_bot() as bot:
        return asyncio.run(check(bot.url))


def test_a_check_that_waits_for_testers_has_all_its_time_left():
    report = checked_while_others_talk(25, total_s=20)
    assert set(verdicts(report).values()) == {"pass"}
    assert is_finished(report.results)


def test_a_check_that_waits_for_testers_too_long_is_not_finished_and_has_not_failed():
    report = checked_while_others_talk(total_s=10, total_wait_s=0.2)
    assert verdicts(report)["unfinished"] == "warn"
    assert "Probes not tried: 1." in of(report, "unfinished").sentence.in_english
    assert not is_finished(report.results)
    assert report.verdict is Verdict.WARN


def test_a_first_word_that_cannot_be_asked_is_no_failure_of_the_bots(monkeypatch):
    monkeypatch.setattr(line, "OWN_WAIT_LIMIT_S", 0.1)
    report = checked_while_others_talk()
    assert verdicts(report) == {"protocol": "pass", "unfinished": "warn"}
    assert "not to blame" in of(report, "unfinished").sentence.in_english


async def test_half_a_request_waits_for_a_place_as_a_turn_does():
    async with raw_bot(http(b"", status="400 Bad Request"), http(b'{"text": "ok"}')) as raw:
        door = Door(allowed_of(raw.url))
        bot = BotAddress("huace/1", raw.url, parallel=1, key="entry 1")
        places = door.places_at(bot.key, 1)
        await places.take(door.line(1))
        asking = asyncio.create_task(errors(Examiner(bot, door, ADAPTERS, SMALL)))
        await asyncio.sleep(0.1)
        before = (places.n_waiting, raw.n_connections)
        places.give_back()
        found = await asking
        await door.close()
    assert before == (1, 0)
    assert (found.verdict, len(raw.asked)) == (Verdict.PASS, 2)
