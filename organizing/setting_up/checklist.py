"""What a campaign needs before its first dialogue, what else it lacks, and the page where each is done."""

from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from campaigns.readiness import setup_steps, what_is_missing
from judging.lacking import lacking

# The contests that were scored on test sets, too, and so their presets.
SCORED_ON_TEST_SETS = ("smp2018", "ntcir14", "seretod2022", "seretod2022-0-2", "msde")
# Where what a setting asks for is done: by the table of its place.
PAGES_OF_TABLES = {"[reviewing]": "people", "[plan]": "scenarios", "[rubric]": "scenarios"}


@dataclass(frozen=True, slots=True)
class ToDo:
    """`url` is empty where there is no page for it; `act` names what is done there."""

    sentence: str
    url: str
    act: str = ""
    is_done: bool = False


def checklist(campaign: Campaign) -> list[ToDo]:
    """In the order in which it is best done, with what is done; empty once nothing is missing."""
    rows = [
        ToDo(step.sentence, _address(step.page, campaign), step.title, step.is_done) for step in setup_steps(campaign)
    ]
    for finding in what_is_missing(campaign):
        page = PAGES_OF_TABLES.get(finding.place.partition(" ")[0], "settings")
        rows.append(ToDo(finding.message, _address(page, campaign)))
    rows += [ToDo(sentence, _address(page, campaign)) for sentence, page in lacking(campaign)]
    if may_want_tasks(campaign):
        text = _("No automatic task yet. The contest of this preset had some; without one, teams can hand in nothing.")
        rows.append(ToDo(text, _address("task-setup", campaign)))
    return rows if any(not row.is_done for row in rows) else []


def may_want_tasks(campaign: Campaign) -> bool:
    """Whether the preset's contest had automatic tasks and this campaign has none; once it has begun, it does without."""
    has_none = campaign.preset in SCORED_ON_TEST_SETS and not campaign.automatic_tasks.exists()
    return has_none and not campaign.has_begun()


def _address(page: str, campaign: Campaign) -> str:
    try:
        return reverse(page, args=[campaign.slug])
    except NoReverseMatch:
        return ""
