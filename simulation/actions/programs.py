"""Adds programs as testers, gives them dialogues to have, and notes what each dialogue of a model was made of."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.actions import create_people
from accounts.models import ApiToken, Person
from audit.actions import record
from audit.models import TrailLine
from campaigns.actions.ended import refuse_if_ended
from campaigns.models import Assignment, Campaign, Entry, Role
from dialogues.models import Dialogue
from serving.refused import Refused
from simulation.cells import Cell, cells_to_meet
from simulation.models import SimulatedDialogue
from simulation.trail_acts import PROGRAM_ADDED, PROGRAM_ASSIGNED, PROGRAM_STOPPED, REHEARSAL_STARTED

# Dialogues of a program in a campaign, at most.
MOST = 20_000


class NotAProgram(Refused):
    """The account is a person's: a program never acts under it."""

    code = "not_a_program"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return _("%(name)s is an account of a person: name one of a program.") % {"name": self.name}


class NameTaken(Refused):
    """Another campaign's program has that name; an organizer takes over no account that is not of theirs."""

    code = "name_taken"


class NothingToMeet(Refused):
    """No system that can be talked to, or no scenario."""

    code = "nothing_to_meet"

    def __str__(self) -> str:
        return _("The campaign has no system that can be talked to now, or no scenario.")


@transaction.atomic
def add_program(*, campaign: Campaign, username: str, by: Person | None, at: datetime) -> Person:
    """The program of that name as a tester of the campaign; its account is made where there is none.

    One that was stopped goes on. Errors: `NotAProgram`, `NameTaken` (a command takes any program); `NotNow` after the campaign's end.
    """
    refuse_if_ended(campaign)
    person = program_named(campaign, username, by)
    _role, is_new = campaign.roles.get_or_create(person=person, role=Role.TESTER)
    if is_new:
        record(PROGRAM_ADDED, by=by, at=at, campaign=campaign.slug, about=username)
    return person


def program_named(campaign: Campaign, username: str, by: Person | None) -> Person:
    """The account of that name, made where there is none; it has no role yet. Errors: `NotAProgram`, `NameTaken`."""
    person = Person.objects.filter(username=username).first()
    if person is None:
        person = Person(username=username, kind=Person.Kind.PROGRAM)
        create_people(people=[person])
        person = Person.objects.get(username=username)
    elif by is not None and not _takes_part(campaign, person):
        raise NameTaken(gettext_noop("%(name)s is taken: choose another name."), name=username)
    if not person.is_program:
        raise NotAProgram(username)
    return person


def _takes_part(campaign: Campaign, person: Person) -> bool:
    has_talked = Dialogue.with_programs.of_campaign(campaign).filter(tester=person)
    # One that was stopped before its first dialogue has left nothing but its lines.
    acts = (PROGRAM_ADDED.key, PROGRAM_STOPPED.key, REHEARSAL_STARTED.key)
    was_here = TrailLine.objects.of_campaign(campaign.slug).filter(about=person.username, act__in=acts)
    return campaign.roles.filter(person=person).exists() or has_talked.exists() or was_here.exists()


@transaction.atomic
def stop_program(*, campaign: Campaign, program: Person, by: Person | None, at: datetime) -> bool:
    """Takes the role, the dialogues that are not begun, and its tokens for this campaign, on open sockets too.

    What it said stays. False where it does not test here. Errors: `NotAProgram`; `NotNow` after the campaign's end.
    """
    if not program.is_program:
        raise NotAProgram(program.username)
    # Openings hold this row, too.
    campaign = Campaign.objects.held(campaign.pk)
    refuse_if_ended(campaign)
    n_gone, _rows = campaign.roles.filter(person=program, role=Role.TESTER).delete()
    if not n_gone:
        return False
    waiting = Assignment.with_programs.filter(campaign=campaign, tester=program, started_at=None, is_drawn=False)
    waiting.delete()
    ApiToken.objects.filter(user=program, campaign=campaign.slug).delete()
    record(PROGRAM_STOPPED, by=by, at=at, campaign=campaign.slug, about=program.username)
    return True


@transaction.atomic
def give_dialogues(
    *, campaign: Campaign, program: Person, n: int, seed: int, by: Person | None, at: datetime
) -> list[Assignment]:
    """Assignments of the program until it has `n` in all, in the order of its list: those it has, then new ones.

    They are beside people's plan and cover nothing of it. They stand apart unless the campaign counts programs and its time of testing
    has begun: before the day a program rehearses. Errors: `NotAProgram`, `NothingToMeet`, `NotNow`.
    """
    if not program.is_program:
        raise NotAProgram(program.username)
    # Openings hold this row, too.
    campaign = Campaign.objects.held(campaign.pk)
    refuse_if_ended(campaign)
    has_begun = campaign.testing_from is None or at >= campaign.testing_from
    is_apart = not (campaign.counts_program_testers and has_begun)
    own = Assignment.with_programs.filter(campaign=campaign, tester=program, is_drawn=False, is_apart=is_apart)
    own = own.filter(is_rehearsal=False)
    n_new = min(n, MOST) - own.count()
    if n_new > 0:
        made = _made(campaign, program, n_new, seed, at, is_apart=is_apart)
        Assignment.objects.bulk_create(made, batch_size=500)
        details = {"n": len(made), "seed": seed, "apart": is_apart}
        record(PROGRAM_ASSIGNED, by=by, at=at, campaign=campaign.slug, about=program.username, details=details)
    return list(own.with_names().in_order()[:n])


