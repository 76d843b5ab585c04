from django.urls import path

from simulation.views import OneProgram, PeopleAndPrograms

PROGRAMS = "campaigns/<slug:slug>/programs/"

urlpatterns = [
    path(PROGRAMS, PeopleAndPrograms.as_view(), name="api-programs"),
    path(PROGRAMS + "<int:person_id>/", OneProgram.as_view(), name="api-program"),
]
