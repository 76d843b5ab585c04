"""make release: what a version ships, made and checked, in dist/VERSION; with `--tag` also the tag of git.

python -m deploy.release [--into dist] [--unaudited REASON] [--store] [--tag]

Refuses a tree with changes that are not committed, a version without its notes in CHANGELOG.md, a model without its migration, and
a migration that a released version holds and that was changed since. `--store` keeps a database of the version in
tests/releases/VERSION: from then on each later version must read it (`tests/releases/test_releases.py`).
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
STORED = Path("tests/releases")
BACKUP, MIGRATIONS, NOTES, SUMS = "backup.zip", "migrations.json", "notes.md", "SHA256SUMS"
# What a version is stored with: the demo's finished dialogues, which wait for their reviewers.
FILLED_BY = (
    ("migrate", "-v0"),
    ("load_campaign", "demo/blind_review.toml"),
    ("import_dialogues", "blind-review-demo", "demo/finished_dialogues.jsonl", "--as", "organizer"),
)


class CannotRelease(Exception):
    """The message says what to do."""


def version_of(root: Path = ROOT) -> str:
    version: str = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    return version


def notes_of(version: str, root: Path = ROOT) -> str:
    """The part of CHANGELOG.md that is headed by the version. Errors: `CannotRelease`."""
    changelog = (root / "CHANGELOG.md").read_text()
    found = re.search(rf"^## {re.escape(version)}\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        raise CannotRelease(f"CHANGELOG.md has no notes under “## {version}”: write them.")
    return found[1].strip() + "\n"


def refuse_unclean(root: Path = ROOT) -> None:
    """Errors: `CannotRelease` where something is not committed: a release is what its tag holds."""
    said = subprocess.run(["git", "status", "--porcelain"], cwd=root, check=True, capture_output=True, text=True).stdout
    if said:
        raise CannotRelease(f"Not everything is committed:\n{said.rstrip()}")


def digests_of_migrations(root: Path = ROOT) -> dict[str, str]:
    files = sorted(root.glob("*/migrations/[0-9]*.py"))
    return {file.relative_to(root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def changed_migrations(root: Path = ROOT) -> list[str]:
    """Migrations of released versions that are gone or changed: a database that has them already would never know."""
    now = digests_of_migrations(root)
    released = [json.loads(file.read_text()) for file in sorted((root / STORED).glob(f"*/{MIGRATIONS}"))]
    return sorted({name for one in released for name, digest in one.items() if now.get(name) != digest})


def store_version(folder: Path) -> None:
    """A small database of this version as a backup, and the digests of its migrations."""
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="huace-release-") as home:
        for arguments in (*FILLED_BY, ("backup", str(folder.resolve() / BACKUP))):
            manage(Path(home), *arguments)
    (folder / MIGRATIONS).write_text(json.dumps(digests_of_migrations(), indent=1) + "\n")


def manage(home: Path, *arguments: str) -> str:
    """A command of an installation whose data stand in `home`. Errors: `CannotRelease`."""
    environment = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    environment |= {"HUACE_HOME": str(home), "HUACE_SECRET_KEY": "of a stored version, and of no installation"}
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise CannotRelease(f"manage.py {arguments[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def reads_version(folder: Path, home: Path) -> None:
    """Restores what was stored of a version, brings it up to date, and checks it. Errors: `CannotRelease`."""
    for arguments in (
        ("restore", str(folder.resolve() / BACKUP)),
        ("migrate", "--check"),
        ("check_data",),
        ("verify_trail",),
    ):
        manage(home, *arguments)


def build(into: Path) -> None:
    """The wheel, the verifier and the list of all that is shipped beside them (CycloneDX)."""
    pip = [sys.executable, "-m", "pip", "-q", "wheel", "--no-deps", "--no-build-isolation", "-w", str(into), str(ROOT)]
    subprocess.run(pip, check=True)
    subprocess.run(
        [sys.executable, "-m", "verification.program"], cwd=into, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True
    )
    listed = ["requirements", "requirements-server.txt", "--pyproject", "pyproject.toml", "--of", "JSON", "--validate"]
    program = Path(sys.executable).parent / "cyclonedx-py"
    subprocess.run([str(program), *listed, "-o", str(into.resolve() / "sbom.cdx.json")], cwd=ROOT, check=True)


def audit(into: Path) -> list[str]:
    """Known weaknesses of what is shipped, a line each. Errors: `CannotRelease` where a library could not be looked up."""
    report = into / "audit.json"
    program = [str(Path(sys.executable).parent / "pip-audit"), "-r", "requirements-server.txt", "--require-hashes"]
    quiet = ["--disable-pip", "--progress-spinner", "off", "-f", "json", "-o", str(report.resolve())]
    done = subprocess.run([*program, *quiet], cwd=ROOT, capture_output=True, text=True)
    if not report.exists():
        raise CannotRelease(f"pip-audit gave no report:\n{done.stderr.strip()[-500:]}")
    libraries = json.loads(report.read_text())["dependencies"]
    unknown = [one["name"] for one in libraries if "skip_reason" in one]
    if unknown:
        raise CannotRelease(
            f"No service of weaknesses knows {len(unknown)} of {len(libraries)} libraries, such as {unknown[0]}."
        )
    return [f"{one['name']} {one['version']}: {weak['id']}" for one in libraries for weak in one["vulns"]]


def release(*, into: Path, unaudited: str, store: bool, tag: bool) -> None:
    """Errors: `CannotRelease`."""
    version = version_of()
    notes = notes_of(version)
    refuse_unclean()
    stored = ROOT / STORED / version
    if tag and (store or not (stored / BACKUP).exists()):
        raise CannotRelease(
            "A tag needs the stored database: release with --store, commit what it makes, then --tag alone."
        )
    if store and stored.exists():
        raise CannotRelease(f"{stored} is there already: remove it if {version} was never tagged, then store again.")
    subprocess.run([sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"], cwd=ROOT, check=True)
    if changed := changed_migrations():
        raise CannotRelease(f"Released migrations are only added to, never changed: {', '.join(changed)}")
    folder = into / version
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    build(folder)
    try:
        weak = audit(folder)
    except CannotRelease as unknown:
        if not unaudited:
            raise CannotRelease(
                f"{unknown} Release from where one is reached, or say why not: --unaudited REASON."
            ) from None
        notes += f"\nThe libraries were not audited: {unaudited}\n"
    else:
        if weak:
            raise CannotRelease("Libraries with known weaknesses:\n" + "\n".join(weak))
    (folder / NOTES).write_text(notes)
    files = sorted(file for file in folder.iterdir() if file.name != SUMS)
    sums = (f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (folder / SUMS).write_text("".join(sums))
    if store:
        store_version(stored)
        print(f"Commit {STORED / version}, then release again with --tag.")
    if tag:
        subprocess.run(["git", "tag", "-a", f"v{version}", "-F", str(folder / NOTES)], cwd=ROOT, check=True)
    print(f"{folder}: {', '.join(file.name for file in files)}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make release")
    parser.add_argument("--into", type=Path, default=ROOT / "dist")
    parser.add_argument("--unaudited", default="", metavar="REASON")
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--tag", action="store_true")
    asked = parser.parse_args()
    try:
        release(into=asked.into, unaudited=asked.unaudited, store=asked.store, tag=asked.tag)
    except CannotRelease as why:
        sys.exit(str(why))


if __name__ == "__main__":
    main()
