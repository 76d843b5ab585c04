from django.urls import path

from replays.views import ask, ask_own, own_replay, own_replays, replay_shown, replays, settle, stop

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path(f"{CAMPAIGN}replays/", replays, name="replays"),
    path(f"{CAMPAIGN}replays/ask/", ask, name="ask-replays"),
    path(f"{CAMPAIGN}replays/rounds/<int:round_id>/settle/", settle, name="settle-drift"),
    path(f"{CAMPAIGN}replays/<uuid:replay_id>/", replay_shown, name="replay"),
    path(f"{CAMPAIGN}replays/<uuid:replay_id>/stop/", stop, name="stop-replay"),
    path(f"{CAMPAIGN}team/replays/", own_replays, name="own-replays"),
    path(f"{CAMPAIGN}team/replays/ask/", ask_own, name="ask-own-replays"),
    path(f"{CAMPAIGN}team/replays/<uuid:replay_id>/", own_replay, name="own-replay"),
]
