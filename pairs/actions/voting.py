"""Votes on pairs: which side a judge prefers, with a reason and a turn that shows it, and taking that back within ten seconds."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions import note_changed_scores
from campaigns.calendar import Doing, check_open
from campaigns.interests import may_judge
from campaigns.reasons import reason_of, reason_or_none
from dialogues.actions.opening import hold_openings_of
from dialogues.models import Dialogue
from dialogues.turn_taking import UNCOUNTED
from pairs.actions.opening import JUDGES
from pairs.models import Pair, PairVote
from pairs.trail_acts import PAIR_VOTE_UNDONE, PAIR_VOTED, of_vote
from reading.checking import BadForm
from reading.findings import Finding
from reviews.actions.submitting import TooLate, seconds_to_undo
from serving.refused import Refused

SIDES = (PairVote.Side.LEFT, PairVote.Side.RIGHT)


class NotComparable(Refused):
    """The pair cannot be compared now; the sentence says why."""

    code = "not_comparable"


class Conflict(Exception):
    """Another tab or program stored a newer state of the vote; `current` is what is stored."""

    def __init__(self, version: int, current: dict[str, Any]) -> None:
        super().__init__(f"version {version} is stored")
        self.version, self.current = version, current


def content_of(vote: PairVote | None) -> dict[str, Any]:
    """What the judge said; empty where nothing is."""
    if vote is None or not vote.verdict:
        return {}
    evidence = {"side": vote.evidence_side, "turn": vote.evidence_turn} if vote.evidence_side else None
    return {"verdict": vote.verdict, "reason": vote.reason, "evidence": evidence}


def dialogues_of(pair: Pair) -> dict[str, Dialogue]:
    """By side; an imported pair has none."""
    both = {"left": pair.left_dialogue, "right": pair.right_dialogue}
    return {side: dialogue for side, dialogue in both.items() if dialogue is not None}


def pair_of(judge: Person, pair_id: Any) -> Pair:
    """The judge's own pair, while they hold the role and no interest bars them. Errors: `Http404`."""
    pair = Pair.objects.drawn().of_judge(judge).with_names().filter(pk=pair_id).first()
    if pair is None or not pair.campaign.roles.held_by(judge).filter(role=JUDGES[Pair.Kind(pair.kind)]).exists():
        raise Http404
    if not (may_judge(judge, pair.left_id) and may_judge(judge, pair.right_id)):
        raise Http404
    return pair


@transaction.atomic
def vote(
    *,
    pair: Pair,
    judge: Person,
    verdict: str,
    based_on_version: int,
    at: datetime,
    reason: str = "",
    evidence_side: str = "",
    evidence_turn: int | None = None,
) -> PairVote:
    """Stores which side the judge prefers. `based_on_version` is the version that they saw (0: none).

    Errors: `NotComparable`, `NotNow`, `ReasonNeeded`, `BadForm` (verdict, evidence), `Conflict`.
    """
    pair = _held(pair, judge)
    _check_may_vote(pair, at)
    stored = PairVote.objects.filter(pair=pair, judge=judge).first()
    if (stored.version if stored else 0) != based_on_version or (stored is not None and stored.verdict):
        raise Conflict(stored.version if stored else 0, content_of(stored))
    _check_content(pair, verdict, evidence_side, evidence_turn)
    given = stored or PairVote(pair=pair, judge=judge, version=0)
    given.verdict, given.at = verdict, at
    given.reason = _reason_of(pair, reason)
    given.evidence_side, given.evidence_turn = evidence_side, evidence_turn
    _save(given, pair)
    record(PAIR_VOTED, by=judge, at=at, **of_vote(pair, given, verdict=given.verdict))
    return given


@transaction.atomic
def undo_vote(*, pair: Pair, judge: Person, version: int, at: datetime) -> PairVote:
    """Takes the vote of that version back: it stands nowhere then. Errors: `Conflict`, `TooLate`, `NotComparable`, `NotNow`."""
    pair = _held(pair, judge)
    _check_may_vote(pair, at)
    given = PairVote.objects.filter(pair=pair, judge=judge).first()
    if given is None or not given.verdict or given.version != version:
        raise Conflict(given.version if given else 0, content_of(given))
    if seconds_to_undo(given.at, at) == 0:
        raise TooLate(gettext_noop("It is too late to undo: the comparison stands."))
    was, given.verdict = given.verdict, ""
    _save(given, pair)
    record(PAIR_VOTE_UNDONE, by=judge, at=at, **of_vote(pair, given, verdict=was))
    return given


def undo_s(given: PairVote | None, at: datetime) -> int:
    """The whole seconds in which the vote can still be taken back."""
    return seconds_to_undo(given.at, at) if given is not None and given.verdict else 0


def _held(pair: Pair, judge: Person) -> Pair:
    """The pair, until the commit. The order of locks is that of `open_next_pair`."""
    hold_openings_of(judge.pk)
    Pair.objects.select_for_update().values_list("pk").get(pk=pair.pk)
    return pair_of(judge, pair.pk)


def _check_may_vote(pair: Pair, at: datetime) -> None:
    dialogues = dialogues_of(pair)
    # A live pair is compared as long as a dialogue of it could go on.
    live = Doing.ORGANIZE if any(one.going_on(at) is Doing.ORGANIZE for one in dialogues.values()) else Doing.FINISH
    check_open(pair.campaign, live if pair.is_live else Doing.REVIEW, at)
    if pair.campaign.is_published:
        raise NotComparable(gettext_noop("The results are published: comparisons can no longer be changed."))
    if pair.released_at is not None or any(one.status in UNCOUNTED for one in dialogues.values()):
        raise NotComparable(gettext_noop("One of the two dialogues does not count any more: go on with the next pair."))
    if any(one.is_open for one in dialogues.values()):
        raise NotComparable(gettext_noop("A dialogue is still open: end both, then compare them."))
    if not any(one.turns_used for one in dialogues.values()):
        raise NotComparable(gettext_noop("Nothing was said on either side: there is nothing to compare."))


def _check_content(pair: Pair, verdict: str, side: str, turn: int | None) -> None:
    """Errors: `BadForm`."""
    wrong = []
    if verdict not in PairVote.Verdict.values:
        text = gettext_noop("must be one of %(choices)s, not %(value)s")
        known = ", ".join(PairVote.Verdict.values)
        wrong.append(Finding("verdict", text, {"choices": known, "value": repr(verdict)[:40]}))
    if bool(side) != (turn is not None) or (side and side not in SIDES):
        wrong.append(Finding("evidence", gettext_noop("names a side, left or right, and a turn")))
    elif side and turn is not None and not dialogues_of(pair)[side].turns.filter(number=turn).exists():
        wrong.append(Finding("evidence", gettext_noop("there is no turn %(n)s on this side"), {"n": turn}))
    if wrong:
        raise BadForm(wrong)


def _reason_of(pair: Pair, reason: str) -> str:
    """Errors: `ReasonNeeded`."""
    if pair.campaign.pairs_reason == "off":
        return ""
    return reason_of(reason) if pair.campaign.pairs_reason == "needed" else reason_or_none(reason)


def _save(given: PairVote, pair: Pair) -> None:
    given.version += 1
    given.save()
    # A program's is on no board. Boards are stored by this version; the campaign's row comes last.
    if not given.judge.is_program:
        note_changed_scores(campaign=pair.campaign)
