"""What can be done with records from elsewhere."""

import secrets
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_noop

from campaigns.actions.entering import new_entry
from campaigns.models import Campaign, Entry
from campaigns.presets import CampaignPreset
from leaderboards.models import ImportedRecord
from leaderboards.record_files import RecordLine
from participants.models import Bot, Team
from rubrics.actions import rubric_from_preset
from scoring.checking import Problems


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
        },
    )
    return campaign


@transaction.atomic
def import_records(*, campaign: Campaign, lines: list[RecordLine]) -> Imported:
    """Adds the records that are not stored yet. Errors: `BadFile` when one differs from what was imported."""
    entries = {
        (team, bot): _entry(campaign, team, bot)
        for team, bot in dict.fromkeys((line.record.team, line.record.bot) for line in lines)
    }
    known = {
        (row.entry_id, row.scenario, row.reviewer, row.dialogue): row.content
        for row in ImportedRecord.objects.filter(campaign=campaign)
    }
    new, problems = [], Problems()
    for line in lines:
        record = line.record
        entry = entries[record.team, record.bot]
        place = (entry.pk, record.scenario, record.reviewer, line.dialogue)
        if place not in known:
            new.append(
                ImportedRecord(
                    campaign=campaign,
                    entry=entry,
                    scenario=record.scenario,
                    reviewer=record.reviewer,
                    dialogue=line.dialogue,
                    content=line.content,
                )
            )
        elif known[place] != line.content:
            problems.note(line.place, gettext_noop("differs from the record that was imported before"))
    problems.refuse()
    ImportedRecord.objects.bulk_create(new, batch_size=500)
    Entry.objects.filter(pk__in=[entry.pk for entry in entries.values()]).update(has_imported_records=True)
    return Imported(len(new), len(lines) - len(new))


def _entry(campaign: Campaign, team_name: str, bot_name: str) -> Entry:
    team, _ = Team.objects.get_or_create(name=team_name)
    bot, _ = Bot.objects.get_or_create(team=team, name=bot_name)
    entry = campaign.entries.filter(bot=bot).first()
    if entry is not None:
        return entry
    # Campaign files allow no colon in keys, and the bot id makes the key unique.
    return new_entry(campaign, bot, key=f"imported:{bot.pk}", is_declared=False)
