"""What a campaign still lacks: nothing in its file is wrong, but somebody or something will wait for it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaigns.calendar import has_dates
from campaigns.campaign_settings import SETTINGS
from campaigns.interests import Interests
from campaigns.models import Campaign, Role
from campaigns.plans import PlanKind
from reading.findings import Finding


def what_is_missing(campaign: Campaign) -> list[Finding]:
    """One finding per lack, with the place of the setting that asks for it."""
    return [*_people_missing(campaign), *_skills_missing(campaign)]


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that a campaign needs before the first dialogue; `kind` names where it is done."""

    kind: str
    sentence: str


def rows_missing(campaign: Campaign) -> list[Lack]:
    """What a campaign that was just made has none of yet; sentences in the reader's language."""
    entries = campaign.entries.declared()
    looks = (
        (
            "scenarios",
            campaign.scenarios.tested().exists(),
            _("No scenario yet: testers have nothing to talk about."),
        ),
        ("bots", entries.taking_part().exists(), _("No system with an address yet: testers have nobody to talk to.")),
        ("people", Interests(campaign).judging(Role.TESTER).exists(), _("No tester yet.")),
        ("calendar", has_dates(campaign), _("No dates yet: everything is open at any time.")),
    )
    return [Lack(kind, sentence) for kind, is_there, sentence in looks if not is_there]


def _people_missing(campaign: Campaign) -> Iterator[Finding]:
    interests = Interests(campaign)
    n_experts, n_reviewers, n_adjudicators = (
        interests.judging(role).count() for role in (Role.EXPERT, Role.REVIEWER, Role.ADJUDICATOR)
    )
    if n_experts < campaign.experts_per_dialogue:
        text = gettext_noop("%(needed)s experts vet each dialogue, but there are %(n)s: no dialogue will count")
        values = {"needed": campaign.experts_per_dialogue, "n": n_experts}
        yield Finding(SETTINGS["experts_per_dialogue"].place, text, values)
    if not campaign.panels_score:
        return
    if n_reviewers < campaign.reviewers_per_dialogue:
        text = gettext_noop("each dialogue has a panel of %(needed)s, but there are %(n)s reviewers")
        values = {"needed": campaign.reviewers_per_dialogue, "n": n_reviewers}
        yield Finding(SETTINGS["reviewers_per_dialogue"].place, text, values)
    if campaign.adjudicated_over is not None and not n_adjudicators:
        text = gettext_noop("there is no adjudicator: where a panel differs, the mean stands")
        yield Finding(SETTINGS["adjudicated_over"].place, text)


def _skills_missing(campaign: Campaign) -> Iterator[Finding]:
    """Skills that are asked for and that no scenario has, once there are scenarios."""
    skills = set(campaign.scenarios.tested().values_list("skill", flat=True))
    if not skills:
        return
    text = gettext_noop("no scenario has the skill “%(skill)s”")
    for skill in campaign.quota if campaign.plan == PlanKind.QUOTA else ():
        if skill not in skills:
            yield Finding(SETTINGS["quota"].place, text, {"skill": skill})
    for key, asked in campaign.rubric.criteria.values_list("key", "skills"):
        if asked and skills.isdisjoint(asked):
            text_of_criterion = gettext_noop("criterion %(criterion)s is never asked for: no scenario has its skill")
            yield Finding("[rubric]", text_of_criterion, {"criterion": key})
