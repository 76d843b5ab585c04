"""What is asked of whoever scores a dialogue: the criteria that apply to it, each with its points and places."""

from dataclasses import dataclass
from functools import cached_property

from dialogues.models import Dialogue, DialogueSubtask, Turn
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
