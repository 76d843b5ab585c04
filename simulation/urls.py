from django.urls import path

from simulation.rehearsal_views import ask_rehearsal, drop_rehearsal, end_rehearsal, one_rehearsal, rehearsals
from simulation.views import dry_run, end_program, make_program, programs

PROGRAMS = "campaigns/<slug:slug>/programs/"
REHEARSALS = "campaigns/<slug:slug>/rehearsals/"

urlpatterns = [
    path(PROGRAMS, programs, name="programs"),
    path(PROGRAMS + "new/", make_program, name="make-program"),
    path(PROGRAMS + "dry-run/<int:endpoint_id>/", dry_run, name="dry-run"),
    path(PROGRAMS + "<int:person_id>/stop/", end_program, name="end-program"),
    path(REHEARSALS, rehearsals, name="rehearsals"),
    path(REHEARSALS + "new/", ask_rehearsal, name="ask-rehearsal"),
    path(REHEARSALS + "<uuid:rehearsal_id>/", one_rehearsal, name="rehearsal"),
    path(REHEARSALS + "<uuid:rehearsal_id>/stop/", end_rehearsal, name="stop-rehearsal"),
    path(REHEARSALS + "<uuid:rehearsal_id>/remove/", drop_rehearsal, name="remove-rehearsal"),
]
