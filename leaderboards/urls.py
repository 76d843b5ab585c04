from django.urls import path

from leaderboards.fault_views import change_faults, faults, preview_faults
from leaderboards.views import agreement, board, download, organize, publish

urlpatterns = [
    path("campaigns/<slug:slug>/leaderboard/", board, name="leaderboard"),
    path("campaigns/<slug:slug>/agreement/", agreement, name="agreement"),
    path("campaigns/<slug:slug>/faults/", faults, name="faults"),
    path("campaigns/<slug:slug>/faults/preview/", preview_faults, name="faults-preview"),
    path("campaigns/<slug:slug>/faults/change/", change_faults, name="faults-change"),
    path("campaigns/<slug:slug>/organize/", organize, name="organize"),
    path("campaigns/<slug:slug>/organize/publish/", publish, name="publish"),
    path("campaigns/<slug:slug>/export/<slug:what>.<slug:format>", download, name="export"),
]
