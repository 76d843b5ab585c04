"""Who may score a dialogue, in which capacity and when; and which scores, labels, evidence, verdicts and comments are accepted."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import Person
from campaigns.access import roles_of
from campaigns.actions.ended import refuse_if_ended
from campaigns.calendar import Doing, check_open
from campaigns.interests import check_interest, may_judge
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from dialogues.turn_taking import ENDED_EARLY, TIME_OVER, VOIDED, DialogueStatus, SubtaskStatus
from reading.checking import BadForm
from reading.findings import Finding
from reading.storable import is_storable
from reviews.models import Dispute, Review, ReviewPlace
from reviews.rating_places import began, criterion_of
from reviews.sheet import Asked, AskedCriterion
from rubrics.models import Criterion
from rubrics.scales import COMMENT_LIMIT, OffScale, accept_score
from serving.refused import Refused

Part = Review.Part
# Scoring in these parts needs a place; an adjudicator may hold a released one, which stays released.
WITH_PLACE = (Part.PANEL, Part.GOLD)
SCORE_SHOWN = 60
PARTS = ("ratings", "evidence", "verdicts", "comment")


class NotReviewable(Refused):
    """The dialogue cannot be scored: it is open or void."""

    code = "not_reviewable"


class NotYours(Http404):
    """The dialogue is not this person's to score; that it exists is not their business."""


def check_may_review(dialogue: Dialogue, reviewer: Person) -> str:
    """The `Review.Part` in which the person may score the dialogue now. Errors: `NotYours`, `NotReviewable`."""
    part = part_of(dialogue, reviewer)
    if dialogue.status == DialogueStatus.OPEN:
        raise NotReviewable(gettext_noop("The dialogue is still open: end it first."))
    if dialogue.status == DialogueStatus.VOID:
        if dialogue.reason == VOIDED:
            raise NotReviewable(gettext_noop("The organizer declared the dialogue void: it is not scored."))
        raise NotReviewable(gettext_noop("The dialogue is void, because the platform failed: it is not scored."))
    if dialogue.status == DialogueStatus.ABANDONED:
        if dialogue.reason == ENDED_EARLY:
            raise NotReviewable(gettext_noop("The dialogue was given up before everything was used: it is not scored."))
        if dialogue.reason == TIME_OVER:
            raise NotReviewable(gettext_noop("The time to finish the dialogue was over: it is not scored."))
        raise NotReviewable(gettext_noop("Nothing was said in the dialogue for too long: it is not scored."))
    if dialogue.status == DialogueStatus.RETURNED:
        raise NotReviewable(gettext_noop("An expert returned the dialogue: it is done again, not scored."))
    return part


def check_is_time(dialogue: Dialogue, part: str, at: datetime) -> None:
    """Whether the campaign's dates let scores be given or changed in that part. Errors: `campaigns.calendar.NotNow`."""
    check_open(dialogue.assignment.campaign, Doing.SCORE_OWN if part == Part.SELF else Doing.REVIEW, at)


def part_of(dialogue: Dialogue, person: Person) -> str:
    """The person's part in the scoring of a dialogue, whatever its state. Errors: `NotYours`.

    The tester is never in the panel of their own dialogue, nor is a member of the panel its adjudicator. An interest in the bot
    takes every part away, that of the tester too.
    """
    if not may_judge(person, dialogue.assignment.entry_id):
        raise NotYours
    campaign = dialogue.assignment.campaign
    roles = roles_of(person, campaign)
    if dialogue.talker_id == person.pk:
        if Role.TESTER in roles and campaign.testers_score:
            return Part.SELF
        raise NotYours
    places = ReviewPlace.objects.filter(dialogue=dialogue, reviewer=person)
    place = places.first() if Role.REVIEWER in roles else None
    if place is not None and (place.released_at is None or places.reclaimable(campaign).exists()):
        return Part.GOLD if place.is_gold else Part.PANEL
    if Role.ADJUDICATOR in roles and has_dispute_for(dialogue, person):
        return Part.ADJUDICATION
    raise NotYours


def check_organizes(dialogue: Dialogue, person: Person, at: datetime) -> None:
    """An organizer without interest in the system decides, until the campaign has ended. Errors: `NotYours`, `Interested`, `NotNow`."""
    if Role.ORGANIZER not in roles_of(person, dialogue.assignment.campaign):
        raise NotYours
    check_interest(person, dialogue.assignment.entry_id)
    refuse_if_ended(dialogue.assignment.campaign, at)


