"""The organizer's live wall in headless Chromium: what a tester does appears without a reload, and what testers are told in consoles."""

import pytest
from playwright.sync_api import expect

from tests.live.browser import HOLD_SOCKETS, connected, cut_off
from tests.live.browser_site import answered, say

pytestmark = [pytest.mark.e2e]
WALL = "/campaigns/smp2018-demo/wall/"


def open_wall(site, **named):
    page, errors = site.page("organizer", **named)
    page.goto(site.base + WALL)
    connected(page)
    return page, errors


def test_what_a_tester_does_appears_on_the_wall_by_itself(site):
    wall, errors = open_wall(site)
    console, _ = site.page("tester-1")
    site.open_scenario(console, "酒店：上海")
    dialogue = console.url.rstrip("/").rsplit("/", 1)[1]
    row = wall.locator(f"#dialogues tr[data-key='{dialogue}']")
    expect(row).to_have_count(1)
    expect(row.locator(".who")).to_have_text("tester-1")
    say(console, "帮我订上海的酒店")
    expect(answered(console)).to_have_count(1)
    expect(row.locator(".turns")).to_contain_text("1 / 20")
    first = int(row.locator(".since").inner_text().split()[0])
    expect(row.locator(".since")).not_to_have_text(f"{first} 秒")  # the seconds go on by themselves
    expect(wall.locator("#testers tr[data-key='tester-1'] .now")).to_contain_text(site.alias("booking"))
    assert errors == []


def test_a_wall_that_is_offline_says_so_and_comes_back_with_what_it_missed(site):
    wall, _ = site.page("organizer")
    wall.add_init_script(HOLD_SOCKETS)
    wall.goto(site.base + WALL)
    connected(wall)
    cut_off(wall)
    expect(wall.locator("#connection")).to_have_attribute("data-state", "offline")
    console, _ = site.page("tester-2")
    site.open_scenario(console, "酒店：上海")
    dialogue = console.url.rstrip("/").rsplit("/", 1)[1]
    wall.context.set_offline(False)
    expect(wall.locator("#connection")).to_have_attribute("data-state", "connected", timeout=30_000)
    expect(wall.locator(f"#dialogues tr[data-key='{dialogue}']")).to_have_count(1)


def test_a_wall_whose_script_fails_shows_its_links_and_forms_all_the_same(site):
    wall, _ = site.page("organizer")
    wall.route("**/wall_rows*.js", lambda route: route.abort())
    wall.goto(site.base + WALL)
    expect(wall.locator("body")).to_have_attribute("data-drawn", "no")
    expect(wall.locator(".tell")).to_be_hidden()
    expect(wall.locator(".tell")).to_be_visible(timeout=10_000)


def test_a_bot_is_paused_and_resumed_from_its_row(site):
    wall, errors = open_wall(site)
    alias = site.alias("booking")
    row = wall.locator(f"#bots tr[data-key='{alias}']")
    row.locator("button[data-act=pause]").click()
    wall.fill("#pause [name=because]", "它在重启")
    wall.locator("#pause button.primary:visible").click()
    expect(row.locator(".standing")).to_contain_text("它在重启")
    expect(wall.locator("#needs")).to_have_attribute("data-state", "care")
    expect(wall.locator("#needs-list")).to_contain_text(alias)
    row.locator("button[data-act=resume]").click()
    wall.fill("#pause [name=because]", "它回来了")
    wall.locator("#pause button.primary:visible").click()
    expect(row.locator("button[data-act=pause]")).to_have_count(1)
    assert errors == []


def test_what_all_testers_are_told_is_in_an_open_console_until_it_is_taken_back(site):
    console, _ = site.page("tester-3")
    site.open_scenario(console, "酒店：上海")
    wall, errors = open_wall(site)
    wall.fill(".tell [name=zh]", "午休到 14 点")
    wall.locator(".tell button.primary").click()
    expect(console.locator("#announcements")).to_have_text("午休到 14 点")
    wall.fill(".told [name=because]", "休息完了")
    wall.locator(".told button").click()
    expect(console.locator("#announcements")).to_be_hidden()
    assert errors == []


def test_an_announcement_taken_back_meanwhile_leaves_a_page_that_was_drawn_with_it(site):
    wall, _ = open_wall(site)
    wall.fill(".tell [name=zh]", "晚上停机")
    wall.locator(".tell button.primary").click()
    offline, _ = site.page("tester-3")
    offline.add_init_script(HOLD_SOCKETS)
    site.open_scenario(offline, "酒店：上海")
    expect(offline.locator("#announcements")).to_have_text("晚上停机")
    cut_off(offline)
    wall.fill(".told [name=because]", "停机取消了")
    wall.locator(".told button").click()
    expect(wall.locator(".told")).to_have_count(0)
    offline.context.set_offline(False)
    expect(offline.locator("#announcements")).to_be_hidden()
