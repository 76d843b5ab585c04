from django.urls import path

from leaderboards.api import Leaderboard

urlpatterns = [path("campaigns/<slug:slug>/leaderboard/", Leaderboard.as_view(), name="api-leaderboard")]
