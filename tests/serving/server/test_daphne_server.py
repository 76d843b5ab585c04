"""What a server process allows itself."""

import subprocess
import sys

CODE = """
import os, resource, django
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()
from serving.server.daphne_server import raise_limit_of_open_files
resource.setrlimit(resource.RLIMIT_NOFILE, (256, HARD))
raise_limit_of_open_files()
print(resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def limits_after(hard: str) -> str:
    code = CODE.replace("HARD", hard)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_a_server_may_open_as_many_files_as_the_system_lets_it():
    assert limits_after("700") == "(700, 700)"
