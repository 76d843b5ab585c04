from django.urls import path

from leaderboards.views import (
    agreement,
    change_faults,
    faults,
    figure_file,
    figure_records,
    figures,
    organize,
    preview_faults,
    slices,
)

urlpatterns = [
    path(
        "campaigns/<slug:slug>/leaderboard/records/<int:entry_id>/<slug:figure>/",
        figure_records,
        name="leaderboard-records",
    ),
    path("campaigns/<slug:slug>/leaderboard/figures/", figures, name="figures"),
    path("campaigns/<slug:slug>/leaderboard/files/<slug:part>.<slug:format>", figure_file, name="board-part"),
    path("campaigns/<slug:slug>/leaderboard/parts/", slices, name="slices"),
    path("campaigns/<slug:slug>/agreement/", agreement, name="agreement"),
    path("campaigns/<slug:slug>/faults/", faults, name="faults"),
    path("campaigns/<slug:slug>/faults/preview/", preview_faults, name="faults-preview"),
    path("campaigns/<slug:slug>/faults/change/", change_faults, name="faults-change"),
    path("campaigns/<slug:slug>/organize/", organize, name="organize"),
]
