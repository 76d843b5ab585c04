"""Reads what a rehearsal found of each system: what was answered and how fast, what failed and by whose fault, which parts stayed unfinished."""

from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Count, F, Q, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.interests import barred_entries
from campaigns.models import Entry
from dialogues.fault_policy import FAULTS
from dialogues.models import Attempt, DialogueSubtask, Turn
from dialogues.turn_taking import DialogueStatus, SubtaskStatus, TurnStatus
from participants.adapters.shown_requests import finding_without
from simulation.actions.rehearsing import dialogues_of
from simulation.models import Rehearsal

# Of one system on the page: those that come later are mostly the same again.
FAILURES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class FailureFound:
    """A request that failed, or a dialogue that could not be begun or go on: then `turn` and `kind` are missing."""

    scenario: str
    sentence: str
    dialogue: UUID | None = None
    turn: int | None = None
    kind: str = ""
    fault: str = ""

    @property
    def kind_in_words(self) -> str:
        return _(self.kind) if self.kind else _("not carried out")


@dataclass(slots=True)
class SystemFound:
    """Dialogues that were planned and that are over; turns that were asked and that were answered; latencies of answers."""

    entry: Entry
    n_planned: int = 0
    n_over: int = 0
    n_turns: int = 0
    n_answered: int = 0
    p50_ms: int | None = None
    p95_ms: int | None = None
    failed: Counter[str] = field(default_factory=Counter)
    n_parts: int = 0
    n_unfinished: int = 0
    n_broken: int = 0
    failures: list[FailureFound] = field(default_factory=list)

    @property
    def faults(self) -> list[tuple[str, int]]:
        """By whose fault how many requests failed, in words."""
        return [(str(FAULTS[fault]), self.failed[fault]) for fault in FAULTS if self.failed[fault]]

    @property
    def n_failed(self) -> int:
        return self.failed.total()

    @property
    def look(self) -> str:
        """The colour of its pill: everything went well, something failed, nothing was answered; none before anything was."""
        if not self.n_turns and not self.n_broken:
            return ""
        if not self.n_answered:
            return "fail"
        return "care" if self.n_failed or self.n_broken else "good"

    @property
    def in_words(self) -> str:
        return {
            "": _("not asked yet"),
            "good": _("answered everything"),
            "care": _("with failures"),
            "fail": _("answered nothing"),
        }[self.look]


def found_in(rehearsal: Rehearsal, reader: Person) -> list[SystemFound]:
    """By alias. Eight queries, none of which reads a row per turn: the page asks every few seconds. Failures of systems that an interest closes to the reader are counted and not shown."""
    parts = rehearsal.parts.select_related("assignment__entry__bot__team", "assignment__scenario")
    systems: dict[int, SystemFound] = {}
    barred = set(barred_entries(reader).values_list("pk", flat=True))
    for part in parts.order_by("assignment__entry__alias", "pk"):
        entry = part.assignment.entry
        system = systems.setdefault(entry.pk, SystemFound(entry))
        system.n_planned += 1
        if part.broken:
            system.n_broken += 1
            if entry.pk not in barred:
                system.failures.append(FailureFound(part.assignment.scenario.title, part.broken))
    of_system = "dialogue__assignment__entry"
    dialogues = dialogues_of(rehearsal)
    for entry_id, status in dialogues.values_list("assignment__entry", "status"):
        systems[entry_id].n_over += status != DialogueStatus.OPEN
    turns = Turn.objects.filter(dialogue__in=dialogues).order_by()
    for entry_id, status, n in turns.values_list(of_system, "status").annotate(n=Count("pk")):
        systems[entry_id].n_turns += n
        systems[entry_id].n_answered += n if status == TurnStatus.ANSWERED else 0
    timed = turns.exclude(latency_ms=None).annotate(
        n=Window(Count("pk"), partition_by=of_system),
        nth=Window(RowNumber(), partition_by=of_system, order_by=["latency_ms", "pk"]),
    )
    # The nearest rank: that share of all, rounded up.
    at_rank = timed.filter(Q(nth=(F("n") * 50 + 99) / 100) | Q(nth=(F("n") * 95 + 99) / 100))
    for entry_id, latency_ms, nth, n in at_rank.values_list(of_system, "latency_ms", "nth", "n"):
        for percent, name in ((50, "p50_ms"), (95, "p95_ms")):
            if nth == (n * percent + 99) // 100:
                setattr(systems[entry_id], name, latency_ms)
    over = DialogueSubtask.objects.filter(dialogue__in=dialogues.exclude(status=DialogueStatus.OPEN))
    for entry_id, status in over.order_by().values_list(of_system, "status"):
        systems[entry_id].n_parts += 1
        systems[entry_id].n_unfinished += status != SubtaskStatus.FINISHED
    failed = Attempt.objects.filter(outcome=Attempt.Outcome.FAILURE, turn__dialogue__in=dialogues)
    of_system = f"turn__{of_system}"
    for entry_id, fault, n in failed.order_by().values_list(of_system, "fault").annotate(n=Count("pk")):
        systems[entry_id].failed[fault] = n
    nth = Window(RowNumber(), partition_by=of_system, order_by=["ended_at", "pk"])
    first = failed.exclude(**{f"{of_system}__in": barred}).annotate(nth=nth).filter(nth__lte=FAILURES_SHOWN)
    for one in first.select_related("turn__dialogue__assignment__scenario").order_by("ended_at", "pk"):
        system = systems[one.turn.dialogue.assignment.entry_id]
        system.failures.append(_shown(one, system.entry))
    for system in systems.values():
        del system.failures[FAILURES_SHOWN:]
    return list(systems.values())


def _shown(failed: Attempt, entry: Entry) -> FailureFound:
    what = failed.what_happened
    return FailureFound(
        scenario=failed.turn.dialogue.assignment.scenario.title,
        sentence=str(finding_without(what, entry.secret_to_hide)) if what else "",
        dialogue=failed.turn.dialogue_id,
        turn=failed.turn.number,
        kind=failed.kind,
        fault=failed.fault,
    )
