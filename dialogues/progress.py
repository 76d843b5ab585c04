"""A tester's assignments: open, begun, to be scored, done; in groups, per system and kind; the time left, and what to do instead."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from math import ceil
from statistics import median
from uuid import UUID

from django.db.models import Case, Count, Prefetch, Q, QuerySet, When, prefetch_related_objects
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.calendar import Doing, why_closed
from campaigns.interests import barred_entries
from campaigns.labels import kind_label
from campaigns.models import Assignment, Campaign, CampaignRole, Entry, Scenario, Subtask
from dialogues.events import DialogueClosed, DialogueReturned, DialogueVoided
from dialogues.masking import Masker
from dialogues.models import Dialogue, LedgerEvent, Turn
from dialogues.pauses import BotPause, bot_pause, outside_shift
from dialogues.turn_policy import TurnPolicy, turn_policy_of
from dialogues.turn_taking import DialogueStatus

# Before the tester has ended a dialogue: seconds for a part, about eight turns and the scores.
USUAL_S = 360.0
# A dialogue that was given up at once says nothing about the pace, nor does one that dragged on.
LONGEST_S = 1800.0
SHORTEST_S = 60.0
# Between two messages a tester reads, thinks and types; who does nothing for longer is not at work.
PAUSE_S = 300.0
TO_DO, BEGUN, TO_SCORE, PAUSED, DONE, BARRED = "to_do", "begun", "to_score", "paused", "done", "barred"
# What a tester is to do first stands first.
GROUPS = (BEGUN, TO_SCORE, TO_DO, PAUSED, BARRED, DONE)
CLOSEST_TICKS_PX = 3
SHARE_WIDTH_PX = 126
# Dialogues that the pace is taken from: a median needs no more, and the page reads their turns.
PACE_DIALOGUES = 20


def seconds_at_work(moments: Iterable[datetime]) -> float:
    """The seconds from the first moment of a dialogue to the last, without the gaps that are longer than a pause."""
    gaps = ((after - before).total_seconds() for before, after in pairwise(sorted(moments)))
    return sum(gap for gap in gaps if gap <= PAUSE_S)


def seconds_per_part(dialogues: Iterable[tuple[float, int]]) -> float:
    """The median over dialogues, each with its seconds and its number of parts; `USUAL_S` where there is none."""
    paces = [seconds / n_parts for seconds, n_parts in dialogues if n_parts and seconds > 0]
    return median(min(max(pace, SHORTEST_S), LONGEST_S) for pace in paces) if paces else USUAL_S


def minutes_for(n_parts: float, pace_s: float) -> int:
    """Whole minutes for `n_parts` parts, at least one unless there is none."""
    return ceil(n_parts * pace_s / 60)


def time_left(minutes: int) -> str:
    """About how long is left, in words; empty where nothing is."""
    if minutes < 90:
        return _("about %(n)d min left") % {"n": minutes} if minutes else ""
    return _("about %(n)d h left") % {"n": round(minutes / 60)}


def why_next_is_closed(campaign: Campaign, shift: str, row: "AssignmentRow | None", at: datetime) -> str:
    """Why a tester with that shift cannot do now what is next for them (without a row: begin something); empty where they can."""
    doing = row.doing if row else Doing.TEST
    if closed := why_closed(campaign, doing, at):
        return closed
    return outside_shift(shift, campaign, at) if doing is Doing.TEST else ""


@dataclass(frozen=True, slots=True)
class AssignmentRow:
    """`caps` are the turn caps of the parts, in order; one number where one cap spans the dialogue.

    `pause` is why it cannot be begun now. `returned_because` is why experts sent the last dialogue back, or an organizer
    declared it void, while there is none in its stead. `is_barred`: the tester has an interest in the bot, so neither the
    assignment nor what was said in it is theirs any more.
    """

    assignment: Assignment
    dialogue_id: UUID | None
    status: str
    turns_used: int
    is_scored: bool
    number: int = 0
    kinds: tuple[str, ...] = ()
    caps: tuple[int, ...] = ()
    opened_at: datetime | None = None
    closed_at: datetime | None = None
    scored_at: datetime | None = None
    n_minutes: int = 0
    pause: BotPause | None = None
    returned_because: str = ""
    is_barred: bool = False
    going_on: Doing = Doing.FINISH

    @property
    def state(self) -> str:
        if self.is_barred:
            return BARRED
        if self.dialogue_id is None:
            return PAUSED if self.pause else TO_DO
        if self.status == DialogueStatus.OPEN:
            return BEGUN
        return DONE if self.is_scored else TO_SCORE

    @property
    def doing(self) -> Doing:
        """What the campaign's dates must allow, so that the tester can go on with it."""
        return {BEGUN: self.going_on, TO_SCORE: Doing.SCORE_OWN}.get(self.state, Doing.TEST)

    @property
    def turn_cap(self) -> int:
        return sum(self.caps)

    @property
    def kind(self) -> str:
        """The kinds of the parts in the reader's language, as one word of the list."""
        return " + ".join(kind_label(kind) for kind in self.kinds)


