"""The ASGI application: pages and API over HTTP, dialogues over WebSocket."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from config.sockets import socket_patterns  # noqa: E402
from testing_console.socket_gate import SocketGate  # noqa: E402

sockets = SocketGate(AuthMiddlewareStack(URLRouter(socket_patterns)))
application = ProtocolTypeRouter({"http": pages, "websocket": sockets})
