import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from reading.checking import BadFile
from scoring.importers import IMPORTERS, smp2018_noise, smp2018_task1
from scoring.task_types import TASK_TYPES
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
