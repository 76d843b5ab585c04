"""Makes a campaign without a file: from a preset, or as a copy of another one's rules."""

import secrets
from collections.abc import Mapping
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from campaigns.actions.changing import DatesOutOfOrder, columns_of
from campaigns.actions.describing import store_version
from campaigns.actions.loading_scenarios import write_subtasks
from campaigns.calendar import DATES
from campaigns.campaign_file.calendar_settings import out_of_order
from campaigns.campaign_file.campaign_settings import RESERVED_SLUGS, SETTINGS, settings_of
from campaigns.campaign_file.reader import settled
from campaigns.models import Campaign, Role
from campaigns.origins import Origin
from campaigns.presets import PRESETS
from campaigns.trail_acts import CAMPAIGN_CREATED
from reading.checking import Problems
from reading.kinds import Texts
from rubrics.actions import rubric_from_preset

# What a copy says for itself: its name and dates, what it shows to whom, and what staff allowed the other.
NOT_COPIED = frozenset(
    {
        "name",
        "is_announced",
        "is_published",
        "takes_applications",
        "releases_transcripts",
        "plan_limit",
        *settings_of("calendar"),
    }
)


class SlugTaken(Exception):
    """Another campaign has this address, or a page of ours."""


@transaction.atomic
def create_campaign(
    *,
    slug: str,
    name: Texts,
    preset: str,
    language: str = "",
    dates: Mapping[str, datetime | None] | None = None,
    time_zone: str = "",
    by: Person,
    at: datetime | None = None,
) -> Campaign:
    """A campaign with the rules of the preset; its maker becomes its organizer. Errors: `SlugTaken`, `DatesOutOfOrder`."""
    chosen = PRESETS[preset]
    said = {"name": name, "preset": preset} | ({"language": language} if language else {})
    settings = {**chosen.settings, **settled(said, chosen, Problems())}
    campaign = Campaign(slug=slug, ranking_rule=list(chosen.ranking_rule), **columns_of(settings))
    campaign.rubric = rubric_from_preset(chosen.rubric)
    _store(campaign, dates or {}, time_zone, by)
    _record(campaign, by, at, {"preset": preset})
    return campaign


@transaction.atomic
def copy_campaign(
    *,
    source: Campaign,
    slug: str,
    name: Texts,
    dates: Mapping[str, datetime | None] | None = None,
    time_zone: str = "",
    by: Person,
    at: datetime | None = None,
) -> Campaign:
    """A campaign with the settings, rubric, ranking rule, description and scenarios of another; people, bots and data are not copied.

    Errors: `SlugTaken`, `DatesOutOfOrder`.
    """
    copied = {key: setting.value_in(source) for key, setting in SETTINGS.items() if key not in NOT_COPIED}
    campaign = Campaign(slug=slug, rubric=source.rubric, **columns_of(copied | {"name": name}))
    _store(campaign, dates or {}, time_zone or source.time_zone, by)
    if latest := source.descriptions.first():
        store_version(campaign, latest.texts(), by, at or timezone.now())
    for scenario in source.scenarios.declared().prefetch_related("subtasks"):
        subtasks = list(scenario.subtasks.all())
        # Without a key of its own the row is stored as another one; a copy was not brought by the campaign's file.
        scenario.pk, scenario.campaign, scenario.origin = None, campaign, Origin.PAGE
        scenario.save(force_insert=True)
        write_subtasks(scenario, [(one.kind, one.turn_cap) for one in subtasks])
    _record(campaign, by, at, {"copied_from": source.slug})
    return campaign


def _store(campaign: Campaign, dates: Mapping[str, datetime | None], time_zone: str, by: Person) -> None:
    for name in dates.keys() & set(DATES):
        setattr(campaign, name, dates[name])
    campaign.time_zone = time_zone or campaign.time_zone
    campaign.drawing_seed = secrets.randbits(48)
    if wrong := out_of_order(campaign):
        raise DatesOutOfOrder(wrong)
    if campaign.slug in RESERVED_SLUGS or Campaign.objects.filter(slug=campaign.slug).exists():
        raise SlugTaken
    try:
        with transaction.atomic():
            campaign.save(force_insert=True)
    except IntegrityError:
        # Another request took it between the look and the insert.
        if Campaign.objects.filter(slug=campaign.slug).exists():
            raise SlugTaken from None
        raise
    campaign.roles.create(person=by, role=Role.ORGANIZER)


def _record(campaign: Campaign, by: Person, at: datetime | None, details: Mapping[str, str]) -> None:
    record(
        CAMPAIGN_CREATED, by=by, at=at or timezone.now(), campaign=campaign.slug, about=campaign.slug, details=details
    )
