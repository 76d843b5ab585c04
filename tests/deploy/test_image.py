"""The image is built as an engine builds it, and its container is driven once: health, the first organizer, a backup, an end."""

import subprocess

import pytest

from tests.deploy.image import Container, built, wait_until_healthy, what_is_missing

pytestmark = pytest.mark.image

# Measured, with a tenth to spare (docs/operating.md). Half of it is scipy and numpy.
MOST_MIB = 310


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    if missing := what_is_missing():
        pytest.skip(missing)
    with built(tmp_path_factory.mktemp("image")) as image:
        yield image


@pytest.fixture
def container(image, tmp_path):
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    (tmp_path / "volume").mkdir(mode=0o700)
    with Container(image, tmp_path / "volume") as container:
        yield container


def test_the_image_runs_without_root_and_holds_no_compiler(image):
    assert image.config["User"] == "10001:10001"
    assert list(image.config["Volumes"]) == ["/data"]
    programs = {file.name for folder in ("bin", "usr/bin", "opt/huace/bin") for file in (image.root / folder).iterdir()}
    assert {"huace", "python3"} <= programs
    assert not programs & {"cc", "gcc", "c++", "g++", "clang", "as", "ld", "make", "pip", "pip3"}
    measured = subprocess.run(["du", "-sm", str(image.root / "opt/huace")], capture_output=True, text=True, check=True)
    print(f"/opt/huace: {measured.stdout.split()[0]} MiB")
    assert int(measured.stdout.split()[0]) <= MOST_MIB


def test_a_container_serves_on_a_root_that_cannot_be_written(container, tmp_path):
    wait_until_healthy(container)
    assert container.execute("id", "-u").stdout == "10001\n"
    for path in ("/opt/huace/new", "/etc/new"):
        assert container.execute("touch", path).returncode != 0, path
    printed = container.execute("huace", "invite", "--staff")
    assert printed.returncode == 0, printed.stderr
    link = printed.stdout.split()[0]
    assert link.startswith("http://127.0.0.1:8000/")
    entered = container.reached_by("-m", "tests.deploy.first_organizer", "http://127.0.0.1:8000", link)
    assert (entered.stdout, entered.stderr) == ("True\n", "")
    assert container.execute("huace", "backup", "/data/huace.zip").returncode == 0
    assert container.execute("huace", "check_data").returncode == 0
    assert container.stop() == 0, container.log.read_text()
    assert {"huace.zip", "huace.sqlite3", "secret_key"} <= {file.name for file in (tmp_path / "volume").iterdir()}
