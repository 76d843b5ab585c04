"""Every sentence of the automatic tasks that can reach a page or the API reaches a Chinese reader in Chinese."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from automatic_tasks.actions import NotAccepted
from automatic_tasks.actions.refusals import SENTENCES
from participants.failures import FailureKind
from reading.checking import BadFile, Problems, json_lines, read_json

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    "automatic_tasks",
    "reading",
    "scoring",
    "campaigns",
    "leaderboards",
    "participants",
    "dialogues",
    "testing_console",
)
# The calls that take the text of a finding, and at which place.
TEXT_AT = {"note": 1, "Finding": 1, "Wrong": 0, "TooLong": 0}
MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop"}
CHINESE = re.compile(r"[\u4e00-\u9fff]")
# A frame of placeholders has no words of its own.
PLACEHOLDER = re.compile(r"\{\w*\}|%\(\w+\)[sd]")


def calls() -> Iterator[tuple[Path, ast.Call, str]]:
    """Every call in the rooms, with the name that is called. What verifies a bundle knows no Django, and its sentences are English."""
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        if not {"migrations", "commands", "verification"}.isdisjoint(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                yield path, node, name


def marked() -> set[str]:
    firsts = [node.args[0] for _, node, name in calls() if name in MARKS and node.args]
    texts = {first.value for first in firsts if isinstance(first, ast.Constant)}
    return {text for text in texts if re.search(r"\w", PLACEHOLDER.sub("", text))}


def test_every_marked_sentence_is_translated():
    sentences = marked()
    assert len(sentences) > 150
    with translation.override("zh-hans"):
        assert sorted(text for text in sentences if not CHINESE.search(translation.gettext(text))) == []


def test_no_sentence_is_noted_without_its_mark():
    """The text of a finding is a marked sentence or a name; a plain string would never be translated. A preflight's begins with its key."""
    n_noted = 0
    for path, node, name in calls():
        if name not in TEXT_AT or len(node.args) <= TEXT_AT[name] or path.name.endswith("preflight.py"):
            continue
        n_noted += 1
        text = node.args[TEXT_AT[name]]
        assert not isinstance(text, ast.Constant | ast.JoinedStr), f"{path.name}, line {node.lineno}"
    assert n_noted > 50


def test_the_codes_are_those_of_the_actions():
    firsts = [node.args[0] for _, node, name in calls() if name == "NotAccepted" and node.args]
    # A form without a file never becomes an act.
    assert {first.value for first in firsts if isinstance(first, ast.Constant)} == SENTENCES.keys() - {"no_file"}


@pytest.mark.parametrize("code", SENTENCES)
def test_every_reason_why_a_run_is_not_taken_has_a_sentence_in_both_languages(code):
    refused = NotAccepted(code, limit=5, limit_mb=32)
    with translation.override("en"):
        assert re.fullmatch(r"[A-Z].*\.", str(refused))
    with translation.override("zh-hans"):
        assert CHINESE.search(str(refused))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{a: 1}",
        b'{"a" 1}',
        b'{"a": 1 "b": 2}',
        b"{} {}",
        b'"\\x"',
        b'"\\u12"',
        b'"\x01"',
        b'"abc',
        b'{"a": 1, "a": 2}',
        b"[NaN]",
        b"[-Infinity]",
        b"[" * 50 + b"]" * 50,
        b"1" * 5000,
        b"\xff",
    ],
)
def test_why_a_file_is_no_json_is_said_in_chinese(text):
    problems = Problems()
    list(json_lines(b"[]\n" + text + b" \n", problems))
    with pytest.raises(BadFile) as bad, translation.override("zh-hans"):
        read_json(text)
    with translation.override("zh-hans"):
        for problem in (*bad.value.problems, *problems.listed()[1:]):
            _, _, reason = problem.message.rpartition("：")
            assert CHINESE.search(reason or problem.message), str(problem)


def test_every_kind_of_failed_call_has_a_word():
    with translation.override("zh-hans"):
        assert [kind for kind in FailureKind if not CHINESE.search(translation.gettext(kind.value))] == []
