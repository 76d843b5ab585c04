"""The guide: each line of its code blocks is run by a reader with an empty folder, or checked as it is declared below."""

import re
import shlex
import shutil
import subprocess
import sys

import pytest
from django.core.management import load_command_class

from config.environment import KNOWN
from tests.deploy.guide import PAGES, ROOT, Reader, blocks, page
from tests.live.databases import IS_POSTGRES, URL, PostgresServer
from tests.migrated import migrated_file
from tests.waiting import until

KINDS = {"sh", "env", "ini", "text"}
# Read in one sitting.
MOST_WORDS = 1250
ROOMS = {"serve": "serving", "work": "automatic_tasks", "backup": "operating"}


@pytest.fixture
def reader(tmp_path):
    made = Reader(tmp_path)
    yield made
    made.end()


def succeeds(reader, line):
    done = reader.runs(line)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def tells(reader, line):
    """`status` and `check` end with 1 where something is wrong, as a folder without worker and proxy is."""
    done = reader.runs(line)
    assert done.returncode in {0, 1}, done.stderr
    assert "Traceback" not in done.stderr, done.stderr


def serves(reader, line):
    """On a port of its own; what a reader asks of the written one is asked there."""
    if not reader.servers:
        migrated(reader)
    options = shlex.split(line.split(" serve", 1)[1])
    if "--port" in options:
        del options[options.index("--port") : options.index("--port") + 2]
    reader.serves(*options)


def asks_the_server(reader, line):
    asked = re.sub(r"127\.0\.0\.1:\d+", f"127.0.0.1:{reader.servers[-1][1]}", line)
    until(lambda: reader.runs(asked).returncode == 0)


def moves_to_postgresql(reader, line):
    assert re.fullmatch(r"export DATABASE_URL=postgres://huace:…@db\.internal/huace", line)
    if IS_POSTGRES:
        server = PostgresServer(URL)
        reader.settings["DATABASE_URL"] = server.url_of(server.create())
    else:
        # The same commands into a second file.
        shutil.copy(migrated_file(), reader.folder / "second.sqlite3")
        reader.settings["DATABASE_URL"] = f"sqlite:///{reader.folder}/second.sqlite3"


def makes_a_passphrase(reader, line):
    """As written, into the reader's folder."""
    here = line.replace("/etc/", "./").replace(" && chown 10001 passphrase.txt", "")
    succeeds(reader, here)


def names_units(reader, line):
    """systemctl: the units are those that are shipped, and every verb is one of its own."""
    verbs = {"start", "stop", "restart", "enable", "daemon-reload"}
    words = [word for word in shlex.split(line)[1:] if not word.startswith("--")]
    assert words[0] in verbs, line
    shipped = {file.name for file in (ROOT / "deploy" / "systemd").iterdir()}
    for unit in words[1:]:
        name = re.sub(r"@[^.]*", "@", unit)
        assert (name if "." in name else f"{name}.service") in shipped, unit


def makes_the_checkout(reader, line):
    """git and make in /opt/huace: the targets are those of the Makefile."""
    for target in re.findall(r"make -C /opt/huace (\w+)", line):
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE), target
    parses(reader, line.replace("<this repository>", "repository"))


def copies_what_is_shipped(reader, line):
    """Files of deploy/ to their places: into the reader's folder instead of the system's."""
    for folder in ("etc/systemd/system", "usr/local/bin"):
        (reader.folder / folder).mkdir(parents=True, exist_ok=True)
    here = line.replace("/opt/huace/deploy", f"{ROOT}/deploy")
    succeeds(reader, re.sub(r" /(etc|usr)/", rf" {reader.folder}/\1/", here))


def installs_packages(reader, line):
    """Their names; CI installs them by the same."""
    assert set(shlex.split(line)[2:]) <= {"git", "make", "python3-venv"}, line


def adds_a_user(reader, line):
    """A trial in a root of its own where useradd is; else the words are those of the units."""
    *_, name = shlex.split(line)
    for unit in (ROOT / "deploy" / "systemd").glob("*.service"):
        assert f"User={name}\n" in unit.read_text()
    if shutil.which("useradd"):
        told = subprocess.run(["useradd", "--help"], capture_output=True, text=True).stdout
        assert {"--system", "--home"} <= set(re.findall(r"--\w[\w-]*", told)) | {"--home"}


