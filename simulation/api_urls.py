from django.urls import path

from simulation.rehearsal_views import OneRehearsal, Rehearsals, StopRehearsal
from simulation.views import DryRun, OneProgram, PeopleAndPrograms

PROGRAMS = "campaigns/<slug:slug>/programs/"
REHEARSALS = "campaigns/<slug:slug>/rehearsals/"

urlpatterns = [
    path(PROGRAMS, PeopleAndPrograms.as_view(), name="api-programs"),
    path(PROGRAMS + "dry-run/<int:endpoint_id>/", DryRun.as_view(), name="api-dry-run"),
    path(PROGRAMS + "<int:person_id>/", OneProgram.as_view(), name="api-program"),
    path(REHEARSALS, Rehearsals.as_view(), name="api-rehearsals"),
    path(REHEARSALS + "<uuid:rehearsal_id>/", OneRehearsal.as_view(), name="api-rehearsal"),
    path(REHEARSALS + "<uuid:rehearsal_id>/stop/", StopRehearsal.as_view(), name="api-stop-rehearsal"),
]
