from django.urls import path

from leaderboards.api import AgreementOfPanel, BoardParts, Faults, FaultsPreview, RecordsOfFigure

CAMPAIGN = "campaigns/<slug:slug>/"
BOARD = CAMPAIGN + "leaderboard/"

urlpatterns = [
    path(CAMPAIGN + "faults/", Faults.as_view(), name="api-faults"),
    path(CAMPAIGN + "faults/preview/", FaultsPreview.as_view(), name="api-faults-preview"),
    path(CAMPAIGN + "agreement/", AgreementOfPanel.as_view(), name="api-agreement-of-panel"),
    path(BOARD + "parts/", BoardParts.as_view(), name="api-board-parts"),
    path(BOARD + "records/<int:entry_id>/<slug:figure>/", RecordsOfFigure.as_view(), name="api-figure-records"),
]