def has_dispute_for(dialogue: Dialogue, person: Person) -> bool:
    """Whether a dispute waits for an adjudicator who did not take part in it, or this person settled it."""
    dispute = Dispute.objects.filter(dialogue=dialogue).select_related("settled_by").first()
    if dispute is None or is_in_panel(dialogue, person):
        return False
    if dispute.settled_at is None:
        return True
    return dispute.settled_by is not None and dispute.settled_by.reviewer_id == person.pk


def is_in_panel(dialogue: Dialogue, person: Person) -> bool:
    return Review.objects.filter(dialogue=dialogue, reviewer=person, part__in=WITH_PLACE, is_submitted=True).exists()


def check_may_revise(dialogue: Dialogue) -> None:
    """Scores that were handed in can be changed as long as the campaign's results are open."""
    if not may_revise(dialogue.assignment.campaign):
        raise NotReviewable(
            gettext_noop("The results are published: scores that were handed in can no longer be changed.")
        )


def may_revise(campaign: Campaign) -> bool:
    return not campaign.is_published


def check_may_hand_in_again(review: Review, dialogue: Dialogue) -> None:
    """Testers may revise the scores of their own dialogue at any time; others once per granted request."""
    check_may_revise(dialogue)
    if not may_hand_in_again(review):
        raise NotReviewable(gettext_noop("These scores were handed in: undo that, or ask for a revision and say why."))


def may_hand_in_again(review: Review) -> bool:
    return review.part == Part.SELF or review.revision_requests.filter(is_granted=True, used_at=None).exists()


class BadReview(BadForm):
    """The review cannot be taken as it is; `fields` says per field what is wrong."""

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__([Finding(name, message) for name, message in fields.items()])
        self.fields = fields


@dataclass(frozen=True, slots=True)
class CheckedRating:
    """A score with its criterion and place; that of a label is the label's number."""

    criterion: Criterion
    place: str
    score: int
    lowest: int
    highest: int
    evidence_turn: int | None = None


@dataclass(frozen=True, slots=True)
class CheckedReview:
    """A complete review: everything required is scored, every subtask finished or not."""

    ratings: list[CheckedRating]
    verdicts: dict[int, bool]
    comment: str


def check_review(
    dialogue: Dialogue,
    ratings: Mapping[str, Any],
    verdicts: Mapping[str, Any],
    comment: str,
    evidence: Mapping[str, Any] | None = None,
) -> CheckedReview:
    """The review if it is complete and on its scales. Errors: `BadReview` with every field that is wrong."""
    wrong: dict[str, str] = {}
    asked = Asked(dialogue)
    turns = _check_evidence(asked, evidence or {}, ratings, wrong)
    checked = CheckedReview(
        _check_ratings(asked, ratings, turns, wrong),
        check_verdicts(asked, verdicts, wrong),
        check_comment(comment, wrong),
    )
    if wrong:
        raise BadReview(wrong)
    return checked


