"""A tester's practice before the first dialogue: a goal, a system of ours that plays in the browser, scores compared with a reference.

Nothing of it reaches the server, so nothing of it can ever be counted.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from dialogues.events import SubtaskState
from rubrics.models import Criterion, Rubric
from testing_console.goal_card import Part, card_parts, spoken
from testing_console.score_form import criteria_for

KIND, CAP = "hotel", 12


@dataclass(frozen=True, slots=True)
class PracticeScenario:
    """What the console shows of a goal; `key` is empty, since no list names it."""

    title: str
    key: str
    opening: str
    opening_en: str
    instructions: str


def practice_scenario() -> PracticeScenario:
    opening = _("I am looking for a hotel in Hangzhou.")
    return PracticeScenario(
        title=_("Practice: a hotel in Hangzhou"),
        key="",
        opening=opening,
        opening_en=opening,
        instructions=_(
            "Book a hotel near West Lake for 2 nights, at most 500 yuan per night, with breakfast if there is one. "
            "Finish the part once the system confirms the booking."
        ),
    )


def facts() -> dict[str, Any]:
    return {KIND: {"city": _("Hangzhou"), "place": _("West Lake"), "nights": 2, "budget": 500}}


def practice_parts() -> list[tuple[Part, SubtaskState]]:
    (part,) = card_parts([(1, KIND)], facts())
    return [(part, SubtaskState(1, KIND, 0, CAP, "open"))]


def practice_settings(rubric: Rubric) -> dict[str, Any]:
    """What the page's script plays the system from, and what it compares the scores with."""
    known = facts()[KIND]
    return {
        "kind": KIND,
        "cap": CAP,
        "spoken": {key: spoken(key, known[key]) for key in ("city", "place", "nights")},
        "says": {
            "city": _("In which city would you like to stay?"),
            "place": _("Near which place would you like to stay?"),
            "nights": _("For how many nights?"),
            "offer": _("Nothing with breakfast is left below 500 yuan. Shall I book a room without breakfast for 480?"),
            "booked": _("Your room near West Lake is booked: 2 nights, 480 yuan each. Enjoy your stay!"),
            "refused": _("I see. What would you like to change?"),
        },
        "references": {criterion.key: reference(criterion) for criterion in criteria_for(rubric, "")},
        "booked": _("The system confirmed what the goal asks for, so the part is finished."),
        "notBooked": _("The system confirmed nothing yet, so the part is not finished."),
        "cut": _("You ended before the booking. Practise again to the end to compare the other scores, too."),
        "same": _("The reference is {score}, too."),
        "other": _("The reference is {score}."),
        "none": _("There is no reference for it: your organizer's guide decides."),
    }


@dataclass(frozen=True, slots=True)
class Judged:
    """How a careful tester scores the practice dialogue: `share` of the way up the scale, and why."""

    share: float
    why: str


def judged(key: str) -> Judged | None:
    """By the key of a criterion; None where presets have no such criterion."""
    repeated = _("It asked for the place again although you had said it.")
    booked = _("It booked what you wanted.")
    return {
        "satisfaction": Judged(0.75, _("It booked what you wanted, but asked for the place twice.")),
        "fluency": Judged(1.0, _("Each of its sentences reads naturally.")),
        "guidance": Judged(1.0, _("When nothing fitted, it offered the closest match.")),
        "success": Judged(1.0, booked),
        "accomplishment": Judged(1.0, booked),
        "coherence": Judged(0.5, repeated),
        "effectiveness": Judged(0.75, repeated),
        "informativeness": Judged(0.75, _("It names price and nights, and little else.")),
    }.get(key)


def reference(criterion: Criterion) -> dict[str, Any] | None:
    """The point of the criterion's own scale, the worst first, and why."""
    judgement, points = judged(criterion.key), sorted(criterion.scores())
    if judgement is None or not points:
        return None
    return {"score": points[int(judgement.share * (len(points) - 1))], "why": judgement.why}
