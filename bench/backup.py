"""make bench NAME=backup: what a backup of a large database costs those who talk meanwhile, and whether it is worth anything.

python -m bench.backup [--dialogues 10000] [--turns 20] [--talking 300] [--rounds 3] [--quiet-s 20] [--bundle] [--from FILE] [--of sqlite]

One load talks all the time, to a bot that takes 1 s, while backups come and go: turns beside a backup are compared with the turns
around it. Then the last backup is restored into the other kind of database where DATABASE_URL names a PostgreSQL
(`DURABLE=1 .ci/postgres make bench NAME=backup`), into a second SQLite otherwise; half of it must be refused. `--from` names the
SQLite file of an earlier `make bench NAME=size ARGS="--keep FILE"`, which is copied instead of made.
"""

import argparse
import asyncio
import hashlib
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from bench import servers
from bench.big_database import FIRST_DAY, SLUG, Size, make
from bench.limits import Limit, exit_code
from bench.load import Measured, run_load
from bench.size import set_up
from bench.turns import percentile
from demo.sample_bots import free_port

BOT_DELAY_S = 1.0
FOR_EVER_S = 86_400.0
MOST_ADDED_MS = 60.0
MOST_MEMORY_MIB = 300.0
KINDS = {"sqlite": "", "postgresql": servers.POSTGRES}


def thinks(rng: random.Random) -> float:
    return rng.expovariate(1 / 4)


class Done(NamedTuple):
    """What a command took; its memory is the most that was resident at a time."""

    seconds: float
    memory_mib: float
    code: int


