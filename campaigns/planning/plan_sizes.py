"""How many assignments a plan may have: counted before anything is drawn, since what is drawn multiplies. Pure."""

from django.utils.translation import gettext_noop

from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.planning.plans import Ground, Plan, PlanKind, n_asked
from reading.findings import Finding
from serving.refused import Refused

_PER_BOT = gettext_noop(
    "%(bots)s systems × %(per)s dialogues are %(n)s assignments, more than the %(limit)s that may be drawn: choose a smaller plan, or ask the staff of the platform to raise its limit"
)
# The setting that makes a plan of this kind large, and what multiplies in it.
_LARGE = {
    PlanKind.FULL: (
        "plan",
        gettext_noop(
            "%(bots)s systems × %(testers)s testers × %(scenarios)s scenarios are %(n)s assignments, more than the %(limit)s that may be drawn: choose a smaller plan, or ask the staff of the platform to raise its limit"
        ),
    ),
    PlanKind.PER_CELL: (
        "testers_per_cell",
        gettext_noop(
            "%(bots)s systems × %(scenarios)s scenarios × %(per)s testers are %(n)s assignments, more than the %(limit)s that may be drawn: choose a smaller plan, or ask the staff of the platform to raise its limit"
        ),
    ),
    PlanKind.RANDOM_GOALS: ("dialogues_per_bot", _PER_BOT),
    PlanKind.QUOTA: ("quota", _PER_BOT),
}


class PlanTooLarge(Refused):
    """The plan has more assignments than the campaign may draw; nothing was drawn or changed. `setting` is the one to mend."""

    code = "plan_too_large"

    def __init__(self, setting: str, finding: Finding) -> None:
        super().__init__(finding.in_english)
        self.setting, self.finding = setting, finding

    def __str__(self) -> str:
        return self.finding.message


def check_size(plan: Plan, ground: Ground, limit: int) -> int:
    """How many assignments the plan has at most. Errors: `PlanTooLarge` where these are more than `limit`."""
    n = n_asked(plan, ground)
    if n <= limit:
        return n
    setting, text = _LARGE[plan.kind]
    per = {
        PlanKind.PER_CELL: min(plan.testers_per_cell, len(ground.testers)),
        PlanKind.RANDOM_GOALS: plan.dialogues_per_bot,
        PlanKind.QUOTA: sum(plan.quota.values()),
    }.get(plan.kind, 0)
    values = {
        "bots": len(ground.bots),
        "testers": len(ground.testers),
        "scenarios": len(ground.skills),
        "per": f"{per:,}",
        "n": f"{n:,}",
        "limit": f"{limit:,}",
    }
    raise PlanTooLarge(setting, Finding(SETTINGS[setting].place, text, values))
