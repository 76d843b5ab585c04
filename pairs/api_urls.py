from django.urls import path

from pairs.api import OnePair, PairProgress, Pairs, UndoneVote, VoteOnPair

urlpatterns = [
    path("campaigns/<slug:slug>/pairs/", Pairs.as_view(), name="api-pairs"),
    path("campaigns/<slug:slug>/pair-progress/", PairProgress.as_view(), name="api-pair-progress"),
    path("pairs/<uuid:pair_id>/", OnePair.as_view(), name="api-pair"),
    path("pairs/<uuid:pair_id>/vote/", VoteOnPair.as_view(), name="api-pair-vote"),
    path("pairs/<uuid:pair_id>/vote/undo/", UndoneVote.as_view(), name="api-pair-vote-undo"),
]
