from django.urls import path

from organizing.teams import api

TEAMS = "campaigns/<slug:slug>/teams/"

urlpatterns = [
    path(TEAMS, api.Teams.as_view(), name="api-teams"),
    path(TEAMS + "bots/", api.TeamBots.as_view(), name="api-team-bots"),
    path(TEAMS + "bots/<int:entry_id>/", api.OneTeamBot.as_view(), name="api-team-bot"),
    path(TEAMS + "bots/<int:entry_id>/key/", api.TeamBotKey.as_view(), name="api-team-bot-key"),
    path(TEAMS + "try/", api.TryTeamBot.as_view(), name="api-try-team-bot"),
    path(TEAMS + "find/", api.FindTeamProtocol.as_view(), name="api-find-team-protocol"),
    path(TEAMS + "applications/", api.Applications.as_view(), name="api-applications"),
    path(TEAMS + "applications/<int:application_id>/", api.OneApplication.as_view(), name="api-answer-application"),
    path(TEAMS + "requests/", api.TeamRequests.as_view(), name="api-team-requests"),
    path(TEAMS + "requests/<int:team_request_id>/", api.OneTeamRequest.as_view(), name="api-team-request"),
    path(TEAMS + "agreement/", api.AgreementInForce.as_view(), name="api-agreement"),
    path(TEAMS + "data/", api.Packages.as_view(), name="api-packages"),
    path(TEAMS + "data/<int:package_id>/", api.OnePackage.as_view(), name="api-package"),
]
