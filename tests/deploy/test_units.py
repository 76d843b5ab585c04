"""The files of deploy/: units that systemd reads and confines, and commands that exist."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import load_command_class

from config.environment import KNOWN

ROOT = Path(__file__).resolve().parents[2]
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
COMMANDS = {"migrate": "django.core", "serve": "serving", "work": "automatic_tasks", "backup": "operating"}
# As `systemd-analyze security` counts: 0 is confined, 10 may do everything.
MOST_EXPOSED = 2.0


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_runs_commands_with_options_that_they_know(unit):
    started = re.findall(r"^ExecStart(?:Pre)?=/opt/huace/\.venv/bin/python manage\.py (.+)$", unit.read_text(), re.M)
    assert started
    for line in started:
        name, *options = shlex.split(line)
        load_command_class(COMMANDS[name], name).create_parser("manage.py", name).parse_args(options)
    assert set(re.findall(r"HUACE_[A-Z_]+", unit.read_text())) <= KNOWN


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_is_confined(unit):
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)]
    told = subprocess.run(command, capture_output=True, text=True).stdout
    assert float(re.search(r"exposure level for \S+: ([\d.]+)", told)[1]) <= MOST_EXPOSED, told


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
def test_systemd_knows_every_line(tmp_path):
    for file in (ROOT / "deploy" / "systemd").iterdir():
        # Its program need not stand where it is installed.
        (tmp_path / file.name).write_text(file.read_text().replace("/opt/huace/.venv/bin/python", "/bin/true"))
    command = ["systemd-analyze", "verify", "--man=no", *map(str, tmp_path.iterdir())]
    told = subprocess.run(command, capture_output=True, text=True).stderr
    assert [line for line in told.splitlines() if "huace" in line] == []
