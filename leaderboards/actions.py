"""What can be done with leaderboards: compute and store one, and import records from elsewhere."""

import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions import note_changed_scores
from campaigns.actions.changing import columns_of, store_settings
from campaigns.actions.ended import refuse_file_if_ended
from campaigns.actions.entering import entry_of_imported
from campaigns.models import Campaign, Entry
from campaigns.presets import CampaignPreset
from dialogues.fault_policy import FaultPolicy
from leaderboards.computations import claim, free, noting_progress, one_state_of_the_database
from leaderboards.diagnostics.agreement_board import AGREEMENT, imported_agreement, of_several
from leaderboards.diagnostics.fault_previews import CHANGED, PREVIEW, preview_key, rows_before_and_after, stored_preview
from leaderboards.diagnostics.slices import SLICES, slices_of
from leaderboards.live_board import LIVE, STATISTICS, computed_rows
from leaderboards.models import ImportedRecord, StoredBoard
from leaderboards.paper.pictures import PICTURES, pictures_of
from leaderboards.record_files import RecordLine
from leaderboards.statistics import CampaignSums, statistics_of, sums_of
from leaderboards.trail_acts import EXPORTED, FAULTS_CHANGED, RECORDS_IMPORTED
from measures.samples import ReportProgress, say_nothing
from reading.checking import Problems
from reading.strict_json import are_same
from reviews.agreement import agreement_of, load_libraries
from rubrics.actions import rubric_from_preset

# An unfinished computation is given up after this.
GIVEN_UP_AFTER = timedelta(minutes=2)
# A board that takes 3 s at every score would take a processor for itself; this leaves it a tenth of one.
PAUSES_PER_COMPUTATION = 10
# Statistics follow the board at their own rhythm: a reader of intervals waits longer than one of ranks.
STATISTICS_REST = timedelta(seconds=30)


def refresh_outdated_leaderboards(*, at: datetime) -> int:
    """Computes the leaderboards and panels' agreements that lag behind their scores; returns how many.

    One process computes each. Panels are found in the same query: most passes find nothing to do.
    """
    up_to_date = StoredBoard.objects.filter(campaign=OuterRef("pk"), scores_version=OuterRef("scores_version"))
    needed = Campaign.objects.filter(scores_version__gt=0).annotate(
        needs_board=~Exists(up_to_date.filter(key=LIVE)),
        needs_agreement=~Exists(up_to_date.filter(key=AGREEMENT)) & of_several(),
    )
    n_computed = 0
    for campaign in needed.filter(Q(needs_board=True) | Q(needs_agreement=True)):
        if campaign.needs_board and _is_claimed(campaign, LIVE, at):
            refresh_leaderboard(campaign=campaign, at=at)
            n_computed += 1
        if campaign.needs_agreement and _is_claimed(campaign, AGREEMENT, at):
            refresh_agreement(campaign=campaign, at=at)
            n_computed += 1
    return n_computed


def refresh_outdated_statistics(*, at: datetime, report_progress: ReportProgress = say_nothing) -> int:
    """Computes the statistics that lag behind their scores; returns how many. One process computes each."""
    outdated = _claimed_outdated(STATISTICS, at)
    return sum(
        bool(refresh_statistics(campaign=campaign, at=at, report_progress=report_progress)) for campaign in outdated
    )


def refresh_outdated_slices(*, at: datetime) -> int:
    """Computes the parts of boards that lag behind their scores; returns how many. One process computes each."""
    return sum(bool(refresh_slices(campaign=campaign, at=at)) for campaign in _claimed_outdated(SLICES, at))


def refresh_outdated_pictures(*, at: datetime) -> int:
    """Recomputes the sums behind the figures of boards that lag behind the scores; returns how many."""
    return sum(bool(refresh_pictures(campaign=campaign, at=at)) for campaign in _claimed_outdated(PICTURES, at))


def _claimed_outdated(key: str, at: datetime) -> Iterator[Campaign]:
    """The campaigns whose stored row of that key lags behind their scores, each reserved when its turn comes."""
    up_to_date = StoredBoard.objects.filter(campaign=OuterRef("pk"), scores_version=OuterRef("scores_version"), key=key)
    for campaign in Campaign.objects.filter(~Exists(up_to_date), scores_version__gt=0):
        if _is_claimed(campaign, key, at):
            yield campaign


