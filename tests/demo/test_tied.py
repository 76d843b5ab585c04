"""Children end with their parent, also when it is killed with -9; a taken port names its holder."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError

from demo.management.commands.demo import refuse_taken_ports
from demo.sample_bots import free_port, holder_of, is_free
from demo.tied import start_tied
from tests.migrated import migrated_file
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[2]
BOT = ROOT / "examples" / "bots" / "booking_bot.py"
LIMIT_S = 40  # on a busy machine; it takes a second or two

PARENT = f"""
import sys, time
from demo.tied import start_tied
child = start_tied([{str(BOT)!r}, "--port", sys.argv[1]])
time.sleep(600)
"""

# The demo as it is, on other ports and in a folder of its own.
DEMO = """
import os, sys
from pathlib import Path
import django
django.setup()
from django.conf import settings
from django.core.management import call_command
import demo.management.commands.demo as demo
from demo.sample_bots import BRIDGED_BOT, DIALLED_BOT, SAMPLE_BOTS, on_free_ports
settings.VAR_DIR = Path(os.environ["FOLDER"])
demo.SAMPLES = on_free_ports((*SAMPLE_BOTS, BRIDGED_BOT, DIALLED_BOT))
demo.hand_in_sample_runs = lambda tasks, at: 0
demo.load_demo_tasks = list
print(*(sample.port for sample in demo.SAMPLES), flush=True)
sys.argv[0] = "manage.py"
call_command("demo", port=int(os.environ["PORT"]), end_with=int(os.environ["END_WITH"]) or None)
"""


def test_a_child_ends_when_its_parent_is_killed():
    port = free_port()
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(port)], cwd=ROOT)
    try:
        until(lambda: not is_free(port), LIMIT_S)
    finally:
        parent.kill()
        parent.wait()
    until(lambda: is_free(port), LIMIT_S)


def test_a_child_that_is_told_to_end_ends_at_once():
    port = free_port()
    child = start_tied([str(BOT), "--port", str(port)])
    until(lambda: not is_free(port), LIMIT_S)
    child.terminate()
    child.wait(timeout=LIMIT_S)
    assert is_free(port)


@pytest.fixture
def demo(tmp_path):
    """Starts the demo; gives its process and the ports it takes."""
    started = []

    def start(end_with: int = 0):
        database = tmp_path / "demo.sqlite3"
        database.write_bytes(migrated_file().read_bytes())
        port = free_port()
        environment = os.environ | {
            "DATABASE_URL": f"sqlite:///{database}", "FOLDER": str(tmp_path), "PORT": str(port),
            "END_WITH": str(end_with), "DJANGO_SETTINGS_MODULE": "config.settings",
        }  # fmt: skip
        process = subprocess.Popen(
            [sys.executable, "-c", DEMO], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        ports = [port, *map(int, process.stdout.readline().split())]
        until(lambda: not any(map(is_free, ports)), LIMIT_S)
        return process, ports

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.server
def test_server_and_sample_bots_end_when_the_demo_is_killed(demo):
    process, ports = demo()
    process.kill()
    process.wait()
    until(lambda: all(map(is_free, ports)), LIMIT_S)


@pytest.mark.server
def test_the_demo_ends_when_make_is_killed(demo):
    make = subprocess.Popen(["sleep", "600"])
    process, ports = demo(end_with=make.pid)
    make.send_signal(signal.SIGKILL)
    make.wait()
    process.wait(timeout=LIMIT_S)
    assert all(map(is_free, ports))


def test_make_tells_the_demo_its_own_number():
    shown = subprocess.run(["make", "-n", "demo", "PY=true"], cwd=ROOT, capture_output=True, text=True).stdout
    assert "--end-with $PPID" in shown


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the system does not tell who holds a port")
def test_a_taken_port_says_which_process_to_end():
    port = free_port()
    child = start_tied([str(BOT), "--port", str(port)])
    try:
        until(lambda: holder_of(port), LIMIT_S)
        assert holder_of(port).pid == child.pid
        with pytest.raises(CommandError) as refused:
            refuse_taken_ports([port])
        assert f"Port {port} is in use by process {child.pid} (" in str(refused.value)
        assert f"booking_bot.py --port {port}" in str(refused.value)
        assert f"`kill {child.pid}`" in str(refused.value)
    finally:
        child.terminate()
        child.wait()


def test_a_free_port_has_no_holder():
    port = free_port()
    assert is_free(port)
    assert holder_of(port) is None
    refuse_taken_ports([port])
