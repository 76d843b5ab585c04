from django.urls import path

from simulation.views import DryRun, OneProgram, PeopleAndPrograms

PROGRAMS = "campaigns/<slug:slug>/programs/"

urlpatterns = [
    path(PROGRAMS, PeopleAndPrograms.as_view(), name="api-programs"),
    path(PROGRAMS + "dry-run/<int:endpoint_id>/", DryRun.as_view(), name="api-dry-run"),
    path(PROGRAMS + "<int:person_id>/", OneProgram.as_view(), name="api-program"),
]
