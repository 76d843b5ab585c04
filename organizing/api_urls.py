from django.urls import include, path

from organizing.api import Correlations, Metrics
from organizing.comparing.api import CompareBoards
from organizing.coverage_api import Coverage
from organizing.drawing_api import Drawing
from organizing.file.api import CampaignFile
from organizing.imports.records_api import ImportedRecords

urlpatterns = [
    path("campaigns/<slug:slug>/records/import/", ImportedRecords.as_view(), name="api-import-records"),
    path("campaigns/<slug:slug>/rankings/", CompareBoards.as_view(), name="api-rankings"),
    path("campaigns/<slug:slug>/coverage/", Coverage.as_view(), name="api-coverage"),
    path("campaigns/<slug:slug>/drawing/", Drawing.as_view(), name="api-drawing"),
    path("campaigns/<slug:slug>/correlations/", Correlations.as_view(), name="api-correlations"),
    path("campaigns/<slug:slug>/correlations/file/", Metrics.as_view(), name="api-metrics"),
    path("campaigns/<slug:slug>/", include("organizing.wall.api_urls")),
    path("", include("organizing.dialogues.api_urls")),
    path("", include("organizing.trail.api_urls")),
    path("", include("organizing.setting_up.api_urls")),
    path("campaigns/<slug:slug>/", include("organizing.people.api_urls")),
    path("campaigns/<slug:slug>/file/", CampaignFile.as_view(), name="api-campaign-file"),
    path("", include("organizing.teams.api_urls")),
    path("campaigns/<slug:slug>/task-setup/", include("organizing.tasks.api_urls")),
    path("campaigns/<slug:slug>/scenarios/", include("organizing.scenarios.api_urls")),
]
