from django.urls import path

from replays.api import OneOwnReplay, OneReplay, OwnReplays, Replays, SentinelRounds, SettleDrift, StopReplay

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path(f"{CAMPAIGN}replays/", Replays.as_view(), name="api-replays"),
    path(f"{CAMPAIGN}replays/rounds/", SentinelRounds.as_view(), name="api-sentinel-rounds"),
    path(f"{CAMPAIGN}replays/rounds/<int:round_id>/settle/", SettleDrift.as_view(), name="api-settle-drift"),
    path(f"{CAMPAIGN}replays/<uuid:replay_id>/", OneReplay.as_view(), name="api-replay"),
    path(f"{CAMPAIGN}replays/<uuid:replay_id>/stop/", StopReplay.as_view(), name="api-stop-replay"),
    path(f"{CAMPAIGN}team/replays/", OwnReplays.as_view(), name="api-own-replays"),
    path(f"{CAMPAIGN}team/replays/<uuid:replay_id>/", OneOwnReplay.as_view(), name="api-own-replay"),
]
