"""The studies of a campaign file: which exclusions somebody may name, and what of stored studies changes."""

from collections.abc import Collection

from accounts.models import Person
from campaigns.models import Campaign, CampaignRole, Role


def unknown_exclusions(names: Collection[str], campaign: Campaign | None, by: Person | None) -> list[str]:
    """Those that name no campaign or study whose people the organizer may learn of; a command may name any."""
    unknown = []
    for name in names:
        slug, _slash, key = name.partition("/")
        found = Campaign.objects.filter(slug=slug)
        if by is not None and not by.is_staff and (campaign is None or slug != campaign.slug):
            own = CampaignRole.objects.filter(person=by, role=Role.ORGANIZER)
            found = found.filter(pk__in=own.values("campaign"))
        if key:
            found = found.filter(studies__key=key)
        if not found.exists():
            unknown.append(name)
    return unknown
