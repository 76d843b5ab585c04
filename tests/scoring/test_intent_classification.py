import json

import pytest

from reading.checking import BadFile
from scoring.task_types.intent_classification import INTENT_CLASSIFICATION, columns, read_gold, read_run, score

OPTIONS = INTENT_CLASSIFICATION.default_options()
LABELS = {"1": "train", "2": "flight", "3": "flight"}
GOLD = "\n".join(json.dumps({"id": name, "content": "句", "label": label}) for name, label in LABELS.items()).encode()


def run_file(**labels: str) -> bytes:
    return json.dumps({"resultsList": [{"id": name[1:], "result": label} for name, label in labels.items()]}).encode()


def test_precision_and_recall_are_means_over_the_classes():
    """By hand: train has precision 1/2 and recall 1, flight precision 1 and recall 1/2."""
    gold = read_gold(GOLD, OPTIONS)
    checked = read_run(run_file(_1="train", _2="train", _3="flight"), gold, OPTIONS)
    assert score(gold, checked, OPTIONS).figures == {"macro_precision": 0.75, "macro_recall": 0.75, "f1": 0.75}


def test_sums_are_counts_per_class():
    gold = read_gold(GOLD, OPTIONS)
    assert columns(gold, OPTIONS)[:3] == ("right: flight", "right: train", "answered: flight")
    checked = read_run(run_file(_1="train", _2="train", _3="flight"), gold, OPTIONS)
    assert score(gold, checked, OPTIONS).sums.tolist() == [[0, 1, 0, 1, 0, 1], [0, 0, 0, 1, 1, 0], [1, 0, 1, 0, 1, 0]]


def test_an_unknown_label_is_a_wrong_answer_and_an_unknown_sentence_a_problem():
    gold = read_gold(GOLD, OPTIONS)
    checked = read_run(run_file(_1="boat", _2="flight", _3="flight"), gold, OPTIONS)
    assert [str(warning) for warning in checked.warnings] == [
        "resultsList[0].result: “boat” is not a class of this task, which counts as wrong"
    ]
    with pytest.raises(BadFile, match="“9” is not a sentence of this task"):
        read_run(run_file(_9="train"), gold, OPTIONS)


def test_a_label_outside_the_declared_classes_is_a_problem_of_the_gold():
    with pytest.raises(BadFile, match="line 1, label: “train” is not a declared class"):
        read_gold(GOLD, OPTIONS | {"classes": ("flight", "boat")})
