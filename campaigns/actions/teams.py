"""The team that a campaign means by a name: one that it knows, else a new one that it owns."""

from campaigns.models import Campaign
from participants.models import Bot, Team


def team_called(campaign: Campaign, name: str, *, name_en: str = "") -> Team:
    """Never another campaign's team of that name: that one is asked, and known here once its members accept.

    A new team ends the request that still waits for a team of its name. Inside the caller's transaction.
    """
    known = campaign.known_teams.filter(name=name).select_related("team").first()
    if known is not None:
        return known.team
    team = Team.objects.create(name=name, name_en=name_en)
    campaign.known_teams.create(team=team, name=name)
    # By the name of the relation: the room of requests is below this one.
    campaign.team_requests.filter(name=name, state="waiting").update(state="overtaken")
    return team


def bot_called(campaign: Campaign, *, team_name: str, name: str) -> Bot:
    """The bot of the team that the campaign means."""
    bot, _ = Bot.objects.select_related("team").get_or_create(team=team_called(campaign, team_name), name=name)
    return bot
