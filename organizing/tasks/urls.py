from django.urls import path

from organizing.tasks.downloads import example_gold, task_files
from organizing.tasks.quota_views import quotas
from organizing.tasks.views import add, edit, remove, set_up

urlpatterns = [
    path("", set_up, name="task-setup"),
    path("files/", task_files, name="task-files"),
    path("new/<slug:type>/", add, name="task-new"),
    path("example/<slug:type>/", example_gold, name="example-gold"),
    path("one/<slug:key>/", edit, name="task-edit"),
    path("one/<slug:key>/remove/", remove, name="task-remove"),
    path("one/<slug:key>/quotas/", quotas, name="task-quotas"),
]
