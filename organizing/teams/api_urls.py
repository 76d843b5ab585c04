from django.urls import path

from organizing.teams.api import (
    AgreementInForce,
    Applications,
    FindTeamProtocol,
    OneApplication,
    OnePackage,
    OneTeamBot,
    OneTeamRequest,
    Packages,
    TeamBotKey,
    TeamBots,
    TeamRequests,
    Teams,
    TryTeamBot,
)

TEAMS = "campaigns/<slug:slug>/teams/"

urlpatterns = [
    path(TEAMS, Teams.as_view(), name="api-teams"),
    path(TEAMS + "bots/", TeamBots.as_view(), name="api-team-bots"),
    path(TEAMS + "bots/<int:entry_id>/", OneTeamBot.as_view(), name="api-team-bot"),
    path(TEAMS + "bots/<int:entry_id>/key/", TeamBotKey.as_view(), name="api-team-bot-key"),
    path(TEAMS + "try/", TryTeamBot.as_view(), name="api-try-team-bot"),
    path(TEAMS + "find/", FindTeamProtocol.as_view(), name="api-find-team-protocol"),
    path(TEAMS + "applications/", Applications.as_view(), name="api-applications"),
    path(TEAMS + "applications/<int:application_id>/", OneApplication.as_view(), name="api-answer-application"),
    path(TEAMS + "requests/", TeamRequests.as_view(), name="api-team-requests"),
    path(TEAMS + "requests/<int:team_request_id>/", OneTeamRequest.as_view(), name="api-team-request"),
    path(TEAMS + "agreement/", AgreementInForce.as_view(), name="api-agreement"),
    path(TEAMS + "data/", Packages.as_view(), name="api-packages"),
    path(TEAMS + "data/<int:package_id>/", OnePackage.as_view(), name="api-package"),
]
