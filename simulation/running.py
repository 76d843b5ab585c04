"""Runs simulated dialogues: which are left of those that were asked for, several at a time, until all are done or the model refuses."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Avg, Count, Q, Sum

from campaigns.models import Assignment, Campaign
from dialogues.models import Dialogue
from dialogues.turn_taking import DialogueStatus
from language_models.asking import ModelRefusal
from language_models.models import ModelEndpoint
from simulation.driver import Player, play
from simulation.models import SimulatedDialogue
from simulation.program import Program, ProgramFailure, Stopped

# A dialogue that breaks is tried so often; most that break do so with a server that restarts.
TRIES = 3


@dataclass(slots=True)
class Progress:
    """`stopped` is why the model was asked nothing more; `broken` says per dialogue, by its assignment, why it could not go on."""

    n_asked: int
    n_before: int = 0
    n_played: int = 0
    broken: dict[int, str] = field(default_factory=dict)
    stopped: str = ""

    @property
    def n_left(self) -> int:
        return self.n_asked - self.n_before - self.n_played

    def __str__(self) -> str:
        return f"{self.n_before + self.n_played}/{self.n_asked} dialogues" + (
            f", {len(self.broken)} broken" if self.broken else ""
        )


def left_of(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Those without a dialogue that is closed and counts: what was left open goes on, what became void is done again."""
    closed = Dialogue.with_programs.filter(assignment__in=[one.pk for one in assignments]).counted()
    done = set(closed.exclude(status=DialogueStatus.OPEN).values_list("assignment", flat=True))
    return [one for one in assignments if one.pk not in done]


async def run_dialogues(
    assignments: Sequence[Assignment],
    player_of: Callable[[Assignment], Player],
    program: Program,
    *,
    parallel: int,
    progress: Progress,
    report: Callable[[Progress], object],
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Progress:
    """Plays them, at most `parallel` at a time. The first refusal of the model, or the stop of the program, lets the others end their move and stops all."""
    waiting = deque(assignments)

    async def work() -> None:
        while waiting and not progress.stopped:
            assignment = waiting.popleft()
            try:
                await _played(assignment, player_of, program, sleep)
                progress.n_played += 1
            except (ModelRefusal, Stopped) as why:
                progress.stopped = str(why)
            except ProgramFailure as broken:
                progress.broken[assignment.pk] = str(broken)
            report(progress)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(parallel, len(assignments))):
            group.create_task(work())
    return progress


async def _played(
    assignment: Assignment,
    player_of: Callable[[Assignment], Player],
    program: Program,
    sleep: Callable[[float], Awaitable[object]],
) -> None:
    for n_left in reversed(range(TRIES)):
        try:
            await play(program, assignment.pk, player_of(assignment))
            return
        except Stopped:
            raise
        except ProgramFailure:
            if not n_left:
                raise
            await sleep(1.0)


def summary_of(campaign: Campaign, endpoint: ModelEndpoint, assignments: Sequence[Assignment]) -> dict[str, Any]:
    """What the dialogues of those assignments came to: C and T by the ledger, calls, tokens and cost."""
    rows = SimulatedDialogue.objects.of_campaign(campaign).filter(
        dialogue__assignment__in=[one.pk for one in assignments]
    )
    taken = rows.aggregate(
        calls=Sum("n_calls"), bad=Sum("n_bad_answers"), tokens_in=Sum("tokens_in"), tokens_out=Sum("tokens_out"),
        cost=Sum("cost"),
    )  # fmt: skip
    closed = Dialogue.with_programs.filter(assignment__in=[one.pk for one in assignments]).reviewable()
    came = closed.aggregate(
        n=Count("pk"), completed=Count("pk", Q(status=DialogueStatus.COMPLETED)), turns=Avg("turns_used")
    )
    return {
        "closed": came["n"],
        "completed": came["completed"],
        "mean_turns": came["turns"],
        "calls": taken["calls"] or 0,
        "bad_answers": taken["bad"] or 0,
        "tokens_in": taken["tokens_in"] or 0,
        "tokens_out": taken["tokens_out"] or 0,
        "cost": str(taken["cost"] or Decimal(0)),
        "currency": endpoint.currency,
    }
