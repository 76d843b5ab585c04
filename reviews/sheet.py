"""What a reviewer sees of a dialogue and is asked about it: transcript, subtasks, criteria with their places."""

from typing import Any

from dialogues.masking import Masker, masker_of
from dialogues.models import Dialogue, DialogueSubtask, Turn
from dialogues.queries import masked_words
from dialogues.turn_taking import TurnStatus
from reviews.asked import Asked, AskedCriterion


def sheet_of(dialogue: Dialogue, *, with_context: bool = True) -> dict[str, Any]:
    """The whole of a review page, for whoever may score the dialogue (`with_names`): no score, no account, no address.

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
