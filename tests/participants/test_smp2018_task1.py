"""The answers of SMP2018-ECDT Task 1, without a server; calls over HTTP are tested with the runs of services."""

import pytest

from participants.adapters.smp2018_task1 import LABEL_LIMIT, read_labels


def said(labels) -> list[str]:
    return [deviation.in_english for deviation in labels.deviations]


def test_labels_are_read_by_id():
    labels = read_labels([{"id": 1, "result": "train"}, {"id": 2, "result": "机票"}], [1, 2])
    assert labels.by_id == {1: "train", 2: "机票"}
    assert labels.deviations == ()


@pytest.mark.parametrize("row", [None, 7, {}, {"id": True, "result": "a"}, {"id": "1", "result": "a"}, {"id": 1}, []])
def test_rows_that_are_no_answers_are_deviations_not_errors(row):
    labels = read_labels([row], [1])
    assert labels.by_id == {}
    assert labels.deviations


def test_a_sentence_that_is_answered_twice_has_no_label():
    labels = read_labels([{"id": 1, "result": "a"}, {"id": 1, "result": "a"}], [1])
    assert labels.by_id == {}
    assert said(labels) == ["resultsList[1]: sentence 1 was answered before, so it counts as wrong"]


@pytest.mark.parametrize("label", ["", "a\nb", "x" * (LABEL_LIMIT + 1), None, 7, ["a"]])
def test_what_is_no_label_is_named_with_its_sentence(label):
    labels = read_labels([{"id": 1, "result": label}], [1])
    assert labels.by_id == {}
    assert said(labels) == ["resultsList[0]: the result of sentence 1 is not a label"]


def test_another_order_costs_nothing():
    labels = read_labels([{"id": 2, "result": "b"}, {"id": 1, "result": "a"}], [1, 2])
    assert labels.by_id == {1: "a", 2: "b"}
    assert said(labels) == ["the answers are in another order than the sentences, which costs nothing"]


def test_a_sentence_without_an_answer_and_an_id_of_another_batch_are_named():
    labels = read_labels([{"id": 9, "result": "a"}], [1])
    assert said(labels) == [
        "resultsList[0]: no sentence of this batch has that id",
        "sentence 1 has no answer, so it counts as wrong",
    ]
