"""What every organizer's act asks first: whether the campaign has ended."""

from datetime import datetime

from django.utils import timezone

from campaigns.calendar import Calendar, Doing, NotNow, check_open, moment_in_zone
from reading.checking import BadFile
from reading.findings import FILE, Finding


def refuse_if_ended(campaign: Calendar, at: datetime | None = None) -> None:
    """What is over is read-only until the campaign is extended. Without `at` it is asked for now. Errors: `NotNow`."""
    check_open(campaign, Doing.ORGANIZE, at or timezone.now())


def refuse_file_if_ended(campaign: Calendar, at: datetime | None = None) -> None:
    """The same for what a file brings. Errors: `BadFile`."""
    try:
        refuse_if_ended(campaign, at)
    except NotNow as over:
        when = moment_in_zone(over.moment, over.zone)
        raise BadFile([Finding(FILE, over.text, {"when": when})]) from over
