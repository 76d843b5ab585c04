"""Real servers, sockets and browsers. Commands of the Makefile start from here, too, without pytest's settings."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
