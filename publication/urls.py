from django.urls import path

from publication import organizer_views, pair_boards
from publication import views as public
from publication.downloads import download
from publication.published import reading_views
from verification.verify import NAME

urlpatterns = [
    path(NAME, public.verifier, name="verifier"),
    path("campaigns/<slug:slug>/leaderboard/", public.board, name="leaderboard"),
    path("campaigns/<slug:slug>/leaderboard/pairs/", pair_boards.pair_board, name="pair-board"),
    path("campaigns/<slug:slug>/leaderboard/<int:number>/", public.snapshot, name="snapshot"),
    path("campaigns/<slug:slug>/leaderboard/<int:number>/pairs/", pair_boards.snapshot_pairs, name="snapshot-pairs"),
    path(
        "campaigns/<slug:slug>/leaderboard/<int:number>/records/<slug:figure>/",
        public.snapshot_records,
        name="snapshot-records",
    ),
    path("campaigns/<slug:slug>/leaderboard/<int:number>/paper/", public.snapshot_paper, name="snapshot-paper"),
    path(
        "campaigns/<slug:slug>/leaderboard/<int:number>/dialogues/", reading_views.dialogues, name="snapshot-dialogues"
    ),
    path(
        "campaigns/<slug:slug>/leaderboard/<int:number>/dialogues/side-by-side/",
        reading_views.side_by_side,
        name="snapshot-side-by-side",
    ),
    path(
        "campaigns/<slug:slug>/leaderboard/<int:number>/dialogues/<int:dialogue_number>/",
        reading_views.dialogue,
        name="snapshot-dialogue",
    ),
    path("campaigns/<slug:slug>/leaderboard/<int:number>/figures/", public.snapshot_figures, name="snapshot-figures"),
    path(
        "campaigns/<slug:slug>/leaderboard/<int:number>/files/<slug:part>.<slug:format>",
        public.snapshot_part,
        name="snapshot-part",
    ),
    path("campaigns/<slug:slug>/leaderboard/<int:number>/ranks.svg", public.snapshot_ranks, name="snapshot-ranks"),
    path("campaigns/<slug:slug>/leaderboard/<int:number>/leaderboard.csv", public.snapshot_csv, name="snapshot-csv"),
    path("campaigns/<slug:slug>/leaderboard/<int:number>/leaderboard.json", public.snapshot_json, name="snapshot-json"),
    path("campaigns/<slug:slug>/leaderboard/<int:number>/bundle.zip", public.snapshot_bundle, name="snapshot-bundle"),
    path("campaigns/<slug:slug>/publication/", organizer_views.publication, name="publication"),
    path("campaigns/<slug:slug>/publication/freeze/", organizer_views.freeze, name="freeze"),
    path("campaigns/<slug:slug>/publication/forget/", organizer_views.forget_order, name="forget-freeze"),
    path("campaigns/<slug:slug>/publication/<int:number>/", organizer_views.snapshot_details, name="snapshot-details"),
    path("campaigns/<slug:slug>/publication/<int:number>/publish/", organizer_views.publish_snapshot, name="publish"),
    path(
        "campaigns/<slug:slug>/publication/<int:number>/withdraw/", organizer_views.withdraw_snapshot, name="withdraw"
    ),
    path("campaigns/<slug:slug>/export/<slug:what>.<slug:format>", download, name="export"),
]
