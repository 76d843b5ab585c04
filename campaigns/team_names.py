"""What the teams of a campaign are called in English, by the names that they have in it."""

from campaigns.models import Campaign


def english_names(campaign: Campaign) -> dict[str, str]:
    """Of the teams that gave one."""
    return dict(campaign.known_teams.exclude(team__name_en="").values_list("name", "team__name_en"))
