"""The image as an engine builds it, and a container of it, on a machine that has no engine.

buildah executes the Containerfile; its base is made from Debian's packages, under the name that FROM asks for. Where the kernel
lets no runtime start containers, bubblewrap gives the same confinement: a root that cannot be written, one volume, a user without
rights, networks and processes of its own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.live.databases import ROOT
from tests.waiting import until

NEEDED = {"buildah": "buildah", "debootstrap": "debootstrap", "bwrap": "bubblewrap"}
# Debian's release, about a minute of downloads; made once a checkout.
BASE = ROOT / "var" / "image" / "bookworm.tar"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def what_is_missing() -> str:
    """Why an image cannot be built here, and what helps; empty where it can."""
    packages = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if packages:
        return f"apt-get install {' '.join(packages)}"
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        return "mounts of its own are not allowed here: run it as root, or `podman build` where an engine is"
    return ""


@dataclass(frozen=True, slots=True)
class Image:
    root: Path
    config: dict[str, Any]


@contextmanager
def built(folder: Path):
    """The image of this checkout, mounted; its storage stands in the folder and goes with it."""
    where = ["--storage-driver", "vfs", "--root", str(folder / "store"), "--runroot", str(folder / "run")]
    containerfile = (ROOT / "Containerfile").read_text()
    try:
        for name in set(re.findall(r"^FROM (\S+)", containerfile, re.M)):
            buildah(where, "from", "--name", "base", "scratch")
            buildah(where, "add", "base", str(base()), "/")
            buildah(where, "commit", "--rm", "base", name)
        # The certificates that this machine trusts; an engine that reaches the index by itself needs neither.
        trusted = ["--volume", f"{CERTIFICATES}:/run/trusted.crt:ro", "--build-arg", "PIP_CERT=/run/trusted.crt"]
        build = ["build", "--isolation", "chroot", "--network", "host", "--pull-never", "--format", "docker", "-q"]
        buildah(where, *build, *trusted, "-t", "huace", "-f", "Containerfile", str(ROOT))
        described = json.loads(buildah(where, "inspect", "--type", "image", "huace"))
        buildah(where, "from", "--name", "checked", "--pull-never", "huace")
        yield Image(Path(buildah(where, "mount", "checked").strip()), described["Docker"]["config"])
    finally:
        buildah(where, "rm", "--all")


def buildah(where: list[str], *words: str) -> str:
    done = subprocess.run(["buildah", *where, *words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, f"buildah {' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done.stdout


def base() -> Path:
    if not BASE.exists():
        made = BASE.with_name("root")
        shutil.rmtree(made, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(made)], check=True, stdout=sys.stderr)
        subprocess.run(["tar", "-C", str(made), "-cf", f"{BASE}.new", "."], check=True)
        os.rename(f"{BASE}.new", BASE)
        shutil.rmtree(made)
    return BASE


class Container:
    """Runs the image's own command; `execute` is what `podman exec` does."""

    def __init__(self, image: Image, volume: Path) -> None:
        self._config = image.config
        self._user = image.config["User"].split(":")
        (name,) = image.config["Volumes"]
        # Its storage is closed to everybody but root, so it is mounted before rights are given up.
        seen = volume.with_name("root")
        seen.mkdir()
        os.chown(volume, *map(int, self._user))
        told, says = os.pipe()
        confined = [
            "bwrap",
            "--unshare-all",
            "--cap-drop",
            "ALL",
            "--as-pid-1",
            "--die-with-parent",
            "--info-fd",
            str(says),
        ]
        confined += ["--ro-bind", str(seen), "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
        confined += ["--bind", str(volume), name, "--chdir", image.config["WorkingDir"]]
        command = [*self._as_user(), *confined, *self._environment(), *image.config["Entrypoint"], *image.config["Cmd"]]
        mounted = f'mount --bind {image.root} {seen} && exec "$@"'
        self.log = volume.with_name("log")
        with self.log.open("wb") as log:
            self._outside = subprocess.Popen(
                ["unshare", "--mount", "sh", "-c", mounted, "sh", *command], stderr=log, stdout=log, pass_fds=[says]
            )
        os.close(says)
        with os.fdopen(told) as information:
            self.pid = json.load(information)["child-pid"]

    def _as_user(self) -> list[str]:
        uid, gid = self._user
        return ["setpriv", "--reuid", uid, "--regid", gid, "--clear-groups", "--no-new-privs"]

    def _environment(self) -> list[str]:
        return ["env", "-i", *self._config["Env"]]

    def execute(self, *words: str) -> "subprocess.CompletedProcess[str]":
        uid, gid = self._user
        entered = ["nsenter", "--target", str(self.pid), "--all", "--setuid", uid, "--setgid", gid]
        return subprocess.run([*entered, *self._environment(), *words], capture_output=True, text=True)

    def is_healthy(self) -> bool:
        kind, *command = self._config["Healthcheck"]["Test"]
        assert kind == "CMD"
        return self.execute(*command).returncode == 0

    def reached_by(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """A program of ours in the container's network."""
        inside = ["nsenter", "--target", str(self.pid), "--net", sys.executable, *words]
        return subprocess.run(inside, capture_output=True, text=True, cwd=ROOT)

    def stop(self) -> int:
        os.kill(self.pid, 15)
        return self._outside.wait(timeout=60)

    def __enter__(self) -> "Container":
        return self

    def __exit__(self, *_: object) -> None:
        if self._outside.poll() is None:
            self._outside.kill()
        self._outside.wait()


def wait_until_healthy(container: Container) -> None:
    until(container.is_healthy, 120)