def overrides_the_unit(reader, line):
    """The drop-in, into the reader's folder; its command has options that `serve` knows."""
    here = line.replace("/run/", f"{reader.folder}/run/")
    succeeds(reader, here)
    for written in (reader.folder / "run").rglob("*.conf"):
        knows_the_options(written.read_text())


def knows_the_options(text):
    started = re.findall(r"^ExecStart=/opt/huace/\.venv/bin/python manage\.py (.+)$", text, re.MULTILINE)
    assert started, text
    for one in started:
        name, *options = shlex.split(one)
        load_command_class(ROOMS[name], name).create_parser("manage.py", name).parse_args(options)


def uses_the_image(reader, line):
    """`make image-check` builds and drives it; here: the files and services that the line names are there."""
    for name in re.findall(r"compose[\w.]*\.yaml", line):
        assert (ROOT / name).exists(), name
    if service := re.search(r"exec (\S+) huace", line):
        file = re.search(r"-f (\S+)", line)
        assert f"\n  {service[1]}:" in (ROOT / (file[1] if file else "compose.yaml")).read_text(), service[1]


def installs_the_wheel(reader, line):
    """test_wheel.py builds and installs it; the file is named by this version."""
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[1]
    assert "install" not in line or f"huace-{version}-py3-none-any.whl" in line


def parses(reader, line):
    subprocess.run(["bash", "-nc", line], check=True)


# Where a line cannot be run as it stands, what is done with it; the first that fits.
WAYS = (
    (r"export DATABASE_URL=", moves_to_postgresql),
    (r"(huace/bin/)?huace serve", serves),
    (r"curl .*127\.0\.0\.1", asks_the_server),
    (r"(python3 -m venv huace|huace/bin/pip install)", installs_the_wheel),
    (r"huace/bin/huace ", lambda reader, line: succeeds(reader, line.removeprefix("huace/bin/"))),
    (r"systemctl daemon-reload$|systemctl ", names_units),
    (r"apt-get install", installs_packages),
    (r"useradd ", adds_a_user),
    (r"git (clone|-C /opt/huace pull)|make -C /opt/huace", makes_the_checkout),
    (r"(install|cp) .*/opt/huace/deploy", copies_what_is_shipped),
    (r"\(umask 077; head -c 24", makes_a_passphrase),
    (r"(mkdir -p|printf .*) .*/run/systemd", overrides_the_unit),
    (r"podman(-compose)? ", uses_the_image),
    (r"huace (check --deploy|status)", tells),
    (r"(printf 'HUACE_SITE|for name in|huace |mkdir |mv )", succeeds),
)


@pytest.mark.parametrize("name", PAGES)
def test_every_command_of_a_page_is_run(name, reader):
    (reader.folder / "passphrase.txt").write_text("a passphrase of the reader\n")
    used = set()
    if name == "backups.md":
        migrated(reader)
        reader.runs("huace invite --staff", check=True)
    for kind, lines in blocks(page(name)):
        assert kind in KINDS, f"{name}: a block without a kind: {lines[:1]}"
        if kind == "env":
            settings_are_known(lines)
        elif kind == "ini":
            knows_the_options("\n".join(lines))
        elif kind == "sh":
            for line in lines:
                way = next((do for pattern, do in WAYS if re.match(pattern, line)), None)
                assert way is not None, f"{name}: nobody runs {line!r}"
                way(reader, line.replace("/var/backups", str(reader.folder / "backups")))
                used.add(way)
    assert used or name == "when-it-goes-wrong.md"
    if name == "backups.md":
        # Through both restores: who was invited is invited.
        counted = "from registration.models import Invitation; print(Invitation.objects.count())"
        assert reader.runs(f"huace shell -v0 -c '{counted}'", check=True).stdout.strip() == "1"


def settings_are_known(lines):
    for line in lines:
        name, sign, value = line.partition("=")
        assert sign, line
        assert value, line
        assert name in KNOWN | {"DATABASE_URL", "REDIS_URL"}, line


def test_each_way_is_needed():
    lines = [line for name in PAGES for kind, some in blocks(page(name)) if kind == "sh" for line in some]
    lines += [line for kind, some in blocks(readme()) for line in some]
    first = [next(pattern for pattern, _ in WAYS if re.match(pattern, line)) for line in lines if any_way(line)]
    assert {pattern for pattern, _ in WAYS} == set(first)


def any_way(line):
    return any(re.match(pattern, line) for pattern, _ in WAYS)


