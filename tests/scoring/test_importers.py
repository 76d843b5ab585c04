import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from reading.checking import BadFile, Problems
from scoring.importers import IMPORTERS, smp2018_noise, smp2018_task1
from scoring.ntcir_files import SCORES, baselines, distribution, read_gold, senders_of, vote
from scoring.task_types import TASK_TYPES
from scoring.task_types.contract import Gold
from tests.conftest import reference
from tests.scoring.conftest import EXAMPLES, content_of


def lines(content: bytes):
    return [json.loads(line) for line in content.splitlines()]


def test_sentences_of_smp_are_read_however_they_are_laid_out():
    wanted = [
        {"id": 0, "content": "今天会下雨吗", "label": "weather"},
        {"id": 1, "content": "放首歌", "label": "music"},
    ]
    by_key = json.dumps(
        {"0": {"query": "今天会下雨吗", "label": "weather"}, "1": {"query": "放首歌", "label": "music"}}
    )
    assert lines(smp2018_task1(by_key.encode())) == wanted
    listed = [{"id": 0, "content": "今天会下雨吗", "label": "weather"}, {"id": 1, "query": "放首歌", "label": "music"}]
    assert lines(smp2018_task1(json.dumps(listed).encode())) == wanted
    assert lines(smp2018_task1("\n".join(map(json.dumps, listed)).encode())) == wanted


def test_imported_sentences_are_a_gold_file():
    task_type = TASK_TYPES["intent-classification"]
    content = smp2018_task1(content_of("intent-classification/gold.jsonl"))
    assert task_type.read_gold(content, task_type.default_options()).items.keys() == {str(n) for n in range(1, 25)}


def test_noise_is_read_from_plain_lines_and_from_sentences():
    assert lines(smp2018_noise("嗯嗯\n\n 再说一遍 \n".encode())) == [
        {"id": 1, "content": "嗯嗯"},
        {"id": 2, "content": "再说一遍"},
    ]
    with_labels = lines(smp2018_noise(content_of("intent-classification/gold.jsonl")))
    assert len(with_labels) == 24
    assert set(with_labels[0]) == {"id", "content"}


@pytest.mark.parametrize("source", list(IMPORTERS))
@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'[{"id": 1}]', b"[7]", b'{"0": 5}'])
def test_what_cannot_be_imported_is_said_in_words(source, content):
    with pytest.raises(BadFile) as bad:
        IMPORTERS[source](content)
    assert bad.value.problems


def test_ntcir_dialogues_come_out_as_gold_of_both_tasks():
    content = IMPORTERS["ntcir"](content_of("dialogue-quality/gold.json"))
    assert json.loads(content) == json.loads(content_of("dialogue-quality/gold.json"))


def test_track_2_dialogues_come_out_with_kb_and_goal():
    prepared = IMPORTERS["mobilecs-track2"](reference("seretod", "example.json").read_bytes())
    task_type = TASK_TYPES["task-oriented-dialogue"]
    options = task_type.default_options()
    derived = task_type.read_gold(reference("seretod", "example.json").read_bytes(), options)
    assert task_type.read_gold(prepared, options).items == derived.items


def test_the_command_writes_a_gold_file(tmp_path):
    out = tmp_path / "gold.json"
    source = EXAMPLES / "information-extraction" / "gold.json"
    call_command("import_gold", "mobilecs", source, output=out, stderr=StringIO())
    assert json.loads(out.read_text()) == json.loads(source.read_text())
    with pytest.raises(CommandError, match="was not imported"):
        call_command("import_gold", "ntcir", source)


def said(problems: Problems) -> list[str]:
    return [str(problem) for problem in problems.listed()]


def test_a_distribution_is_in_the_order_of_the_classes_and_sums_to_one():
    assert distribution({"-2": 1, "2": 3}, SCORES, "", Problems()) == [0.75, 0, 0, 0, 0.25]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([], "[0].A: must be an object, not a list"),
        ({"3": 1}, "[0].A.3: is not one of 2, 1, 0, -1, -2"),
        ({"2": "1"}, "[0].A.2: must be a number, not a text"),
        ({"2": True}, "[0].A.2: must be a number, not true or false"),
        ({"2": -0.5}, "[0].A.2: must be a probability, not -0.5"),
        ({"2": 1e13}, "[0].A.2: must be a probability, not 10000000000000.0"),
        ({"2": 0}, "[0].A: has no positive probability"),
        ({}, "[0].A: has no positive probability"),
    ],
)
def test_what_is_no_distribution_is_named(value, problem):
    problems = Problems()
    assert distribution(value, SCORES, "[0].A", problems) is None
    assert said(problems) == [problem]


def test_votes_are_counted_by_class_whether_written_as_number_or_text():
    votes, problems = [0.0] * 5, Problems()
    for label in (2, "2", -2):
        vote(votes, label, SCORES, "x", problems)
    assert (votes, said(problems)) == ([2, 0, 0, 0, 1], [])
    for label in (True, 3, None, 2.0):
        vote(votes, label, SCORES, "x", problems)
    assert votes == [2, 0, 0, 0, 1]
    assert len(problems) == 4


def test_who_speaks_is_customer_or_helpdesk():
    problems = Problems()
    turns = [{"sender": "customer"}, {"sender": "bot"}, {"sender": ["customer"]}, {"sender": "helpdesk"}]
    assert senders_of({"turns": turns}, "[0]", problems) == ["customer", "helpdesk"]
    assert said(problems) == [
        '[0].turns[1].sender: must be customer or helpdesk, not "bot"',
        "[0].turns[2].sender: must be customer or helpdesk, not […]",
    ]


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"[]", "file: holds no dialogue"), (b"{}", "file: must be a list, not an object"), (b'[{"id": 1}, {"id": "1"}]', "[1].id: “1” already appears at [0]")],
)  # fmt: skip
def test_a_gold_file_without_dialogues_is_refused(content, problem):
    with pytest.raises(BadFile) as bad:
        read_gold(content, lambda row, place, problems: row)
    assert str(bad.value) == problem


def test_both_baselines_answer_every_item():
    """By hand: three votes for the first of two classes and one for the second."""
    made = baselines(lambda votes, make: {"answer": make(votes)})
    gold = Gold({"d1": [3.0, 1.0]})
    assert json.loads(made["uniform"](gold)) == [{"id": "d1", "answer": [0.5, 0.5]}]
    assert json.loads(made["popularity"](gold)) == [{"id": "d1", "answer": [1, 0]}]
