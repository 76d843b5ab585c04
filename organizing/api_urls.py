from django.urls import include, path

from organizing.campaign_comparison import CompareCampaigns
from organizing.correlations_page import Correlations, Metrics
from organizing.coverage_page import Coverage
from organizing.drawing_page import Drawing
from organizing.file_imports import ImportedBattles, ImportedRecords
from organizing.file_page import CampaignFile
from organizing.rankings import CompareBoards
from organizing.trail_page import CampaignTrail, WholeTrail

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path(f"{CAMPAIGN}pairs/import/", ImportedBattles.as_view(), name="api-import-battles"),
    path(f"{CAMPAIGN}records/import/", ImportedRecords.as_view(), name="api-import-records"),
    path(f"{CAMPAIGN}rankings/", CompareBoards.as_view(), name="api-rankings"),
    path(f"{CAMPAIGN}comparison/", CompareCampaigns.as_view(), name="api-comparison"),
    path(f"{CAMPAIGN}coverage/", Coverage.as_view(), name="api-coverage"),
    path(f"{CAMPAIGN}drawing/", Drawing.as_view(), name="api-drawing"),
    path(f"{CAMPAIGN}correlations/", Correlations.as_view(), name="api-correlations"),
    path(f"{CAMPAIGN}correlations/file/", Metrics.as_view(), name="api-metrics"),
    path(CAMPAIGN, include("organizing.wall.api_urls")),
    path("", include("organizing.dialogues.api_urls")),
    path(f"{CAMPAIGN}trail/", CampaignTrail.as_view(), name="api-trail"),
    path("trail/", WholeTrail.as_view(), name="api-whole-trail"),
    path("", include("organizing.setting_up.api_urls")),
    path(CAMPAIGN, include("organizing.people.api_urls")),
    path(f"{CAMPAIGN}file/", CampaignFile.as_view(), name="api-campaign-file"),
    path("", include("organizing.teams.api_urls")),
    path(f"{CAMPAIGN}task-setup/", include("organizing.tasks.api_urls")),
    path(f"{CAMPAIGN}scenarios/", include("organizing.scenarios.api_urls")),
]
