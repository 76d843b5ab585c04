"""The team that a campaign means by a name: one that it knows, else a new one that it owns."""

from campaigns.actions.load_report import LoadReport
from campaigns.models import Campaign, KnownTeam
from participants.models import Bot, Team


def team_called(campaign: Campaign, name: str, *, name_en: str = "") -> Team:
    """Never another campaign's team of that name: that one is asked, and known here once its members accept.

    A new team ends the waiting request for a team of its name; a team that the campaign owns gets the English name if it has
    none. Call inside the change's transaction.
    """
    known = campaign.known_teams.filter(name=name).select_related("team").first()
    if known is not None:
        if name_en and known.is_owner and not known.team.name_en:
            known.team.name_en = name_en
            known.team.save(update_fields=["name_en"])
        return known.team
    team = Team(name=name, name_en=name_en)
    _store_team(campaign, team)
    return team


def _store_team(campaign: Campaign, team: Team) -> None:
    team.save()
    campaign.known_teams.create(team=team, name=team.name)
    # By the name of the relation: the room of requests is below this one.
    campaign.team_requests.filter(name=team.name, state="waiting").update(state="overtaken")


def bot_called(campaign: Campaign, *, team_name: str, name: str, team_en: str = "") -> Bot:
    """The bot of the team that the campaign means."""
    team = team_called(campaign, team_name, name_en=team_en)
    bot, _ = Bot.objects.select_related("team").get_or_create(team=team, name=name)
    return bot


class FileTeams:
    """The teams and bots that a campaign file means; those that are not there yet are stored with the rest of the load."""

    def __init__(self, campaign: Campaign, report: LoadReport) -> None:
        self.campaign, self.report = campaign, report
        known = KnownTeam.objects.filter(campaign=campaign.pk).select_related("team").order_by("-pk")
        self.teams = {one.name: one.team for one in known}
        self.bots = {(one.team_id, one.name): one for one in Bot.objects.filter(team__in=self.teams.values())}
        self.new_bots: dict[tuple[str, str], Bot] = {}

    def team_called(self, name: str) -> Team:
        """As `team_called`."""
        if name not in self.teams:
            team = self.teams[name] = Team(name=name)
            self.report.later(lambda: _store_team(self.campaign, team))
        return self.teams[name]

    def bot_called(self, team_name: str, name: str) -> Bot:
        """As `bot_called`; the same bot for the same names."""
        team = self.team_called(team_name)
        if (stored := self.bots.get((team.pk, name))) is not None:
            stored.team = team
            return stored
        names = (team_name, name)
        if names not in self.new_bots:
            self.new_bots[names] = Bot(team=team, name=name)
            self.report.later(self.new_bots[names].save)
        return self.new_bots[names]
