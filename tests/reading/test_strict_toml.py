"""TOML from outside: depth is counted before anything is parsed, and large files are read under limits."""

import tomllib

import pytest

from reading import limited_reading, strict_toml
from reading.checking import BadFile, read_declared
from reading.strict_toml import SMALL_CHARACTERS, is_too_deep, loads

KINDS = """
day = 2026-05-01
clock = 07:32:00
moment = 2026-05-01T07:32:00.5+08:00
local = 2026-05-01T07:32:00
huge = 0xNN
small = -1_000
never = nan
most = inf
yes = true
text = "你好"
list = [1.5, {a = 2026-05-01}, []]
[table."a.b"]
clock = 00:00:00
""".replace("NN", "f" * 5000)


def padded(text):
    """The same values, too many characters to be parsed in this process."""
    return text + "#" * SMALL_CHARACTERS


def test_a_large_file_has_the_values_of_a_small_one():
    assert repr(loads(padded(KINDS)) | {"huge": 0}) == repr(tomllib.loads(KINDS) | {"huge": 0})
    assert loads(padded(KINDS))["huge"] == int("f" * 5000, 16)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x = \n", "line 1, column 5: is not TOML: Invalid value"),
        ("x = 1\nx = 2\n", "line 2, column 6: is not TOML: Cannot overwrite a value"),
        ("x = " + "9" * 5000 + "\n", "file: is not TOML: a number has too many digits"),
    ],
)
def test_a_large_file_that_is_wrong_says_where_and_why(text, problem):
    with pytest.raises(BadFile) as bad:
        read_declared("a.toml", padded(text).encode())
    assert str(bad.value) == problem


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 40 + " = 1",
        "[a" + ".a" * 40 + "]",
        "[[a" + " . a" * 40 + "]]",
        "'a'" + ".'a'" * 40 + " = 1",
        '"a"' + '."\\"a"' * 40 + " = 1",
        "# '\na" + ".a" * 40 + " = 1",
        'a = "#"\nb' + ".a" * 40 + " = 1",
        "a = '''it's'''\nb" + ".a" * 40 + " = 1",
        'a = """"quoted""""\nb' + ".a" * 40 + " = 1",
        'a = """\\""" # """\nb' + ".a" * 40 + " = 1",
        "x = {a" + ".a" * 40 + " = 1}",
        "x = " + "[" * 41 + "]" * 41,
        "x = " + "{a = " * 41,
    ],
)
def test_depth_is_seen_wherever_it_stands(text, monkeypatch):
    monkeypatch.setattr(strict_toml.tomllib, "loads", lambda text: pytest.fail("it is parsed"))
    assert is_too_deep(text)
    with pytest.raises(ValueError, match="nested more than 40 levels deep"):
        loads(text)


@pytest.mark.parametrize("size", [str, padded])
@pytest.mark.parametrize(
    "text",
    [
        "x = " + ("{a" + ".a" * 39 + " = ") * 2 + "1" + "}" * 2,
        "x = " + ("{a" + ".a" * 19 + " = ") * 10 + "1" + "}" * 10,
        "[b" + ".b" * 29 + "]\na" + ".a" * 29 + " = 1",
        "a" + ".a" * 29 + " = " + "[" * 20 + "]" * 20,
    ],
)
def test_depth_of_keys_and_tables_adds_up(text, size):
    with pytest.raises(ValueError, match="nested more than 40 levels deep"):
        loads(size(text))


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 39 + " = 1",
        "a = '" + "a." * 100 + "'",
        "a = '''\n" + "[" * 100 + "\n'''",
        'a = """' + "a." * 100 + "\n" + '\\"""."""',
        "# " + "a." * 100,
        "a = [" + "1.5, " * 100 + "]",
        "".join(f"[[a.b.c]]\nd.e.f{number} = [{{x = 1}}]\n" for number in range(100)),
    ],
)
def test_what_only_looks_deep_is_read(text):
    assert loads(text) == tomllib.loads(text)


def test_a_file_that_costs_more_than_it_may_is_refused(monkeypatch):
    def over(*args, **named):
        raise limited_reading.subprocess.TimeoutExpired("child", 1)

    monkeypatch.setattr(limited_reading.subprocess, "run", over)
    with pytest.raises(BadFile) as bad:
        read_declared("a.toml", padded("x = 1\n").encode())
    assert str(bad.value) == "file: is not TOML: reading it takes more time or memory than a file may take"


def test_the_child_stops_at_its_limit_of_memory(monkeypatch, tmp_path):
    child = tmp_path / "child.py"
    source = limited_reading.CHILD.read_text()
    child.write_text(source.replace("MEMORY_BYTES = 512 * 1024 * 1024", "MEMORY_BYTES = 48 * 1024 * 1024"))
    monkeypatch.setattr(limited_reading, "CHILD", child)
    tables = "a = [" + "[]," * 1_000_000 + "]"
    with pytest.raises(ValueError, match="more time or memory"):
        loads(tables)
