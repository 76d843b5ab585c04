"""A whole contest in browsers: from an empty installation and one link to a published leaderboard, without a command line."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.live.browser import connected, page_without_errors
from tests.live.browser_site import say
from tests.live.server import ROOT, served
from tests.migrated import migrated_file
from tests.waiting import until

pytestmark = [pytest.mark.e2e]

PASSWORD = "wo-ting-bu-dong-42"
TESTERS, REVIEWERS, TEAMS = (
    ("tester-a", "tester-b"),
    ("reviewer-a", "reviewer-b"),
    {"one": "Team One", "two": "Team Two"},
)


@contextmanager
def empty_site(folder, allowed):
    """An installation nobody has used: its address, and the link by which its first organizer comes in."""
    database = folder / "contest.sqlite3"
    database.write_bytes(migrated_file().read_bytes())
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{database}", "HUACE_OUTBOUND_ALLOW": allowed}
    with served(environment) as base:
        invite = [sys.executable, "manage.py", "invite", "--staff", "--site", base]
        link = subprocess.run(invite, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
        yield base, re.search(r"http://\S+", link.stdout)[0]


class Contest:
    """The people of the contest, each in a browser of their own."""

    def __init__(self, browser, base):
        self.browser, self.base, self.errors = browser, base, []
        self.campaign = f"{base}/campaigns/contest"

    def person(self, link, name):
        """Somebody who follows an invitation and makes an account."""
        page = self.visitor()
        page.goto(link)
        page.fill("[name=username]", name)
        page.fill("[name=password1]", PASSWORD)
        page.fill("[name=password2]", PASSWORD)
        page.locator("main form").first.locator("button.primary").click()
        expect(page.locator(".account")).to_contain_text(name)
        return page

    def visitor(self):
        context = self.browser.new_context(viewport={"width": 1280, "height": 720}, locale="en")
        page, errors = page_without_errors(context)
        self.errors.append(errors)
        return page


def submit(page):
    page.locator("main form").first.locator("button.primary").click()


def save(page):
    """Presses the button above a long form."""
    page.locator(".head button.primary").click()


def make_campaign(contest, organizer):
    organizer.goto(f"{contest.base}/campaigns/new/")
    organizer.check("[name=start][value=smp2018]")
    organizer.fill("[name=name_zh]", "对话评测")
    organizer.fill("[name=name_en]", "The contest")
    organizer.fill("[name=slug]", "contest")
    submit(organizer)
    expect(organizer).to_have_url(re.compile(r"/campaigns/contest/"))
    organizer.goto(f"{contest.campaign}/settings/")
    organizer.click("summary:has-text('Scoring and reviewing')")
    organizer.select_option("[name=reviewed_by]", "panel")
    organizer.fill("[name=reviewers_per_dialogue]", "2")
    save(organizer)
    expect(organizer.locator(".notice.success, .messages")).to_contain_text("Changed")
    organizer.goto(f"{contest.campaign}/scenarios/new/")
    organizer.fill("[name=key]", "flight")
    organizer.fill("[name=title_zh]", "订机票")
    organizer.fill("[name=opening]", "帮我订一张从北京到上海的飞机票")
    organizer.fill("[name=part_kind]", "flight")
    organizer.fill("[name=part_cap]", "3")
    for nth, (name, value) in enumerate((("from", "北京"), ("to", "上海"))):
        organizer.click("[value='facts.add']")
        organizer.locator("[name=fact_part]").nth(nth).fill("flight")
        organizer.locator("[name=fact_name]").nth(nth).fill(name)
        organizer.locator("[name=fact_value]").nth(nth).fill(value)
    expect(organizer.locator("#drawn")).to_contain_text("北京→上海")
    save(organizer)
    expect(organizer).to_have_url(re.compile(r"/scenarios/one/flight/"))


def invited(contest, organizer):
    """Each one's page, by name: invited from one pasted list, in by a link of their own."""
    lines = [f"{name}, tester" for name in TESTERS] + [f"{name}, reviewer" for name in REVIEWERS]
    lines += [f"{name}, participant, {team}" for name, team in TEAMS.items()]
    organizer.goto(f"{contest.campaign}/people/invitations/")
    organizer.fill("[name=pasted]", "\n".join(lines))
    organizer.locator("form:has([name=pasted]) button.primary").click()
    links = organizer.locator("input[id^=link-]")
    expect(links).to_have_count(len(lines))
    names = [*TESTERS, *REVIEWERS, *TEAMS]
    return {
        name: contest.person(link, name)
        for name, link in zip(names, links.evaluate_all("all => all.map((one) => one.value)"), strict=True)
    }


