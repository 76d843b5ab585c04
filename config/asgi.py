"""The ASGI application: pages and API over HTTP, dialogues over WebSocket."""

import os

from serving.server.page_handler import page_handler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = page_handler()

from channels.auth import AuthMiddleware  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware, SessionMiddleware  # noqa: E402

from accounts.middleware import StorableCookiesOfSockets  # noqa: E402
from config.sockets import socket_patterns  # noqa: E402
from serving.server.page_handler import PlainCookies  # noqa: E402
from serving.server.static_files import StaticFilesFirst  # noqa: E402
from testing_console.live.socket_limits import SocketGate  # noqa: E402

# As channels' AuthMiddlewareStack, with one more step.
with_login = CookieMiddleware(StorableCookiesOfSockets(SessionMiddleware(AuthMiddleware(URLRouter(socket_patterns)))))
sockets = SocketGate(with_login)
application = PlainCookies(ProtocolTypeRouter({"http": StaticFilesFirst(pages), "websocket": sockets}))