@transaction.atomic
def ask_what_would_move(*, campaign: Campaign, policy: FaultPolicy) -> None:
    """Requests a preview of what another fault policy would move, again if there is one; see `fault_previews.py`."""
    StoredBoard.objects.update_or_create(
        campaign=campaign,
        key=preview_key(policy),
        defaults={"rows": {"to": asdict(policy)}, "scores_version": 0, "computed_at": None, "next_at": None},
    )


def compute_asked_previews(*, at: datetime) -> int:
    """Computes the requested previews of fault policies; returns how many."""
    asked = free(StoredBoard.objects.filter(key__startswith=PREVIEW, computed_at=None), at)
    n_computed = 0
    for stored in asked.select_related("campaign"):
        if _is_claimed(stored.campaign, stored.key, at):
            policy = FaultPolicy(**stored.rows["to"])
            _refresh(stored.campaign, stored.key, partial(rows_before_and_after, policy=policy), at)
            n_computed += 1
    return n_computed


@transaction.atomic
def change_fault_policy(*, campaign: Campaign, policy: FaultPolicy, at: datetime, by: Person | None = None) -> bool:
    """Stores what failures cost from now on, and what moves by it where that was computed; False where nothing changes."""
    preview = stored_preview(campaign, policy)
    changed = store_settings(campaign, asdict(policy), at)
    if not changed:
        return False
    campaign.stored_boards.filter(Q(key__startswith=PREVIEW) | Q(key=CHANGED)).delete()
    if preview is not None and preview.computed_at:
        campaign.stored_boards.create(
            key=CHANGED, rows=preview.rows, scores_version=preview.scores_version, computed_at=at
        )
    details = {"changes": [f"{setting.key_in_file} {before} → {after}" for setting, before, after in changed]}
    record(FAULTS_CHANGED, by=by, at=at, campaign=campaign.slug, details=details)
    return True


def _is_claimed(campaign: Campaign, key: str, at: datetime) -> bool:
    """Reserves the computation; False if another process has it or the board is resting."""
    board, _ = StoredBoard.objects.get_or_create(campaign=campaign, key=key)
    return claim(StoredBoard.objects.filter(pk=board.pk), at=at, given_up_after=GIVEN_UP_AFTER)


def refresh_leaderboard(*, campaign: Campaign, at: datetime) -> StoredBoard:
    """Computes the figures of a leaderboard and stores them for its pages."""
    return _refresh(campaign, LIVE, computed_rows, at)


def refresh_agreement(*, campaign: Campaign, at: datetime) -> StoredBoard:
    """Computes how far the campaign's reviewers agree and stores it for the organizer's page."""
    # Before the clock starts: the first load takes seconds and would make the board rest for half a minute.
    load_libraries()
    return _refresh(campaign, AGREEMENT, agreement_with_imported, at)


def agreement_with_imported(campaign: Campaign) -> dict[str, Any]:
    """The panel's agreement; that of imported records on criteria that no panel scored."""
    of_panel = agreement_of(campaign) if campaign.panels_score else {"criteria": {}}
    return of_panel | {"criteria": imported_agreement(campaign) | of_panel["criteria"]}


def refresh_slices(*, campaign: Campaign, at: datetime) -> StoredBoard:
    """Computes the parts of the campaign's leaderboard and stores them for the organizer's page."""
    return _refresh(campaign, SLICES, slices_of, at, rest=STATISTICS_REST)


def refresh_pictures(*, campaign: Campaign, at: datetime) -> StoredBoard:
    """Adds up what the figures of the campaign's leaderboard are drawn from and stores it for their page."""
    return _refresh(campaign, PICTURES, pictures_of, at, rest=STATISTICS_REST)


def refresh_statistics(
    *, campaign: Campaign, at: datetime, report_progress: ReportProgress = say_nothing
) -> StoredBoard:
    """Computes how sure the campaign's leaderboard is and stores it for its pages."""

    def drawn(campaign: Campaign, sums: CampaignSums) -> dict[str, Any]:
        under_way = campaign.stored_boards.filter(key=STATISTICS)
        return statistics_of(campaign, noting_progress(under_way, report_progress), sums=sums)

    return _refresh(campaign, STATISTICS, sums_of, at, drawn, rest=STATISTICS_REST)