def register_bot(contest, page, url):
    page.goto(f"{contest.campaign}/team/")
    page.fill("[name=name]", "Our bot")
    page.fill("[name=url]", url)
    # What it speaks is asked first; a bot that tells nothing is registered with what its team chooses.
    page.locator("#register button.primary").click()
    expect(page.locator("#found")).to_be_visible()
    page.select_option("[name=protocol]", "huace/1")
    page.fill("[name=secret]", "a-secret-of-ours")
    with page.expect_navigation():
        page.locator("main form button.primary").last.click()
    page.goto(f"{contest.campaign}/team/")
    expect(page.locator("main")).to_contain_text("Our bot")
    assert "a-secret-of-ours" not in page.content()


def draw(contest, organizer):
    organizer.goto(f"{contest.campaign}/coverage/draw/")
    organizer.locator("main form button.primary").click()
    expect(organizer.locator("main")).to_contain_text("Drawn: 4 added")


def talk(contest, page):
    """Opens the next assignment and talks until its one part is finished; gives the dialogue's id."""
    page.goto(f"{contest.campaign}/testing/")
    page.locator("main button.primary").first.click()
    connected(page)
    say(page, "你好")
    dialogue = page.url.rstrip("/").rpartition("/")[2]
    page.keyboard.press("F2")
    expect(page.locator("#closing")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".part").first).to_have_attribute("data-status", "finished")
    return dialogue


def open_queue(contest, page):
    """The reviewer's queue, once the platform has drawn a panel for what was just finished."""

    def is_drawn():
        page.goto(f"{contest.campaign}/review/")
        return page.locator("#next-form button").count()

    until(is_drawn, limit_s=20)


def review_all(contest, page, n):
    open_queue(contest, page)
    for _ in range(n):
        if "/reviews/" not in page.url:
            page.locator("#next-form button").press("Enter")
            page.wait_for_url("**/reviews/*/")
        expect(page.locator("#rubric:not([inert])")).to_be_visible()
        expect(page.locator(".score-row.is-current")).to_have_count(1)
        here = page.url
        for key in ("1", "1", "1", "1"):
            page.keyboard.press(key)
        page.keyboard.press("Control+Enter")
        page.wait_for_url(lambda url, here=here: url != here)


def test_a_contest_is_run_in_browsers_alone(tmp_path, bot, browser):
    allowed = bot.url.removeprefix("http://").rstrip("/")
    with empty_site(tmp_path, allowed) as (base, link):
        contest = Contest(browser, base)
        organizer = contest.person(link, "organizer")
        make_campaign(contest, organizer)
        people = invited(contest, organizer)
        for name in TEAMS:
            register_bot(contest, people[name], bot.url)
        draw(contest, organizer)

        # A bot is paused and resumed; testers see why.
        organizer.goto(f"{contest.campaign}/teams/")
        organizer.locator("main a[href*='/teams/bots/']").first.click()
        pausing = organizer.locator("form", has=organizer.locator("[value=pause]"))
        pausing.locator("[name=because]").fill("It answers in another language.")
        organizer.locator("[name=act][value=pause]").click()
        tester = people["tester-a"]
        assert "another language" in _list_of(contest, tester)
        resuming = organizer.locator("form", has=organizer.locator("[value=resume]"))
        resuming.locator("[name=because]").fill("It answers in Chinese again.")
        organizer.locator("[name=act][value=resume]").click()
        assert "another language" not in _list_of(contest, tester)

        # Both testers talk; the first dialogue is declared void and done again.
        first = talk(contest, tester)
        for page in (tester, people["tester-b"], people["tester-b"]):
            talk(contest, page)
        organizer.goto(f"{contest.campaign}/dialogues/{first}/")
        form = organizer.locator("form[action$='/void/']")
        form.locator("xpath=ancestor::details").locator("summary").click()
        form.locator("[name=because]").fill("The tester was interrupted.")
        form.locator("button.danger").click()
        expect(organizer.locator("main")).to_contain_text("The tester was interrupted.")
        assert talk(contest, tester) != first

        for name in REVIEWERS:
            review_all(contest, people[name], 4)

        organizer.goto(f"{contest.campaign}/publication/")
        expect(organizer.locator("form[action$='/freeze/'] button")).to_be_enabled()
        organizer.locator("form[action$='/freeze/'] button").click()
        expect(organizer.locator("td a")).to_have_text("1", timeout=60_000)
        organizer.locator("form[action$='/publish/'] button").click()
        organizer.locator("#ask-yes").click()
        expect(organizer.locator("main")).to_contain_text("Everybody reads leaderboard 1")

        visitor = contest.visitor()
        visitor.goto(f"{contest.campaign}/leaderboard/")
        for team in TEAMS.values():
            expect(visitor.locator("tbody").first).to_contain_text(team)

        organizer.goto(f"{contest.campaign}/trail/")
        for act in ("paused the system", "declared the dialogue", "published"):
            expect(organizer.locator("main")).to_contain_text(act)
        assert [errors for errors in contest.errors if errors] == []


def _list_of(contest, page):
    page.goto(f"{contest.campaign}/testing/")
    return page.locator("main").inner_text()
