"""Pairs in headless Chromium over a real server: one message to two systems, votes by key, undo, two tabs, finished dialogues."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from demo.sample_bots import free_port
from tests.fakes.bots import fake_bot
from tests.live.browser import People, connected
from tests.live.server import ROOT, served
from tests.migrated import migrated_file

pytestmark = [pytest.mark.e2e]
CAMPAIGN = """
[campaign]
slug = "pairs"
name = {zh = "成对评测", en = "Pairs of systems"}
preset = "pairs"
reply_deadline_s = 5

[[bots]]
key = "a"
team = "Team Alpha"
url = "http://127.0.0.1:%(good)d/"
[[bots]]
key = "b"
team = "Team Beta"
url = "http://127.0.0.1:%(good)d/b"
[[bots]]
key = "c"
team = "Team Gamma"
url = "http://127.0.0.1:%(closed)d/"

[[scenarios]]
key = "flight"
title = {zh = "订机票", en = "Book a flight"}
instructions = {zh = "订后天下午的机票。", en = "Book a flight for the afternoon after tomorrow."}
opening = "帮我订一张机票"
opening_en = "Please book a flight"
facts = {flight = {from = "北京", to = "上海"}}
subtasks = [{kind = "flight"}]

[[people]]
username = "organizer"
roles = ["organizer"]
[[people]]
username = "tester"
roles = ["tester"]
[[people]]
username = "reviewer"
roles = ["reviewer"]
"""


@contextmanager
def pairs_site(folder, browser):
    """A server with two systems that answer and one that is not there, and its people in the browser."""
    database = folder / "pairs.sqlite3"
    shutil.copy(migrated_file(), database)
    with fake_bot() as bot:
        closed = free_port()
        file = folder / "pairs.toml"
        file.write_text(CAMPAIGN % {"good": bot.port, "closed": closed})
        allowed = f"127.0.0.1:{bot.port},127.0.0.1:{closed}"
        environment = os.environ | {"DATABASE_URL": f"sqlite:///{database}", "HUACE_OUTBOUND_ALLOW": allowed}

        def manage(*arguments):
            command = [sys.executable, "manage.py", *arguments]
            return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout

        passwords = json.loads(manage("load_campaign", str(file), "--print-passwords"))
        with served(environment) as base:
            people = People(browser, base, passwords.__getitem__)
            people.manage, people.bot = manage, bot
            yield people


@pytest.fixture(scope="module")
def pairs(tmp_path_factory, browser):
    with pairs_site(tmp_path_factory.mktemp("pairs"), browser) as people:
        yield people


def settled(page, n):
    """So many turns on each side have their answer or their failure."""
    for side in ("left", "right"):
        done = page.locator(f"#lines-{side} .turn:has(.from-bot:not(.is-waiting, .is-streaming), .failure)")
        expect(done).to_have_count(n)


def say(page, text, n):
    page.fill("#text", text)
    page.press("#text", "Enter")
    settled(page, n)


def votes(pairs):
    code = "from pairs.models import PairVote; print([list(one) for one in PairVote.objects.values_list('verdict', 'version')])"
    return pairs.manage("shell", "-v0", "-c", code).strip()


@pytest.fixture(scope="module")
def compared(pairs):
    """The tester has put messages to all pairs of systems, and taken the last vote back to give another."""
    page, errors = pairs.page("tester", locale="en-US")
    page.goto(f"{pairs.base}/campaigns/pairs/")
    page.get_by_role("link", name="To the pairs").click()
    n_failing = 0
    page.get_by_role("button", name="Compare the next pair").click()
    # Three systems: each of the three pairs once, two of them with the system that is not there.
    page.wait_for_url("**/pairs/*-*/")
    for key in ("Alt+1", "Alt+2", "Alt+4"):
        connected(page)
        told = page.locator("main").inner_text()
        assert not [word for word in ("Alpha", "Beta", "Gamma", "K7") if word in told]
        say(page, "hello", 1)
        is_failing = page.locator(".failure").count() > 0
        if is_failing:
            expect(page.locator(".side-note:visible")).to_contain_text("The pair goes on.")
            n_failing += 1
        # The other side goes on while the failed turn of one stays behind.
        say(page, "and then?", 2)
        assert page.locator(".from-bot:not(.is-waiting)").count() == (2 if is_failing else 4)
        page.locator("#side-left [data-act=give-up]").click()
        expect(page.locator("#closing-left")).to_contain_text("closes as given up. Then the dialogue is over.")
        page.keyboard.press("Alt+z")
        expect(page.locator("#closing-left")).to_be_hidden()
        address = page.url
        page.press("#text", key)
        page.wait_for_url(lambda url, before=address: url != before)
        expect(page.locator("#voted")).to_contain_text("Comparison stored")
    assert n_failing == 2
    expect(page.locator("h2").first).to_have_text("All pairs are compared")
    expect(page.locator(".compared tbody tr")).to_have_count(3)
    # Ten seconds to think better of it: nothing slow comes before.
    page.keyboard.press("Alt+z")
    page.wait_for_url("**/pairs/*-*/")
    page.keyboard.press("3")
    page.wait_for_url("**/campaigns/pairs/pairs/")
    assert errors == []
    return pairs


def test_a_tester_puts_messages_to_two_systems_and_says_which_is_better(compared):
    assert votes(compared) == "[['left', 1], ['right', 1], ['tie', 3]]"


def test_a_reviewer_compares_finished_dialogues_in_two_tabs(compared):
    pairs = compared
    pairs.manage(
        "shell", "-v0", "-c", "from campaigns.models import Campaign; Campaign.objects.update(pairs_kind='finished')"
    )
    page, errors = pairs.page("reviewer", locale="en-US")
    page.goto(f"{pairs.base}/campaigns/pairs/pairs/")
    page.get_by_role("button", name="Compare the next pair").click()
    page.wait_for_url("**/pairs/*-*/")
    page.locator("[data-side=right] [data-pin='1']").click()
    expect(page.locator("#evidence-side")).to_have_value("right")
    page.fill("#reason", "clearer")
    other, _errors = pairs.page("reviewer", locale="en-US")
    other.goto(page.url)
    address = page.url
    page.locator("#goal summary").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: url != address)
    # The other tab still shows the four buttons: what is stored stays, and the page says so.
    other.locator("#goal summary").focus()
    other.keyboard.press("1")
    expect(other.locator("#vote-said")).to_contain_text("You said: Right is better")
    expect(other.locator("#vote-said")).to_contain_text("clearer")
    assert errors == []


def test_an_organizer_sees_progress_and_balance(pairs):
    page, errors = pairs.page("organizer", locale="en-US")
    page.goto(f"{pairs.base}/campaigns/pairs/pair-progress/")
    expect(page.locator("h1")).to_have_text("Progress of pairs")
    expect(page.locator("tbody tr", has_text="Team Alpha").first).to_be_visible()
    assert errors == []
