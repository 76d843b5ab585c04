"""In headless Chromium: a tester whose system fails goes on with another, and a participant talks to their own."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.fakes.bots import fake_bot
from tests.live.browser import People, connected
from tests.live.browser_site import answered, say
from tests.live.server import live

pytestmark = [pytest.mark.e2e]
ANOTHER = "换一项任务"
ANOTHER_BOT = """
from django.utils import timezone
from campaigns.actions import register_bot
from campaigns.models import Campaign
from participants.adapters import ADAPTERS, PROTOCOLS
from participants.bot_form import read_bot
from participants.models import Team
form = read_bot({"name": "Second", "url": "%s"}, ADAPTERS)
team = Team.objects.create(name="Team Beta")
register_bot(campaign=Campaign.objects.get(), team=team, form=form, by=None, at=timezone.now())
"""
COUNTED = """
import json
from campaigns.models import Assignment
from reviews.models import Review
from dialogues.models import Dialogue
practised = Dialogue.everything.filter(origin=Dialogue.Origin.PRACTICE)
print(json.dumps([
    Dialogue.objects.filter(pk__in=practised).count(), Assignment.objects.filter(is_practice=True).count(),
    Review.objects.filter(dialogue__in=practised).count(), [[one.status, one.turns_used] for one in practised],
]))
"""


def fail(page):
    page.fill("#text", "!500")
    page.press("#text", "Enter")
    expect(page.locator(".failure")).to_contain_text("对方系统")


def test_where_a_system_fails_another_assignment_is_offered_and_opened_by_its_key(browser, tmp_path):
    with fake_bot() as bot, live(tmp_path, bot.url) as server:
        page, errors = People(browser, server.base, server.set_password).page("tester")
        first = f"{server.base}/dialogues/{server.open_dialogue()}/"
        page.goto(first)
        connected(page)
        fail(page)
        # There is nothing else yet: it is not offered, and the key does nothing.
        assert ANOTHER not in page.locator(".failure-choices").inner_text()
        page.keyboard.press("Alt+n")
        page.keyboard.press("?")
        expect(page).to_have_url(first)

        server.manage("shell", "-v0", "-c", ANOTHER_BOT % bot.url)
        page.goto(first)
        connected(page)
        offered = page.locator(".failure-choices button", has_text=ANOTHER)
        expect(offered).to_contain_text("Alt N")
        page.keyboard.press("Alt+n")
        page.wait_for_url(lambda url: "/dialogues/" in url and url != first)
        connected(page)
        say(page, "你好")
        expect(page.locator(".from-bot .said").last).to_have_text("收到：你好")
        # This system answers: nothing offers another one, and the key does not leave.
        second = page.url
        page.keyboard.press("Alt+n")
        page.keyboard.press("Alt+h")
        expect(page.locator("#help")).to_be_visible()
        expect(page).to_have_url(second)
        statuses = server.rows(
            "SELECT d.status, b.name FROM dialogues_dialogue d JOIN campaigns_assignment a ON a.id = d.assignment_id "
            "JOIN campaigns_entry e ON e.id = a.entry_id JOIN participants_bot b ON b.id = e.bot_id ORDER BY d.opened_at"
        )
        # The first one stays open, to be gone on with.
        assert [status for status, _ in statuses] == ["open", "open"]
        assert statuses[1][1] == "Second"
        assert errors == []


def test_a_participant_talks_to_their_own_system_in_the_console_and_nothing_of_it_counts(site):
    page, errors = site.page("participant")
    page.goto(f"{site.base}/campaigns/smp2018-demo/team/")
    page.get_by_role("link", name="booking_bot").first.click()
    practice = page.locator("#practice")
    expect(practice.locator("li p")).to_have_text(["练习 · 酒店：北京"])
    assert "国贸" not in practice.inner_text()
    practice.get_by_role("button", name="练习").click()
    page.wait_for_url(re.compile("/team/practice/"))
    connected(page)
    expect(page.locator("body")).to_contain_text("booking_bot")
    say(page, "我想在北京国贸附近订个酒店")
    expect(page.locator(".from-bot .said").last).to_contain_text("请问")
    page.keyboard.press("Alt+n")
    page.keyboard.press("F2")
    page.keyboard.press("Enter")
    expect(page.locator(".cut").last).to_be_visible()
    expect(page.locator("#rubric")).to_be_hidden()
    expect(answered(page)).to_have_count(1)
    console = page.url
    assert json.loads(site.manage("shell", "-v0", "-c", COUNTED)) == [0, 0, 0, [["completed", 1]]]
    assert errors == []

    # A scenario of the test stays hidden, whatever the form is made to say; and the talk is nobody else's.
    page.goto(f"{site.base}/campaigns/smp2018-demo/team/")
    page.get_by_role("link", name="booking_bot").first.click()
    button = page.locator("#practice button[name=scenario]")
    button.evaluate("button => (button.value = 'case-01')")
    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        button.click()
    assert answer.value.status == 404
    organizer, _ = site.page("organizer")
    assert organizer.goto(console).status == 404
