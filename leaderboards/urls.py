from django.urls import path

from leaderboards.board_views import figure_records
from leaderboards.fault_views import change_faults, faults, preview_faults
from leaderboards.slice_views import slices
from leaderboards.views import agreement, organize

urlpatterns = [
    path(
        "campaigns/<slug:slug>/leaderboard/records/<int:entry_id>/<slug:figure>/",
        figure_records,
        name="leaderboard-records",
    ),
    path("campaigns/<slug:slug>/leaderboard/parts/", slices, name="slices"),
    path("campaigns/<slug:slug>/agreement/", agreement, name="agreement"),
    path("campaigns/<slug:slug>/faults/", faults, name="faults"),
    path("campaigns/<slug:slug>/faults/preview/", preview_faults, name="faults-preview"),
    path("campaigns/<slug:slug>/faults/change/", change_faults, name="faults-change"),
    path("campaigns/<slug:slug>/organize/", organize, name="organize"),
]
