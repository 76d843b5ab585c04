"""The Chinese catalogue is complete, compiled, and used."""

import ast
import re
from pathlib import Path

import polib
import pytest
from django.utils.translation import gettext, override
from django.utils.translation.template import templatize

CATALOGUE = Path(__file__).resolve().parents[1] / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
ENGLISH = CATALOGUE.parents[2] / "en" / "LC_MESSAGES" / "django.po"
# The functions that mark a message, with what their arguments are.
MARKS = {
    "gettext": ("text",), "gettext_lazy": ("text",), "gettext_noop": ("text",),
    "pgettext": ("context", "text"), "pgettext_lazy": ("context", "text"),
    "ngettext": ("text", "plural"), "ngettext_lazy": ("text", "plural"),
    "npgettext": ("context", "text", "plural"), "npgettext_lazy": ("context", "text", "plural"),
}  # fmt: skip
# Rooms that say something to people.
SPEAKING = {
    "accounts", "api", "automatic_tasks", "campaigns", "conformance", "demo", "dialogues", "frame", "leaderboards", "organizing",
    "participants", "publication", "reading", "registration", "reviews", "rubrics", "scoring", "team_desk", "testing_console",
}  # fmt: skip
TEXT = r"""u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""


def test_every_message_is_translated():
    catalogue = polib.pofile(str(CATALOGUE))
    assert len(catalogue) > 150
    assert [entry.msgid for entry in catalogue.untranslated_entries() + catalogue.fuzzy_entries()] == []


@pytest.mark.parametrize("catalogue", [CATALOGUE, ENGLISH], ids=["zh", "en"])
def test_the_compiled_catalogue_is_the_one_of_the_source(catalogue, tmp_path):
    polib.pofile(str(catalogue)).save_as_mofile(str(tmp_path / "fresh.mo"))
    assert (tmp_path / "fresh.mo").read_bytes() == catalogue.with_suffix(".mo").read_bytes()


def test_what_chinese_pages_say_beside_an_identifier_english_pages_say_too():
    identified = [
        entry.msgid
        for entry in polib.pofile(str(CATALOGUE))
        if re.fullmatch(r"[a-z0-9_]+", entry.msgid) and f"（{entry.msgid}）" in entry.msgstr
    ]
    assert {"timeout_first_byte", "http_5xx", "bad_shape"} <= set(identified)
    with override("en"):
        assert [one for one in identified if not re.fullmatch(rf".* \({one}\)", gettext(one))] == ["cancelled"]


def test_placeholders_survive_translation():
    import re

    for entry in polib.pofile(str(CATALOGUE)):
        names = set(re.findall(r"\{\w+\}|%\(\w+\)[sd]", entry.msgid))
        for translated in entry.msgstr_plural.values() or [entry.msgstr]:
            assert names == set(re.findall(r"\{\w+\}|%\(\w+\)[sd]", translated)), entry.msgid


def test_every_sentence_of_a_template_and_each_of_its_plurals_is_in_the_catalogue():
    """A plural that is stored as two messages is never found: the page shows English."""
    known = {(entry.msgid, entry.msgid_plural) for entry in polib.pofile(str(CATALOGUE))}
    found = set()
    for path in (CATALOGUE.parents[3] / "templates").rglob("*.html"):
        calls = templatize(path.read_text(), origin=str(path))
        for one, many in re.findall(rf"\bngettext\(\s*{TEXT}\s*,\s*{TEXT}", calls):
            found.add((ast.literal_eval(one), ast.literal_eval(many)))
        for text in re.findall(rf"(?:\bgettext|\b_)\(\s*{TEXT}", calls):
            found.add((ast.literal_eval(text), ""))
    assert len(found) > 400
    assert found - known == set()


def marked_in(source: str) -> set[tuple[str, str, str]]:
    """Context, message and plural of each literal that a module marks, by whatever name it imported the marking function."""
    tree = ast.parse(source)
    marks = {
        alias.asname or alias.name: MARKS[alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
        if alias.name in MARKS
    }
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in marks:
            said = dict(zip(marks[node.func.id], node.args, strict=False))
            texts = {name: one.value for name, one in said.items() if isinstance(one, ast.Constant)}
            if "text" in texts:
                found.add((texts.get("context", ""), texts["text"], texts.get("plural", "")))
    return found


def test_every_message_of_the_code_of_every_room_is_in_the_catalogue():
    """Reads the sources as gettext would, so that a new string without a translation fails."""
    root, found = CATALOGUE.parents[3], {}
    known = {(entry.msgctxt or "", entry.msgid, entry.msgid_plural) for entry in polib.pofile(str(CATALOGUE))}
    # A plural can be said in its singular alone.
    known |= {(context, text, "") for context, text, _ in known}
    for path in root.glob("*/**/*.py"):
        room = path.relative_to(root).parts[0]
        if (root / room / "__init__.py").exists() and room not in {"tests", "bench"}:
            found.setdefault(room, set()).update(marked_in(path.read_text()))
    assert {room: messages - known for room, messages in found.items() if messages - known} == {}
    assert {room for room, messages in found.items() if messages} >= SPEAKING


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from django.utils.translation import gettext as _\n_('a' 'b')", {("", "ab", "")}),
        ("from django.utils.translation import gettext_noop\nX = [gettext_noop(\n'a \\'b\\'')]", {("", "a 'b'", "")}),
        ("def f():\n from django.utils.translation import gettext_lazy as say\n return say('a')", {("", "a", "")}),
        ("from django.utils.translation import pgettext\npgettext('verdict', 'pass')", {("verdict", "pass", "")}),
        ("from django.utils.translation import ngettext\nngettext('one', 'many', n)", {("", "one", "many")}),
        ("def _(text): ...\n_('not ours')", set()),
    ],
)
def test_messages_are_found_however_they_are_marked(source, found):
    assert marked_in(source) == found


def texts_of(path):
    """Every text in a module or template that gettext could be asked for."""
    if path.suffix == ".py":
        constants = (node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
        return {value for value in constants if isinstance(value, str)}
    return set(map(ast.literal_eval, re.findall(TEXT, templatize(path.read_text(), origin=str(path)))))


def test_no_message_stands_in_the_catalogue_whose_source_is_gone():
    root = CATALOGUE.parents[3]
    rooms = [path for path in root.iterdir() if (path / "__init__.py").exists() and path.name != "tests"]
    sources = [*(root / "templates").rglob("*.html"), *(root / "templates").rglob("*.txt")]
    sources += [path for room in rooms for path in room.rglob("*.py") if "migrations" not in path.parts]
    found = set().union(*map(texts_of, sources))
    messages = [entry for entry in polib.pofile(str(CATALOGUE)) if not entry.obsolete]
    assert [entry.msgid for entry in messages if entry.msgid not in found] == []
