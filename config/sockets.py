"""The socket paths; everything else is told that it is unknown."""

from django.urls import path, re_path

from organizing.wall.consumers import WallConsumer
from testing_console.live.bot_consumer import BotConsumer
from testing_console.live.consumers import DialogueConsumer, UnknownSocket

socket_patterns = [
    path("ws/dialogues/<uuid:dialogue_id>/", DialogueConsumer.as_asgi()),
    path("ws/campaigns/<slug:slug>/wall/", WallConsumer.as_asgi()),
    path("ws/bots/", BotConsumer.as_asgi()),
    re_path(r"", UnknownSocket.as_asgi()),
]