def assignment_rows(tester: Person, campaign: Campaign | None = None, *, at: datetime) -> list[AssignmentRow]:
    """The tester's assignments in their order, each with its counted dialogue; seven queries at most, whatever their number.

    What is to be done with a bot that was withdrawn is left out.
    """
    # Not joined: hundreds have few scenarios, so each is read once, without what only bots and goal cards need of it.
    listed = Scenario.objects.defer("facts", "context")
    assignments = _drawn_for(tester, campaign).prefetch_related(Prefetch("scenario", listed), "scenario__subtasks")
    rows = [_with_parts(row) for row in _rows(tester, _of_campaign(assignments, campaign), at)]
    reasons = _reasons_of_returns(tester)
    return [
        replace(row, returned_because=reasons.get(row.assignment.pk, "")) if row.state == TO_DO else row for row in rows
    ]


def assignment_places(tester: Person, campaign: Campaign, *, at: datetime) -> list[AssignmentRow]:
    """The rows of one campaign without what only a list shows, their parts and why a dialogue was returned; three queries."""
    return _rows(tester, _of_campaign(_drawn_for(tester, campaign), campaign), at)


def _drawn_for(tester: Person, campaign: Campaign | None) -> QuerySet[Assignment]:
    drawn: QuerySet[Assignment] = Assignment.with_programs.of_tester(tester).in_order()
    drawn = drawn.filter(campaign__roles__in=CampaignRole.objects.held_by(tester).filter(role="tester"))
    drawn = drawn.exclude(dialogues__origin=Dialogue.Origin.IMPORTED).prefetch_related("entry")
    is_barred = Case(When(entry__in=barred_entries(tester), then=True), default=False)
    drawn = drawn.annotate(is_barred=is_barred)  # type: ignore[no-redef] # the attribute is declared for its readers
    return drawn if campaign is None else drawn.filter(campaign=campaign)


def _of_campaign(assignments: QuerySet[Assignment], campaign: Campaign | None) -> list[Assignment]:
    named = list(assignments)
    if campaign is None:
        prefetch_related_objects(named, "campaign")
        return named
    for one in named:
        one.campaign = campaign
    return named


def _rows(tester: Person, assignments: Sequence[Assignment], at: datetime) -> list[AssignmentRow]:
    dialogues = {dialogue.assignment_id: dialogue for dialogue in Dialogue.with_programs.of_tester(tester).counted()}
    offered = [one for one in assignments if one.pk in dialogues or one.entry.withdrawn_at is None]
    return [
        _row(number, assignment, dialogues.get(assignment.pk), at) for number, assignment in enumerate(offered, start=1)
    ]


def _reasons_of_returns(tester: Person) -> dict[int, str]:
    """Why the last dialogue of an assignment was sent back or declared void, by the assignment."""
    returned = Dialogue.with_programs.of_tester(tester).filter(
        status__in=[DialogueStatus.RETURNED, DialogueStatus.VOID]
    )
    kinds = [DialogueReturned.kind, DialogueVoided.kind, DialogueClosed.kind]
    events = LedgerEvent.objects.filter(dialogue__in=returned, kind__in=kinds).order_by("at", "pk")
    lines = (
        (assignment, json.loads(frame)) for assignment, frame in events.values_list("dialogue__assignment", "frame")
    )
    # Of closings only those by an organizer say why.
    return {assignment: frame["because"] for assignment, frame in lines if "because" in frame}