@pytest.mark.parametrize("name", [*PAGES, "scaling.md"])
def test_a_page_is_read_in_one_sitting(name):
    assert len(page(name).split()) <= MOST_WORDS


def readme():
    """The organizers' first step."""
    return (ROOT / "README.md").read_text().split("## For organizers")[1].split("**Set up**")[0]


def test_a_newcomer_installs_as_the_readme_says(reader):
    """`make install` is what the image's and the wheel's tests run; what follows it is run here."""
    ((kind, lines),) = blocks(readme())
    assert kind == "sh"
    assert lines[0] == "make install"
    for line in lines[1:]:
        assert line.startswith(".venv/bin/python manage.py "), line
        here = line.replace(".venv/bin/python manage.py", "huace")
        (serves if " serve" in here else succeeds)(reader, here)


# -- what goes wrong, and what it looks like ---------------------------------------------------------------------------


def the_systems_python(reader):
    """Without the libraries: those of this environment are left out."""
    return reader.runs(f"{sys.executable} -S -E {ROOT}/manage.py migrate")


def no_tables(reader):
    return reader.runs("huace serve --no-worker")


def an_unknown_setting(reader):
    return reader.runs("HUACE_PROXYS=1 huace check")


def a_taken_port(reader):
    migrated(reader)
    port = reader.serves("--no-worker")
    done = reader.runs(f"huace serve --no-worker --port {port}")
    return f"{done.stdout}{done.stderr}".replace(str(port), "8000")


def migrated(reader):
    if not (database := reader.folder / "home" / "huace.sqlite3").exists():
        shutil.copy(migrated_file(), database)


def asked(reader, path, host, *more, settings=()):
    migrated(reader)
    reader.settings |= dict(settings)
    port = reader.serves("--no-worker")
    headers = " ".join(f"-H {shlex.quote(one)}" for one in (f"Host: {host}", "Accept-Language: en", *more))
    return reader.runs(f"curl -s -i {headers} http://127.0.0.1:{port}{path}", check=True).stdout


def a_proxy_that_says_too_little(reader):
    """A form that comes by HTTPS, through a proxy that does not say so."""
    cookie = "Cookie: csrftoken=" + "a" * 32
    origin = "Origin: https://127.0.0.1"
    return asked(reader, "/login/ -d csrfmiddlewaretoken=" + "a" * 32, "127.0.0.1", cookie, origin)


def an_unknown_name(reader):
    return asked(reader, "/login/", "huace.example.org")


def a_storage_that_is_away(reader):
    away = {"HUACE_STORAGE_URL": "s3+http://key:secret@127.0.0.1:1/huace"}
    return asked(reader, "/readyz", "127.0.0.1", settings=away)


def no_worker(reader):
    migrated(reader)
    return reader.runs("huace status")


def a_restore_over_something(reader):
    migrated(reader)
    reader.runs("huace invite --staff && huace backup huace.zip", check=True)
    return reader.runs("huace restore huace.zip")


def a_copy_cut_off(reader):
    migrated(reader)
    reader.runs("huace backup whole.zip && head -c 1000 whole.zip > huace.zip", check=True)
    return reader.runs("huace restore huace.zip")


TROUBLES = (
    the_systems_python,
    no_tables,
    an_unknown_setting,
    a_taken_port,
    a_proxy_that_says_too_little,
    an_unknown_name,
    a_storage_that_is_away,
    no_worker,
    a_restore_over_something,
    a_copy_cut_off,
)


def shown():
    """What the page shows under each of its headings."""
    parts = re.split(r"^## \d+\. ", page("when-it-goes-wrong.md"), flags=re.MULTILINE)[1:]
    return [next(lines for kind, lines in blocks(part) if kind == "text") for part in parts]


@pytest.mark.parametrize(("number", "trouble"), [*enumerate(TROUBLES)], ids=[one.__name__ for one in TROUBLES])
def test_what_goes_wrong_looks_as_the_page_shows_it(number, trouble, reader):
    told = trouble(reader)
    seen = flat(told if isinstance(told, str) else told.stdout + told.stderr)
    for line in shown()[number]:
        for piece in line.split("…"):
            assert flat(piece) in seen, f"{line!r} is not what is seen:\n{seen}"


def flat(text):
    """Words alone: pages carry markup."""
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def test_each_trouble_of_the_page_is_tried():
    assert len(shown()) == len(TROUBLES) == 10


def test_a_line_that_nobody_runs_is_found():
    assert not any_way("rm -rf /")
