"""What a campaign still lacks, with the page where it is done."""

from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse

from campaigns.models import Campaign
from campaigns.readiness import rows_missing, what_is_missing

# Where what a setting asks for is done: by the table of its place.
PAGES = {"scenarios": "scenarios", "bots": "teams", "people": "people", "calendar": "calendar"}
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
    return rows


def _address(page: str, campaign: Campaign) -> str:
    try:
        return reverse(page, args=[campaign.slug])
    except NoReverseMatch:
        return ""
