"""From records to a published leaderboard: an organizer freezes and publishes, a visitor reads, downloads and verifies."""

import hashlib
import json
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.live.server import ROOT

pytestmark = [pytest.mark.e2e]
RECORDS = ROOT / "examples" / "published" / "smp2018" / "records.jsonl"
ORGANIZED = """
from accounts.models import Person
from campaigns.models import Campaign
campaign = Campaign.objects.get(slug="published")
campaign.roles.create(person=Person.objects.get(username="organizer"), role="organizer")
"""
# The first row of SMP2018, Table A2.
FIRST = ["1", "0.397", "26.13", "0.667", "0.333", "0.762"]


def downloaded(page, name, folder):
    with page.expect_download() as download:
        page.get_by_role("link", name=name).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def chooses_two_rows(page):
    """The first two are compared at first; by Space a third row takes the place of the first, and a fourth that of the second."""
    names = page.locator("tbody tr .name b").all_inner_texts()
    for place, compared in ((2, names[1:3]), (3, names[2:4])):
        page.locator("input[name=compare]").nth(place).focus()
        page.keyboard.press("Space")
        for name in compared:
            expect(page.locator("#why h2")).to_contain_text(name)
        assert page.locator("input[name=compare]:checked").count() == 2
    assert page.url.count("compare=") == 2


def clicks_a_figure(page):
    """Completion of the first row: 25 of its 63 records are complete."""
    page.locator("tbody tr").first.get_by_role("link", name="0.397").click()
    expect(page.locator("h1")).to_contain_text("C Completion 0.397")
    values = page.locator("tbody td:last-child").all_inner_texts()
    page.get_by_role("link", name="Next page").click()
    expect(page.locator("nav .muted")).to_have_text("2 / 2")
    values += page.locator("tbody td:last-child").all_inner_texts()
    assert (len(values), values.count("1")) == (63, 25)
    expect(page.locator("main")).not_to_contain_text("reviewer-")


def test_a_visitor_reads_cites_and_verifies_what_an_organizer_published(site, tmp_path):
    site.manage("import_records", str(RECORDS), "--campaign", "published")
    site.manage("shell", "-v0", "-c", ORGANIZED)
    organizer, errors = site.page("organizer", locale="en")
    address = f"{site.base}/campaigns/published"
    organizer.goto(f"{address}/publication/")
    organizer.locator("form[action$='/freeze/'] button").click()
    expect(organizer.locator("td a")).to_have_text("1", timeout=60_000)
    organizer.locator("td a").click()

    visitor, more = site.fresh_page(locale="zh-CN")
    visitor.goto(f"{address}/leaderboard/")
    assert "/login/" in visitor.url
    organizer.locator("form[action$='/publish/'] button").click()
    organizer.locator("#ask-yes").click()
    expect(organizer.locator("main")).to_contain_text("Everybody reads leaderboard 1")

    visitor.goto(f"{address}/leaderboard/")
    expect(visitor.locator("tbody tr").first).to_contain_text("深思考人工智能机器人科技")
    for figure in FIRST:
        expect(visitor.locator("tbody tr").first).to_contain_text(figure)
    document = downloaded(visitor, "JSON", tmp_path)
    of_bundle, of_verifier, of_json = visitor.locator(".digests code").all_text_contents()
    expect(visitor.locator(".citation")).to_contain_text(f"(SHA-256 {of_bundle})")
    assert hashlib.sha256(document.read_bytes()).hexdigest() == of_json
    assert json.loads(document.read_text())["rows"][0]["rank"] == 1
    assert downloaded(visitor, "CSV", tmp_path).read_text("utf-8-sig").startswith("rank,team,bot,n_records,completion")

    english, others = site.fresh_page(locale="en")
    english.goto(f"{address}/leaderboard/1/")
    expect(english.locator("main")).to_contain_text("Systems are ranked by C Completion (higher is better).")
    chooses_two_rows(english)
    clicks_a_figure(english)
    english.goto(f"{address}/leaderboard/1/")
    bundle = downloaded(english, "Bundle", tmp_path)
    verifier = downloaded(english, "huace-verify.pyz", tmp_path)
    assert hashlib.sha256(verifier.read_bytes()).hexdigest() == of_verifier
    # That of the JSON, which was downloaded beside it, leads to the bundle as well.
    for digest in (of_bundle, of_json):
        verified = subprocess.run(
            [sys.executable, "-I", "-S", str(verifier), str(bundle), "--digest", digest],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert verified.returncode == 0, verified.stdout
    assert f"The published digest is that of {document.name}, which names this very bundle." in verified.stdout
    assert errors + more + others == []