def check_changes(dialogue: Dialogue, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Single choices of a draft, each as it will be stored; None takes a choice back. Errors: `BadReview`."""
    wrong: dict[str, str] = {}
    asked = Asked(dialogue)
    known = asked.by_rating_key()
    ratings, evidence = changes.get("ratings", {}), changes.get("evidence", {})
    _refuse_unknown("ratings", ratings, known, asked, wrong)
    for key in ratings.keys() & known.keys():
        if ratings[key] is not None:
            _check_rating(key, ratings[key], *known[key], wrong)
    _refuse_unknown("evidence", evidence, known, asked, wrong)
    for key in evidence.keys() & known.keys():
        if evidence[key] is not None:
            _check_turn(key, evidence[key], asked, wrong)
    given = {index: verdict for index, verdict in changes.get("verdicts", {}).items() if verdict is not None}
    check_verdicts(asked, given, wrong)
    check_comment(changes.get("comment", ""), wrong)
    if wrong:
        raise BadReview(wrong)
    return {name: changes[name] for name in PARTS if name in changes}


def _check_ratings(
    asked: Asked, ratings: Mapping[str, Any], turns: Mapping[str, int], wrong: dict[str, str]
) -> list[CheckedRating]:
    known = asked.by_rating_key()
    checked = []
    for key, (criterion, place) in known.items():
        if ratings.get(key) is not None:
            score = _check_rating(key, ratings[key], criterion, place, wrong)
            if score is not None:
                _require_evidence(key, score, criterion.criterion, turns, wrong)
                scores = criterion.scores
                checked.append(CheckedRating(criterion.criterion, place, score, scores[0], scores[-1], turns.get(key)))
        elif key in ratings and criterion.criterion.is_required:
            _check_rating(key, None, criterion, place, wrong)
        elif criterion.criterion.is_required:
            wrong[f"ratings.{key}"] = _("A score is missing.")
    _refuse_unknown("ratings", ratings, known, asked, wrong)
    return checked


def _check_rating(key: str, said: object, asked: AskedCriterion, place: str, wrong: dict[str, str]) -> int | None:
    """The score as it is stored; None if it is not one of the points."""
    if asked.is_label:
        return _check_label(key, said, asked, place, wrong)
    scores = asked.scores
    try:
        return accept_score(said, scores)
    except OffScale:
        wrong[f"ratings.{key}"] = _("%(score)s is not on the scale %(lowest)s…%(highest)s.") % {
            "score": repr(said)[:SCORE_SHOWN], "lowest": scores[0], "highest": scores[-1],
        }  # fmt: skip
        return None


def _check_label(key: str, said: object, asked: AskedCriterion, place: str, wrong: dict[str, str]) -> int | None:
    labels = {point.key: point.score for point in asked.points_at(place)}
    if isinstance(said, str) and said in labels:
        return labels[said]
    wrong[f"ratings.{key}"] = _("%(label)s is not one of the labels: %(labels)s.") % {
        "label": repr(said)[:SCORE_SHOWN], "labels": ", ".join(labels),
    }  # fmt: skip
    return None


def _check_evidence(
    asked: Asked, evidence: Mapping[str, Any], ratings: Mapping[str, Any], wrong: dict[str, str]
) -> dict[str, int]:
    """The turns that show why, by rating key; a turn shows nothing where there is no score."""
    known = asked.by_rating_key()
    _refuse_unknown("evidence", evidence, known, asked, wrong)
    turns = {}
    for key in evidence.keys() & known.keys():
        if evidence[key] is None:
            continue
        turn = _check_turn(key, evidence[key], asked, wrong)
        if turn is not None and ratings.get(key) is None:
            wrong[f"evidence.{key}"] = _("There is no score that this turn could show.")
        elif turn is not None:
            turns[key] = turn
    return turns


def _check_turn(key: str, said: object, asked: Asked, wrong: dict[str, str]) -> int | None:
    if isinstance(said, int) and not isinstance(said, bool) and said in {turn.number for turn in asked.turns}:
        return said
    wrong[f"evidence.{key}"] = _("The dialogue has no such turn.")
    return None


def _require_evidence(
    key: str, score: int, criterion: Criterion, turns: Mapping[str, int], wrong: dict[str, str]
) -> None:
    limit = criterion.evidence_below
    if limit is not None and score < limit and key not in turns and f"evidence.{key}" not in wrong:
        wrong[f"evidence.{key}"] = _("A score below %(limit)s needs a turn that shows why.") % {"limit": limit}


def _refuse_unknown(
    part: str, said: Mapping[str, Any], known: Collection[str], asked: Asked, wrong: dict[str, str]
) -> None:
    """Names what is not asked: a criterion that the rubric does not have, or a place that the dialogue does not have."""
    criteria = {one.criterion.key for one in asked.criteria}
    for key in said.keys() - set(known):
        wrong[f"{part}.{key}"] = (
            _("This criterion is not asked there.")
            if criterion_of(key) in criteria
            else _("This rubric has no such criterion.")
        )


def check_verdicts(asked: Asked, verdicts: Mapping[str, Any], wrong: dict[str, str]) -> dict[int, bool]:
    """Where the reviewer says nothing of a subtask, the verdict is what the ledger says."""
    finished = {}
    subtasks = {str(subtask.index): subtask for subtask in asked.subtasks}
    for index, subtask in subtasks.items():
        is_closed_as_finished = subtask.status == SubtaskStatus.FINISHED
        verdict = verdicts.get(index, is_closed_as_finished)
        if not isinstance(verdict, bool):
            wrong[f"verdicts.{index}"] = _("A verdict is true or false.")
        elif verdict and not began(subtask.turns_used, is_finished=is_closed_as_finished):
            wrong[f"verdicts.{index}"] = _("Nothing was said in this subtask: it cannot be finished.")
        else:
            finished[subtask.index] = verdict
    for index in verdicts.keys() - subtasks.keys():
        wrong[f"verdicts.{index}"] = _("The dialogue has no such subtask.")
    return finished


def check_comment(comment: str, wrong: dict[str, str], field: str = "comment") -> str:
    if len(comment) > COMMENT_LIMIT:
        wrong[field] = _("The comment has %(n)s characters; %(limit)s are the most.") % {
            "n": len(comment), "limit": COMMENT_LIMIT,
        }  # fmt: skip
    elif not is_storable(comment):
        wrong[field] = _("The comment holds a character that cannot be stored (NUL or half a surrogate pair).")
    return comment
