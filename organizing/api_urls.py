from django.urls import path

from organizing.api import Correlations

urlpatterns = [path("campaigns/<slug:slug>/correlations/", Correlations.as_view(), name="api-correlations")]
