"""Stores comparisons that were made elsewhere, so that the board of pairs counts them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions import note_changed_scores
from campaigns.actions.ended import refuse_file_if_ended
from campaigns.actions.entering import entry_of_imported
from campaigns.campaign_file.campaign_settings import IMPORTED_SCENARIO
from campaigns.models import Campaign
from campaigns.origins import Origin
from pairs.board.battle_files import Battle
from pairs.models import Pair, PairVote
from pairs.trail_acts import PAIRS_IMPORTED
from reading.checking import Problems

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class ImportedPairs:
    """How many comparisons are new, how many were imported before, and how many of the file are programs' and count nowhere."""

    n_new: int
    n_known: int
    n_of_programs: int


@transaction.atomic
def import_battles(*, campaign: Campaign, battles: Sequence[Battle], by: Person, at: datetime) -> ImportedPairs:
    """Adds the comparisons that are not stored yet, under the person who brings them. A model is the system of that key; others enter the campaign as imported
    ones do; a question that is a scenario of the campaign is that scenario. Errors: `BadFile` where one differs from what was imported.
    """
    # Two imports of one file come one after the other, so no comparison is stored twice.
    campaign = Campaign.objects.held(campaign.pk)
    refuse_file_if_ended(campaign)
    by_key = {one.key: one for one in campaign.entries.all()}
    entries = {
        name: by_key.get(name) or entry_of_imported(campaign, team_name=name, bot_name=name)
        for name in dict.fromkeys(name for one in battles for name in (one.left, one.right))
    }
    scenarios = {one.key: one for one in campaign.scenarios.all()}
    if any(one.question not in scenarios for one in battles) and IMPORTED_SCENARIO not in scenarios:
        latest = campaign.scenarios.aggregate(last=Max("position"))["last"] or 0
        scenarios[IMPORTED_SCENARIO] = campaign.scenarios.create(
            key=IMPORTED_SCENARIO, position=latest + 1, origin=Origin.IMPORT
        )
    imported = PairVote.objects.filter(pair__campaign=campaign, pair__origin=Pair.Origin.IMPORTED)
    known = {key: told for key, *told in imported.values_list("pair__key", "pair__left_id", "verdict", "is_of_program")}
    new, problems = [], Problems()
    for one in battles:
        before = known.get(one.key)
        if before is None:
            new.append(one)
        elif before != [entries[one.left].pk, one.verdict, one.is_of_program]:
            problems.note(one.place, gettext_noop("differs from the comparison that was imported before"))
    problems.refuse()
    pairs = [
        Pair(
            campaign=campaign,
            kind=Pair.Kind.FINISHED,
            origin=Pair.Origin.IMPORTED,
            external_id=one.question,
            scenario=scenarios.get(one.question) or scenarios[IMPORTED_SCENARIO],
            left=entries[one.left],
            right=entries[one.right],
            key=one.key,
            drawn_at=at,
        )
        for one in new
    ]
    Pair.objects.bulk_create(pairs, batch_size=AT_ONCE)
    PairVote.objects.bulk_create(
        [
            PairVote(
                pair=pair,
                judge=by,
                external_judge=one.judge,
                is_of_program=one.is_of_program,
                verdict=one.verdict,
                at=at,
            )
            for pair, one in zip(pairs, new, strict=True)
        ],
        batch_size=AT_ONCE,
    )
    if new:
        note_changed_scores(campaign=campaign)
        record(PAIRS_IMPORTED, by=by, at=at, campaign=campaign.slug, details={"n": len(new)})
    return ImportedPairs(len(new), len(battles) - len(new), sum(one.is_of_program for one in battles))
