"""What a reviewer sees of a dialogue and is asked about it: transcript, subtasks, criteria with their places."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dialogues.masking import Masker, masker_of
from dialogues.models import Dialogue, DialogueSubtask, Turn
from dialogues.queries import masked_words
from dialogues.turn_taking import TurnStatus
from reviews.rating_places import Said, applies_to, is_for, places_of, speakers_of
from rubrics.models import Criterion, ScalePoint


@dataclass(frozen=True)
class AskedCriterion:
    """A criterion that applies to a dialogue; `places` are those where it is asked for."""

    criterion: Criterion
    points: tuple[ScalePoint, ...]
    places: tuple[str, ...]

    @property
    def is_label(self) -> bool:
        return self.criterion.kind == Criterion.Kind.LABEL

    @property
    def scores(self) -> list[int]:
        return sorted(point.score for point in self.points)

    def points_at(self, place: str) -> list[ScalePoint]:
        return [point for point in self.points if is_for(point.speaker, place)]


class Asked:
    """What is asked about one dialogue (`with_names`), in four queries."""

    def __init__(self, dialogue: Dialogue) -> None:
        self.dialogue = dialogue

    @cached_property
    def turns(self) -> list[Turn]:
        return list(self.dialogue.turns.all())

    @cached_property
    def subtasks(self) -> list[DialogueSubtask]:
        return list(self.dialogue.subtasks.all())

    @cached_property
    def criteria(self) -> list[AskedCriterion]:
        assignment = self.dialogue.assignment
        stored = assignment.campaign.rubric.criteria.prefetch_related("points")
        return [self._asked(one) for one in stored if applies_to(one.skills, assignment.scenario.skill)]

    def _asked(self, criterion: Criterion) -> AskedCriterion:
        points = tuple(criterion.points.all())
        said = [Said(turn.number, speakers_of(turn.text, turn.texts)) for turn in self.turns]
        indices = [subtask.index for subtask in self.subtasks]
        places = places_of(criterion.scope, indices, said, {point.speaker for point in points})
        return AskedCriterion(criterion, points, places)

    def by_rating_key(self) -> dict[str, tuple[AskedCriterion, str]]:
        """Every rating that can be given, by its key, with the criterion and the place that it is about."""
        return {f"{one.criterion.key}{place}": (one, place) for one in self.criteria for place in one.places}


def sheet_of(dialogue: Dialogue, *, with_context: bool = True) -> dict[str, Any]:
    """The content of a review page for a dialogue (`with_names`): no score, no account, no address.

    The tester does not see what the bot was given, so their own sheet is `with_context=False`.
    """
    assignment, asked = dialogue.assignment, Asked(dialogue)
    scenario, rubric = assignment.scenario, assignment.campaign.rubric
    # Testers may name a maker, too; and a rival that entered since was not masked when the bot spoke.
    masker = masker_of(masked_words(assignment.campaign))
    return {
        "alias": assignment.entry.alias,
        "scenario": {
            "title": scenario.title,
            "instructions": scenario.instructions,
            "items": scenario.items,
            "facts": scenario.facts,
        },
        "context": (scenario.context or None) if with_context else None,
        "turns": [turn_shown(turn, masker, with_latency=rubric.shows_latency) for turn in asked.turns],
        "subtasks": [subtask_shown(subtask) for subtask in asked.subtasks],
        "criteria": [criterion_shown(one) for one in asked.criteria],
        "asks_for_verdicts": rubric.asks_for_verdicts,
    }


def turn_shown(turn: Turn, masker: Masker, *, with_latency: bool) -> dict[str, Any]:
    """A turn; how long the answer took only where the rubric asks for it, since it can tell who made the bot."""
    shown = {
        "number": turn.number,
        "subtask": turn.subtask,
        "text": masker.mask(turn.text),
        "texts": [masker.mask(text) for text in turn.texts],
        "failed": turn.status == TurnStatus.FAILED,
    }
    return shown | ({"latency_ms": turn.latency_ms} if with_latency else {})


def subtask_shown(subtask: DialogueSubtask) -> dict[str, Any]:
    return {
        "index": subtask.index,
        "kind": subtask.kind,
        "status": subtask.status,
        "turns_used": subtask.turns_used,
        "turn_cap": subtask.turn_cap,
    }


def criterion_shown(asked: AskedCriterion) -> dict[str, Any]:
    criterion = asked.criterion
    return {
        "key": criterion.key,
        "letter": criterion.letter,
        "name": criterion.name,
        "question": criterion.text("question"),
        "kind": criterion.kind,
        "scope": criterion.scope,
        "required": criterion.is_required,
        "evidence_below": criterion.evidence_below,
        "points": [
            {"score": point.score, "key": point.key, "label": point.label, "speaker": point.speaker}
            for point in asked.points
        ],
        "places": list(asked.places),
    }
