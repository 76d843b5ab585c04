"""The recipes of CONTRIBUTING.md name files that exist and say what happens to stored data."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text().partition("## Recipes\n")[2]
RECIPES = dict(re.findall(r"^### (.+?)\n(.+?)(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def files_named(recipe: str) -> list[str]:
    """Every path in code marks; `<name>` stands for what is new."""
    named = re.findall(r"`([a-z_]+/[^`\s]*)`", recipe)
    return list(dict.fromkeys(path.partition("<")[0] for path in named))


def test_there_is_a_recipe_for_whatever_is_often_added():
    assert list(RECIPES) == ["A campaign setting", "A criterion", "A measure", "A task type", "An adapter", "An export"]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_names_code_and_all_of_it_exists(name):
    files = files_named(RECIPES[name])
    assert any(file.endswith(".py") for file in files), files
    for file in files:
        assert (ROOT / file).exists(), f"{name}: {file} does not exist"


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_says_what_it_does_to_stored_data(name):
    assert RECIPES[name].count("**Stored data**: ") == 1


@pytest.mark.parametrize("name", RECIPES)
def test_a_name_in_capitals_stands_in_a_file_that_the_recipe_names(name):
    """`WHAT`, `RUBRIC_PRESETS` …: a renamed registry is a wrong recipe."""
    code = "".join((ROOT / file).read_text() for file in files_named(RECIPES[name]) if file.endswith(".py"))
    for word in re.findall(r"`([A-Z][A-Z_]+)`", RECIPES[name]):
        assert word in code, f"{name} names {word}"


def test_the_tour_and_the_table_of_where_to_change_what_name_files_that_exist():
    table = (ROOT / "docs" / "where-to-change-what.md").read_text() + (ROOT / "docs" / "architecture.md").read_text()
    named = re.findall(r"`([a-z_]+/[^`\s]*|CONTRIBUTING\.md)`", table)
    assert len(named) > 20
    assert [file for file in named if not (ROOT / file).exists()] == []


def test_every_module_that_the_documents_name_without_its_folder_exists():
    """`stages.py` beside a full path: the loss of such a file breaks no link."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    known = {Path(name).name for name in listed}
    pages = [ROOT / "CONTRIBUTING.md", ROOT / "tests" / "README.md", *(ROOT / "docs").glob("*.md")]
    named = {name for page in pages for name in re.findall(r"`(?:[\w/]+/)?(\w+\.py)`", page.read_text())}
    # ConvLab's own program (docs/protocols.md).
    assert len(named) > 100
    assert named - known == {"run_agent.py"}
