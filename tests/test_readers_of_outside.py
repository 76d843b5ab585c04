"""Everything that reads files, forms and answers from outside takes time and memory in proportion to their length."""

import asyncio
import io
import re
import zipfile
from contextlib import suppress
from urllib.parse import parse_qs

import pytest
from django.core.exceptions import SuspiciousOperation
from django.http import QueryDict
from django.http.cookie import parse_cookie
from django.http.multipartparser import MultiPartParserError
from django.test import RequestFactory
from django.utils.translation import get_language_from_request

from accounts.sessions.queries import browser_of, system_of
from automatic_tasks.task_file import read_task_file
from campaigns.campaign_file.reader import read_campaign_file
from conformance.change_detection import likeness, plain
from dialogues.dialogue_files import FORMATS
from dialogues.masking import Masker
from dialogues.turn_taking import Refusal
from leaderboards.record_files import read_record_lines
from look.templatetags.look import whole_ranges
from measures.automatic.mobilecs import read_acts
from organizing.dialogues.filters import filters_of
from organizing.scenarios.tables import read_scenarios
from pairs.board.battle_files import read_battles
from participants.adapters import PROTOCOLS
from participants.adapters.streams import sent_events
from participants.bot_urls import named_host
from participants.failures import BotFailure
from participants.mappings.paths import path_of
from participants.mappings.templates import words_of
from reading import strict_json, strict_toml
from reading.checking import BadContent, read_declared
from reading.kinds import Wrong
from reading.xlsx_sheets import check_sizes
from registration.invitation_lines import BadInvitations, read_invitees
from scoring.figure_tables import read_metrics
from simulation.personas import read_manners
from testing_console.socket_frames import parsed_frame
from tests.linear_time import assert_linear, assert_linear_memory
from tests.test_house import ROOMS, ROOT, files_of
from verification.archive import Archive
from verification.findings import Findings, Unreadable

SIZES = (10_000, 20_000, 40_000)
"""Where a reader's cost grows with the square, the last of them takes seconds, and the test still ends."""


def metrics(text):
    read_metrics(text.encode(), systems=["system"], group="group")


def campaign(text):
    read_campaign_file("campaign.toml", text.encode(), PROTOCOLS)


def manners(text):
    read_manners("personas.toml", text.encode())


def invitees(text):
    read_invitees(text, roles=("tester",), team="", role_words={"tester": "tester"})


def records(text):
    read_record_lines(text.encode().splitlines(), {"satisfaction": [0, 1]})


def battles(text, name="a.csv"):
    read_battles(name, text.encode())


def scenarios(text, name="a.csv"):
    read_scenarios(name, text.encode())


def zipped(names):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, b"")
    return file.getvalue()


def multipart(text):
    kind = "multipart/form-data; boundary=b"
    request = RequestFactory().generic("POST", "/", text.encode(), content_type=kind)
    return request.POST, request.FILES


def part(head, content="x"):
    return f"--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{content}\r\n"


class InPieces:
    """An answer whose chunks are seven characters long."""

    def __init__(self, text):
        self._text = text

    async def chunks(self, limit_bytes):
        for start in range(0, len(self._text), 7):
            yield self._text[start : start + 7].encode()


def events_in_pieces(text):
    async def read():
        async for _ in sent_events(InPieces(text)):
            pass

    asyncio.run(read())


def language(text):
    get_language_from_request(RequestFactory().get("/", headers={"Accept-Language": text}))


MASKER = Masker(["Team Alpha", "华测"])


