from django.urls import path

from organizing.tasks.api import ExampleGold, OneTask, TaskFiles, TaskQuotas, TaskSetup

urlpatterns = [
    path("", TaskSetup.as_view(), name="api-task-setup"),
    path("files/", TaskFiles.as_view(), name="api-task-files"),
    path("example/<slug:type>/", ExampleGold.as_view(), name="api-example-gold"),
    path("one/<slug:key>/", OneTask.as_view(), name="api-one-task"),
    path("one/<slug:key>/quotas/", TaskQuotas.as_view(), name="api-task-quotas"),
]
