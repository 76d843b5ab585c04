"""What a campaign still lacks: nothing in its file is wrong, but somebody or something will wait for it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaigns.calendar import has_dates
from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.interests import Interests
from campaigns.models import Campaign, Role
from campaigns.planning.plans import PlanKind
from reading.findings import Finding


def what_is_missing(campaign: Campaign) -> list[Finding]:
    """One finding per lack, with the place of the setting that asks for it."""
    return [*_people_missing(campaign), *_skills_missing(campaign)]


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One thing that a campaign needs before the first dialogue, and whether it has it; `page` is the route where it is done."""

    page: str
    title: str
    is_done: bool
    # Why it is needed, shown while it is not done.
    sentence: str


def setup_steps(campaign: Campaign) -> list[SetupStep]:
    """In the order in which they are best done; words in the reader's language."""
    steps = [
        SetupStep(
            "scenarios",
            _("Add scenarios"),
            campaign.scenarios.tested().exists(),
            _("No scenario yet: no dialogue can begin."),
        ),
        SetupStep(
            "teams",
            _("Register systems"),
            campaign.entries.declared().taking_part().exists(),
            _("No system with an address yet: testers have nobody to talk to."),
        ),
        SetupStep(
            "invitations", _("Invite testers"), Interests(campaign).judging(Role.TESTER).exists(), _("No tester yet.")
        ),
        SetupStep("calendar", _("Set dates"), has_dates(campaign), _("No dates yet: everything is open at any time.")),
    ]
    if not (campaign.free_choice or campaign.has_pairs_alone):
        is_drawn = campaign.assignments.exists()
        steps.insert(3, SetupStep("draw", _("Draw assignments"), is_drawn, _("No assignment yet: nobody can start.")))
    return steps


def _people_missing(campaign: Campaign) -> Iterator[Finding]:
    interests = Interests(campaign)
    n_experts, n_adjudicators = (interests.judging(role).count() for role in (Role.EXPERT, Role.ADJUDICATOR))
    n_reviewers = interests.judging(Role.REVIEWER).reviewers().count()
    if n_experts < campaign.experts_per_dialogue:
        text = gettext_noop("%(needed)s experts vet each dialogue, but there are %(n)s: no dialogue will count")
        values = {"needed": campaign.experts_per_dialogue, "n": n_experts}
        yield Finding(SETTINGS["experts_per_dialogue"].place, text, values)
    if not campaign.panels_score:
        return
    if n_reviewers < campaign.reviewers_per_dialogue:
        text = gettext_noop("Each dialogue needs %(needed)s reviewers; there are %(n)s.")
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
