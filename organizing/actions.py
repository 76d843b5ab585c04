"""What can be done with a meta-evaluation: give it a table of metrics, take that back, compute and store it, keep it up to date."""

import hashlib
import time
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from campaigns.actions.ended import refuse_file_if_ended, refuse_if_ended
from campaigns.models import Campaign
from organizing.correlations import (
    ORGANIZERS,
    People,
    audiences_of,
    meta_evaluation_of,
    people_now,
    people_published,
    state_of,
    with_metrics,
    with_versions,
)
from organizing.models import MetaEvaluation, MetricFile
from organizing.trail_acts import METRICS_REMOVED, METRICS_STORED
from publication.models import Snapshot
from scoring.figure_tables import read_metrics
from serving.database_threads import look_again_and_again

# The columns that may name the system in an uploaded table, the usual one first.
SYSTEM_COLUMNS = ("system", "model", "bot", "team", "run")
SKILL_COLUMN = "skill"
# A computation that has stored nothing by then is dead.
GIVEN_UP_AFTER = timedelta(minutes=2)
# Many pairs take a second: this leaves the processor to others nine tenths of the time.
PAUSES_PER_COMPUTATION = 10


def store_metrics(
    *, campaign: Campaign, name: str, content: bytes, at: datetime, by: Person | None = None
) -> MetricFile:
    """Stores a wide table of automatic figures, in place of the one before. Errors: `BadFile` naming all that is wrong."""
    refuse_file_if_ended(campaign, at)
    read = read_metrics(content, systems=SYSTEM_COLUMNS, group=SKILL_COLUMN)
    figures = [{"skill": skill, "system": system, "figures": row} for (skill, system), row in read.items()]
    with transaction.atomic():
        MetricFile.objects.filter(campaign=campaign).delete()
        file = MetricFile.objects.create(campaign=campaign, name=name[:200], figures=figures, uploaded_at=at)
        details = {"rows": len(figures), "sha256": hashlib.sha256(content).hexdigest()}
        record(METRICS_STORED, by=by, at=at, campaign=campaign.slug, about=file.name, details=details)
        return file


@transaction.atomic
def remove_metrics(*, campaign: Campaign, by: Person | None = None) -> None:
    """Takes the uploaded table back. What was computed from it goes too; the rest is recomputed. Errors: `NotNow`."""
    refuse_if_ended(campaign)
    file = MetricFile.objects.filter(campaign=campaign).defer("figures").first()
    if file is None:
        return
    file.delete()
    MetaEvaluation.objects.filter(campaign=campaign).delete()
    record(METRICS_REMOVED, by=by, campaign=campaign.slug, about=file.name)


def refresh_outdated_meta_evaluations(*, at: datetime) -> int:
    """Computes those whose figures changed on either side; gives how many. Of several processes one does each."""
    up_to_date = set(MetaEvaluation.objects.values_list("campaign_id", "audience", "made_from"))
    n_computed = 0
    for campaign in with_metrics(at):
        for audience in audiences_of(campaign):
            is_new = (campaign.pk, audience, state_of(campaign, audience)) not in up_to_date
            if is_new and _is_claimed(campaign, audience, at):
                refresh_meta_evaluation(campaign=campaign, audience=audience, at=at)
                n_computed += 1
    return n_computed


def _is_claimed(campaign: Campaign, audience: str, at: datetime) -> bool:
    """Reserves the computation; False where another process has it, or it was done just now."""
    kept, _ = MetaEvaluation.objects.get_or_create(campaign=campaign, audience=audience)
    free = MetaEvaluation.objects.free(at).filter(pk=kept.pk)
    # Read first: idle passes write nothing.
    return free.exists() and bool(free.update(next_at=at + GIVEN_UP_AFTER))


def refresh_meta_evaluation(*, campaign: Campaign, audience: str, at: datetime) -> MetaEvaluation:
    """Computes the correlations of a campaign and stores them for their page. Nothing is locked while it computes.

    For everybody, those of what is published; of nothing where it was withdrawn meanwhile.
    """
    # Read before the figures are: what changes meanwhile has another state, and is computed again.
    now = with_versions(at).get(pk=campaign.pk)
    began = time.monotonic()
    content = meta_evaluation_of(now, _people(now, audience))
    pause = timedelta(seconds=PAUSES_PER_COMPUTATION * (time.monotonic() - began))
    stored, _ = MetaEvaluation.objects.update_or_create(
        campaign=now,
        audience=audience,
        defaults={
            "content": content,
            "made_from": state_of(now, audience),
            "computed_at": at,
            "next_at": at + pause,
        },
    )
    return stored


def _people(campaign: Campaign, audience: str) -> People:
    if audience == ORGANIZERS:
        return people_now(campaign)
    snapshot = Snapshot.objects.filter(pk=campaign.snapshot_id).first()  # type: ignore[attr-defined]
    return people_published(campaign, snapshot) if snapshot else People({}, {})


LOOK_EVERY_S = 1.0


async def keep_meta_evaluations() -> None:
    """Computes the correlations whose figures changed, as long as the server process runs, so that no page computes one."""
    await look_again_and_again(
        lambda: refresh_outdated_meta_evaluations(at=timezone.now()), every_s=LOOK_EVERY_S, name="meta-evaluation"
    )
