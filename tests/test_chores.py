"""What the Makefile starts can be started: without pytest, with nothing in the environment but a path."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MAKEFILE = (ROOT / "Makefile").read_text()
PROGRAMS = re.findall(r"\w+", re.search(r"^# Programs: (.+?) \(", MAKEFILE, re.MULTILINE)[1])


def test_every_module_that_the_makefile_starts_can_be_imported():
    modules = set(re.findall(r"\$\(PY\) -m (tests[\w.]*)", MAKEFILE)) | {f"bench.{name}" for name in PROGRAMS}
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    script = f"import importlib\nfor name in {sorted(modules)!r}: importlib.import_module(name)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_benchmarks_are_the_programs_that_the_makefile_and_their_page_name():
    have_a_main = {path.stem for path in (ROOT / "bench").glob("*.py") if "\ndef main() -> None:" in path.read_text()}
    assert have_a_main == set(PROGRAMS)
    page = (ROOT / "docs" / "bench.md").read_text()
    assert have_a_main == set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))


def test_the_chores_that_contributing_lists_exist():
    chores = re.findall(r"^\| `make ([a-z-]+)", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert len(chores) > 5
    assert all(re.search(rf"^{chore}:", MAKEFILE, re.MULTILINE) for chore in chores)
