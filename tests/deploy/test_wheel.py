"""The wheel: it holds every room with what their code reads, and its command runs a site from outside of the checkout."""

import os
import subprocess
import sys
import sysconfig
import zipfile

import pytest

from config.command import usual_home
from demo.sample_bots import free_port
from tests.deploy.first_organizer import answers, may_make_a_campaign
from tests.live.databases import ROOT
from tests.test_house import ROOMS
from tests.waiting import until


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "-q", "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w"]
    subprocess.run([*pip, str(folder), str(ROOT)], check=True)
    (made,) = folder.glob("huace-*-py3-none-any.whl")
    return made


def tracked():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return set(listed.splitlines())


def test_the_wheel_holds_all_rooms_and_what_they_read_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as opened:
        held = {name.removeprefix("huace/site/") for name in opened.namelist() if name.startswith("huace/")}
    shipped = {*ROOMS, "examples", "locale", "static", "templates", "pyproject.toml"}
    assert held == {name for name in tracked() if name.partition("/")[0] in shipped}


def test_data_stand_in_the_users_folder_unless_huace_home_names_another(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert usual_home() == tmp_path / "huace"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert usual_home() == tmp_path / ".local" / "share" / "huace"


@pytest.fixture
def huace(wheel, tmp_path):
    """The command in an environment of its own, without pip and checkout; the libraries are those of the tests."""
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "-q", "--python", str(python), "install", "--no-index", "--no-deps"]
    subprocess.run([*pip, str(wheel)], check=True)
    (libraries,) = environment.glob("lib/python*/site-packages")
    (libraries / "tested.pth").write_text(sysconfig.get_path("purelib"))
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("HUACE_", "PYTHON", "DJANGO_"))}

    def command(*words, run=subprocess.run, **how):
        settings = clean | {"HUACE_HOME": str(tmp_path / "home")}
        return run([str(environment / "bin" / "huace"), *words], cwd="/", env=settings | how.pop("env", {}), **how)

    return command


@pytest.mark.server
def test_the_command_serves_a_site_and_backs_it_up(huace, tmp_path):
    huace("migrate", "--verbosity", "0", check=True)
    port = free_port()
    server = huace("serve", "--port", str(port), run=subprocess.Popen)
    try:
        base = f"http://127.0.0.1:{port}"
        until(lambda: answers(f"{base}/readyz"), 60)
        invited = huace("invite", "--staff", check=True, capture_output=True, text=True)
        assert may_make_a_campaign(base, invited.stdout.split()[0])
        huace("backup", str(tmp_path / "huace.zip"), check=True, capture_output=True)
        assert zipfile.is_zipfile(tmp_path / "huace.zip")
        # The worker is a process of the command's own, too.
        until(lambda: b"worker" not in answers(f"{base}/readyz"), 60)
    finally:
        server.terminate()
        assert server.wait(timeout=60) == 0


def test_a_setting_that_needs_an_extra_says_which(huace, tmp_path):
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(
        "import sys, importlib.util as util\nfound = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name in {'psycopg_pool', 'channels_redis'} else found(name, *more)\n"
    )
    for name, value, extra in (
        ("DATABASE_URL", "postgres://huace@127.0.0.1/huace", "postgres"),
        ("REDIS_URL", "redis://127.0.0.1/0", "redis"),
    ):
        refused = huace("check", env={name: value, "PYTHONPATH": str(hidden)}, capture_output=True, text=True)
        expected = f"{name} needs libraries that are not installed: pip install 'huace[{extra}]'.\n"
        assert (refused.returncode, refused.stderr) == (1, expected)
