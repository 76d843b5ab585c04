from django.urls import path

from conformance.api import ChecksOfBot, FingerprintsOfBot, OneCheck

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path(CAMPAIGN + "bots/<int:entry_id>/checks/", ChecksOfBot.as_view(), name="api-checks"),
    path(CAMPAIGN + "bots/<int:entry_id>/fingerprints/", FingerprintsOfBot.as_view(), name="api-fingerprints"),
    path(CAMPAIGN + "checks/<uuid:check_id>/", OneCheck.as_view(), name="api-check"),
]
