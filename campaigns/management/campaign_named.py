"""The campaign that a command's argument names."""

from django.core.management.base import CommandError

from campaigns.models import Campaign


def campaign_named(slug: str) -> Campaign:
    """Errors: `CommandError`, which lists the campaigns that there are."""
    found = Campaign.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(Campaign.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no campaign {slug!r}; there are: {known}.")
    return found
