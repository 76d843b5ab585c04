"""Everything that reads files, forms and answers from outside takes time and memory in proportion to their length."""

import io
import zipfile
from contextlib import suppress

import pytest

from automatic_tasks.task_file import read_task_file
from campaigns.campaign_file import read_campaign_file
from leaderboards.record_files import read_record_lines
from leaderboards.verification.archive import Archive
from leaderboards.verification.findings import Findings, Unreadable
from organizing.scenarios.tables import read_scenarios
from participants.adapters import PROTOCOLS
from participants.mappings.paths import path_of
from participants.mappings.templates import words_of
from registration.invitation_lines import BadInvitations, read_invitees
from scoring import strict_json, strict_toml
from scoring.checking import BadContent, read_declared
from scoring.figure_tables import read_metrics
from scoring.kinds import Wrong
from scoring.xlsx_sheets import check_sizes
from testing_console.dialogue_files import FORMATS
from tests.linear_time import assert_linear, assert_linear_memory

SIZES = (10_000, 20_000, 40_000)
"""Where a reader's cost grows with the square, the last of them takes seconds, and the test still ends."""


def metrics(text):
    read_metrics(text.encode(), systems=["system"], group="group")


def campaign(text):
    read_campaign_file("campaign.toml", text.encode(), PROTOCOLS)


def invitees(text):
    read_invitees(text, roles=("tester",), team="", role_words={"tester": "tester"})


def records(text):
    read_record_lines(text.encode().splitlines(), {"satisfaction": [0, 1]})


def scenarios(text, name="a.csv"):
    read_scenarios(name, text.encode())


def zipped(names):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, b"")
    return file.getvalue()


def repeated(unit, before="", after=""):
    return lambda size: before + unit * (size // len(unit)) + after


def rows(row, head=""):
    """So many rows, each with its number."""
    return lambda size: head + "".join(row.replace("N", str(number)) for number in range(size // len(row)))


READERS = {
    "TOML, one dotted key": (lambda text: read_declared("a.toml", text.encode()), repeated(".a", "a", "=1")),
    "TOML, one dotted head": (lambda text: read_declared("a.toml", text.encode()), repeated(".a", "[a", "]")),
    "TOML, quoted parts": (lambda text: read_declared("a.toml", text.encode()), repeated(".'a'", "a", "=1")),
    "TOML, spaced parts": (lambda text: read_declared("a.toml", text.encode()), repeated(" . a", "a", "=1")),
    "TOML, dotted keys of a table": (
        lambda text: read_declared("a.toml", text.encode()),
        repeated(".a", "x = {a", "=1}"),
    ),
    "TOML, many keys": (strict_toml.loads, rows("a.b.cN = 1\n")),
    "TOML, many heads": (strict_toml.loads, rows("[[a]]\nb = N\n")),
    "TOML, one long key": (strict_toml.is_too_deep, repeated("a")),
    "TOML, blanks": (strict_toml.is_too_deep, repeated("a ")),
    "TOML, quotes that never end": (strict_toml.is_too_deep, repeated('"" ', 'a = """')),
    "TOML, quotes": (strict_toml.is_too_deep, repeated("'")),
    "TOML, comments": (strict_toml.is_too_deep, repeated('#"')),
    "TOML, backslashes": (strict_toml.is_too_deep, repeated("\\", 'a = "')),
    "campaign, people": (campaign, rows("[[people]]\nusername = 'pN'\n", "[campaign]\nslug = 'a'\nname = 'a'\n")),
    "campaign, unknown keys": (campaign, rows("kN = 1\n", "[campaign]\nslug = 'a'\nname = 'a'\n")),
    "tasks": (lambda text: read_task_file("a.toml", text.encode()), rows("[[tasks]]\nkey = 'kN'\n")),
    "JSON, brackets": (strict_json.loads, repeated("[")),
    "JSON, objects": (strict_json.loads, rows('{"a": N},', '[{"a": 1},')),
    "JSON, a number": (strict_json.loads, repeated("9", "[1.", "]")),
    "CSV, columns": (metrics, repeated("a,")),
    "CSV, other columns": (metrics, rows("cN,", "system,")),
    "CSV, digits": (metrics, repeated("1", "system,m\na,", "x")),
    "CSV, a point": (metrics, repeated("1", "system,m\na,1.", "x")),
    "CSV, rows": (metrics, rows("sN,1\n", "system,m\n")),
    "CSV, quotes": (metrics, repeated('""', 'system,m\n"', '"')),
    "scenarios, columns": (scenarios, rows("facts.aN,", "key,")),
    "scenarios, rows": (scenarios, rows("kN,x\n", "key,opening\n")),
    "scenarios, lines": (lambda text: scenarios(text, "a.jsonl"), rows('{"key": "kN"}\n')),
    "invitations, dots of an address": (invitees, repeated(".", "a@", "@")),
    "invitations, brackets of an address": (invitees, repeated("(", "<@")),
    "invitations, lines": (invitees, rows("name N\n")),
    "invitations, roles": (invitees, repeated("a+", "name,")),
    "records": (records, rows('{"team": "a", "scenario": "N"}\n')),
    **{
        f"dialogues, {name}": (lambda text, read=read: read(text.encode()), rows('{"id": "N"},', '[{"id": "a"},'))
        for name, read in FORMATS.items()
    },
    "templates, openings": (words_of, repeated("{{")),
    "templates, placeholders": (words_of, repeated("{{turn}}")),
    "paths, brackets": (path_of, repeated("[")),
    "paths, steps": (path_of, repeated(".a", "a")),
    "zip, parts": (check_sizes, lambda size: zipped(f"p{number}" for number in range(size // 20))),
}


@pytest.mark.parametrize(("read", "text_of"), READERS.values(), ids=READERS.keys())
def test_a_reader_takes_time_and_memory_in_proportion_to_the_length(read, text_of):
    def work(text):
        with suppress(BadContent, BadInvitations, ValueError, Wrong):
            read(text)

    work(text_of(SIZES[0]))
    assert_linear(work, text_of, sizes=SIZES)
    assert_linear_memory(work, text_of, sizes=SIZES)


def test_a_bundle_of_many_unknown_files_is_refused_in_proportion_to_their_number(tmp_path):
    def names(size):
        path = tmp_path / f"{size}.zip"
        path.write_bytes(zipped(f"p{number}" for number in range(size)))
        return path

    def check(path):
        archive = Archive(path)
        with suppress(Unreadable):
            archive.check_names(Findings())
        archive.close()

    assert_linear(check, names, sizes=(500, 1_000, 2_000))
