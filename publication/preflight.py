"""What to look at before a leaderboard is frozen: a sentence per finding, and what to do about it. Pure: counts in, findings out.

A finding blocks where the leaderboard would be empty or could not stay as it is; all else warns, for the organizer may know better.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.printed_figures import fixed

# Below it, Krippendorff (2004, p. 241) advises against even tentative conclusions.
LOW_ALPHA = 0.667
# Names listed in a sentence; the rest are counted.
NAMED = 4


@dataclass(frozen=True, slots=True)
class Facts:
    """Counts of a campaign. `n_compared` systems have a strength on the board of pairs. `holes` has bots with how many of how many scenarios that they were to meet they have no record on, `left_out` bots with how many of
    their scored dialogues the policy of failures leaves out, which may be why; `weights` bots with how many
    scored dialogues their records make up; `ties` those that share a rank,
    `interested` people with how many dialogues they tested, scored, vetted and decided on that an interest bars them from,
    `unranked` bots with the reason, `alphas` criteria with their agreement, `uncompared` those with too many scores for that, `below_gold` reviewers with their percentage of gold scores.
    """

    n_ranked: int
    n_compared: int = 0
    n_open: int = 0
    n_not_done: int = 0
    n_without_own_scores: int = 0
    n_without_whole_panel: int = 0
    n_disputes: int = 0
    n_not_vetted: int = 0
    n_requests: int = 0
    holes: Sequence[tuple[str, int, int]] = ()
    left_out: Sequence[tuple[str, int]] = ()
    unranked: Sequence[tuple[str, str]] = ()
    weights: Sequence[tuple[str, float]] = ()
    ties: Sequence[tuple[int, Sequence[str]]] = ()
    alphas: Sequence[tuple[str, float]] = ()
    uncompared: Sequence[str] = ()
    below_gold: Sequence[tuple[str, int]] = ()
    lacks_gold: bool = False
    has_intervals: bool = True
    interested: Sequence[tuple[str, int, int, int, int]] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """`key` for programs and tests; `page` is the route where something can be done, if it is one page."""

    key: str
    blocks: bool
    text: str
    advice: str
    page: str = ""


def findings_of(facts: Facts) -> list[Finding]:
    """What blocks first, then what is worth a look."""
    found = [
        *_of_the_board(facts),
        *_of_unfinished_work(facts),
        *_of_coverage(facts),
        *_of_the_panel(facts),
        *_of_gold(facts),
        *_of_interests(facts),
    ]
    return sorted(found, key=lambda finding: not finding.blocks)


def another_is_being_frozen() -> Finding:
    text = _("Another leaderboard of this campaign is being frozen.")
    return Finding("freezing", True, text, _("Wait until that is done, or stop it on its page."))


def blocks(findings: Sequence[Finding]) -> bool:
    return any(finding.blocks for finding in findings)


def _of_the_board(facts: Facts) -> Iterator[Finding]:
    if not facts.n_ranked and not facts.n_compared:
        text = _("No system has a rank: there is nothing to publish.")
        yield Finding("empty", True, text, _("Wait until dialogues are scored."))
    for rank, names in facts.ties:
        text = _("%(names)s share rank %(rank)d: they are equal in every key of the rule.")
        advice = _("Readers will see a shared rank. More scored dialogues may tell them apart.")
        yield Finding("tie", False, text % {"names": _listed(names), "rank": rank}, advice)
    for name, reason in facts.unranked:
        text = _("%(name)s will be listed without a rank: %(reason)s.") % {"name": name, "reason": reason}
        yield Finding("unranked", False, text, _("Freeze once it has records, or accept that it has none."))
    weights = [weight for _name, weight in facts.weights]
    if len(set(weights)) > 1:
        fewest, most = (min(facts.weights, key=_weight), max(facts.weights, key=_weight))
        text = _("Systems have unequally many scored dialogues: from %(few)s (%(first)s) to %(many)s (%(second)s).")
        values = {"few": f"{fewest[1]:g}", "first": fewest[0], "many": f"{most[1]:g}", "second": most[0]}
        yield Finding("unequal", False, text % values, _("Have the missing dialogues done and scored: see Coverage."))
    if facts.n_ranked and not facts.has_intervals:
        text = _("The statistics of these figures are not computed yet: the page would show no intervals.")
        yield Finding("no-intervals", False, text, _("Wait a moment and look again."))


def _of_unfinished_work(facts: Facts) -> Iterator[Finding]:
    if n := facts.n_open:
        text = ngettext("%(n)d dialogue is still open.", "%(n)d dialogues are still open.", n) % {"n": n}
        yield Finding("open", True, text, _("Wait until they are closed: what they add would be missing."), "organize")
    if n := facts.n_not_done:
        text = ngettext("%(n)d assignment is not done.", "%(n)d assignments are not done.", n) % {"n": n}
        yield Finding("not-done", False, text, _("Have them done, or withdraw what nobody will do: see Coverage."))
    if n := facts.n_without_own_scores:
        text = ngettext(
            "%(n)d dialogue is not scored by its tester.", "%(n)d dialogues are not scored by their testers.", n
        )
        yield Finding("unscored", False, text % {"n": n}, _("Ask the testers to score what they ended."), "organize")
    if n := facts.n_requests:
        text = ngettext("%(n)d request to revise is unanswered.", "%(n)d requests to revise are unanswered.", n)
        yield Finding("requests", False, text % {"n": n}, _("Grant or refuse them."), "revisions")


def _of_coverage(facts: Facts) -> Iterator[Finding]:
    for name, n_missing, n_all in facts.holes:
        text = _("%(name)s has no scored dialogue on %(n)d of %(all)d scenarios.")
        values = {"name": name, "n": n_missing, "all": n_all}
        advice = _("Its figures are means over fewer scenarios than those of the others: see Coverage.")
        yield Finding("hole", False, text % values, advice)
    for name, n in facts.left_out:
        text = ngettext(
            "%(n)d scored dialogue with %(name)s counts nowhere: the system failed in it permanently.",
            "%(n)d scored dialogues with %(name)s count nowhere: the system failed in them permanently.",
            n,
        ) % {"n": n, "name": name}
        advice = _("The campaign leaves such dialogues out; nobody does their assignments again. See Faults.")
        yield Finding("left-out", False, text, advice, "faults")


def _of_the_panel(facts: Facts) -> Iterator[Finding]:
    if n := facts.n_without_whole_panel:
        text = ngettext(
            "%(n)d dialogue lacks scores of its panel.", "%(n)d dialogues lack scores of their panels.", n
        ) % {"n": n}
        yield Finding("panel", False, text, _("Wait for the reviewers, or draw their places for others."))
    if n := facts.n_disputes:
        text = ngettext("%(n)d dispute is not settled.", "%(n)d disputes are not settled.", n) % {"n": n}
        yield Finding("disputes", False, text, _("Their dialogues do not count until the adjudicator has decided."))
    if n := facts.n_not_vetted:
        text = ngettext("%(n)d dialogue is not vetted.", "%(n)d dialogues are not vetted.", n) % {"n": n}
        yield Finding("vetting", False, text, _("They do not count until the experts have accepted them."))
    for name, alpha in facts.alphas:
        if alpha < LOW_ALPHA:
            text = _("The reviewers agree little on %(name)s: alpha is %(alpha)s, below %(limit)s.")
            values = {"name": name, "alpha": fixed(alpha, 4), "limit": fixed(LOW_ALPHA, 3)}
            advice = _("Look at the reviewers who differ; say so in the paper if it stays.")
            yield Finding("agreement", False, text % values, advice, "agreement")
    if names := facts.uncompared:
        text = _("The agreement on %(names)s is not known: there are too many scores to compare.")
        advice = _("Compute it from the exported ratings if the paper needs it.")
        yield Finding("uncompared", False, text % {"names": _listed(names)}, advice, "agreement")


def _of_gold(facts: Facts) -> Iterator[Finding]:
    if facts.lacks_gold:
        text = _("The campaign mixes gold in, but no dialogue has gold scores.")
        yield Finding("no-gold", False, text, _("Set gold scores, or take the setting out of the file."))
    for name, percent in facts.below_gold:
        text = _("%(name)s gave %(percent)d%% of the gold scores exactly, which is below the pass mark.")
        advice = _("Look at this reviewer's scores before they become final.")
        yield Finding("gold", False, text % {"name": name, "percent": percent}, advice, "agreement")


def _of_interests(facts: Facts) -> Iterator[Finding]:
    for name, n_tested, n_scored, n_vetted, n_decided in facts.interested:
        text = _(
            "%(name)s takes part for a team, and has tested %(tested)d, scored %(scored)d, vetted %(vetted)d and as an organizer decided "
            "on %(decided)d dialogues."
        )
        values = {"name": name, "tested": n_tested, "scored": n_scored, "vetted": n_vetted, "decided": n_decided}
        advice = _("Declare these dialogues void and have others do them again, or report this in the paper.")
        yield Finding("interest", False, text % values, advice, "dialogues")


def _weight(row: tuple[str, float]) -> float:
    return row[1]


def _listed(names: Sequence[str]) -> str:
    """The names, of many the first few and how many more."""
    more = len(names) - NAMED
    if more <= 0:
        return _(", ").join(names)
    others = ngettext("%(n)d other", "%(n)d others", more) % {"n": more}
    return _(", ").join([*names[:NAMED], others])
