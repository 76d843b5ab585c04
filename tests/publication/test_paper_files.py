"""Each table and figure of a frozen board as a file for a paper: LaTeX sets them all, and each says where it comes from."""

import csv
import io
import re
import shutil
import subprocess

import pytest
from django.utils import timezone

from campaigns.models import Campaign
from leaderboards.actions import refresh_leaderboard, refresh_statistics
from publication.actions.freezing import freeze
from publication.actions.publishing import publish
from tests.publication.conftest import add_records, record

pytestmark = pytest.mark.django_db
BOARD = "/campaigns/small/leaderboard/"
FILES = re.compile(r'href="([^"]*/files/[^"?]+\.(\w+))\?in=[^"]*"')
# Names that teams and campaigns may have, with all that LaTeX takes for an instruction, and what its fonts lack.
AWKWARD = ("A&B 50% #1", "Q_{1} ~x^2 \\end $5$", "≥1 → “best” — ½ «c» é", "[b]|`it's`\"<x>", "* star")


@pytest.fixture
def published(campaign, bundles, organizer, few_are_enough):
    Campaign.objects.filter(pk=campaign.pk).update(name_en="Small [test] & 50% of ~all_ ≥ 1 …", name_zh="小评测 ≥ 50%")
    records = [record(team, n, n > place, 2 + place) for place, team in enumerate(AWKWARD) for n in range(1, 5)]
    return published_with(campaign, records, by=organizer)


def published_with(campaign, records, *, by):
    add_records(campaign, *records)
    at = timezone.now()
    refresh_leaderboard(campaign=campaign, at=at)
    refresh_statistics(campaign=campaign, at=at)
    frozen = freeze(campaign=campaign, hides_teams=False, by=by, at=at)
    publish(snapshot=frozen, public_from=at, by=by, at=at)
    return frozen


def files_of(client, language: str, format: str) -> dict[str, str]:
    page = client.get(f"{BOARD}1/paper/?in={language}").content.decode()
    found = {address: client.get(f"{address}?in={language}") for address, kind in FILES.findall(page) if kind == format}
    assert all(answer.status_code == 200 for answer in found.values())
    return {address.rpartition("/")[2]: answer.content.decode() for address, answer in found.items()}


@pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="no LaTeX is installed: apt-get install texlive-latex-base"
)
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_latex_sets_every_table(language, published, client, tmp_path):
    tables = files_of(client, language, "tex")
    assert {
        "leaderboard.tex",
        "chances.tex",
        "pairs-completion.tex",
        "ranks.tex",
        "duels.tex",
        "turns.tex",
    } <= tables.keys()
    text = "\n".join(tables.values())
    # Chinese words need a class that sets them (ctexart); here each letter is set as an x, which leaves all else as it is.
    chinese = sorted({sign for sign in text if sign >= "\u2e80"})
    declared = "".join(f"\\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{x}}\n" for sign in chinese)
    head = f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n{declared}\\begin{{document}}\n"
    (tmp_path / "paper.tex").write_text(f"{head}{text}\\clearpage\n\\end{{document}}\n")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=60)
    assert done.returncode == 0, done.stdout[-1500:]
    assert "Missing character" not in (tmp_path / "paper.log").read_text(errors="replace")


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_table_in_csv_has_as_many_cells_in_each_row(language, published, client):
    for name, text in files_of(client, language, "csv").items():
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
        assert len(rows) > 1, name
        assert len({len(row) for row in rows}) == 1, name


def test_the_companion_of_csv_files_has_every_caption_with_its_n_and_the_citation(published, client):
    companion = files_of(client, "en", "csv")["captions.csv"]
    rows = list(csv.DictReader(io.StringIO(companion.removeprefix("\ufeff"))))
    assert {"leaderboard", "chances", "ranks", "duels", "turns"} <= {row["File"] for row in rows}
    assert all(published.digest in row["Citation"] or published.cited_digest in row["Citation"] for row in rows)
    assert all(row["Caption"] for row in rows)
    assert "n: scored records" in next(row["Caption"] for row in rows if row["File"] == "leaderboard")


def test_a_png_holds_its_caption_and_its_citation(published, client):
    answer = client.get(f"{BOARD}1/files/ranks.png?in=en")
    if answer.status_code == 503:
        pytest.skip("no font is installed: apt-get install fonts-noto-cjk")
    from PIL import Image

    told = Image.open(io.BytesIO(answer.content)).text
    assert told["Title"].startswith("Ranks with 95% intervals")
    assert published.cited_digest in told["Source"]


def test_reconstructed_records_are_said_to_be_in_captions_and_in_the_citation(
    campaign, bundles, organizer, few_are_enough, client
):
    records = [record("Team A", n, True, 2) | {"reconstruction": True} for n in range(1, 5)]
    published_with(campaign, records, by=organizer)
    for language, said in (("en", "reconstructed from published figures"), ("zh-hans", "依已发表的数字重构")):
        for name in ("leaderboard.md", "ranks.md"):
            text = client.get(f"{BOARD}1/files/{name}?in={language}").content.decode()
            assert said in text
            assert "Records reconstructed from published figures" in text
