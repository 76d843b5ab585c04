"""The findings before a freeze: each a sentence with what to do; only an empty or unfinished board blocks."""

import pytest
from django.utils.translation import override

from publication.preflight import Facts, blocks, findings_of

READY = Facts(n_ranked=2, weights=[("A", 4.0), ("B", 4.0)])


@pytest.fixture(autouse=True)
def english():
    with override("en"):
        yield


def of(**facts):
    return findings_of(Facts(**({"n_ranked": 2} | facts)))


def test_nothing_is_found_where_all_is_done():
    assert findings_of(READY) == []
    assert not blocks([])


@pytest.mark.parametrize(
    ("facts", "key", "sentence"),
    [
        ({"n_ranked": 0}, "empty", "No system has a rank: there is nothing to publish."),
        ({"n_open": 1}, "open", "1 dialogue is still open."),
        ({"n_open": 2}, "open", "2 dialogues are still open."),
        ({"n_not_done": 3}, "not-done", "3 assignments are not done."),
        ({"n_without_own_scores": 1}, "unscored", "1 dialogue is not scored by its tester."),
        ({"n_without_whole_panel": 2}, "panel", "2 dialogues lack scores of their panels."),
        ({"n_disputes": 1}, "disputes", "1 dispute is not settled."),
        ({"n_not_vetted": 5}, "vetting", "5 dialogues are not vetted."),
        ({"n_requests": 1}, "requests", "1 request to revise is unanswered."),
        ({"holes": [("A", 3, 21)]}, "hole", "A has no scored dialogue on 3 of 21 scenarios."),
        (
            {"left_out": [("A", 2)]},
            "left-out",
            "2 scored dialogues with A count nowhere: the system failed in them permanently.",
        ),
        (
            {"unranked": [("B", "waits for reviews")]},
            "unranked",
            "B will be listed without a rank: waits for reviews.",
        ),
        (
            {"weights": [("A", 63.0), ("B", 60.5), ("C", 62.0)]},
            "unequal",
            "Systems have unequally many scored dialogues: from 60.5 (B) to 63 (A).",
        ),
        ({"ties": [(2, ["A", "B"])]}, "tie", "A, B share rank 2: they are equal in every key of the rule."),
        (
            {"ties": [(1, list("ABCDEF"))]},
            "tie",
            "A, B, C, D, 2 others share rank 1: they are equal in every key of the rule.",
        ),
        (
            {"alphas": [("Fluency", 0.6669), ("Guidance", 0.667)]},
            "agreement",
            "The reviewers agree little on Fluency: alpha is 0.6669, below 0.667.",
        ),
        (
            {"uncompared": ["Fluency", "Guidance"]},
            "uncompared",
            "The agreement on Fluency, Guidance is not known: there are too many scores to compare.",
        ),
        (
            {"below_gold": [("r1", 69)]},
            "gold",
            "r1 gave 69% of the gold scores exactly, which is below the pass mark.",
        ),
        ({"lacks_gold": True}, "no-gold", "The campaign mixes gold in, but no dialogue has gold scores."),
        (
            {"has_intervals": False},
            "no-intervals",
            "The statistics of these figures are not computed yet: the page would show no intervals.",
        ),
    ],
)
def test_each_fact_is_one_sentence_with_something_to_do(facts, key, sentence):
    (finding,) = of(**facts)
    assert (finding.key, finding.text) == (key, sentence)
    assert finding.advice
    assert finding.blocks == (key in {"empty", "open"})


def test_what_blocks_comes_first():
    found = of(n_open=1, n_disputes=1, lacks_gold=True, n_requests=1)
    assert [finding.key for finding in found] == ["open", "requests", "disputes", "no-gold"]
    assert blocks(found)
    assert not blocks(found[1:])
