"""Who was to talk to which bot about what: plan.json and assignments.jsonl, drawn again from the seed. Pure.

Writer and verification share what is drawn and how assignments are told apart, never the rows.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from operator import index
from typing import Any

from campaigns.planning.drawing import Drawn
from campaigns.planning.plans import Ground, Plan, PlanKind, draw_fresh, n_asked
from verification.bundle_format import ASSIGNMENTS, CAMPAIGN, PLAN
from verification.findings import Findings, shown
from verification.tables import Line, Object, parsed

# Drawn by the plan: as the seed gives it; the same at another place in the tester's order; by a later drawing, over other people or bots,
# or handed on; where the seed is not told, any of the three.
AS_DRAWN, MOVED, LATER, DRAWN = "plan", "plan, moved", "later drawing", "drawn"
# Chosen by a tester or a program, or imported.
BY_HAND = "hand"
# Far more than anybody draws: a bundle that asks for more would keep its reader waiting.
MOST_DRAWN = 2_000_000
# Each drawn assignment is looked for among all testers or scenarios.
MOST_STEPS = 2_000_000_000
VOID = "void"
IDENTITY = ("tester", "bot", "scenario", "repetition")
Identity = tuple[str, str, str, int]


def drawn_plan(settings: Mapping[str, Any], ground: Ground, seed: int) -> list[Drawn]:
    """What the campaign's plan draws over this ground before anything has begun. Errors: those of odd values."""
    if not is_drawable(settings, ground):
        raise ValueError(f"the plan asks for more than {MOST_DRAWN:,} assignments, or draws them from too many")
    return draw_fresh(_plan(settings), ground, seed=seed)[0]


def is_drawable(settings: Mapping[str, Any], ground: Ground) -> bool:
    """Whether the plan is small enough to be drawn again: no bundle tells the seed of a larger one. Errors: those of odd values."""
    plan = _plan(settings)
    # A cell that asks for more testers than there are looks for each of them all the same.
    n_looked_for = (
        len(ground.bots) * len(ground.skills) * plan.testers_per_cell if plan.kind is PlanKind.PER_CELL else 0
    )
    most = max(n_asked(plan, ground), n_looked_for)
    return most <= MOST_DRAWN and most * max(len(ground.testers), len(ground.skills)) <= MOST_STEPS


def _plan(settings: Mapping[str, Any]) -> Plan:
    kind, n_testers, n_dialogues = (settings[name] for name in ("plan", "testers_per_cell", "dialogues_per_bot"))
    plan = Plan(PlanKind(kind), index(n_testers), index(n_dialogues), settings["quota"])
    if min(plan.testers_per_cell, plan.dialogues_per_bot, *plan.quota.values()) < 0:
        raise ValueError("the plan asks for less than nothing")
    return plan


def digest_of(drawn: Iterable[Drawn]) -> str:
    """Says which plan was drawn: tester, bot, scenario and position of each assignment, sorted."""
    return sha256(json.dumps(sorted(map(astuple, drawn)), separators=(",", ":")).encode()).hexdigest()


def made_by(assignments: Sequence[Drawn], drawn: Iterable[Drawn]) -> tuple[list[str], int]:
    """How each of the assignments that a plan drew came about, and how many that `drawn` has are not among them."""
    as_drawn = Counter(drawn)
    found = [""] * len(assignments)
    for place, one in enumerate(assignments):
        if as_drawn[one]:
            as_drawn[one] -= 1
            found[place] = AS_DRAWN
    # Afterwards: what stands at its place is nobody else's.
    moved = Counter(one.triple for one in as_drawn.elements())
    for place, one in enumerate(assignments):
        if not found[place]:
            found[place] = MOVED if moved[one.triple] else LATER
            moved[one.triple] -= found[place] == MOVED
    return found, moved.total()


def ground_of(plan: Object) -> Ground:
    """What plan.json says that the plan is drawn over."""
    return Ground(plan["testers"], plan["bots"], {one["scenario"]: one["skill"] for one in plan["scenarios"]})


@dataclass(frozen=True, slots=True)
class _Assigned:
    """What a row says. Millions of rows name few testers, bots and scenarios: each text is held once."""

    line: int
    identity: Identity
    position: Any
    made_by: Any
    has_dialogue: bool

    @property
    def drawn(self) -> Drawn:
        return Drawn(*self.identity[:3], self.position)


