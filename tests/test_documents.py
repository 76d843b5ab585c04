"""The documents: decisions that are numbered and resolve, links that lead somewhere."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
REFERENCE = re.compile(r"[Dd]ecisions? ((?:\d{4}(?:, | and |, and )?)+)|decisions/(\d{4})")


def texts() -> dict[str, str]:
    """The texts of the tree by their path, as far as people read and write them."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    kinds = (".py", ".md", ".html", ".js", ".css", ".toml")
    return {name: (ROOT / name).read_text() for name in listed if name.endswith(kinds) and (ROOT / name).exists()}


def test_decisions_are_numbered_without_gaps_and_say_their_number_in_their_heading():
    assert [path.name[:4] for path in DECISIONS] == [f"{number:04}" for number in range(1, len(DECISIONS) + 1)]
    for path in DECISIONS:
        assert path.read_text().startswith(f"# {path.name[:4]} "), path.name


def test_each_decision_has_a_status_with_its_date_and_fits_a_page():
    for path in DECISIONS:
        text = path.read_text()
        assert re.search(r"^Status: (accepted|superseded), \d{4}-\d{2}-\d{2}\b.*\.$", text, re.MULTILINE), path.name
        assert len(text.split()) <= 500, path.name


def test_every_reference_to_a_decision_resolves():
    known = {path.name[:4] for path in DECISIONS}
    for name, text in texts().items():
        for many, one in REFERENCE.findall(text):
            named = {one} if one else set(re.findall(r"\d{4}", many))
            assert named <= known, f"{name} names decision {', '.join(sorted(named - known))}"


def test_relative_links_of_the_documents_lead_to_files():
    for name, text in texts().items():
        if name.endswith(".md"):
            for target in re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", text):
                # What is to be looked up is made from the code when the site is built, and checked there.
                is_made = target.replace("../", "").startswith("look-up/")
                assert ":" in target or is_made or ((ROOT / name).parent / target).exists(), f"{name} links {target}"


def asvs_rows() -> list[list[str]]:
    text = (ROOT / "docs" / "security.md").read_text().partition("## ASVS 5, level 2")[2]
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]


def test_what_security_says_is_met_names_tests_that_exist_and_the_rest_a_reason():
    rows = asvs_rows()[1:]
    assert {int(re.match(r"\d+", section)[0]) for section, *_ in rows} == set(range(1, 18))
    for section, _asked, state, why in rows:
        assert state in {"met", "partly", "not applicable"}, section
        named = re.findall(r"`(tests/[^`]+)`", why)
        assert all((ROOT / name).is_file() for name in named), f"{section}: {named}"
        assert named or state == "not applicable", section
        assert state == "met" or re.sub(r"`[^`]+`|[;,]", "", why).strip(), f"{section} says no reason"


def test_the_commands_of_security_exist():
    named = set(re.findall(r"manage\.py (\w+)", (ROOT / "docs" / "security.md").read_text()))
    assert named >= {"reseal_secrets", "reset_second_factor"}
    for name in named:
        assert list(ROOT.glob(f"*/management/commands/{name}.py")), name
