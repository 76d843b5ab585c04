"""How a campaign compares systems, in sentences made from its scenarios, rubric and ranking rule."""

from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.labels import kind_label
from campaigns.models import Campaign, Subtask
from dialogues.fault_policy import fault_policy_of, rules_in_words
from dialogues.turn_policy import turn_in_words
from measures.live import RECORD_FIGURES
from rubrics.models import Criterion


def rules_of(campaign: Campaign) -> list[tuple[str, str]]:
    """Pairs of a head and a sentence, in the order in which a newcomer asks."""
    criteria = list(campaign.rubric.criteria.prefetch_related("points"))
    letters = {figure.name: figure.letter for figure in RECORD_FIGURES}
    letters |= {criterion.key: criterion.letter for criterion in criteria}
    order = [letters.get(key.figure, key.figure) for key in campaign.ranking_keys()]
    scales = [_scored(criterion) for criterion in criteria]
    return [
        *_of_dialogues(campaign),
        (_("Scores"), _("; ").join(scales)),
        (_("Ranking"), _ranking(order)),
        (_("Anonymity"), _("Testers and reviewers see aliases only; the names of teams appear with the leaderboard.")),
    ]


def _of_dialogues(campaign: Campaign) -> list[tuple[str, str]]:
    """What holds while people talk; a campaign of records alone has none of it."""
    n_scenarios = campaign.scenarios.tested().count()
    if not n_scenarios:
        return []
    return [
        (_("Scenarios"), _scenarios(campaign, n_scenarios)),
        (_("Turns"), _turns(campaign)),
        (_("One turn"), turn_in_words(campaign.turns_are)),
        *rules_in_words(fault_policy_of(campaign)),
    ]


def _ranking(order: list[str]) -> str:
    if len(order) == 1:
        return _("By %(first)s; equal in it share a rank.") % {"first": order[0]}
    return _("First by %(first)s, then by %(rest)s; equal in all of them share a rank.") % {
        "first": order[0],
        "rest": _(", ").join(order[1:]),
    }


def _scored(criterion: Criterion) -> str:
    """A scale with its ends; labels are named by reviewers and have no ends."""
    named = f"{criterion.letter} {criterion.name}"
    is_scale = criterion.kind == Criterion.Kind.SCALE
    return f"{named} ({_range(criterion.scores())})" if is_scale else named


def _range(scores: list[int]) -> str:
    if not scores:
        return "–"
    return f"{scores[0]} … {scores[-1]}".replace("-", "−")


def _scenarios(campaign: Campaign, n: int) -> str:
    kinds = Counter(Subtask.objects.filter(scenario__campaign=campaign).values_list("kind", flat=True))
    said = ngettext("%(n)d scenario", "%(n)d scenarios", n) % {"n": n}
    parts = _(", ").join(f"{kind_label(kind)} {count}" for kind, count in kinds.most_common())
    return _("%(scenarios)s; parts: %(parts)s") % {"scenarios": said, "parts": parts} if parts else said


def _turns(campaign: Campaign) -> str:
    if campaign.cap_per == "dialogue":
        return _("At most %(n)d turns per dialogue.") % {"n": campaign.turn_cap or 0}
    caps = Subtask.objects.filter(scenario__campaign=campaign).values_list("turn_cap", flat=True)
    most = max((cap for cap in caps if cap), default=0)
    if not most:
        return _("No cap is set: the records were made elsewhere.")
    return _("At most %(n)d turns per part; an unfinished part is charged its cap.") % {"n": most}
