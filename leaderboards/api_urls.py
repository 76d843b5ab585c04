from django.urls import path

from leaderboards.api import ExportedFile, Leaderboard

urlpatterns = [
    path("campaigns/<slug:slug>/leaderboard/", Leaderboard.as_view(), name="api-leaderboard"),
    path("campaigns/<slug:slug>/exports/<slug:what>.<slug:format>", ExportedFile.as_view(), name="api-export"),
]
