from django.urls import path

from automatic_tasks.api import OneRun, Runs, TaskBoard, Tasks
from automatic_tasks.combined_api import OneCombinedBoard

urlpatterns = [
    path("campaigns/<slug:slug>/tasks/", Tasks.as_view(), name="api-tasks"),
    path("campaigns/<slug:slug>/tasks/<slug:key>/runs/", Runs.as_view(), name="api-runs"),
    path("campaigns/<slug:slug>/tasks/<slug:key>/board/<slug:split>/", TaskBoard.as_view(), name="api-task-board"),
    path("campaigns/<slug:slug>/boards/<slug:key>/", OneCombinedBoard.as_view(), name="api-combined-board"),
    path("campaigns/<slug:slug>/runs/<uuid:run_id>/", OneRun.as_view(), name="api-run"),
]
