"""Somebody whom a platform sends, in headless Chromium: from the link over a real dialogue to the code and the way back."""

import re

import pytest
from playwright.sync_api import expect

from tests.live.browser import connected, page_without_errors
from tests.live.browser_site import answered, scores_are_open

pytestmark = [pytest.mark.e2e]

MAKE = """
from decimal import Decimal
from django.utils import timezone
from campaigns.models import Campaign
from campaigns.campaign_file.study_specs import StudySpec
from crowds.actions.declaring import make_study, open_study
from reading.kinds import Texts
at = timezone.now()
spec = StudySpec(
    key="story", role="tester", platform="prolific", quota=1, needed=1, minutes=15, pay=Decimal("3.00"), currency="GBP",
    name=Texts("故事", "Story"), return_url="https://app.prolific.com/submissions/complete?cc={code}",
)
study = make_study(campaign=Campaign.objects.get(slug="smp2018-demo"), spec=spec, codes={"completed": "STORY1"}, by=None, at=at)
print(open_study(study=study, by=None, at=at).door)
"""


def test_from_the_link_to_the_code_and_nobody_comes_after(site):
    door = site.manage("shell", "-v0", "-c", MAKE).strip()
    link = f"{site.base}/enter/{door}/?PROLIFIC_PID=5f3storyteller&STUDY_ID=s1&SESSION_ID=x1"
    context = site.browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB")
    page, errors = page_without_errors(context)
    page.goto(link)
    expect(page.get_by_text("12.00 GBP")).to_be_visible()
    page.get_by_role("button", name="Begin").click()
    expect(page).to_have_url(re.compile("/campaigns/smp2018-demo/testing/"))
    expect(page.locator(".crowd-bar .count")).to_have_text("0 / 1")
    page.locator(".assignment").first.click()
    connected(page)
    expect(page.locator(".crowd-bar .count")).to_have_text("0 / 1")
    page.fill("#text", "你好")
    page.press("#text", "Enter")
    expect(answered(page)).to_have_count(1)
    parts = page.locator(".part")
    for number in range(parts.count()):
        expect(parts.nth(number)).to_have_attribute("data-status", "open")
        page.keyboard.press("F3")
        page.keyboard.press("Enter")
        expect(parts.nth(number)).to_have_attribute("data-status", "given_up")
    scores_are_open(page)
    for key in ("1", "1", "1"):
        page.keyboard.press(key)
    console = page.url
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != console)
    page.goto(link)
    expect(page.get_by_text("1 of 1")).to_be_visible()
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_label("Code for the platform")).to_have_value("STORY1")
    back = page.get_by_role("link", name="Back to the platform")
    expect(back).to_have_attribute("href", "https://app.prolific.com/submissions/complete?cc=STORY1")
    page.goto(f"{site.base}/campaigns/smp2018-demo/testing/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("no such page")
    assert [one for one in errors if "404" not in one] == []
    context.close()

    other = site.browser.new_context(locale="zh-CN")
    page, _errors = page_without_errors(other)
    page.goto(link.replace("5f3storyteller", "somebodyelse"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("名额已满")
    expect(page.get_by_text("没有报酬")).to_be_visible()
    other.close()
