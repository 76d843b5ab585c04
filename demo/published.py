"""Loads published results beside the demo: SMP2018's Table A2 from its records, and F1 of Table A1 as a metric of the same teams."""

import csv
import io
from datetime import datetime
from pathlib import Path

from django.db import transaction

from campaigns.actions import load_campaign
from campaigns.campaign_file import read_campaign_file
from campaigns.models import Campaign
from leaderboards.actions import import_records
from leaderboards.record_files import read_record_lines
from organizing.actions import store_metrics
from participants.adapters import PROTOCOLS

SMP2018 = Path(__file__).resolve().parent.parent / "examples" / "published" / "smp2018"
METRIC = "Task 1 F1"


@transaction.atomic
def load_published(at: datetime) -> Campaign:
    """The campaign with its records; loading it again changes nothing. The server computes, freezes and publishes its leaderboard."""
    file = SMP2018 / "campaign.toml"
    campaign, _changes = load_campaign(spec=read_campaign_file(file.name, file.read_bytes(), PROTOCOLS))
    if not campaign.imported_records.exists():
        scales = {criterion.key: criterion.scores() for criterion in campaign.rubric.criteria.all()}
        lines = read_record_lines((SMP2018 / "records.jsonl").read_bytes().splitlines(), scales)
        import_records(campaign=campaign, lines=lines)
        store_metrics(campaign=campaign, name="Table A1", content=_first_task(campaign), at=at)
    return campaign


def _first_task(campaign: Campaign) -> bytes:
    """F1 of Task 1, of the teams that took part in both tasks."""
    teams = set(campaign.entries.values_list("bot__team__name", flat=True))
    with (SMP2018 / "task1.csv").open(encoding="utf-8", newline="") as printed:
        rows = [(row["team"], row["f1"]) for row in csv.DictReader(printed) if row["team"] in teams]
    table = io.StringIO()
    csv.writer(table).writerows([("system", METRIC), *rows])
    return table.getvalue().encode()
