from django.urls import path

from automatic_tasks.acting_api import ChooseRun, ScoreAgain, StartRuns
from automatic_tasks.api import OneRun, Runs, TaskBoard, Tasks
from automatic_tasks.combined.api import OneCombinedBoard, PublicationOfCombined, PublicationOfTaskBoard
from automatic_tasks.runs.api import BatchesOfRun, ExampleRun, FileOfRun, ItemsOfRun
from automatic_tasks.services.api import (
    ChecksOfService,
    FingerprintsOfService,
    OneService,
    OneServiceCheck,
    Services,
    SubmitService,
    TaskService,
)

CAMPAIGN = "campaigns/<slug:slug>/"
RUN = CAMPAIGN + "runs/<uuid:run_id>/"
SERVICE = CAMPAIGN + "services/<int:service_id>/"

urlpatterns = [
    path("campaigns/<slug:slug>/tasks/", Tasks.as_view(), name="api-tasks"),
    path("campaigns/<slug:slug>/tasks/<slug:key>/runs/", Runs.as_view(), name="api-runs"),
    path("campaigns/<slug:slug>/tasks/<slug:key>/board/<slug:split>/", TaskBoard.as_view(), name="api-task-board"),
    path(
        CAMPAIGN + "tasks/<slug:key>/board/<slug:split>/publication/",
        PublicationOfTaskBoard.as_view(),
        name="api-task-board-publication",
    ),
    path("campaigns/<slug:slug>/boards/<slug:key>/", OneCombinedBoard.as_view(), name="api-combined-board"),
    path(
        "campaigns/<slug:slug>/boards/<slug:key>/publication/",
        PublicationOfCombined.as_view(),
        name="api-combined-publication",
    ),
    path("campaigns/<slug:slug>/runs/<uuid:run_id>/", OneRun.as_view(), name="api-run"),
    path("campaigns/<slug:slug>/runs/<uuid:run_id>/choose/", ChooseRun.as_view(), name="api-choose-run"),
    path("campaigns/<slug:slug>/runs/<uuid:run_id>/again/", ScoreAgain.as_view(), name="api-score-again"),
    path("campaigns/<slug:slug>/tasks/<slug:key>/service/", TaskService.as_view(), name="api-service"),
    path("campaigns/<slug:slug>/tasks/<slug:key>/start/", StartRuns.as_view(), name="api-start-runs"),
    path(CAMPAIGN + "tasks/<slug:key>/example/", ExampleRun.as_view(), name="api-example-run"),
    path(RUN + "file/", FileOfRun.as_view(), name="api-run-file"),
    path(RUN + "batches/", BatchesOfRun.as_view(), name="api-run-batches"),
    path(RUN + "items/<slug:split>/", ItemsOfRun.as_view(), name="api-run-items"),
    path(CAMPAIGN + "services/", Services.as_view(), name="api-services"),
    path(SERVICE, OneService.as_view(), name="api-one-service"),
    path(SERVICE + "submit/", SubmitService.as_view(), name="api-submit-service"),
    path(SERVICE + "checks/", ChecksOfService.as_view(), name="api-service-checks"),
    path(SERVICE + "fingerprints/", FingerprintsOfService.as_view(), name="api-service-fingerprints"),
    path(CAMPAIGN + "service-checks/<uuid:service_check_id>/", OneServiceCheck.as_view(), name="api-service-check"),
]
