from django.urls import include, path

from organizing.correlation_views import correlation_file, correlations, metric_file
from organizing.views import coverage, draw

urlpatterns = [
    path("campaigns/<slug:slug>/wall/", include("organizing.wall.urls")),
    path("", include("organizing.dialogues.urls")),
    path("", include("organizing.trail.urls")),
    path("", include("organizing.setting_up.urls")),
    path("campaigns/<slug:slug>/file/", include("organizing.file.urls")),
    path("campaigns/<slug:slug>/imports/", include("organizing.imports.urls")),
    path("campaigns/<slug:slug>/scenarios/", include("organizing.scenarios.urls")),
    path("campaigns/<slug:slug>/task-setup/", include("organizing.tasks.urls")),
    path("campaigns/<slug:slug>/coverage/", coverage, name="coverage"),
    path("campaigns/<slug:slug>/coverage/draw/", draw, name="draw"),
    path("campaigns/<slug:slug>/rankings/", include("organizing.comparing.urls")),
    path("campaigns/<slug:slug>/people/", include("organizing.people.urls")),
    path("campaigns/<slug:slug>/correlations/", correlations, name="correlations"),
    path("campaigns/<slug:slug>/correlations/file/", metric_file, name="metric-file"),
    path("campaigns/<slug:slug>/correlations/<slug:table>.csv", correlation_file, name="correlation-file"),
    path("", include("organizing.teams.urls")),
]
