"""Until when runs are accepted, by the campaign's dates."""

from campaigns.calendar import Doing, moment_in_zone, window_of
from campaigns.models import Campaign


def last_moment_of_runs(campaign: Campaign) -> str:
    """On the clocks of the campaign; empty where no date closes them."""
    closes = [moment for moment in (window_of(campaign, Doing.RUN).closes, campaign.ends_at) if moment is not None]
    return moment_in_zone(min(closes), campaign.time_zone) if closes else ""
