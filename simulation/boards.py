"""Reads what people and programs found out about a campaign's systems, by the ledger: C and T of both by the same rule."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.models import Assignment, Campaign
from dialogues.models import Dialogue
from leaderboards.live_sums import ledger_sums_by_cell
from measures.live import COMPLETION
from simulation.comparing import Agreement, Compared, Verdict, compared
from simulation.models import SimulatedDialogue

# A page that is opened draws so often; an interval of four hundred is right to a hundredth.
N_RESAMPLES = 400


@dataclass(frozen=True, slots=True)
class Spent:
    """What a model took for one program; `n_rehearsed` of its dialogues are from before the day and in no figure."""

    endpoint: str
    model: str
    n_dialogues: int
    n_rehearsed: int
    n_calls: int
    n_bad_answers: int
    tokens_in: int
    tokens_out: int
    cost: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class ProgramRow:
    """A program that tests, or did until it was stopped. `n_waiting` dialogues are given to it and not begun; `spent` is by model."""

    program: Person
    is_at_work: bool
    n_dialogues: int
    n_waiting: int
    spent: list[Spent]

    @property
    def lines(self) -> Sequence[Spent | None]:
        """The lines of a table: one per model, and one where there is none."""
        return self.spent or [None]


def programs_of(campaign: Campaign) -> list[ProgramRow]:
    """Those that test in the campaign or had dialogues in it, by name; without those of rehearsals by script. Six queries."""
    of_program, n_each = Q(tester__kind=Person.Kind.PROGRAM), {"n": Count("pk")}
    dialogues = (
        Dialogue.with_programs.of_campaign(campaign).filter(of_program, assignment__is_rehearsal=False).order_by()
    )
    had = Counter(dict(dialogues.values_list("tester").annotate(**n_each)))
    waiting = Assignment.with_programs.filter(
        of_program, campaign=campaign, started_at=None, is_rehearsal=False
    ).order_by()
    given = Counter(dict(waiting.values_list("tester").annotate(**n_each)))
    at_work = set(campaign.roles.testers_and_programs().values_list("person", flat=True))
    currencies = dict(campaign.model_endpoints.values_list("key", "currency"))
    spent: defaultdict[int, list[Spent]] = defaultdict(list)
    rows = SimulatedDialogue.objects.of_campaign(campaign).values_list("dialogue__tester", "endpoint", "model")
    counted: Any = rows.order_by("endpoint", "model").annotate(
        n=Count("pk"), rehearsed=Count("pk", filter=Q(is_rehearsal=True)), calls=Sum("n_calls"), bad=Sum("n_bad_answers"),
        read=Sum("tokens_in"), written=Sum("tokens_out"), paid=Sum("cost"),
    )  # fmt: skip
    for program, *row in counted:
        spent[program].append(Spent(*[*row, currencies.get(row[0], "")]))
    programs = Person.objects.filter(kind=Person.Kind.PROGRAM, pk__in=at_work | had.keys()).order_by("username")
    return [ProgramRow(one, one.pk in at_work, had[one.pk], given[one.pk], spent[one.pk]) for one in programs]


def people_and_programs(campaign: Campaign) -> Compared:
    """Both by the ledger alone: a part is finished where its tester closed it so. What was imported or rehearsed is left out.

    Four queries, and as many rows as there are systems in scenarios. Systems and scenarios by their keys; turns as on the leaderboard.
    """
    systems, scenarios = (dict(rows.values_list("pk", "key")) for rows in (campaign.entries, campaign.scenarios))
    people, programs = (
        {
            (systems[entry], scenarios[scenario]): (sums.n_records, sums.n_complete, sums.charged_turns)
            for (entry, scenario), sums in ledger_sums_by_cell(campaign, kind).items()
        }
        for kind in (Person.Kind.PERSON, Person.Kind.PROGRAM)
    )
    return compared(people, programs, n_resamples=N_RESAMPLES)


def meaning_of(agreement: Agreement) -> str:
    """What the comparison of one figure means, as a sentence."""
    figure = _("completion (C)") if agreement.figure == COMPLETION.name else _("turns (T)")
    named = {"figure": figure, "n": agreement.n_systems, "scenarios": agreement.n_scenarios}
    match agreement.verdict:
        case Verdict.ALIKE:
            text = _(
                "By %(figure)s, programs rank systems as people do: the interval of Kendall's τ over %(n)s systems lies above 0."
            )
        case Verdict.OPPOSITE:
            text = _(
                "By %(figure)s, programs rank systems against people: the interval of Kendall's τ over %(n)s systems lies below 0."
            )
        case Verdict.TOO_FEW:
            text = _(
                "By %(figure)s, it is too early to say: systems that people and programs share: %(n)s (3 needed); scenarios: %(scenarios)s (2 needed)."
            )
        case _no_evidence:
            text = _(
                "By %(figure)s, there is no evidence that programs rank systems as people do: the interval of Kendall's τ over %(n)s systems holds 0."
            )
    return text % named
