from django.urls import path

from leaderboards.agreement_api import AgreementOfPanel
from leaderboards.api import ExportedFile, Leaderboard, LeaderboardStatistics
from leaderboards.faults_api import Faults, FaultsPreview
from leaderboards.parts_api import BoardParts
from leaderboards.publication.api import OneSnapshot, PublicationOfCampaign
from leaderboards.publication.files_api import PublishedBundle, PublishedDocument, PublishedTable
from leaderboards.publication.records_api import PublishedRecords
from leaderboards.records_api import RecordsOfFigure

CAMPAIGN = "campaigns/<slug:slug>/"
BOARD = CAMPAIGN + "leaderboard/"
SNAPSHOT = BOARD + "<int:number>/"

urlpatterns = [
    path(CAMPAIGN + "publication/", PublicationOfCampaign.as_view(), name="api-publication"),
    path(CAMPAIGN + "publication/<int:number>/", OneSnapshot.as_view(), name="api-snapshot"),
    path(CAMPAIGN + "faults/", Faults.as_view(), name="api-faults"),
    path(CAMPAIGN + "faults/preview/", FaultsPreview.as_view(), name="api-faults-preview"),
    path(CAMPAIGN + "agreement/", AgreementOfPanel.as_view(), name="api-agreement-of-panel"),
    path(BOARD + "parts/", BoardParts.as_view(), name="api-board-parts"),
    path(BOARD + "records/<int:entry_id>/<slug:figure>/", RecordsOfFigure.as_view(), name="api-figure-records"),
    path(SNAPSHOT + "records/<slug:figure>/", PublishedRecords.as_view(), name="api-published-records"),
    path(SNAPSHOT + "leaderboard.csv", PublishedTable.as_view(), name="api-published-table"),
    path(SNAPSHOT + "leaderboard.json", PublishedDocument.as_view(), name="api-published-document"),
    path(SNAPSHOT + "bundle.zip", PublishedBundle.as_view(), name="api-published-bundle"),
    path(BOARD + "statistics/", LeaderboardStatistics.as_view(), name="api-leaderboard-statistics"),
    path(BOARD, Leaderboard.as_view(), name="api-leaderboard"),
    path(CAMPAIGN + "exports/<slug:what>.<slug:format>", ExportedFile.as_view(), name="api-export"),
]
