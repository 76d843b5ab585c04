from django.urls import path

from pairs.views import pair, pair_progress, pairs

urlpatterns = [
    path("campaigns/<slug:slug>/pairs/", pairs, name="pairs"),
    path("campaigns/<slug:slug>/pair-progress/", pair_progress, name="pair-progress"),
    path("pairs/<uuid:pair_id>/", pair, name="pair"),
]
