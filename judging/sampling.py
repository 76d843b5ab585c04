"""What several answers of a judge about one dialogue come to. Pure.

A sample is `{"ratings": {key: score or label}, "evidence": {key: turn}, "verdicts": {"1": bool}}`, checked before.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, median_low
from typing import Any

Sample = Mapping[str, Any]


def content_of_samples(samples: Sequence[Sample]) -> dict[str, Any]:
    """One review's content: of scores the low median, which is always a point, of labels the most frequent, the first of equals.

    A subtask is finished where most samples say so. The evidence is that of the first sample with the score that stands.
    """
    ratings = {key: _stands([one["ratings"][key] for one in samples]) for key in samples[0]["ratings"]}
    evidence = {}
    for key, said in ratings.items():
        shown = [one["evidence"][key] for one in samples if key in one["evidence"] and one["ratings"][key] == said]
        if shown:
            evidence[key] = shown[0]
    verdicts = {
        index: 2 * sum(one["verdicts"][index] for one in samples) > len(samples) for index in samples[0]["verdicts"]
    }
    return {"ratings": ratings, "evidence": evidence, "verdicts": verdicts, "comment": ""}


def means_of_samples(samples: Sequence[Sample]) -> dict[str, float]:
    """The mean of each rating that is a score."""
    given = {key: [one["ratings"][key] for one in samples] for key in samples[0]["ratings"]}
    return {key: fmean(scores) for key, scores in given.items() if not any(isinstance(one, str) for one in scores)}


def _stands(given: Sequence[Any]) -> Any:
    if any(isinstance(one, str) for one in given):
        return Counter(given).most_common(1)[0][0]
    return median_low(given)
