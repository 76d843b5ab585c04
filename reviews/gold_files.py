"""Gold files of the automatic tasks, made of what a panel said: each review that counts is one annotator's vote.

The shape is that of NTCIR STC-3, which `scoring` reads: every utterance is a turn there, the tester is the customer and the bot
the helpdesk. Criteria are found by their letters A, S and E, labels by their keys.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

from campaigns.models import Campaign
from dialogues.models import Dialogue
from reviews.models import Rating, Review
from rubrics.models import Criterion
from scoring.ntcir_files import CRITERIA, NUGGETS, SCORES

SENDERS = {"tester": "customer", "bot": "helpdesk"}
# What one review said: its ratings by criterion and place.
Votes = Mapping[tuple[int, str], int]


class NoGold(Exception):
    """The campaign's rubric does not ask what the task needs, or no review that counts says it."""


def gold_tasks(campaign: Campaign) -> list[str]:
    """The automatic tasks that the campaign's rubric can give gold for."""
    return [task for task, reader in READERS.items() if reader(campaign.rubric.criteria.all())]


def gold_file(campaign: Campaign, task: str) -> bytes:
    """Every dialogue with the votes of its panel, in the order of the assignments. Errors: `NoGold`."""
    if task not in gold_tasks(campaign):
        raise NoGold(f"The rubric of {campaign.slug} does not ask what {task} needs.")
    annotations = _annotations(campaign, task)
    rows = [
        {
            "id": dialogue.external_id or str(dialogue.pk),
            "turns": [{"sender": SENDERS[speaker], "utterances": texts} for _, speaker, texts in said(dialogue)],
            "annotations": annotations[dialogue.pk],
        }
        for dialogue in _dialogues(annotations)
        if annotations[dialogue.pk]
    ]
    if not rows:
        raise NoGold(f"No review of {campaign.slug} that counts says what {task} needs.")
    return (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode()


def said(dialogue: Dialogue) -> list[tuple[int, str, list[str]]]:
    """Number of the turn, speaker and texts of each utterance, as reviewers see them; who said nothing has none.

    A tester's lines are posts of their own, as an import joined them.
    """
    utterances = []
    for turn in dialogue.turns.all():
        utterances += [
            (turn.number, speaker, texts)
            for speaker, texts in (("tester", turn.text.split("\n")), ("bot", turn.texts))
            if any(text.strip() for text in texts)
        ]
    return utterances


def _dialogues(annotations: Iterable[UUID]) -> Iterable[Dialogue]:
    found = Dialogue.objects.filter(pk__in=list(annotations)).prefetch_related("turns")
    return found.order_by("assignment_id", "opened_at", "pk")


def _annotations(campaign: Campaign, task: str) -> Mapping[UUID, list[dict[str, Any]]]:
    """What each panel review that counts says, by dialogue; one that leaves something out is no annotation."""
    votes: dict[int, dict[tuple[int, str], int]] = defaultdict(dict)
    counted = Review.objects.filter(
        is_counted=True, part=Review.Part.PANEL, dialogue__in=Dialogue.objects.of_campaign(campaign).reviewable()
    )
    ratings = Rating.objects.filter(review__in=counted)
    for pk, criterion, place, score in ratings.values_list("review_id", "criterion_id", "place", "score"):
        votes[pk][criterion, place] = score
    criteria = list(campaign.rubric.criteria.prefetch_related("points"))
    # The other task's votes go along where there are any: an NTCIR file holds both.
    readers = [reader for name in (task, *READERS) if (reader := READERS[name](criteria))]
    turns = {dialogue.pk: said(dialogue) for dialogue in _dialogues(counted.values_list("dialogue_id", flat=True))}
    found: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
    for review in counted.order_by("pk"):
        needed, *others = (reader(votes[review.pk], turns[review.dialogue_id]) for reader in readers)
        if needed:
            merged: dict[str, Any] = {}
            for part in (needed, *others):
                merged |= part
            found[review.dialogue_id].append(merged)
    return found


Said = list[tuple[int, str, list[str]]]
Reader = Callable[[Votes, Said], dict[str, Any]]


def _quality_reader(criteria: Iterable[Criterion]) -> Reader | None:
    """How quality is read off a review, where the rubric has A, S and E on the scale of the task."""
    by_letter = {
        criterion.letter: criterion.pk
        for criterion in criteria
        if criterion.scope == Criterion.Scope.DIALOGUE and {str(score) for score in criterion.scores()} == set(SCORES)
    }
    if not by_letter.keys() >= set(CRITERIA):
        return None

    def quality(votes: Votes, _: Said) -> dict[str, Any]:
        given = {letter: votes.get((by_letter[letter], "")) for letter in CRITERIA}
        return {} if None in given.values() else {"quality": given}

    return quality


def _nugget_reader(criteria: Iterable[Criterion]) -> Reader | None:
    """How nuggets are read off a review, where the rubric has one criterion with the task's labels."""
    wanted = {(sender, label) for sender, labels in NUGGETS.items() for label in labels}
    for criterion in criteria:
        points = list(criterion.points.all())
        if {(SENDERS.get(point.speaker, ""), point.key) for point in points} == wanted:
            labels = {point.score: point.key for point in points}
            break
    else:
        return None

    def nuggets(votes: Votes, turns: Said) -> dict[str, Any]:
        given = [votes.get((criterion.pk, f"@{number}.{speaker}")) for number, speaker, _ in turns]
        return {} if None in given else {"nugget": [labels[score] for score in given if score is not None]}

    return nuggets


READERS: Mapping[str, Callable[[Iterable[Criterion]], Reader | None]] = {
    "dialogue-quality": _quality_reader,
    "nugget-detection": _nugget_reader,
}
