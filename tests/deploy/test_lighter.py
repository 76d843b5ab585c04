"""What the image leaves out of its libraries."""

import re
import sysconfig
from pathlib import Path

import pytest

from deploy.lighter import FOLDERS, LANGUAGES, LIBRARIES, SERVICES, lighten
from tests.live.databases import ROOT

SITE = Path(sysconfig.get_paths()["purelib"])


def test_each_part_stands_where_it_is_looked_for():
    services = [f"botocore/data/{name}" for name in SERVICES]
    assert [name for name in (*FOLDERS, *services, "jieba/finalseg") if not (SITE / name).is_dir()] == []


@pytest.fixture
def site(tmp_path):
    kept = [f"botocore/data/{name}/a.json" for name in SERVICES]
    kept += [f"django/conf/locale/{name}/LC_MESSAGES/a.mo" for name in LANGUAGES]
    kept += ["autobahn/nvx/_utf8validator.c", "botocore/data/endpoints.json", "jieba/finalseg/prob_emit.py"]
    gone = [f"{name}/a.py" for name in FOLDERS]
    gone += [
        "botocore/data/ec2/a.json",
        "django/conf/locale/fr/LC_MESSAGES/a.mo",
        "scipy/stats/tests/a.py",
        "numpy/a.pxd",
    ]
    gone += ["jieba/finalseg/prob_emit.p", *(pattern.replace("*", "a") for pattern in LIBRARIES)]
    for name in kept + gone:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path, set(kept)


def test_what_a_server_loads_stays_and_the_rest_goes(site):
    folder, kept = site
    lighten(folder)
    assert {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()} == kept


def test_a_library_that_was_moved_ends_the_build(tmp_path):
    with pytest.raises(FileNotFoundError):
        lighten(tmp_path)


def test_the_build_is_given_what_it_runs():
    run = re.findall(r"python3? /source/(\S+)", (ROOT / "Containerfile").read_text())
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert set(run) == {"deploy/lighter.py"}
    assert all(f"!{name}" in ignored for name in run)
