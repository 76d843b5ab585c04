"""Everything that is stored of one dialogue, as its organizer reads it: turns with their requests, ledger, reviews, experts' answers, reports, trail."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from api.answers import encoded
from audit.models import TrailLine
from dialogues.actions.deciding import CLOSED_AND_COUNTED
from dialogues.fault_policy import FAULTS
from dialogues.models import Attempt, Dialogue, Problem, Turn
from dialogues.queries import all_attempts, events_after
from dialogues.turn_policy import turn_policy_of
from dialogues.turn_taking import VOIDED, DialogueStatus, TurnStatus
from organizing.dialogues.listing import FLAGS, LOOKS, OUTCOMES, PARTS, REASONS, STATES, Wait, waits_of
from participants.adapters.calls import read_again, written
from participants.adapters.shown_requests import finding_without, value_without, without_secret
from participants.failures import Wire, wire_of
from reading.findings import Finding
from reviews.models import Review, SubtaskVerdict, Vetting
from reviews.review_page import COMPLETION, PartRule, name_of_part, rules_of
from reviews.sheet import SheetPart
from rubrics.models import Criterion
from testing_console.score_axis import shown

# Characters of an answer, or of what a request said went wrong, that the page shows.
SHOWN_OF_AN_ANSWER = 2000


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the bot. `n_bytes` is how much of its answer is stored, `was_fault` what a booking replaced.

    Its texts are shown without the bot's secret, which some servers repeat.
    """

    attempt: Attempt
    secret: str

    @property
    def outcome(self) -> str:
        return str(OUTCOMES[self.attempt.outcome])

    @property
    def kind(self) -> str:
        return _(self.attempt.kind) if self.attempt.kind else ""

    @property
    def fault(self) -> str:
        return str(FAULTS.get(self.attempt.fault, self.attempt.fault))

    @property
    def was_fault(self) -> str:
        measured = self.attempt.measured_fault
        return str(FAULTS.get(measured, measured)) if measured and measured != self.attempt.fault else ""

    @property
    def n_bytes(self) -> int:
        return n_bytes_of(self.attempt)

    @property
    def wire(self) -> Wire:
        return wire_of(self.attempt.wire)

    @property
    def what_happened(self) -> Finding | None:
        found = self.attempt.what_happened
        return finding_without(found, self.secret) if found else None

    @property
    def evidence(self) -> str:
        return without_secret(self.attempt.evidence, self.secret)

    @property
    def answer(self) -> str:
        return self.evidence[:SHOWN_OF_AN_ANSWER]

    @property
    def texts(self) -> list[str]:
        return [without_secret(text, self.secret) for text in self.attempt.texts]


def n_bytes_of(attempt: Attempt) -> int:
    """How many bytes of the answer are stored: its beginning where it was none, its texts where it was one."""
    return len(attempt.evidence.encode()) or sum(len(text.encode()) for text in attempt.texts)


@dataclass(frozen=True, slots=True)
class TurnLabel:
    """What the reviews of those numbers, from 1, say of what was said there by its tester or by the bot."""

    numbers: Sequence[int]
    speaker: str
    said: int | str


@dataclass(frozen=True, slots=True)
class TurnShown:
    """One turn; `originals` are the texts as they came, where they are shown masked or cut.

    `state` is what the bot wants to have back with the next turn, as JSON: raw evidence, but for the bot's secret.
    """

    turn: Turn
    requests: Sequence[Request]
    is_flagged: bool
    secret: str
    labels: Sequence[TurnLabel]

    @property
    def number(self) -> str:
        """As forms send it."""
        return str(self.turn.number)

    @property
    def originals(self) -> Sequence[str]:
        replies = [one for one in self.requests if one.attempt.outcome == Attempt.Outcome.REPLY]
        return replies[-1].texts if replies and replies[-1].attempt.texts != self.turn.texts else ()

    @property
    def state(self) -> str:
        if not hasattr(self.turn, "bot_state"):
            return ""
        given = self.turn.bot_state.written
        return written(value_without(read_again(given), self.secret)) if self.secret else given

    @property
    def state_begins(self) -> str:
        return self.state[:SHOWN_OF_AN_ANSWER]

    @property
    def flags(self) -> list[str]:
        return [str(FLAGS.get(flag, flag)) for flag in self.turn.flags]

    @property
    def failure(self) -> Request | None:
        """The failure that the turn stopped at, which can be rebooked."""
        if self.turn.status != TurnStatus.FAILED:
            return None
        return next((one for one in self.requests if one.attempt.is_current), None)

    @property
    def has_more(self) -> bool:
        """Whether its requests tell more than the turn itself."""
        return any(one.attempt.pk for one in self.requests)


