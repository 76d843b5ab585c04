from django.urls import path

from automatic_tasks import item_views, organizer_views, views
from automatic_tasks.boards import views as board_views
from automatic_tasks.combined import views as combined_views
from automatic_tasks.services import views as service_views

TASKS = "campaigns/<slug:slug>/tasks/"
BOARD = TASKS + "<slug:key>/board/<slug:split>/"
RUN = "campaigns/<slug:slug>/runs/<uuid:run_id>/"
CHECK = "service-checks/<uuid:service_check_id>/"
SERVICES = "campaigns/<slug:slug>/services/"

urlpatterns = [
    path(TASKS, views.task_list, name="tasks"),
    path(TASKS + "<slug:key>/", views.task_page, name="task"),
    path(TASKS + "<slug:key>/example/", views.example, name="example-run"),
    path(TASKS + "<slug:key>/submit/", views.submit, name="submit-run"),
    path(TASKS + "<slug:key>/service/", views.service, name="service"),
    path(TASKS + "<slug:key>/organize/", organizer_views.organize_task, name="organize-task"),
    path(TASKS + "<slug:key>/change/", organizer_views.change, name="change-task"),
    path(TASKS + "<slug:key>/start/", organizer_views.start_runs, name="start-runs"),
    path(BOARD, board_views.board, name="task-board"),
    path("campaigns/<slug:slug>/boards/<slug:key>/", combined_views.combined, name="combined-board"),
    path(
        "campaigns/<slug:slug>/boards/<slug:key>/publication/",
        combined_views.combined_publication,
        name="combined-publication",
    ),
    path(
        "campaigns/<slug:slug>/boards/<slug:key>/publication/freeze/",
        combined_views.freeze_combined,
        name="freeze-combined",
    ),
    path(BOARD + "publication/", combined_views.task_board_publication, name="task-board-publication"),
    path(BOARD + "publication/freeze/", combined_views.freeze_task_board, name="freeze-task-board"),
    path(SERVICES, service_views.services, name="services"),
    path(SERVICES + "<int:service_id>/", service_views.one_service, name="service-page"),
    path(SERVICES + "<int:service_id>/stage/", service_views.change_stage, name="stage-service"),
    path(SERVICES + "<int:service_id>/submit/", service_views.submit, name="submit-service"),
    path(SERVICES + "<int:service_id>/checks/", service_views.checks, name="service-checks"),
    path("campaigns/<slug:slug>/" + CHECK, service_views.one_check, name="service-check"),
    path(CHECK + "badge.svg", service_views.badge, name="service-check-badge"),
    path(RUN, views.run_page, name="run"),
    path(RUN + "progress/", views.run_progress, name="run-progress"),
    path(RUN + "file/", views.run_file, name="run-file"),
    path(RUN + "items/<slug:split>/", item_views.run_items, name="run-items"),
    path(RUN + "choose/", views.choose, name="choose-run"),
    path(RUN + "again/", organizer_views.again, name="score-again"),
]
