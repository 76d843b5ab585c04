"""The Chinese catalogue is complete, compiled, and used."""

import ast
import re
from pathlib import Path

import polib
import pytest
from django.utils.translation.template import templatize

CATALOGUE = Path(__file__).resolve().parents[1] / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
TEXT = r"""u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""


def test_every_message_is_translated():
    catalogue = polib.pofile(str(CATALOGUE))
    assert len(catalogue) > 150
    assert [entry.msgid for entry in catalogue.untranslated_entries() + catalogue.fuzzy_entries()] == []


def test_the_compiled_catalogue_is_the_one_of_the_source(tmp_path):
    polib.pofile(str(CATALOGUE)).save_as_mofile(str(tmp_path / "fresh.mo"))
    assert (tmp_path / "fresh.mo").read_bytes() == CATALOGUE.with_suffix(".mo").read_bytes()


def test_placeholders_survive_translation():
    import re

    for entry in polib.pofile(str(CATALOGUE)):
        names = set(re.findall(r"\{\w+\}|%\(\w+\)[sd]", entry.msgid))
        for translated in entry.msgstr_plural.values() or [entry.msgstr]:
            assert names == set(re.findall(r"\{\w+\}|%\(\w+\)[sd]", translated)), entry.msgid


@pytest.mark.django_db
def test_every_marked_message_of_templates_and_code_is_in_the_catalogue():
    """Reads the sources as gettext would, so that a new string without a translation fails."""
    import re

    root = CATALOGUE.parents[3]
    known = {entry.msgid for entry in polib.pofile(str(CATALOGUE))}
    found = set()
    for path in (root / "templates").rglob("*.html"):
        # Django's template language asks for a percent sign doubled.
        found |= {
            (a or b).replace("%", "%%")
            for a, b in re.findall(r"""\{% translate (?:"([^"]+)"|'([^']+)') %\}""", path.read_text())
        }
    for room in (
        "scoring",
        "participants",
        "campaigns",
        "testing_console",
        "reviews",
        "leaderboards",
        "automatic_tasks",
    ):
        for path in (root / room).rglob("*.py"):
            found |= set(re.findall(r'\b(?:_|gettext_noop)\(\s*"([^"\\]+)"\s*\)', path.read_text()))
    assert len(found) > 150
    assert found - known == set()


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


def test_every_plural_of_the_code_is_in_the_catalogue():
    known = {(entry.msgid, entry.msgid_plural) for entry in polib.pofile(str(CATALOGUE))}
    found = set()
    for path in CATALOGUE.parents[3].glob("[a-z]*/**/*.py"):
        if path.parts[len(CATALOGUE.parents[3].parts)] not in {"tests", "var", "bench"}:
            found |= set(re.findall(rf"\bngettext(?:_lazy)?\(\s*{TEXT}\s*,\s*{TEXT}", path.read_text()))
    assert len(found) >= 2
    assert {(ast.literal_eval(one), ast.literal_eval(many)) for one, many in found} - known == set()
