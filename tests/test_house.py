"""The rooms and who may import whom (design §3), and what must never stand in the tree."""

import ast
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = [
    "measures", "participants", "rubrics", "campaigns", "testing_console", "reviews", "leaderboards",
    "automatic_tasks", "demo", "config",
]  # fmt: skip
PURE = [
    "turn_taking.py",
    "masking.py",
    "ranking.py",
    "aggregation.py",
    "scales.py",
    "drawing.py",
    "campaign_file.py",
    "table_reader.py",
    "storable.py",
    "header_text.py",
    "record_files.py",
    "multiple_testing.py",
]
NOT_IN_PURE = {"django", "channels", "httpx", "aiohttp", "rest_framework", "knox"}


def files_of(room: str) -> list[Path]:
    return [path for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts]


def imports_of(path: Path) -> set[str]:
    """Every module that the file imports, at its head or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("room", ROOMS[:-1])
def test_no_room_imports_upwards_and_none_imports_config(room):
    above = set(ROOMS[ROOMS.index(room) + 1 :])
    for path in files_of(room):
        upwards = {module for module in imports_of(path) if module.split(".")[0] in above}
        assert not upwards, f"{path.relative_to(ROOT)} imports {', '.join(upwards)}"


def test_the_import_check_sees_an_arrow_upwards(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("def f():\n    from reviews.models import Review\n")
    assert imports_of(bad) == {"reviews.models"}


def test_measures_import_no_room_and_no_framework():
    for path in files_of("measures"):
        first_names = {module.split(".")[0] for module in imports_of(path)}
        assert not first_names & (NOT_IN_PURE | set(ROOMS) - {"measures"}), path


def test_rules_are_pure():
    checked = 0
    for room in ROOMS:
        for path in files_of(room):
            if path.name in PURE:
                checked += 1
                first_names = {module.split(".")[0] for module in imports_of(path)}
                assert not first_names & NOT_IN_PURE, f"{path} imports a framework"
    assert checked >= 4


def test_network_libraries_stand_in_the_outbound_room_only():
    """The scripted testers of `demo` are clients of ours, not calls that the platform makes."""
    for room in ROOMS:
        for path in files_of(room):
            if "outbound" in path.parts or room == "demo":
                continue
            first_names = {module.split(".")[0] for module in imports_of(path)}
            assert not first_names & {"httpx", "aiohttp", "httpx_aiohttp", "requests", "urllib3"}, path


def test_the_server_starts_without_the_heavy_libraries():
    code = (
        "import os, sys; os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'config.settings'); "
        "import config.asgi; print([m for m in ('pandas', 'scipy', 'sklearn', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_file_names_a_registry_or_a_path_of_a_machine():
    unwanted = re.compile(r"files\.pythonhosted|registry\.npmjs|pypi\.org|--index-url|--extra-index|/root/|/home/")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for name in listed:
        path = ROOT / name
        if path.suffix in {".png", ".mo", ".json"} or not path.exists() or name == "tests/test_house.py":
            continue
        match = unwanted.search(path.read_text(encoding="utf-8"))
        assert match is None, f"{name} names {match[0]}"


def test_the_lock_has_hashes_for_every_package():
    lock = (ROOT / "requirements.txt").read_text()
    pinned = re.findall(r"^[a-z0-9._-]+(?:\[[a-z,]+\])?==\S+", lock, re.MULTILINE)
    assert len(pinned) > 50
    for block in re.split(r"\n(?=[a-z0-9])", lock):
        if "==" in block:
            assert "--hash=sha256:" in block, block.splitlines()[0]


def test_vendored_files_are_what_the_manifest_says():
    vendor = ROOT / "static" / "vendor"
    for entry in json.loads((vendor / "manifest.json").read_text()):
        content = (vendor / entry["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"], entry["file"]


def test_pages_hold_no_inline_code():
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), path
        assert not re.search(r"\son[a-z]+=|\sstyle=|javascript:", text), path


def test_every_dependency_has_a_line_that_says_why():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *(one for many in project["optional-dependencies"].values() for one in many)]
    page = (ROOT / "docs" / "dependencies.md").read_text()
    for requirement in wanted:
        name = re.match(r"[a-z0-9-]+", requirement)[0]
        assert f"`{name}`" in page, f"docs/dependencies.md does not mention {name}"