def repeated(unit, before="", after=""):
    return lambda size: before + unit * (size // len(unit)) + after


def rows(row, head=""):
    """So many rows, each with its number."""
    return lambda size: head + "".join(row.replace("N", str(number)) for number in range(size // len(row)))


READERS = {
    "Comparisons, CSV": (battles, rows("a,b,tie,j,N\n", "model_a,model_b,winner,judge,question_id\n")),
    "Comparisons, JSON Lines": (
        lambda text: battles(text, "a.jsonl"),
        rows('{"model_a": "a", "model_b": "b", "winner": "tie", "judge": "j", "question_id": N}\n'),
    ),
    "Comparisons, one long name": (battles, repeated("a", "model_a,model_b,winner,judge,question_id\n")),
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
    "scenarios, values": (scenarios, lambda size: 'key,facts.a.b\nk,"' + "[" * size + '"'),
    "scenarios, rows": (scenarios, rows("kN,x\n", "key,opening\n")),
    "scenarios, lines": (lambda text: scenarios(text, "a.jsonl"), rows('{"key": "kN"}\n')),
    "invitations, dots of an address": (invitees, repeated(".", "a@", "@")),
    "invitations, brackets of an address": (invitees, repeated("(", "<@")),
    "personas, rows": (manners, rows("[[personas]]\nkey = 'pN'\nzh = 'x'\nen = 'x'\n")),
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
    "frames of pages, brackets": (parsed_frame, repeated("[")),
    "frames of pages, fields": (parsed_frame, rows('"kN": 1,', '{"type": "turn.send",')),
    "masks, names": (MASKER.mask, repeated("Team Alpha ")),
    "masks, beginnings of names": (MASKER.mask, repeated("Team Alph ")),
    "masks, gaps": (MASKER.mask, repeated(" \u200b", "Team")),
    "events in pieces": (events_in_pieces, repeated("data: x\n")),
    "events in pieces, one line": (events_in_pieces, repeated("x", "data: ")),
    "forms, fields": (QueryDict, rows("aN=1&")),
    "forms, escapes": (QueryDict, repeated("%E8", "a=")),
    "queries of sockets": (parse_qs, rows("aN=1&")),
    "cookies": (parse_cookie, rows("aN=1;")),
    "languages, tags": (language, repeated("zh,")),
    "languages, one tag": (language, repeated("zh-")),
    "user agents": (lambda text: (browser_of(text), system_of(text)), repeated("Edg Mac OS ")),
    "parts of a form, fields": (multipart, rows(part('name="kN"'))),
    "parts of a form, parameters": (multipart, lambda size: part('name="a"' + "; a=b" * (size // 5)) + "--b--\r\n"),
    "parts of a form, quotes": (multipart, lambda size: part('name="a' + '\\"' * (size // 2)) + "--b--\r\n"),
    "parts of a form, encoded names": (multipart, lambda size: part("name*=utf-8''" + "%41" * (size // 3)) + "--b--"),
    "parts of a form, lines of a head": (multipart, rows("X-N: a\r\n", "--b\r\n")),
    "parts of a form, almost boundaries": (multipart, lambda size: part('name="a"', "\r\n--" * (size // 4)) + "--b--"),
    "parts of a form, blanks before": (multipart, repeated("\r\n", "", part('name="a"'))),
    "parts of a form, a file": (
        multipart,
        lambda size: part('name="a"; filename="a"', "\r\n-" * (size // 3)) + "--b--",
    ),
    "searches of dialogues": (lambda text: filters_of({"search": text}), repeated("a-")),
    "ranges on pages": (whole_ranges, repeated("x")),
    "acts": (read_acts, repeated("a(b")),
    "acts, brackets": (read_acts, repeated("()", "a")),
    "addresses of systems": (named_host, repeated("a.", "http://")),
    "fingerprints": (lambda text: likeness(plain(text), plain(text[::-1])), repeated("1 a")),
    "zip, parts": (check_sizes, lambda size: zipped(f"p{number}" for number in range(size // 20))),
}


@pytest.mark.parametrize(("read", "text_of"), READERS.values(), ids=READERS.keys())
def test_a_reader_takes_time_and_memory_in_proportion_to_the_length(read, text_of):
    def work(text):
        with suppress(
            BadContent,
            BadInvitations,
            BotFailure,
            MultiPartParserError,
            Refusal,
            SuspiciousOperation,
            ValueError,
            Wrong,
        ):
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


PARSES = re.compile(
    r"json\.loads\(|tomllib\.loads?\(|csv\.(reader|DictReader)\(|load_workbook\(|\bZipFile\((?!sink|archive)|parseaddr\(|parse_qsl?\("
    r"|urlsplit\(|jmespath\.compile\(|fromstring\(|\bMarkdown\(|\bPIL\b|\byaml\.|\bpickle\.|literal_eval|\bre\.(search|match|split|findall|finditer)\("
)
STORED = "what the platform itself wrote"
OF_OURS = "what stands in the program or in its configuration"
ADDRESS = "an address, which takes one pass: `addresses of systems`"
# Each file that takes text apart with a library, and the reader above, or the other test, that shows what its length costs. The strict readers
# (`strict_json`, `strict_toml`, `limited_child`) are what others call.
PARSERS = {
    "analysis/sources.py": "tests/analysis/test_growth.py",
    "accounts/form_routes.py": ADDRESS,
    "frame/api_pages/operations.py": OF_OURS,
    "look/markdown.py": "tests/look/test_markdown.py",
    "accounts/sessions/queries.py": "user agents",
    "automatic_tasks/runs/gold_files.py": STORED,
    "automatic_tasks/runs/scores.py": STORED,
    "campaigns/actions/entering.py": ADDRESS,
    "campaigns/actions/registering.py": ADDRESS,
    "campaigns/campaign_file/study_specs.py": ADDRESS,
    "crowds/models.py": STORED,
    "crowds/platforms.py": ADDRESS,
    "simulation/keeper.py": OF_OURS,
    "simulation/program.py": STORED,
    "campaigns/hours.py": "tests/campaigns/test_hours.py",
    "config/environment.py": OF_OURS,
    "conformance/guessing.py": "tests/conformance/test_guessing.py",
    "conformance/probes/first_word.py": ADDRESS,
    "privacy/actions/archiving.py": OF_OURS,
    "privacy/actions/talks.py": STORED,
    "publication/bundle/rows.py": ADDRESS,
    "leaderboards/statistics.py": STORED,
    "notifications/actions/webhooks.py": ADDRESS,
    "notifications/mailing.py": OF_OURS,
    "publication/bundles.py": STORED,
    "publication/organizer_views.py": STORED,
    "publication/published/published_dialogues.py": STORED,
    "publication/published/published_records.py": STORED,
    "publication/queries.py": STORED,
    "verification/archive.py": "test_a_bundle_of_many_unknown_files_is_refused_in_proportion_to_their_number",
    "verification/program.py": OF_OURS,
    "measures/automatic/mobilecs.py": "acts",
    "operating/backup_file.py": STORED,
    "operating/data_checks.py": STORED,
    "operating/rows.py": STORED,
    "organizing/rankings.py": STORED,
    "organizing/dialogues/documents.py": STORED,
    "organizing/dialogues/transcript.py": STORED,
    "organizing/correlations.py": STORED,
    "team_desk/trying.py": ADDRESS,
    "organizing/scenarios/cells.py": "scenarios, values",
    "reading/csv_sheets.py": "scenarios, columns",
    "organizing/tasks/requested_task.py": "JSON, brackets",
    "organizing/wall/consumers.py": "queries of sockets",
    "organizing/wall/reading.py": STORED,
    "participants/adapters/coze.py": ADDRESS,
    "participants/adapters/ollama.py": ADDRESS,
    "participants/adapters/calls.py": STORED,
    "participants/bot_urls.py": "addresses of systems",
    "participants/bridge/line_forms.py": "JSON, brackets",
    "participants/bridge/serving.py": "JSON, brackets",
    "participants/dial_out/frames.py": STORED,
    "participants/mappings/mapping.py": STORED,
    "participants/mappings/paths.py": "paths, brackets",
    "participants/outbound/address_guard.py": ADDRESS,
    "registration/actions/agreeing.py": "names of files, which end after 100 characters",
    "registration/invitation_lines.py": "invitations, lines",
    "scoring/figure_tables.py": "CSV, rows",
    "reading/limited_child.py": "tests/reading/test_xlsx_sheets.py",
    "reading/limited_reading.py": STORED,
    "scoring/published_tables.py": OF_OURS,
    "reading/strict_toml.py": "TOML, many keys",
    "reading/xlsx_sheets.py": "zip, parts",
    "serving/monitoring/log_lines.py": OF_OURS,
    "serving/own_host.py": OF_OURS,
    "serving/versions.py": OF_OURS,
    "dialogues/actions/deciding.py": STORED,
    "testing_console/live/bot_sockets.py": STORED,
    "testing_console/live/breakers.py": ADDRESS,
    "testing_console/live/consumers.py": "queries of sockets",
    "testing_console/live/socket_limits.py": ADDRESS,
    "dialogues/progress.py": STORED,
}


def test_whatever_takes_text_apart_is_named_here_with_what_its_length_costs():
    files = [path for room in ROOMS if room != "demo" for path in files_of(room)]
    found = {str(path.relative_to(ROOT)) for path in files if PARSES.search(path.read_text())}
    assert found == PARSERS.keys()
    shown = {STORED, OF_OURS, ADDRESS, *READERS, *globals()}
    others = set(PARSERS.values()) - shown - {PARSERS["registration/actions/agreeing.py"]}
    assert all((ROOT / name).is_file() for name in others)