def _row(number: int, assignment: Assignment, dialogue: Dialogue | None, at: datetime) -> AssignmentRow:
    policy = turn_policy_of(assignment.campaign)
    return AssignmentRow(
        assignment=assignment,
        dialogue_id=dialogue.pk if dialogue else None,
        status=dialogue.status if dialogue else "",
        turns_used=policy.turns(dialogue.turns_used) if dialogue else 0,
        # What stands apart is scored by nobody.
        is_scored=dialogue is not None
        and (dialogue.scored_at is not None or not assignment.campaign.testers_score or assignment.is_apart),
        number=number,
        opened_at=dialogue.opened_at if dialogue else None,
        closed_at=dialogue.closed_at if dialogue else None,
        scored_at=dialogue.scored_at if dialogue else None,
        pause=None if dialogue else bot_pause(assignment.entry, assignment.campaign, at),
        is_barred=assignment.is_barred,
        going_on=dialogue.going_on(at) if dialogue else Doing.FINISH,
    )


def _with_parts(row: AssignmentRow) -> AssignmentRow:
    parts, campaign = list(row.assignment.scenario.subtasks.all()), row.assignment.campaign
    caps = _caps(turn_policy_of(campaign), campaign.turn_cap, parts)
    return replace(row, kinds=tuple(part.kind for part in parts), caps=caps)


def _caps(policy: TurnPolicy, shared_cap: int | None, parts: Sequence[Subtask]) -> tuple[int, ...]:
    if shared_cap is not None:
        return (policy.shown_cap(shared_cap),)
    return tuple(policy.shown_cap(part.turn_cap or 0, is_first=part.position == 1) for part in parts)


def next_row(rows: Iterable[AssignmentRow]) -> AssignmentRow | None:
    """What the tester does next: finish what was begun, the latest first, score what was ended, then the next in order."""
    waiting = [row for row in rows if row.state not in (PAUSED, BARRED, DONE)]
    begun = [row for row in waiting if row.state == BEGUN]
    if begun:
        return max(begun, key=lambda row: row.opened_at.timestamp() if row.opened_at else 0.0)
    return min(waiting, key=lambda row: GROUPS.index(row.state), default=None)


def grouped(rows: Sequence[AssignmentRow]) -> list[tuple[str, list[AssignmentRow]]]:
    """The rows by what is to be done; groups without a row are left out, what is done stands latest first."""
    groups = [(state, [row for row in rows if row.state == state]) for state in GROUPS]
    return [(state, rows[::-1] if state == DONE else rows) for state, rows in groups if rows]


@dataclass(frozen=True, slots=True)
class Bar:
    """A ruler that is about `width` pixels wide: one tick per assignment, fewer where they would stand too close."""

    ticks: int
    pitch: int


