from django.urls import path

from team_desk.api import (
    FindOwnProtocol,
    OneOwnBot,
    OneOwnDialogue,
    OwnAgreement,
    OwnBotHealth,
    OwnBots,
    OwnDialogues,
    OwnFailures,
    OwnKey,
    OwnTeam,
    PackageFile,
    Practice,
    RequestsToTeam,
    RequestToTeam,
    SubmitOwnBot,
    TryOwnBot,
)

TEAM = "campaigns/<slug:slug>/team/"

urlpatterns = [
    path(TEAM, OwnTeam.as_view(), name="api-team"),
    path(TEAM + "requests/", RequestsToTeam.as_view(), name="api-requests-to-team"),
    path(TEAM + "requests/<int:team_request_id>/", RequestToTeam.as_view(), name="api-request-to-team"),
    path(TEAM + "agreement/", OwnAgreement.as_view(), name="api-accept-agreement"),
    path(TEAM + "bots/", OwnBots.as_view(), name="api-own-bots"),
    path(TEAM + "bots/<int:entry_id>/", OneOwnBot.as_view(), name="api-own-bot"),
    path(TEAM + "bots/<int:entry_id>/key/", OwnKey.as_view(), name="api-own-bot-key"),
    path(TEAM + "bots/<int:entry_id>/submit/", SubmitOwnBot.as_view(), name="api-submit-bot"),
    path(TEAM + "bots/<int:entry_id>/practice/", Practice.as_view(), name="api-practice"),
    path(TEAM + "bots/<int:entry_id>/health/", OwnBotHealth.as_view(), name="api-own-health"),
    path(TEAM + "bots/<int:entry_id>/failures/", OwnFailures.as_view(), name="api-own-failures"),
    path(TEAM + "try/", TryOwnBot.as_view(), name="api-try-own-bot"),
    path(TEAM + "find/", FindOwnProtocol.as_view(), name="api-find-own-protocol"),
    path(TEAM + "dialogues/", OwnDialogues.as_view(), name="api-own-dialogues"),
    path(TEAM + "dialogues/<uuid:dialogue_id>/", OneOwnDialogue.as_view(), name="api-own-dialogue"),
    path(TEAM + "packages/<int:package_id>/", PackageFile.as_view(), name="api-package-file"),
]
