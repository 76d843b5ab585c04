from django.urls import path

from team_desk import api

TEAM = "campaigns/<slug:slug>/team/"

urlpatterns = [
    path(TEAM, api.OwnTeam.as_view(), name="api-team"),
    path(TEAM + "requests/", api.RequestsToTeam.as_view(), name="api-requests-to-team"),
    path(TEAM + "requests/<int:team_request_id>/", api.RequestToTeam.as_view(), name="api-request-to-team"),
    path(TEAM + "agreement/", api.OwnAgreement.as_view(), name="api-accept-agreement"),
    path(TEAM + "bots/", api.OwnBots.as_view(), name="api-own-bots"),
    path(TEAM + "bots/<int:entry_id>/", api.OneOwnBot.as_view(), name="api-own-bot"),
    path(TEAM + "bots/<int:entry_id>/key/", api.OwnKey.as_view(), name="api-own-bot-key"),
    path(TEAM + "bots/<int:entry_id>/submit/", api.SubmitOwnBot.as_view(), name="api-submit-bot"),
    path(TEAM + "bots/<int:entry_id>/practice/", api.Practice.as_view(), name="api-practice"),
    path(TEAM + "bots/<int:entry_id>/health/", api.OwnBotHealth.as_view(), name="api-own-health"),
    path(TEAM + "bots/<int:entry_id>/failures/", api.OwnFailures.as_view(), name="api-own-failures"),
    path(TEAM + "bots/<int:entry_id>/report/", api.OwnReportOfBot.as_view(), name="api-own-report"),
    path(TEAM + "objections/", api.OwnObjections.as_view(), name="api-own-objections"),
    path(TEAM + "try/", api.TryOwnBot.as_view(), name="api-try-own-bot"),
    path(TEAM + "find/", api.FindOwnProtocol.as_view(), name="api-find-own-protocol"),
    path(TEAM + "dialogues/", api.OwnDialogues.as_view(), name="api-own-dialogues"),
    path(TEAM + "dialogues/<uuid:dialogue_id>/", api.OneOwnDialogue.as_view(), name="api-own-dialogue"),
    path(TEAM + "packages/<int:package_id>/", api.PackageFile.as_view(), name="api-package-file"),
]
