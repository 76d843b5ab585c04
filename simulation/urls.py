from django.urls import path

from simulation.views import dry_run, end_program, make_program, programs

PROGRAMS = "campaigns/<slug:slug>/programs/"

urlpatterns = [
    path(PROGRAMS, programs, name="programs"),
    path(PROGRAMS + "new/", make_program, name="make-program"),
    path(PROGRAMS + "dry-run/<int:endpoint_id>/", dry_run, name="dry-run"),
    path(PROGRAMS + "<int:person_id>/stop/", end_program, name="end-program"),
]
