from django.urls import path

from simulation.views import PeopleAndPrograms

urlpatterns = [path("campaigns/<slug:slug>/programs/", PeopleAndPrograms.as_view(), name="api-programs")]