def _made(campaign: Campaign, program: Person, n: int, seed: int, at: datetime, *, is_apart: bool) -> list[Assignment]:
    offered = campaign.entries.offered(campaign, at).order_by("key")
    made = Drawing(campaign, program, list(offered)).assignments(n, seed=seed, at=at, is_apart=is_apart)
    if not made:
        raise NothingToMeet
    return made


class Drawing:
    """What a program may meet in a campaign: these systems, and all scenarios that are tested."""

    def __init__(self, campaign: Campaign, program: Person, entries: Sequence[Entry]) -> None:
        self._campaign, self._program = campaign, program
        self._entries = {entry.key: entry for entry in entries}
        self._scenarios = {one.key: one for one in campaign.scenarios.tested().order_by("key")}
        every = Assignment.with_programs.filter(campaign=campaign, tester=program)
        self._had, self._latest = Counter[Cell](), Counter[Cell]()
        for bot, scenario, repetition in every.values_list("entry__key", "scenario__key", "repetition"):
            self._had[bot, scenario] += 1
            self._latest[bot, scenario] = max(self._latest[bot, scenario], repetition)
        self._last = every.aggregate(last=Max("position"))["last"] or 0

    def assignments(self, n: int, *, seed: int, at: datetime, is_apart: bool) -> list[Assignment]:
        """The next `n`, not stored yet: what the program had least often comes first. Empty without a system or a scenario."""
        drawn = cells_to_meet(list(self._entries), list(self._scenarios), self._had, n, seed=seed)
        return [self._assignment(cell, at, is_apart=is_apart) for cell in drawn]

    def assignments_of_each(self, n_each: int, *, seed: int, at: datetime) -> list[Assignment]:
        """The same with `n_each` of every system, systems taking turns; they stand apart, marked as a rehearsal's."""
        scenarios = list(self._scenarios)
        drawn = [cells_to_meet([key], scenarios, self._had, n_each, seed=seed) for key in self._entries]
        in_turn = [cell for cells in zip(*drawn, strict=True) for cell in cells]
        return [self._assignment(cell, at, is_apart=True, is_rehearsal=True) for cell in in_turn]

    def _assignment(self, cell: Cell, at: datetime, **kind: bool) -> Assignment:
        self._latest[cell] += 1
        self._last += 1
        return Assignment(
            campaign=self._campaign,
            tester=self._program,
            entry=self._entries[cell[0]],
            scenario=self._scenarios[cell[1]],
            repetition=self._latest[cell],
            position=self._last,
            is_drawn=False,
            made_at=at,
            **kind,
        )


@dataclass(frozen=True, slots=True)
class Manner:
    """How a dialogue is simulated: the endpoint by its key, the model by its name there, and what it is asked with."""

    endpoint: str
    model: str
    persona: str
    difficulty: str
    temperature: float
    seed: int


@transaction.atomic
def note_begun(*, dialogue: Dialogue, manner: Manner, prompt_digest: str, at: datetime) -> SimulatedDialogue:
    """The row of a dialogue that a model has; one that goes on after a break keeps the row that it has."""
    testing_from = dialogue.assignment.campaign.testing_from
    row, _is_new = SimulatedDialogue.objects.get_or_create(
        dialogue=dialogue,
        defaults={
            "endpoint": manner.endpoint,
            "model": manner.model,
            "persona": manner.persona,
            "difficulty": manner.difficulty,
            "temperature": manner.temperature,
            "seed": manner.seed,
            "prompt_digest": prompt_digest,
            "is_rehearsal": testing_from is not None and dialogue.opened_at < testing_from,
            "began_at": at,
        },
    )
    return row


@transaction.atomic
def note_call(*, row: SimulatedDialogue, tokens_in: int, tokens_out: int, cost: Decimal, is_bad: bool) -> None:
    """Adds one call of the model to what its dialogue took."""
    SimulatedDialogue.objects.filter(pk=row.pk).update(
        n_calls=F("n_calls") + 1,
        n_bad_answers=F("n_bad_answers") + is_bad,
        tokens_in=F("tokens_in") + tokens_in,
        tokens_out=F("tokens_out") + tokens_out,
        cost=F("cost") + cost,
    )
