"""What a reviewer sees of a dialogue and is asked about it: transcript, subtasks, criteria with their places."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, NotRequired, TypedDict

from api.answers import From, encoded
from dialogues.masking import Masker, masker_of
from dialogues.models import Dialogue, DialogueSubtask, Turn
from dialogues.queries import masked_words
from dialogues.turn_taking import TurnStatus
from reviews.rating_places import Said, applies_to, is_for, places_of, speakers_of
from rubrics.models import Criterion, ScalePoint


class SheetTurn(TypedDict):
    number: int
    subtask: int
    text: str
    texts: list[str]
    failed: bool
    latency_ms: NotRequired[int | None]


class SheetPart(TypedDict):
    index: int
    kind: str
    status: str
    turns_used: int
    turn_cap: int | None


class SheetPoint(TypedDict):
    score: int
    key: str
    label: str
    speaker: str


class SheetCriterion(TypedDict):
    key: Annotated[str, From("criterion.key")]
    letter: Annotated[str, From("criterion.letter")]
    name: Annotated[str, From("criterion.name")]
    question: Annotated[str, From(lambda asked: asked.criterion.text("question"))]
    kind: Annotated[str, From("criterion.kind")]
    scope: Annotated[str, From("criterion.scope")]
    required: Annotated[bool, From("criterion.is_required")]
    evidence_below: Annotated[int | None, From("criterion.evidence_below")]
    points: list[SheetPoint]
    places: list[str]


class SheetAnswer(TypedDict):
    alias: str
    scenario: dict[str, Any]
    context: dict[str, Any] | None
    turns: list[SheetTurn]
    subtasks: list[SheetPart]
    criteria: list[SheetCriterion]
    asks_for_verdicts: bool


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
        "turns": [turn_of_sheet(turn, masker, with_latency=rubric.shows_latency) for turn in asked.turns],
        "subtasks": encoded(list[SheetPart], asked.subtasks),
        "criteria": encoded(list[SheetCriterion], asked.criteria),
        "asks_for_verdicts": rubric.asks_for_verdicts,
    }


def turn_of_sheet(turn: Turn, masker: Masker, *, with_latency: bool) -> dict[str, Any]:
    """A turn; its latency only where the rubric asks for it, since it can tell who made the bot."""
    row = {
        "number": turn.number,
        "subtask": turn.subtask,
        "text": masker.mask(turn.text),
        "texts": [masker.mask(text) for text in turn.texts],
        "failed": turn.status == TurnStatus.FAILED,
    }
    return row | ({"latency_ms": turn.latency_ms} if with_latency else {})
