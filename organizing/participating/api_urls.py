from django.urls import path

from organizing.participating.api import (
    OneOwnBot,
    OneOwnDialogue,
    OwnAgreement,
    OwnBots,
    OwnDialogues,
    OwnFailures,
    OwnTeam,
    PackageFile,
)

TEAM = "campaigns/<slug:slug>/team/"

urlpatterns = [
    path(TEAM, OwnTeam.as_view(), name="api-team"),
    path(TEAM + "agreement/", OwnAgreement.as_view(), name="api-accept-agreement"),
    path(TEAM + "bots/", OwnBots.as_view(), name="api-own-bots"),
    path(TEAM + "bots/<int:entry_id>/", OneOwnBot.as_view(), name="api-own-bot"),
    path(TEAM + "bots/<int:entry_id>/failures/", OwnFailures.as_view(), name="api-own-failures"),
    path(TEAM + "dialogues/", OwnDialogues.as_view(), name="api-own-dialogues"),
    path(TEAM + "dialogues/<uuid:dialogue_id>/", OneOwnDialogue.as_view(), name="api-own-dialogue"),
    path(TEAM + "packages/<int:package_id>/", PackageFile.as_view(), name="api-package-file"),
]
