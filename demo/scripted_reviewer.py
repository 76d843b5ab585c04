"""How scripted reviewers score a sheet of any rubric: by what the bot said, each with a severity of their own. Pure."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Sheet = Mapping[str, Any]
# How often an attentive reviewer is a point off.
SLIP = 0.05


@dataclass(frozen=True, slots=True)
class Habit:
    """`severity` is how many points a reviewer takes off; one who is careless gives any point without reading."""

    severity: int = 0
    is_careless: bool = False


def scores_on(sheet: Sheet, habit: Habit, rng: random.Random) -> dict[str, Any]:
    """The complete review of a sheet, as the API takes it: ratings at every place, and the evidence that low ones need."""
    ratings: dict[str, Any] = {}
    evidence: dict[str, int] = {}
    for criterion in sheet["criteria"]:
        for place in criterion["places"]:
            key = f"{criterion['key']}{place}"
            if criterion["kind"] == "label":
                ratings[key] = _label(criterion["points"], place, sheet, habit, rng)
                continue
            ratings[key] = _score(_points(criterion), quality_of(sheet), habit, rng)
            if criterion["evidence_below"] is not None and ratings[key] < criterion["evidence_below"]:
                evidence[key] = sheet["turns"][-1]["number"]
    return {"ratings": ratings, "evidence": evidence}


def quality_of(sheet: Sheet) -> float:
    """How far the bot kept from repeating itself, 0…1: 0 where it always said the same, 1 where it never did."""
    replies = ["".join(turn["texts"]) for turn in sheet["turns"]]
    return (len(set(replies)) - 1) / (len(replies) - 1) if len(replies) > 1 else 0.0


def _points(criterion: Mapping[str, Any]) -> list[int]:
    return sorted(point["score"] for point in criterion["points"])


def _score(points: Sequence[int], quality: float, habit: Habit, rng: random.Random) -> int:
    """The worst point of a scale that has a middle is left to the severe: otherwise nobody could be harsher on a bad bot."""
    if habit.is_careless:
        return rng.choice(points)
    lowest, highest = int(len(points) > 2), len(points) - 1
    index = lowest + round(quality * (highest - lowest)) - habit.severity
    if rng.random() < SLIP:
        index += rng.choice((-1, 1))
    return points[min(max(index, 0), len(points) - 1)]


def _label(points: Sequence[Mapping[str, Any]], place: str, sheet: Sheet, habit: Habit, rng: random.Random) -> str:
    """The first label for what opens, then one by the length of what was said; the careless take any."""
    turn, _, speaker = place.removeprefix("@").partition(".")
    labels: list[str] = [point["key"] for point in points if point["speaker"] in ("", speaker)]
    if habit.is_careless or rng.random() < SLIP:
        return rng.choice(labels)
    said = next(one for one in sheet["turns"] if one["number"] == int(turn))
    text = said["text"] if speaker == "tester" else "".join(said["texts"])
    return labels[0] if said is sheet["turns"][0] else labels[1 + len(text) % (len(labels) - 1)]
