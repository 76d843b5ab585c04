"""What the Makefile starts can be started: without pytest, with nothing in the environment but a path."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(set(re.findall(r"\$\(PY\) -m ((?:bench|tests)[\w.]*)", (ROOT / "Makefile").read_text())))


def test_every_module_that_the_makefile_starts_can_be_imported():
    assert "bench.pages" in MODULES
    names = [f"{name}.__main__" if (ROOT / name).is_dir() else name for name in MODULES]
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    script = f"import importlib\nfor name in {names!r}: importlib.import_module(name)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
