from django.urls import path

from simulation.views import programs

urlpatterns = [path("campaigns/<slug:slug>/programs/", programs, name="programs")]