def _refresh(
    campaign: Campaign,
    key: str,
    read: Callable[[Campaign], Any],
    at: datetime,
    computed: Callable[[Campaign, Any], dict[str, Any]] = lambda _, rows: rows,
    rest: timedelta = timedelta(0),
) -> StoredBoard:
    """Nothing is locked while it computes; afterwards the board rests for at least `rest`. `computed` builds on what was `read`."""
    began = time.monotonic()
    # One state for version and figures: a later score would put newer figures beside statistics of the older version.
    with one_state_of_the_database():
        campaign = Campaign.objects.select_related("rubric").get(pk=campaign.pk)
        version, found = campaign.scores_version, read(campaign)
    rows = computed(campaign, found)
    pause = max(rest, timedelta(seconds=PAUSES_PER_COMPUTATION * (time.monotonic() - began)))
    with transaction.atomic():
        StoredBoard.objects.get_or_create(campaign=campaign, key=key)
        # A slower computation that began earlier must not replace a newer one.
        newest = StoredBoard.objects.filter(campaign=campaign, key=key, scores_version__lte=version)
        newest.update(rows=rows, scores_version=version, computed_at=at, next_at=at + pause, share_done=None)
    return StoredBoard.objects.select_related("campaign").get(campaign=campaign, key=key)


@dataclass(frozen=True, slots=True)
class Imported:
    n_new: int
    n_known: int


@transaction.atomic
def campaign_of_records(*, slug: str, preset: CampaignPreset) -> Campaign:
    """The campaign that records go to; created if it does not exist yet."""
    campaign, _ = Campaign.objects.get_or_create(
        slug=slug,
        defaults={
            "name_zh": slug,
            "name_en": slug,
            "preset": preset.key,
            "rubric": rubric_from_preset(preset.rubric),
            "ranking_rule": list(preset.ranking_rule),
            # Live testing may join in later; who knows the seed knows the aliases.
            "drawing_seed": secrets.randbits(48),
            **columns_of(preset.settings),
        },
    )
    return campaign


@transaction.atomic
def import_records(*, campaign: Campaign, lines: list[RecordLine], by: Person | None = None) -> Imported:
    """Adds the records that are not stored yet; a team gets the first English name that a line gives it. Errors: `BadFile` when one differs from what was imported."""
    # Two imports of one file come one after the other, so no record is stored twice.
    campaign = Campaign.objects.held(campaign.pk)
    refuse_file_if_ended(campaign)
    english: dict[str, str] = {}
    for line in lines:
        english[line.record.team] = english.get(line.record.team) or line.team_en
    entries = {
        (team, bot): entry_of_imported(campaign, team_name=team, bot_name=bot, team_en=english[team])
        for team, bot in dict.fromkeys((line.record.team, line.record.bot) for line in lines)
    }
    known = {
        (row.entry_id, row.scenario, row.reviewer, row.dialogue): row.content
        for row in ImportedRecord.objects.filter(campaign=campaign)
    }
    new, problems = [], Problems()
    for line in lines:
        told = line.record
        entry = entries[told.team, told.bot]
        place = (entry.pk, told.scenario, told.reviewer, line.dialogue)
        if place not in known:
            new.append(
                ImportedRecord(
                    campaign=campaign,
                    entry=entry,
                    scenario=told.scenario,
                    reviewer=told.reviewer,
                    dialogue=line.dialogue,
                    content=line.content,
                )
            )
        elif not are_same(known[place], line.content):
            problems.note(line.place, gettext_noop("differs from the record that was imported before"))
    problems.refuse()
    if new:
        ImportedRecord.objects.bulk_create(new, batch_size=500)
        Entry.objects.filter(pk__in=[entry.pk for entry in entries.values()]).update(has_imported_records=True)
        note_changed_scores(campaign=campaign)
        record(RECORDS_IMPORTED, by=by, campaign=campaign.slug, details={"n": len(new)})
    return Imported(len(new), len(lines) - len(new))


@transaction.atomic
def note_export(*, campaign: Campaign, what: str, by: Person | None, at: datetime, **details: str | int) -> None:
    """Notes in the trail that somebody takes the file `what` out of the platform; written before its first byte is sent."""
    record(EXPORTED, by=by, at=at, campaign=campaign.slug, about=what, details=details)
