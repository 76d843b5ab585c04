"""What a campaign still lacks, with the page where it is done."""

from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from campaigns.readiness import rows_missing, what_is_missing

# Where what a setting asks for is done: by the table of its place.
PAGES = {"scenarios": "scenarios", "bots": "teams", "people": "people", "calendar": "calendar"}
# The contests that were scored on test sets, too, and so their presets.
SCORED_ON_TEST_SETS = ("smp2018", "ntcir14", "seretod2022", "seretod2022-0-2", "msde")
PAGES_OF_TABLES = {"[reviewing]": "people", "[plan]": "scenarios", "[rubric]": "scenarios"}


@dataclass(frozen=True, slots=True)
class ToDo:
    """`url` is empty where there is no page for it."""

    sentence: str
    url: str


def checklist(campaign: Campaign) -> list[ToDo]:
    """In the order in which it is best done; empty once nothing is missing."""
    rows = [ToDo(lack.sentence, _address(PAGES[lack.kind], campaign)) for lack in rows_missing(campaign)]
    for finding in what_is_missing(campaign):
        page = PAGES_OF_TABLES.get(finding.place.partition(" ")[0], "settings")
        rows.append(ToDo(finding.message, _address(page, campaign)))
    if may_want_tasks(campaign):
        text = _("No automatic task yet; the contest of this preset had some. Without them teams hand in no runs.")
        rows.append(ToDo(text, _address("task-setup", campaign)))
    return rows


def may_want_tasks(campaign: Campaign) -> bool:
    """Whether the preset's contest had automatic tasks and this campaign has none; once it has begun, it does without."""
    has_none = campaign.preset in SCORED_ON_TEST_SETS and not campaign.automatic_tasks.exists()
    return has_none and not campaign.has_begun()


def _address(page: str, campaign: Campaign) -> str:
    try:
        return reverse(page, args=[campaign.slug])
    except NoReverseMatch:
        return ""
