"""What is said of failed calls and of clues: known, so that a Chinese page shows all of it in Chinese."""

import ast
import re
from pathlib import Path

import pytest
from django.utils import translation

from participants import clue_sentences, failure_sentences
from participants.adapters.echoes import NAMES_ANOTHER
from participants.adapters.states import TOO_LARGE
from scoring.findings import Finding, sentence_in_words

ROOT = Path(__file__).resolve().parents[2]
SAYING = ["participants", "testing_console/live", "testing_console/actions", "conformance", "automatic_tasks"]
SENTENCES = [
    text
    for module in (failure_sentences, clue_sentences)
    for name, text in vars(module).items()
    if name.isupper() and isinstance(text, str)
]
# Three words of small letters in a row are English; names and what servers said are shorter here.
ENGLISH = re.compile(r"[A-Za-z']+ [a-z']+ [a-z']+")
# What the tester or the organizer did to a turn is no failure of a call, and no page shows its detail.
ELSEWHERE = {"testing_console/actions/closing.py"}

# What a service's labels lack is stored as it was found, not as a sentence.
NO_BOT_CALLS = {"smp2018_task1.py"}


def filled(text) -> str:
    return text % dict.fromkeys(re.findall(r"%\((\w+)\)s", text), "7")


@pytest.mark.parametrize("text", SENTENCES)
def test_a_stored_sentence_is_chinese_on_a_chinese_page(text):
    stored = filled(text)
    with translation.override("en"):
        assert sentence_in_words(stored) == stored
    with translation.override("zh-hans"):
        said = sentence_in_words(stored)
    assert re.search(r"[\u4e00-\u9fff]", said)
    assert not ENGLISH.search(said)


@pytest.mark.parametrize("text", failure_sentences.OF_ANSWERS)
def test_a_stored_finding_is_chinese_with_its_place(text):
    values = {name: "a text" if name == "kind" else "7" for name in re.findall(r"%\((\w+)\)s", text)}
    finding = Finding("body", text, values)
    with translation.override("zh-hans"):
        assert sentence_in_words(finding.in_english) == str(finding)
        assert str(finding).startswith("正文") or not str(finding).startswith("body")


def texts_with_values_in(source) -> set[str]:
    """The texts that findings fill in, as they are marked for translation."""
    return {
        call.args[0].value
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "gettext_noop"
        if "%(" in call.args[0].value
    }


def test_what_adapters_say_of_an_answer_is_chinese_again_where_it_was_stored():
    texts = set()
    for file in sorted((ROOT / "participants" / "adapters").rglob("*.py")):
        if file.name not in NO_BOT_CALLS:
            texts |= texts_with_values_in(file.read_text())
    assert {NAMES_ANOTHER, TOO_LARGE} <= texts
    with translation.override("zh-hans"):
        for text in texts:
            finding = Finding("body", text, dict.fromkeys(re.findall(r"%\((\w+)\)s", text), "7"))
            assert sentence_in_words(finding.in_english) == str(finding)
            assert re.search(r"[\u4e00-\u9fff]", finding.message), text


def test_sentences_around_a_sentence_are_translated_with_it():
    inner = failure_sentences.NO_ANSWER_IN_TIME % {"seconds": "30"}
    with translation.override("zh-hans"):
        said = sentence_in_words(failure_sentences.STOOD_STILL % {"said": inner})
        assert sentence_in_words(inner) in said
        assert not ENGLISH.search(said)


def test_what_a_server_said_stays_as_it_is():
    with translation.override("zh-hans"):
        assert "Connection reset by peer" in sentence_in_words("The connection broke: Connection reset by peer")
        assert sentence_in_words("my own words: here") == "my own words: here"


def details_written_in(path) -> list[str]:
    """The details of failures that are written down where they are raised."""
    return [
        f"{path}:{call.lineno}"
        for call in ast.walk(ast.parse((ROOT / path).read_text()))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "BotFailure" and len(call.args) > 1
        if isinstance(call.args[1], ast.JoinedStr) or isinstance(getattr(call.args[1], "value", None), str)
    ]


def test_every_failure_takes_its_sentence_from_those_that_are_known():
    files = [
        str(file.relative_to(ROOT))
        for room in SAYING
        for file in sorted((ROOT / room).rglob("*.py"))
        if str(file.relative_to(ROOT)) not in ELSEWHERE
    ]
    assert len(files) > 100
    assert [place for file in files for place in details_written_in(file)] == []


def test_the_look_at_the_files_sees_a_written_detail(tmp_path, monkeypatch):
    (tmp_path / "x.py").write_text(
        'raise BotFailure(KIND, f"It took {n} s.")\nraise BotFailure(KIND, sentences.LATE)\n'
    )
    monkeypatch.setattr("tests.participants.test_failure_sentences.ROOT", tmp_path)
    assert details_written_in("x.py") == ["x.py:1"]