def manage(environment: dict[str, str], *arguments: str) -> Done:
    began = time.perf_counter()
    command = [sys.executable, "manage.py", *arguments]
    with subprocess.Popen(
        command, cwd=servers.ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as running:
        assert running.stderr is not None
        said = running.stderr.read().decode()
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    done = Done(time.perf_counter() - began, used.ru_maxrss / 1024, running.returncode)
    if done.code:
        print(f"    {arguments[0]} ended with {done.code}: {said[-300:].strip()}")
    return done


def installation(folder: Path, database: str, **more: str) -> dict[str, str]:
    """The environment of an installation whose files are in the folder."""
    folder.mkdir()
    return os.environ | {"DATABASE_URL": database, "HUACE_HOME": str(folder), "HUACE_SECRET_KEY": "bench" * 12} | more


def fill(environment: dict[str, str], arguments: argparse.Namespace) -> None:
    sqlite = environment["DATABASE_URL"].removeprefix("sqlite:///")
    if arguments.former and sqlite != environment["DATABASE_URL"]:
        # Not as a file: what a server wrote last stands in its companion.
        with closing(sqlite3.connect(arguments.former)) as former, closing(sqlite3.connect(sqlite)) as copy:
            former.backup(copy)
        return
    sizes = [f"--dialogues={arguments.dialogues}", f"--turns={arguments.turns}"]
    subprocess.run(
        [sys.executable, "-m", "bench.backup", "--fill", *sizes], cwd=servers.ROOT, env=environment, check=True
    )


def make_database(size: Size) -> None:
    from django.core.management import call_command

    set_up()
    call_command("migrate", verbosity=0)
    make(size)


@contextmanager
def serving(environment: dict[str, str], folder: Path, bot: str) -> Iterator[tuple[str, str]]:
    """A server of the installation with one more campaign, whose bot is asked; gives its address and a tester's token."""
    file = folder / "bench.toml"
    file.write_text(servers.CAMPAIGN.format(bot=bot))
    load = [sys.executable, "manage.py", "load_campaign", str(file), "--print-tokens"]
    told = subprocess.run(load, cwd=servers.ROOT, env=environment, check=True, capture_output=True, text=True).stdout
    port = free_port()
    serve = [sys.executable, "manage.py", "serve", "--port", str(port), "--drain", "1", "--no-worker"]
    with servers.process(serve, port, environment) as running:
        servers.come_to_rest(running.pid)
        yield f"http://127.0.0.1:{port}", json.loads(told)["tester"]


class Part(NamedTuple):
    """The turns that ended during a part of the load; `backup` is the one that ran meanwhile."""

    latencies_s: list[float]
    backup: Done | None = None

    @property
    def added_p95_ms(self) -> float:
        return 1000 * (percentile(self.latencies_s, 0.95) - BOT_DELAY_S)


async def talk_meanwhile(
    urls: list[str], token: str, environment: dict[str, str], files: list[Path], quiet_s: float
) -> tuple[list[Part], list[str]]:
    """A quiet part before each backup and one after the last."""
    measured = Measured()
    load = asyncio.create_task(
        run_load(urls, {"Authorization": f"Token {token}"}, FOR_EVER_S, thinks, measured=measured)
    )
    parts: list[Part] = []
    # Polled, as all of this is measured: a line of its own in every turn of the load would cost it.
    while not measured.latencies_s and not load.done():  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    await asyncio.sleep(quiet_s)
    for file in [*files, None]:
        began = len(measured.latencies_s)
        await asyncio.sleep(quiet_s)
        parts.append(Part(measured.latencies_s[began:]))
        if file:
            began = len(measured.latencies_s)
            done = await asyncio.to_thread(manage, environment, "backup", str(file))
            parts.append(Part(measured.latencies_s[began:], done))
    load.cancel()
    with suppress(asyncio.CancelledError):
        await load
    return parts, measured.errors


def show(parts: list[Part]) -> None:
    for part in parts:
        about = f"backup of {part.backup.seconds:.1f} s, {part.backup.memory_mib:.0f} MiB" if part.backup else "quiet"
        print(
            f"    {about:<34} {len(part.latencies_s):6} turns  added latency p50 "
            f"{1000 * (percentile(part.latencies_s, 0.5) - BOT_DELAY_S):7.1f}  p95 {part.added_p95_ms:7.1f} ms",
            flush=True,
        )


def added_by_backups(parts: list[Part]) -> list[float]:
    """Milliseconds at p95 that each backup added to the mean of the quiet parts around it."""
    return [
        part.added_p95_ms - (before.added_p95_ms + after.added_p95_ms) / 2
        for before, part, after in zip(parts, parts[1:], parts[2:], strict=False)
        if part.backup
    ]


def write_bundle(out: Path) -> None:
    """The results bundle of one time, on which all names of people in it depend."""
    set_up()
    from campaigns.models import Campaign
    from publication.bundle.writing import bundle_pieces

    with out.open("wb") as file:
        file.writelines(bundle_pieces(Campaign.objects.get(slug=SLUG), hides_teams=False, at=FIRST_DAY))


def files_of_bundle(environment: dict[str, str], out: Path) -> dict[str, str]:
    """The digest of each file of the results bundle; its manifest names the last line of the trail, which differs."""
    command = [sys.executable, "-m", "bench.backup", "--write-bundle", str(out)]
    subprocess.run(command, cwd=servers.ROOT, env=environment, check=True)
    with ZipFile(out) as bundle:
        names = [name for name in bundle.namelist() if name != "manifest.json"]
        return {name: hashlib.sha256(bundle.read(name)).hexdigest() for name in names}


def check_restored(environment: dict[str, str], backup: Path, folder: Path, *, with_bundle: bool) -> list[Limit]:
    """Restores what was backed up into another installation, and half of it into one more."""
    there = "" if environment["DATABASE_URL"].startswith("postgres") else servers.POSTGRES
    half = folder / "half.zip"
    with backup.open("rb") as whole:
        half.write_bytes(whole.read(backup.stat().st_size // 2))
    limits = []
    with servers.new_database(folder, free_port(), there) as database:
        other = installation(folder / "restored", database)
        refused = manage(other, "restore", str(half))
        limits.append(Limit("half of a backup taken for a whole one", float(refused.code == 0), 0))
        restored, checked = manage(other, "restore", str(backup)), manage(other, "check_data")
        print(f"    restored in {restored.seconds:.1f} s, {restored.memory_mib:.0f} MiB (with its own check)")
        print(f"    check_data {checked.seconds:.1f} s, {checked.memory_mib:.0f} MiB")
        limits += [
            Limit("restores and checks that failed", (restored.code != 0) + (checked.code != 0), 0),
            Limit("memory of restore and check_data", max(restored.memory_mib, checked.memory_mib), 600, " MiB"),
        ]
        if with_bundle:
            here = files_of_bundle(environment, folder / "here.zip")
            again = files_of_bundle(other, folder / "again.zip")
            differ = {name for name, _ in here.items() ^ again.items()}
            print(
                f"    the bundle has {len(here)} files beside its manifest; other ones: {', '.join(sorted(differ)) or 'none'}"
            )
            limits.append(Limit("files of the bundle that differ", len(differ), 0))
    return limits


def measure(arguments: argparse.Namespace, folder: Path, there: str) -> list[Limit]:
    with servers.bot(BOT_DELAY_S) as bot, servers.new_database(folder, free_port(), there) as database:
        allowed = bot.removeprefix("http://").rstrip("/")
        unlimited = dict.fromkeys(
            ("HUACE_FRAME_RATE", "HUACE_SOCKETS_PER_PERSON", "HUACE_SOCKETS_PER_ADDRESS", "HUACE_API_RATE"), "0"
        )
        environment = installation(folder / "home", database, HUACE_OUTBOUND_ALLOW=allowed, **unlimited)
        fill(environment, arguments)
        files = [folder / f"backup-{number}.zip" for number in range(arguments.rounds)]
        with serving(environment, folder, bot) as (base, token):
            urls = [servers.open_dialogue(base, token) for _ in range(arguments.talking)]
            parts, errors = asyncio.run(talk_meanwhile(urls, token, environment, files, arguments.quiet_s))
            show(parts)
            added = sorted(added_by_backups(parts))
            print(f"    errors {len(errors)}; the backup has {files[-1].stat().st_size / (1 << 20):.0f} MiB")
        backups = [part.backup for part in parts if part.backup]
        return [
            Limit("failed turns and backups", len(errors) + sum(done.code != 0 for done in backups), 0),
            Limit("added to p95 by a backup, median", percentile(added, 0.5), MOST_ADDED_MS, " ms"),
            Limit("memory of a backup", max(done.memory_mib for done in backups), MOST_MEMORY_MIB, " MiB"),
            *check_restored(environment, files[-1], folder, with_bundle=arguments.bundle),
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialogues", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=20, help="of a dialogue, an even number up to 20")
    parser.add_argument("--talking", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3, help="backups")
    parser.add_argument("--quiet-s", type=float, default=20)
    parser.add_argument("--bundle", action="store_true", help="compares the results bundles, too")
    parser.add_argument("--of", choices=sorted(KINDS), help="backs up this kind alone; each is restored into the other")
    parser.add_argument("--from", type=Path, dest="former", metavar="FILE")
    parser.add_argument("--fill", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--write-bundle", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.write_bundle:
        write_bundle(arguments.write_bundle)
        return
    if arguments.fill:
        make_database(Size(arguments.dialogues, arguments.turns))
        return
    if arguments.of == "postgresql" and not servers.POSTGRES:
        parser.error("DATABASE_URL names no PostgreSQL.")
    limits: list[Limit] = []
    for name, there in KINDS.items():
        if arguments.of not in {None, name} or (name == "postgresql" and not there):
            continue
        print(f"\n{arguments.dialogues:,} dialogues on {name}, {arguments.talking} talk")
        with tempfile.TemporaryDirectory(prefix="huace-backup-") as folder:
            limits += measure(arguments, Path(folder), there)
    sys.exit(exit_code(limits))


if __name__ == "__main__":
    main()
