"""Which event loop a server process runs on."""

import subprocess
import sys

import pytest

CODE = """
import os, sys
if sys.argv[1:] == ["without"]:
    sys.modules["uvloop"] = None
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import asyncio, django
django.setup()
from serving.server.daphne_server import reactor, twisted_loop
print(type(twisted_loop).__module__, type(reactor).__name__, type(asyncio.new_event_loop()).__module__)
"""


def loop_of_a_server(*arguments: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", CODE, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_server_runs_on_uvloop_and_leaves_other_loops_alone():
    pytest.importorskip("uvloop")
    assert loop_of_a_server() == ["uvloop", "AsyncioSelectorReactor", "asyncio.unix_events"]


def test_without_uvloop_it_runs_on_asyncio():
    assert loop_of_a_server("without") == ["asyncio.unix_events", "AsyncioSelectorReactor", "asyncio.unix_events"]
