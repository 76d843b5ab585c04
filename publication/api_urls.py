from django.urls import path

from publication.api import OneSnapshot, PublicationOfCampaign
from publication.board_api import Leaderboard, LeaderboardStatistics
from publication.downloads import ExportedFile, PublishedBundle, PublishedDocument, PublishedTable
from publication.pair_boards import PairBoard
from publication.published.published_records import PublishedRecords

CAMPAIGN = "campaigns/<slug:slug>/"
BOARD = CAMPAIGN + "leaderboard/"
SNAPSHOT = BOARD + "<int:number>/"

urlpatterns = [
    path(CAMPAIGN + "publication/", PublicationOfCampaign.as_view(), name="api-publication"),
    path(CAMPAIGN + "publication/<int:number>/", OneSnapshot.as_view(), name="api-snapshot"),
    path(SNAPSHOT + "records/<slug:figure>/", PublishedRecords.as_view(), name="api-published-records"),
    path(SNAPSHOT + "leaderboard.csv", PublishedTable.as_view(), name="api-published-table"),
    path(SNAPSHOT + "leaderboard.json", PublishedDocument.as_view(), name="api-published-document"),
    path(SNAPSHOT + "bundle.zip", PublishedBundle.as_view(), name="api-published-bundle"),
    path(BOARD + "pairs/", PairBoard.as_view(), name="api-pair-board"),
    path(BOARD + "statistics/", LeaderboardStatistics.as_view(), name="api-leaderboard-statistics"),
    path(BOARD, Leaderboard.as_view(), name="api-leaderboard"),
    path(CAMPAIGN + "exports/<slug:what>.<slug:format>", ExportedFile.as_view(), name="api-export"),
]
