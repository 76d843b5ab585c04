import pytest

from automatic_tasks.actions import keep_file
from automatic_tasks.models import StoredFile
from automatic_tasks.runs.gold_files import BadNoise, gold_of, noise_of, noise_sentences, split_of
from reading.checking import BadFile
from scoring.one_run import BadGold
from tests.world import undone


@pytest.mark.django_db
def test_every_item_is_on_one_split(quality):
    quality.development_ids = ["d2", "d5"]
    gold = gold_of(quality)
    assert list(split_of(quality, gold, "development").items) == ["d2", "d5"]
    assert list(split_of(quality, gold, "hidden").items) == ["d1", "d3", "d4", "d6"]


@pytest.mark.django_db
def test_another_file_or_other_options_are_another_gold(tasks):
    intents = tasks["intents"]
    before = gold_of(intents)
    assert gold_of(intents) is before
    intents.options = {"classes": [*before.about, "none of them"]}
    assert gold_of(intents).about == (*before.about, "none of them")
    intents.gold = keep_file(b'{"id": 1, "content": "x", "label": "music"}')
    assert list(gold_of(intents).items) == ["1"]


@pytest.mark.django_db
def test_a_gold_that_cannot_be_read_is_read_again_the_next_time(quality):
    quality.gold = StoredFile.objects.create(sha256="0" * 64, content=b"[]")
    for _ in range(2):
        with pytest.raises(BadGold):
            gold_of(quality)
    type(quality.gold).objects.filter(pk=quality.gold_id).update(
        content=b'[{"id": 1, "annotations": [{"quality": {"A": 1, "S": 0, "E": -1}}]}]'
    )
    assert list(gold_of(quality).items) == ["1"]


@pytest.mark.django_db
def test_a_file_that_was_rolled_back_leaves_nothing_to_the_next_of_its_number(quality):
    names = []
    for name in ("first", "second"):
        with undone():
            quality.gold = StoredFile.objects.create(
                pk=7000,
                sha256=name,
                content=f'[{{"id": "{name}", "annotations": [{{"quality": {{"A": 1, "S": 0, "E": -1}}}}]}}]'.encode(),
            )
            names += gold_of(quality).items
    assert names == ["first", "second"]


@pytest.mark.django_db
def test_without_a_file_there_is_no_noise(tasks):
    assert noise_of(None) == []
    assert len(noise_of(tasks["intents"].noise_id)) == len(noise_sentences(bytes(tasks["intents"].noise.content)))


@pytest.mark.django_db
def test_noise_that_cannot_be_read_is_told_apart_from_a_run_and_from_gold(tasks):
    with pytest.raises(BadNoise, match="line 1, content: is missing"):
        noise_of(keep_file(b"{}").pk)


def test_noise_is_one_sentence_per_line():
    assert noise_sentences(b'{"content": "a"}\n\n{"id": 7, "content": "b"}\n') == ["a", "b"]
    with pytest.raises(BadFile, match="line 2, content: is missing"):
        noise_sentences(b'{"content": "a"}\n{"text": "b"}\n')
