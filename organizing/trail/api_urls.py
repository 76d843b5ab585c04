from django.urls import path

from organizing.trail.api import CampaignTrail, WholeTrail

urlpatterns = [
    path("campaigns/<slug:slug>/trail/", CampaignTrail.as_view(), name="api-trail"),
    path("trail/", WholeTrail.as_view(), name="api-whole-trail"),
]
