from django.urls import include, path

from organizing.campaign_comparison import comparison
from organizing.correlations_page import correlation_file, correlations, metric_file
from organizing.coverage_page import coverage
from organizing.drawing_page import draw
from organizing.file_imports import battles, dialogues, records
from organizing.file_page import campaign_file, download
from organizing.rankings import compare_boards
from organizing.trail_page import trail, trail_file, whole_trail, whole_trail_file

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path(f"{CAMPAIGN}wall/", include("organizing.wall.urls")),
    path("", include("organizing.dialogues.urls")),
    path(f"{CAMPAIGN}trail/", trail, name="trail"),
    path(f"{CAMPAIGN}trail/lines.<slug:format>", trail_file, name="trail-file"),
    path("trail/", whole_trail, name="whole-trail"),
    path("trail/lines.<slug:format>", whole_trail_file, name="whole-trail-file"),
    path("", include("organizing.setting_up.urls")),
    path(f"{CAMPAIGN}file/", campaign_file, name="file"),
    path(f"{CAMPAIGN}file/download/", download, name="file-download"),
    path(f"{CAMPAIGN}imports/", dialogues, name="imports"),
    path(f"{CAMPAIGN}imports/records/", records, name="import-records"),
    path(f"{CAMPAIGN}imports/pairs/", battles, name="import-battles"),
    path(f"{CAMPAIGN}scenarios/", include("organizing.scenarios.urls")),
    path(f"{CAMPAIGN}task-setup/", include("organizing.tasks.urls")),
    path(f"{CAMPAIGN}coverage/", coverage, name="coverage"),
    path(f"{CAMPAIGN}coverage/draw/", draw, name="draw"),
    path(f"{CAMPAIGN}rankings/", compare_boards, name="rankings"),
    path(f"{CAMPAIGN}comparison/", comparison, name="comparison"),
    path(f"{CAMPAIGN}people/", include("organizing.people.urls")),
    path(f"{CAMPAIGN}correlations/", correlations, name="correlations"),
    path(f"{CAMPAIGN}correlations/file/", metric_file, name="metric-file"),
    path(f"{CAMPAIGN}correlations/<slug:table>.csv", correlation_file, name="correlation-file"),
    path("", include("organizing.teams.urls")),
]
