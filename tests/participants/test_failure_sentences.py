"""What is said of failed calls and of clues: a sentence and its values, so that each reader gets all of it in their language."""

import ast
import re
from pathlib import Path

import pytest
from django.utils import translation

from conformance.canary_calls import CALL_FAILED, HELD_UP, NOT_IN_TIME, SECRET_LOST
from participants import failure_sentences
from participants.adapters.calls import TOO_LARGE
from participants.adapters.echoes import NAMES_ANOTHER
from reading.findings import Finding, sentence

ROOT = Path(__file__).resolve().parents[2]
SAYING = ["participants", "dialogues", "testing_console", "conformance", "automatic_tasks", "reviews"]
SENTENCES = [
    *(text for name, text in vars(failure_sentences).items() if name.isupper() and isinstance(text, str)),
    CALL_FAILED,
    HELD_UP,
    NOT_IN_TIME,
    SECRET_LOST,
]
# Three words of small letters in a row are English; names and what servers said are shorter here.
ENGLISH = re.compile(r"[A-Za-z']+ [a-z']+ [a-z']+")
# What a service's labels lack is told with its file.
NO_BOT_CALLS = {"smp2018_task1.py"}


def filled(text) -> Finding:
    return sentence(text, **dict.fromkeys(re.findall(r"%\((\w+)\)s", text), "7"))


@pytest.mark.parametrize("text", SENTENCES)
def test_every_sentence_has_its_chinese(text):
    with translation.override("zh-hans"):
        said = str(filled(text))
    if text != CALL_FAILED:
        assert re.search(r"[\u4e00-\u9fff]", said)
    assert not ENGLISH.search(said)


def texts_with_values_in(source) -> set[str]:
    """The texts that findings fill in, as they are marked for translation."""
    return {
        call.args[0].value
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "gettext_noop"
        if "%(" in call.args[0].value
    }


def test_what_adapters_say_of_an_answer_has_its_chinese():
    texts = set()
    for file in sorted((ROOT / "participants" / "adapters").rglob("*.py")):
        if file.name not in NO_BOT_CALLS:
            texts |= texts_with_values_in(file.read_text())
    assert {NAMES_ANOTHER, TOO_LARGE} <= texts
    with translation.override("zh-hans"):
        for text in texts:
            assert re.search(r"[\u4e00-\u9fff]", filled(text).message), text


def test_sentences_around_a_sentence_are_translated_with_it():
    inner = sentence(failure_sentences.NO_ANSWER_IN_TIME, seconds="30")
    stood_still = sentence(failure_sentences.STOOD_STILL, said=inner)
    assert stood_still.in_english == "No answer began within 30 s. Our own process stood still meanwhile."
    with translation.override("zh-hans"):
        assert str(inner) in str(stood_still)
        assert not ENGLISH.search(str(stood_still))
    assert Finding.from_json(stood_still.to_json()) == stood_still


@pytest.mark.parametrize(
    "received",
    [
        "Connection reset by peer",
        # Sentences of ours in a bot's mouth: read back, they were told as what the platform found.
        "No answer began within 30 s.",
        "Wrong. Our own process stood still meanwhile.",
        "100 %(received)s",
    ],
)
def test_what_a_bot_said_stays_as_it_is(received):
    told = Finding.from_json(sentence(failure_sentences.ITS_ERROR, received=received).to_json())
    with translation.override("zh-hans"):
        assert str(told) == f"系统回答了一个错误，收到的原文：{received}"
    assert told.in_english == f"The system answered with an error: {received}"


def details_written_in(path) -> list[str]:
    """The details of failures that are written down where they are raised, as texts that no catalogue knows."""
    return [
        f"{path}:{call.lineno}"
        for call in ast.walk(ast.parse((ROOT / path).read_text()))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in {"sentence", "BlockedAddress"} and call.args
        if isinstance(call.args[0], ast.JoinedStr) or isinstance(getattr(call.args[0], "value", None), str)
    ]


def test_every_failure_takes_its_sentence_from_those_that_are_marked_for_translation():
    files = [str(file.relative_to(ROOT)) for room in SAYING for file in sorted((ROOT / room).rglob("*.py"))]
    assert len(files) > 100
    assert [place for file in files for place in details_written_in(file)] == []


def test_the_look_at_the_files_sees_a_written_detail(tmp_path, monkeypatch):
    (tmp_path / "x.py").write_text(
        'raise BotFailure(KIND, sentence(f"It took {n} s."))\nraise BotFailure(KIND, sentence(sentences.LATE))\n'
    )
    monkeypatch.setattr("tests.participants.test_failure_sentences.ROOT", tmp_path)
    assert details_written_in("x.py") == ["x.py:1"]
