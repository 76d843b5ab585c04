import json

import pytest

from reading.checking import BadFile
from scoring.task_types import TASK_TYPES

NUGGETS = TASK_TYPES["nugget-detection"]
OPTIONS = NUGGETS.default_options()
TURNS = [{"sender": "customer", "utterances": ["甲"]}, {"sender": "helpdesk", "utterances": ["乙"]}]
GOLD = json.dumps([{"id": "d1", "turns": TURNS, "annotations": [{"nugget": ["CNUG0", "HNUG"]}]}]).encode()


def figures(*labels: str, **options: float):
    content = json.dumps([{"id": "d1", "nugget": [{label: 1.0} for label in labels]}]).encode()
    given = OPTIONS | options
    gold = NUGGETS.read_gold(GOLD, given)
    return NUGGETS.score(gold, NUGGETS.read_run(content, gold, given), given).figures


def test_right_labels_have_no_distance():
    assert figures("CNUG0", "HNUG") == {"nugget.jsd": 0.0, "nugget.rnss": 0.0}


@pytest.mark.parametrize(("alpha", "distance"), [(0.5, 0.5), (0.25, 0.75), (1.0, 0.0)])
def test_alpha_weighs_the_customers_turns_against_the_helpdesks(alpha, distance):
    """By hand: the customer's turn is right (0), the helpdesk's shares nothing with the gold (1)."""
    assert figures("CNUG0", "HNaN", alpha=alpha)["nugget.jsd"] == pytest.approx(distance)
    assert figures("CNUG0", "HNaN", alpha=alpha)["nugget.rnss"] == pytest.approx(distance)


def test_another_number_of_turns_is_a_problem():
    with pytest.raises(BadFile, match=r"\[0\].nugget: has 1 turns; the dialogue has 2"):
        figures("CNUG0")
