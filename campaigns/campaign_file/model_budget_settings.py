"""The settings of the table `[model_budgets]`: what all language models of a campaign may take together. Pure."""

from django.utils.translation import gettext_noop

from campaigns.campaign_file.model_specs import BUDGET_LIMIT, MONEY_LIMIT
from campaigns.campaign_file.setting import Changeable, Setting
from reading.kinds import WholeOr

NONE = "none"
# By the key in files: the label, what it is, and the most that may be said.
_SAID = {
    "calls_a_day": (
        gettext_noop("Models: calls a day"),
        gettext_noop("how many calls all language models together may have on a day of UTC"),
        BUDGET_LIMIT,
    ),
    "tokens_a_day": (
        gettext_noop("Models: tokens a day"),
        gettext_noop("how many tokens they may use on a day, those asked and those answered"),
        BUDGET_LIMIT,
    ),
    "cost_a_day": (
        gettext_noop("Models: money a day"),
        gettext_noop("what they may cost on a day; each currency is counted by itself"),
        MONEY_LIMIT,
    ),
    "calls_in_all": (
        gettext_noop("Models: calls in all"),
        gettext_noop("how many calls they may have in all"),
        BUDGET_LIMIT,
    ),
    "tokens_in_all": (
        gettext_noop("Models: tokens in all"),
        gettext_noop("how many tokens they may use in all"),
        BUDGET_LIMIT,
    ),
    "cost_in_all": (
        gettext_noop("Models: money in all"),
        gettext_noop("what they may cost in all; each currency is counted by itself"),
        MONEY_LIMIT,
    ),
}  # fmt: skip
MODEL_BUDGETS = tuple(
    Setting(
        f"model_{key}",
        WholeOr(0, most, NONE),
        NONE,
        Changeable.ALWAYS,
        label,
        about,
        key=key,
        table="model_budgets",
        words={NONE: gettext_noop("no limit")},
        word_for_null=NONE,
    )
    for key, (label, about, most) in _SAID.items()
)
