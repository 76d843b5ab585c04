"""Who may score a dialogue, and what scores, verdicts and comments are accepted."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.access import has_role
from campaigns.models import Campaign, Role
from rubrics.models import Criterion, Rubric
from rubrics.scales import COMMENT_LIMIT, OffScale, accept_score
from scoring.storable import is_storable
from testing_console.models import Dialogue
from testing_console.turn_taking import DialogueStatus, SubtaskStatus

SCORE_SHOWN = 60


class BadReview(Exception):
    """The review cannot be taken as it is; `fields` says per field what is wrong."""

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {message}" for name, message in fields.items()))
        self.fields = fields


class NotReviewable(Exception):
    """The dialogue cannot be scored: it is open or void."""


class NotYours(Exception):
    """The dialogue is not this person's to score; that it exists is not their business."""


def check_may_review(dialogue: Dialogue, reviewer: Person) -> None:
    """In this version the tester scores the dialogue they had, while they are a tester of the campaign."""
    if dialogue.tester_id != reviewer.pk or not has_role(reviewer, dialogue.assignment.campaign, Role.TESTER):
        raise NotYours
    if dialogue.status == DialogueStatus.OPEN:
        raise NotReviewable(_("The dialogue is still open: end it first."))
    if dialogue.status == DialogueStatus.VOID:
        raise NotReviewable(_("The dialogue is void, because the platform failed: it is not scored."))


def check_may_revise(dialogue: Dialogue) -> None:
    """Scores that were handed in can be changed as long as the campaign's results are open."""
    if not may_revise(dialogue.assignment.campaign):
        raise NotReviewable(_("The results are published: scores that were handed in can no longer be changed."))


def may_revise(campaign: Campaign) -> bool:
    return not campaign.is_published


@dataclass(frozen=True, slots=True)
class CheckedReview:
    """A complete review: every criterion with its scale and score, every subtask finished or not."""

    scores: list[tuple[Criterion, list[int], int]]
    verdicts: dict[int, bool]
    comment: str


def check_review(
    dialogue: Dialogue, ratings: Mapping[str, Any], verdicts: Mapping[str, Any], comment: str
) -> CheckedReview:
    """The review if it is complete and on its scales. Errors: `BadReview` with every field that is wrong."""
    wrong: dict[str, str] = {}
    checked = CheckedReview(
        check_ratings(dialogue.assignment.campaign.rubric, ratings, wrong),
        check_verdicts(dialogue, verdicts, wrong),
        check_comment(comment, wrong),
    )
    if wrong:
        raise BadReview(wrong)
    return checked


def check_changes(dialogue: Dialogue, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Single choices of a draft, each as it will be stored; None takes a choice back. Errors: `BadReview`."""
    wrong: dict[str, str] = {}
    ratings, verdicts = changes.get("ratings", {}), changes.get("verdicts", {})
    scales = {criterion.key: criterion.scores() for criterion in criteria_of(dialogue.assignment.campaign.rubric)}
    refuse_unknown(ratings, scales, wrong)
    for key in ratings.keys() & scales.keys():
        if ratings[key] is not None:
            check_score(key, ratings[key], scales[key], wrong)
    given = {index: verdict for index, verdict in verdicts.items() if verdict is not None}
    check_verdicts(dialogue, given, wrong)
    check_comment(changes.get("comment", ""), wrong)
    if wrong:
        raise BadReview(wrong)
    return {name: changes[name] for name in ("ratings", "verdicts", "comment") if name in changes}


def check_ratings(
    rubric: Rubric, ratings: Mapping[str, Any], wrong: dict[str, str]
) -> list[tuple[Criterion, list[int], int]]:
    criteria = criteria_of(rubric)
    scores = []
    for criterion in criteria:
        scale = criterion.scores()
        if criterion.key not in ratings:
            wrong[f"ratings.{criterion.key}"] = _("A score is missing.")
            continue
        score = check_score(criterion.key, ratings[criterion.key], scale, wrong)
        if score is not None:
            scores.append((criterion, scale, score))
    refuse_unknown(ratings, {criterion.key for criterion in criteria}, wrong)
    return scores


def criteria_of(rubric: Rubric) -> list[Criterion]:
    return list(rubric.criteria.prefetch_related("points"))


def check_score(key: str, score: object, scale: list[int], wrong: dict[str, str]) -> int | None:
    try:
        return accept_score(score, scale)
    except OffScale:
        wrong[f"ratings.{key}"] = _("%(score)s is not on the scale %(lowest)s…%(highest)s.") % {
            "score": repr(score)[:SCORE_SHOWN], "lowest": scale[0], "highest": scale[-1],
        }  # fmt: skip
        return None


def refuse_unknown(ratings: Mapping[str, Any], known: Collection[str], wrong: dict[str, str]) -> None:
    for key in ratings.keys() - set(known):
        wrong[f"ratings.{key}"] = _("This rubric has no such criterion.")


def check_verdicts(dialogue: Dialogue, verdicts: Mapping[str, Any], wrong: dict[str, str]) -> dict[int, bool]:
    """Where the reviewer says nothing of a subtask, the verdict is what the ledger says."""
    finished = {}
    subtasks = {str(subtask.index): subtask for subtask in dialogue.subtasks.all()}
    for index, subtask in subtasks.items():
        verdict = verdicts.get(index, subtask.status == SubtaskStatus.FINISHED)
        if isinstance(verdict, bool):
            finished[subtask.index] = verdict
        else:
            wrong[f"verdicts.{index}"] = _("A verdict is true or false.")
    for index in verdicts.keys() - subtasks.keys():
        wrong[f"verdicts.{index}"] = _("The dialogue has no such subtask.")
    return finished


def check_comment(comment: str, wrong: dict[str, str]) -> str:
    if len(comment) > COMMENT_LIMIT:
        wrong["comment"] = _("The comment has %(n)s characters; %(limit)s are the most.") % {
            "n": len(comment), "limit": COMMENT_LIMIT,
        }  # fmt: skip
    elif not is_storable(comment):
        wrong["comment"] = _("The comment holds a character that cannot be stored (NUL or half a surrogate pair).")
    return comment