def bar(n_rows: int, width: int) -> Bar:
    ticks = max(1, min(n_rows, width // CLOSEST_TICKS_PX))
    return Bar(ticks, width // ticks)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the assignments of one system or kind are done."""

    name: str
    n_done: int
    n_rows: int

    @property
    def bar(self) -> Bar:
        return bar(self.n_rows, SHARE_WIDTH_PX)


def shares(rows: Iterable[AssignmentRow], name_of: Callable[[AssignmentRow], str]) -> list[Share]:
    """Progress per name, in the order of the names."""
    counts: dict[str, list[int]] = {}
    for row in rows:
        count = counts.setdefault(name_of(row), [0, 0])
        count[0] += row.state == DONE
        count[1] += 1
    return [Share(name, n_done, n_rows) for name, (n_done, n_rows) in sorted(counts.items())]


def ended_last(rows: Iterable[AssignmentRow]) -> list[AssignmentRow]:
    """The rows whose dialogues ended last: they say how fast the tester is now."""
    ended = [(row.closed_at, row.number, row) for row in rows if row.closed_at]
    return [row for _, _, row in sorted(ended)[-PACE_DIALOGUES:]]


def moments_of(rows: Iterable[AssignmentRow]) -> dict[UUID, list[datetime]]:
    """When messages were sent and settled in the rows' dialogues; one query."""
    turns = Turn.objects.filter(dialogue__in=[row.dialogue_id for row in rows]).order_by()
    moments: dict[UUID, list[datetime]] = {}
    for dialogue_id, *times in turns.values_list("dialogue_id", "asked_at", "settled_at"):
        moments.setdefault(dialogue_id, []).extend(at for at in times if at)
    return moments


def part_pace(rows: Iterable[AssignmentRow], moments: Mapping[UUID, Sequence[datetime]]) -> float:
    """The seconds that this tester takes per part in ended dialogues, given the moments of each."""
    return seconds_per_part((_seconds_of(row, moments), len(row.kinds)) for row in rows if row.closed_at)


def _seconds_of(row: AssignmentRow, moments: Mapping[UUID, Sequence[datetime]]) -> float:
    between = moments.get(row.dialogue_id, ()) if row.dialogue_id else ()
    return seconds_at_work([at for at in (row.opened_at, *between, row.closed_at, row.scored_at) if at])


def with_estimates(rows: Iterable[AssignmentRow], pace_s: float) -> list[AssignmentRow]:
    """The rows with the minutes that each will take about."""
    return [replace(row, n_minutes=minutes_for(len(row.kinds), pace_s)) for row in rows]


def with_reasons(rows: Iterable[AssignmentRow], masker: Masker) -> list[AssignmentRow]:
    """The rows with why bots pause and dialogues were sent back; a name that would tell who made a bot is blotted out."""
    return [
        replace(
            row,
            pause=row.pause.masked(masker) if row.pause else None,
            returned_because=masker.mask(row.returned_because),
        )
        for row in rows
    ]


def minutes_left(rows: Iterable[AssignmentRow], pace_s: float) -> int:
    """About how long what is not talked yet takes; half of a dialogue that was begun."""
    weights = {TO_DO: 1.0, BEGUN: 0.5}
    n_parts = sum(weights.get(row.state, 0) * len(row.kinds) for row in rows)
    return minutes_for(n_parts, pace_s)


def another_assignment(rows: Sequence[AssignmentRow], dialogue: Dialogue) -> AssignmentRow | None:
    """The first in the drawn order that can be begun with another bot; with the same one where there is no other."""
    left = [row for row in rows if row.state == TO_DO and row.assignment.pk != dialogue.assignment_id]
    entry_id = dialogue.assignment.entry_id
    return next((row for row in left if row.assignment.entry_id != entry_id), left[0] if left else None)


def another_bot(campaign: Campaign, tester: Person, dialogue: Dialogue, at: datetime) -> Entry | None:
    """Where testers choose: the bot that this tester had least of, then the one that all had least of."""
    if not campaign.free_choice:
        return None
    # Joins bypass the managers: practice and programs are left out by hand.
    tested, own = Q(assignments__is_practice=False, assignments__is_apart=False), Q(assignments__tester=tester)
    others = campaign.entries.offered(campaign, at).exclude(pk=dialogue.assignment.entry_id)
    others = others.exclude(pk__in=barred_entries(tester))
    counted = others.annotate(n_own=Count("assignments", filter=tested & own), n=Count("assignments", filter=tested))
    return counted.order_by("n_own", "n", "alias").first()


def is_full(rows: Iterable[AssignmentRow], campaign: Campaign) -> bool:
    """Whether as many of the rows' dialogues are open as the campaign lets a tester have."""
    return sum(row.status == DialogueStatus.OPEN for row in rows) >= campaign.open_dialogues_per_tester


def has_another(
    rows: Sequence[AssignmentRow], campaign: Campaign, tester: Person, dialogue: Dialogue, at: datetime
) -> bool:
    if is_full(rows, campaign):
        return False
    return (another_assignment(rows, dialogue) or another_bot(campaign, tester, dialogue, at)) is not None
