from django.urls import path

from leaderboards.api import ExportedFile, Leaderboard
from leaderboards.faults_api import Faults
from leaderboards.publication.api import OneSnapshot, PublicationOfCampaign

urlpatterns = [
    path("campaigns/<slug:slug>/publication/", PublicationOfCampaign.as_view(), name="api-publication"),
    path("campaigns/<slug:slug>/publication/<int:number>/", OneSnapshot.as_view(), name="api-snapshot"),
    path("campaigns/<slug:slug>/faults/", Faults.as_view(), name="api-faults"),
    path("campaigns/<slug:slug>/leaderboard/", Leaderboard.as_view(), name="api-leaderboard"),
    path("campaigns/<slug:slug>/exports/<slug:what>.<slug:format>", ExportedFile.as_view(), name="api-export"),
]
