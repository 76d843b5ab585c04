"""The site to learn from: menus that name files, pages made from the code, and nothing from other hosts where it was built."""

import re
from pathlib import Path

import pytest
from django.utils import translation

from deploy.handbook.look_up import pages
from frame.api_pages.socket_schemas import frame_schemas
from frame.api_pages.views import api_schema
from frame.tabs import MANAGING_GROUPS
from leaderboards.exports import EXPORTS

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "var" / "site"
FETCHED = re.compile(r'<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)="((?:https?:)?//[^"]+)"')


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return pages()


def test_every_page_of_the_menus_is_a_file_or_made(made):
    for menu, folder in (("mkdocs.yml", ROOT / "docs"), ("mkdocs.zh.yml", ROOT / "docs" / "zh")):
        named = re.findall(r"[a-z][\w/-]*\.md", (ROOT / menu).read_text().partition("\nnav:")[2])
        assert len(named) == len(set(named)) > 5
        for name in named:
            assert (folder / name).is_file() or name.removeprefix("look-up/") in made, f"{menu} names {name}"


def test_every_chinese_page_has_an_english_one():
    for page in (ROOT / "docs" / "zh").rglob("*.md"):
        assert (ROOT / "docs" / page.relative_to(ROOT / "docs" / "zh")).is_file(), page.name


@pytest.mark.parametrize(("language", "folder"), [("en", "docs"), ("zh-hans", "docs/zh")])
def test_ways_through_the_managing_room_are_those_of_its_menus(language, folder):
    chinese = ROOT / "docs" / "zh"
    with translation.override(language):
        ways = {
            f"{translation.gettext('Manage')} › {group.label} › {label}"
            for group in MANAGING_GROUPS
            for _key, label in group.pages
        }
    begins = next(iter(ways)).partition(" › ")[0] + " › "
    for page in (ROOT / folder).rglob("*.md"):
        if page.is_relative_to(chinese) == (language == "zh-hans"):
            for said in re.findall(rf"{begins}.*", page.read_text()):
                assert any(said.startswith(way) for way in ways), f"{page.name}: {said[:60]}"


def test_the_operations_are_those_of_the_schema(made):
    for path, methods in api_schema()["paths"].items():
        for method in methods.keys() & {"get", "post", "put", "patch", "delete"}:
            assert f"### `{method.upper()} {path}`" in made["api-operations.md"]


def test_every_frame_has_its_fields(made):
    defined = frame_schemas()["$defs"]
    for name, frame in defined.items():
        if "." in name and "properties" in frame:
            assert f"### `{name.partition('.')[2]}`" in made["socket-frames.md"], name


def test_every_export_has_its_columns(made):
    for name in EXPORTS:
        assert f"\n## `{name}`\n" in made["export-columns.md"]
    assert "| `latency_ms` |" in made["export-columns.md"]


def test_every_command_of_ours_is_explained(made):
    ours = {path.stem for path in ROOT.glob("*/management/commands/[a-z]*.py")}
    assert set(re.findall(r"^## `(\w+)`$", made["commands.md"], re.MULTILINE)) == ours


@pytest.mark.skipif(not (BUILT / "index.html").exists(), reason="the site is not built here: make site")
def test_the_built_site_fetches_nothing_from_other_hosts():
    for page in BUILT.rglob("*.html"):
        assert FETCHED.findall(page.read_text()) == [], page.relative_to(BUILT)
