from django.urls import path

from leaderboards.views import agreement, board, download, organize, publish

urlpatterns = [
    path("campaigns/<slug:slug>/leaderboard/", board, name="leaderboard"),
    path("campaigns/<slug:slug>/agreement/", agreement, name="agreement"),
    path("campaigns/<slug:slug>/organize/", organize, name="organize"),
    path("campaigns/<slug:slug>/organize/publish/", publish, name="publish"),
    path("campaigns/<slug:slug>/export/<slug:what>.<slug:format>", download, name="export"),
]