@dataclass(frozen=True, slots=True)
class PartShown:
    """The turns of one part; `rule` is missing where a dialogue has no parts."""

    rule: PartRule | None
    turns: Sequence[TurnShown]


@dataclass(frozen=True, slots=True)
class ReviewShown:
    review: Review
    scores: Sequence[tuple[str, int | str]]
    verdicts: Sequence[SubtaskVerdict]

    @property
    def part(self) -> str:
        return str(PARTS[self.review.part])


@dataclass(frozen=True, slots=True)
class Cell:
    """What one review says of one row: the score or a label's name, what its point means, and the turn that shows why."""

    said: str
    words: str
    evidence_turn: int | None


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One criterion, or the verdict of one part, over all reviews; a cell is None where a review says nothing."""

    letter: str
    name: str
    cells: Sequence[Cell | None]


@dataclass(frozen=True, slots=True)
class Transcript:
    dialogue: Dialogue
    n_turns: int
    wait: Wait | None
    parts: Sequence[PartShown]
    ledger: Sequence[tuple[int, str]]
    reviews: Sequence[ReviewShown]
    score_rows: Sequence[ScoreRow]
    vettings: Sequence[Vetting]
    problems: Sequence[Problem]
    trail: Sequence[TrailLine]

    @property
    def state(self) -> str:
        return str(STATES[self.dialogue.status])

    @property
    def look(self) -> str:
        return LOOKS.get(self.dialogue.status, "")

    @property
    def reason(self) -> str:
        return str(REASONS.get(self.dialogue.reason, self.dialogue.reason))

    @property
    def turns(self) -> list[TurnShown]:
        return [one for part in self.parts for one in part.turns]

    @property
    def may_end(self) -> bool:
        return self.dialogue.is_open

    def has_failed(self, number: str) -> bool:
        """Whether the turn of that number failed, so that its failure can be booked to somebody else."""
        return any(one.number == number and one.failure for one in self.turns)

    @property
    def may_void(self) -> bool:
        return self.dialogue.is_open or self.dialogue.status in CLOSED_AND_COUNTED

    @property
    def may_be_example(self) -> bool:
        """Of the scoring guide; what programs say beside the plan is scored by nobody."""
        return self.dialogue.status in CLOSED_AND_COUNTED and self.dialogue.origin != Dialogue.Origin.PROGRAM

    @property
    def may_restore(self) -> bool:
        return self.dialogue.status == DialogueStatus.VOID and self.dialogue.reason == VOIDED


def transcript_of(dialogue: Dialogue) -> Transcript:
    """All of the dialogue, in seventeen queries at most."""
    campaign = dialogue.assignment.campaign
    waits = waits_of(campaign, [dialogue]) if dialogue.is_open else {}
    subtasks, reviews = encoded(list[SheetPart], list(dialogue.subtasks.all())), reviews_of(dialogue)
    return Transcript(
        dialogue=dialogue,
        n_turns=turn_policy_of(campaign).turns(dialogue.turns_used),
        wait=waits.get(dialogue.pk),
        parts=parts_of(dialogue, subtasks, reviews),
        ledger=[(seq, _spaced(frame)) for seq, frame in events_after(dialogue.pk, 0)],
        reviews=reviews,
        score_rows=score_rows(reviews, subtasks),
        vettings=list(dialogue.vettings.select_related("expert").order_by("at", "pk")),
        problems=list(dialogue.problems.select_related("reported_by", "turn")),
        trail=list(trail_of(campaign.slug, dialogue)),
    )


def _spaced(frame: str) -> str:
    return json.dumps(json.loads(frame), ensure_ascii=False)


def parts_of(dialogue: Dialogue, subtasks: Sequence[Any], reviews: Sequence[ReviewShown]) -> list[PartShown]:
    """The turns under their parts, as reviewers read them; a part without a turn has its rule all the same."""
    of_part: dict[int, list[TurnShown]] = defaultdict(list)
    for one in turns_of(dialogue, labels_by_turn(reviews)):
        of_part[one.turn.subtask].append(one)
    sheet = {"subtasks": subtasks, "scenario": {"facts": dialogue.assignment.scenario.facts}}
    rules = rules_of(sheet, turn_policy_of(dialogue.assignment.campaign))
    parts = [PartShown(rule, of_part.pop(index, [])) for index, rule in rules.items()]
    return [PartShown(None, turns) for turns in of_part.values()] + parts


def labels_by_turn(reviews: Sequence[ReviewShown]) -> dict[int, list[TurnLabel]]:
    """What reviewers said of single utterances, by the number of the turn."""
    given: dict[int, dict[tuple[str, int | str], list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, one in enumerate(reviews, start=1):
        for rating in one.review.ratings.all():
            if rating.place.startswith("@"):
                turn, _dot, speaker = rating.place[1:].partition(".")
                given[int(turn)][speaker, _said(rating.criterion, rating.score)].append(number)
    return {
        turn: [
            TurnLabel(numbers, speaker, said)
            for (speaker, said), numbers in sorted(of_turn.items(), key=str, reverse=True)
        ]
        for turn, of_turn in given.items()
    }


def turns_of(dialogue: Dialogue, labels: Mapping[int, Sequence[TurnLabel]]) -> list[TurnShown]:
    turns = list(dialogue.turns.select_related("flag", "bot_state"))
    stored = Attempt.objects.filter(turn__dialogue=dialogue).order_by("number", "request", "pk")
    of_turn: dict[int, list[Attempt]] = defaultdict(list)
    for attempt in stored:
        of_turn[attempt.turn_id].append(attempt)
    secret = dialogue.assignment.entry.secret_to_hide
    return [
        TurnShown(one, _requests(one, of_turn, secret), hasattr(one, "flag"), secret, labels.get(one.number, ()))
        for one in turns
    ]


def _requests(turn: Turn, of_turn: Mapping[int, list[Attempt]], secret: str) -> list[Request]:
    # What testers saw, for which the turn itself stands, is shown as they saw it.
    return [Request(attempt, secret if attempt.pk else "") for attempt in all_attempts(turn, of_turn.get(turn.pk, []))]


def reviews_of(dialogue: Dialogue) -> list[ReviewShown]:
    """What was handed in; drafts are nobody's but their writer's."""
    handed_in = Review.objects.filter(dialogue=dialogue, is_submitted=True).select_related("reviewer")
    in_order = handed_in.order_by("submitted_at", "pk").prefetch_related("ratings__criterion__points", "verdicts")
    return [ReviewShown(one, _scores(one), list(one.verdicts.all())) for one in in_order]


def score_rows(reviews: Sequence[ReviewShown], subtasks: Sequence[Any]) -> list[ScoreRow]:
    """The reviews side by side: verdicts of parts, then criteria; labels of single utterances stand beside those."""
    names = {part["index"]: name_of_part(part) for part in subtasks}
    found: dict[tuple[int, int], tuple[str, str, dict[int, Cell]]] = {}
    for at, one in enumerate(reviews):
        for place, letter, name, cell in _cells(one, names):
            found.setdefault(place, (letter, name, {}))[2][at] = cell
    rows = [found[place] for place in sorted(found)]
    return [ScoreRow(letter, name, [cells.get(at) for at in range(len(reviews))]) for letter, name, cells in rows]


def _cells(one: ReviewShown, names: Mapping[int, str]) -> Iterator[tuple[tuple[int, int], str, str, Cell]]:
    """Everything that a review says of the dialogue and its parts: its place among the rows, letter, name, and what is said."""
    for verdict in one.verdicts:
        words = _("finished") if verdict.is_finished else _("not finished")
        name = names.get(verdict.subtask, str(verdict.subtask))
        yield (-1, verdict.subtask), COMPLETION, name, Cell(str(int(verdict.is_finished)), words, None)
    for rating in one.review.ratings.all():
        if rating.place.startswith("@"):
            continue
        criterion, part = rating.criterion, int(rating.place[1:] or 0)
        name = f"{names.get(part, part)} · {criterion.name}" if part else criterion.name
        words = next((point.label for point in criterion.points.all() if point.score == rating.score), "")
        said = _said(criterion, rating.score)
        cell = Cell(shown(said) if isinstance(said, int) else said, words, rating.evidence_turn)
        yield (criterion.position, part), criterion.letter or criterion.key, name, cell


def _scores(review: Review) -> list[tuple[str, int | str]]:
    ratings = sorted(review.ratings.all(), key=lambda one: (one.criterion.position, one.place))
    return [
        (f"{one.criterion.letter or one.criterion.key}{one.place}", _said(one.criterion, one.score)) for one in ratings
    ]


def _said(criterion: Criterion, score: int) -> int | str:
    if criterion.kind == Criterion.Kind.SCALE:
        return score
    points: Iterable[Any] = criterion.points.all()
    return next((point.key for point in points if point.score == score), score)


def trail_of(slug: str, dialogue: Dialogue) -> Iterable[TrailLine]:
    """The lines of the trail that name the dialogue, the latest first."""
    return TrailLine.objects.of_campaign(slug).filter(details__dialogue=str(dialogue.pk)).latest_first()