class Assignments:
    """The rows of assignments.jsonl, each told by whom it is for.

    Dialogues come in another order than assignments, so all of these are held: 0.4 kB for each, and 0.2 kB more while the plan that is drawn
    again is compared with them.
    """

    def __init__(
        self, lines: Iterable[Line], bots: Iterable[str], scenarios: Iterable[str], findings: Findings
    ) -> None:
        self._findings = findings
        self._rows: dict[Identity, _Assigned] = {}
        self._of_dialogues: dict[str, _Assigned] = {}
        texts: dict[Any, Any] = {}
        bots, scenarios = set(bots), set(scenarios)
        for line, row in lines:
            identity = _identity({name: texts.setdefault(row[name], row[name]) for name in IDENTITY})
            if identity in self._rows:
                findings.note(ASSIGNMENTS, f"the assignment of {_told(identity)} appears twice", line=line)
            elif row["bot"] not in bots or row["scenario"] not in scenarios:
                text = f"{_told(identity)}: the bundle does not have that bot or scenario"
                findings.note(ASSIGNMENTS, text, line=line)
            made_by = texts.setdefault(row["made_by"], row["made_by"])
            held = _Assigned(line, identity, row["position"], made_by, bool(row["dialogues"]))
            self._rows.setdefault(identity, held)
            self._of_dialogues.update(dict.fromkeys(row["dialogues"], held))

    def __len__(self) -> int:
        return len(self._rows)

    def check_dialogue(self, dialogue: Object) -> None:
        """Every dialogue belongs to the assignment that lists it; what is void may have been given to somebody else since."""
        row = self._of_dialogues.pop(dialogue["dialogue"], None)
        is_void = dialogue["status"] == VOID
        if row is None:
            text = f"the assignment of dialogue {shown(dialogue['dialogue'])} is missing: {_told(_identity(dialogue))}"
            self._findings.note(ASSIGNMENTS, text)
        elif row.identity[is_void:] != _identity(dialogue)[is_void:]:
            text = f"{_told(row.identity)} is not that of dialogue {shown(dialogue['dialogue'])}: {_told(_identity(dialogue))}"
            self._findings.note(ASSIGNMENTS, text, line=row.line)

    def check_end(self) -> None:
        """Notes the dialogues that are left over."""
        for name, row in self._of_dialogues.items():
            text = f"lists the dialogue {shown(name)}, which dialogues.jsonl does not have"
            self._findings.note(ASSIGNMENTS, text, line=row.line)

    def check_plan(self, campaign: Object, content: bytes) -> int:
        """Draws the plan again where the bundle tells its seed; gives how many assignments were drawn."""
        plan, seed = parsed(content)["plan"], campaign["seed"]
        if (plan is None) is not (seed is None):
            self._findings.note(PLAN, f"the plan is told without the seed of {CAMPAIGN}, or the seed without the plan")
            return 0
        if plan is None:
            self._check_untold()
            return 0
        if campaign["settings"]["plan"] != PlanKind.QUOTA and any(one["skill"] != "" for one in plan["scenarios"]):
            self._findings.note(PLAN, "tells skills of scenarios, which a quota alone is drawn by", figure="scenarios")
        drawn = drawn_plan(campaign["settings"], ground_of(plan), seed)
        if digest_of(drawn) != plan["drawn_sha256"]:
            text = (
                f"the seed {shown(seed)} and the plan's settings draw another plan over the testers, bots and scenarios"
                f" of {PLAN} than it says: the seed, a setting or {PLAN} was changed"
            )
            self._findings.note(CAMPAIGN, text, figure="seed")
            return 0
        self._compare(drawn, plan["n_not_assigned"])
        self._compare_numbers(plan, {"n_drawn": len(drawn), "n_assignments": len(self._rows)})
        return len(drawn)

    def _compare_numbers(self, plan: Object, counted: Mapping[str, int]) -> None:
        for name, n in counted.items():
            if plan[name] != n:
                text = f"says {shown(plan[name])}; there are {n:,}: an assignment was removed or added"
                self._findings.note(PLAN, text, figure=name)

    def _compare(self, drawn: Sequence[Drawn], n_not_assigned: int) -> None:
        rows = [row for row in self._rows.values() if row.made_by != BY_HAND]
        made, n_missing = made_by([row.drawn for row in rows], drawn)
        for row, how in zip(rows, made, strict=True):
            if row.made_by != how:
                text = f"{_told(row.identity)} is told as {shown(row.made_by)}; drawn again it is {how}"
                self._findings.note(ASSIGNMENTS, text, line=row.line, figure="made_by")
        if n_missing != n_not_assigned:
            text = f"lacks {n_missing:,} assignments that the plan draws; {PLAN} says {shown(n_not_assigned)}: one was removed or added"
            self._findings.note(ASSIGNMENTS, text, figure="n_not_assigned")

    def _check_untold(self) -> None:
        for row in self._rows.values():
            if row.made_by not in (DRAWN, BY_HAND):
                text = f"{_told(row.identity)} is told as {shown(row.made_by)}, but the seed that shows it is not told"
                self._findings.note(ASSIGNMENTS, text, line=row.line, figure="made_by")
            if not row.has_dialogue:
                text = f"{_told(row.identity)} has no dialogue: without the seed only those that have one are told"
                self._findings.note(ASSIGNMENTS, text, line=row.line, figure="dialogues")


def _identity(row: Object) -> Identity:
    return row["tester"], row["bot"], row["scenario"], row["repetition"]


def _told(identity: Identity) -> str:
    return " × ".join(map(shown, identity))
