"""A site with something on every page, in a browser: for the tests of pages, the contact sheet and the measurements."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext

from demo.sample_bots import free_port, wait_for_port
from tests.live.browser import chromium
from tests.live.databases import ROOT
from tests.live.server import migrated_database

LANGUAGES = {"zh": "zh-hans", "en": "en"}
THEMES = ("light", "dark")
CONNECTED = "body:has(#connection[data-state=connected])"
COMPUTED = "main:not(:has([data-reload-s])) .heat"
SIZES = ((1280, 720), (1920, 1080), (390, 844))


@dataclass(frozen=True)
class Page:
    """A page to look at: who opens which address; `picture` is the prototype's, `note` how ours differs and why."""

    name: str
    path: str
    person: str = ""
    picture: str = ""
    note: str = ""
    ready: str = "main"
    expects: int = 200


PAGES = (
    Page("front", "/", picture="front", note="States and dates are the campaign's own; English is drawn as fully as Chinese."),
    Page("login", "/login/"),
    Page("error-404", "/nowhere/", picture="error", note="For anybody, so it leads to the start, not to assignments.", expects=404),
    Page("error-405", "/campaigns/smp2018-demo/testing/open/", "tester-1", picture="error", expects=405,
         note="The same page for every status: what it means and what to do, in both languages."),
    Page("trail", "/campaigns/smp2018-demo/trail/", "organizer"),
    Page("password", "/account/password/", "tester-1"),
    Page("tokens", "/account/tokens/", "tester-1"),
    Page("sessions", "/account/sessions/", "tester-1"),
    Page("second-factor", "/account/second-factor/", "tester-1"),
    Page("home", "/", "organizer"),
    Page("home-of-nothing", "/", "nobody", picture="error", note="An empty state that says who adds you."),
    Page("campaign", "/campaigns/smp2018-demo/", "tester-1", picture="campaign",
         note="Stages that are read off the data instead of a calendar: they cannot be wrong. What is next has the same place."),
    Page("campaign-organizer", "/campaigns/smp2018-demo/", "organizer", picture="campaign",
         note="The same page by another role: other tabs, another next step."),
    Page("campaign-public", "/campaigns/smp2018/", picture="campaign",
         note="For anybody, once it is announced or published; imported records are named as such."),
    Page("list", "/campaigns/smp2018-demo/testing/", "tester-1", picture="list"),
    Page("console-start", "/dialogues/{fresh}/", "tester-1", picture="console-start", ready=CONNECTED),
    Page("console", "/dialogues/{talking}/", "tester-1", picture="console", ready=f"{CONNECTED} .turn[data-turn='3'] .from-bot"),
    Page("console-score", "/dialogues/{to_score}/", "tester-1", picture="console-score", ready="#rubric:not([inert])"),
    Page("review-queue", "/campaigns/panel/review/", "reviewer-1", picture="list",
         note="A reviewer's own order; what is handed in stands below, with undo and the request to revise."),
    Page("review", "/reviews/{to_review_1}/", "reviewer-1", picture="review", ready="#rubric:not([inert])",
         note="Labels of both speakers, each by its row of the keyboard; verdicts at the rules of the parts."),
    Page("review-disputes", "/campaigns/panel/review/", "adjudicator", picture="list"),
    Page("review-decide", "/reviews/{disputed}/", "adjudicator", picture="review", ready="#rubric:not([inert])",
         note="The panel's scores under their columns, by number."),
    Page("review-to-vet", "/campaigns/vetted/review/", "expert", picture="list"),
    Page("vetting", "/reviews/{to_vet}/vetting/", "expert", picture="review"),
    Page("revisions", "/campaigns/panel/revisions/", "organizer", picture="wall"),
    Page("panels", "/campaigns/short/panels/", "organizer", picture="wall", note="What the wall calls stuck, with what would fill it."),
    Page("agreement", "/campaigns/panel/agreement/", "organizer", picture="board", ready="main:not(:has([data-reload-s])) section table",
         note="Computed in the background like a board; the tables of the board, one per criterion."),
    Page("leaderboard", "/campaigns/smp2018/leaderboard/", picture="board"),
    Page("publication", "/campaigns/smp2018/publication/", "organizer"),
    Page("snapshot", "/campaigns/smp2018/publication/1/", "organizer"),
    Page("leaderboard-organizer", "/campaigns/smp2018-demo/leaderboard/", "organizer", picture="board"),
    Page("leaderboard-parts", "/campaigns/smp2018-demo/leaderboard/parts/", "organizer", picture="board"),
    Page("correlations", "/campaigns/smp2018/correlations/", picture="board", ready=COMPUTED,
         note="MSDE's Tables 11–13 as a heat map: F1 of Task 1 beside the human means of Task 2, over the teams in both."),
    Page("correlations-organizer", "/campaigns/panel/correlations/", "organizer", picture="board",
         note="Nothing to compare yet, and where a table of metrics goes."),
    Page("wall", "/campaigns/smp2018-demo/wall/", "organizer", picture="wall", ready=CONNECTED,
         note="Coverage has a page of its own; testers stand under the dialogues, and all can be told something at the foot."),
    Page("scenarios", "/campaigns/smp2018-demo/scenarios/", "organizer"),
    Page("scenario", "/campaigns/smp2018-demo/scenarios/one/case-05/", "organizer"),
    Page("scenario-preview", "/campaigns/smp2018-demo/scenarios/one/case-05/preview/", "organizer", picture="console-start",
         note="The goal card alone, with nothing that can be pressed."),
    Page("scenario-import", "/campaigns/smp2018-demo/scenarios/import/", "organizer"),
    Page("campaign-file", "/campaigns/smp2018-demo/file/", "organizer"),
    Page("organize", "/campaigns/smp2018-demo/organize/", "organizer", picture="wall",
         note="What does not move: systems with their addresses, progress, exports."),
    Page("problems", "/campaigns/smp2018-demo/problems/", "organizer"),
    Page("people", "/campaigns/smp2018-demo/people/", "organizer", picture="wall"),
    Page("invitations", "/campaigns/smp2018-demo/people/invitations/", "organizer"),
    Page("forgotten-password", "/password/forgotten/"),
    Page("invitation-unknown", "/invitations/unknown/", expects=404),
    Page("coverage", "/campaigns/smp2018-demo/coverage/", "organizer", picture="wall",
         note="The wall's matrix as a page: counts beside every ruler, and what would fill a hole in words."),
    Page("coverage-chosen", "/campaigns/smp2018-demo/coverage/?by=person&chosen=tester-1", "organizer", picture="wall"),
    Page("coverage-reviews", "/campaigns/short/coverage/?by=reviews", "organizer", picture="wall",
         note="Holes of panels as holes of testing; what nobody can fill is above the matrix, with its reasons."),
    Page("draw", "/campaigns/smp2018-demo/coverage/draw/", "organizer"),
    Page("team", "/campaigns/smp2018-demo/team/", "participant", picture="bot",
         note="Systems with state and health, data and tasks; the graded report is to come."),
    Page("teams", "/campaigns/smp2018-demo/teams/", "organizer"),
    Page("teams-agreement", "/campaigns/smp2018-demo/teams/agreement/", "organizer"),
    Page("teams-data", "/campaigns/smp2018-demo/teams/data/", "organizer"),
    Page("tasks", "/campaigns/smp2018-demo/tasks/", "participant"),
    Page("task", "/campaigns/smp2018-demo/tasks/quality/", "participant", picture="bot",
         note="Same order as there: what is left, what to hand in, what became of it."),
    Page("task-service", "/campaigns/smp2018-demo/tasks/intents/", "participant"),
    Page("task-organize", "/campaigns/smp2018-demo/tasks/quality/organize/", "organizer"),
    Page("task-board", "/campaigns/smp2018-demo/tasks/quality/board/development/", "organizer", picture="board"),
    Page("combined-board", "/campaigns/smp2018-demo/boards/main/", "organizer", picture="board"),
    Page("run", "/campaigns/smp2018-demo/runs/{run}/", "participant"),
    Page("design", "/design/", "organizer", picture="parts",
         note="Every state of the ruler, in flight and lost too; the icons; scores are shown by the console."),
)  # fmt: skip


@dataclass
class PageSite:
    base: str
    browser: Browser
    database: Path
    sessions: dict[str, str]
    values: dict[str, str]
    _contexts: dict[tuple[str, str], BrowserContext] = field(default_factory=dict)

    def address(self, page: Page) -> str:
        return self.base + page.path.format(**self.values)

    def context(self, person: str, language: str) -> BrowserContext:
        """A browser of that person; their language is set where the server looks for it."""
        if (person, language) not in self._contexts:
            context = self.browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
            cookies = {"django_language": LANGUAGES[language]}
            if person:
                cookies["sessionid"] = self.sessions[person]
            context.add_cookies([{"name": name, "value": value, "url": self.base} for name, value in cookies.items()])
            self._contexts[person, language] = context
        if person:
            self.speak(language)
        return self._contexts[person, language]

    def speak(self, language: str) -> None:
        connection = sqlite3.connect(self.database, timeout=10)
        with connection:
            connection.execute("UPDATE accounts_person SET language = ?", (LANGUAGES[language],))
        connection.close()

    def open(self, page: Page, language: str):
        """A tab that shows the page, and the list of the browser's complaints about it."""
        tab = self.context(page.person, language).new_page()
        errors: list[str] = []
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on(
            "console",
            lambda message: (
                errors.append(message.text) if message.type == "error" and "status of 40" not in message.text else None
            ),
        )
        answer = tab.goto(self.address(page))
        assert answer is not None
        assert answer.status == page.expects, f"{page.name}: {answer.status}"
        tab.wait_for_selector(page.ready)
        tab.evaluate("document.fonts.ready.then(() => undefined)")
        return tab, errors


@contextmanager
def page_site(folder: Path) -> Iterator[PageSite]:
    database = folder / "pages.sqlite3"
    database.write_bytes(migrated_database().read_bytes())
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{database}", "HUACE_DEMO": "1"}
    environment.pop("REDIS_URL", None)
    seeds = [sys.executable, "-m", "tests.live.seeds"]
    made = json.loads(subprocess.run(seeds, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE).stdout)
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--no-worker", "--drain", "0"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port, server, "The server")
        with chromium() as browser:
            yield PageSite(f"http://127.0.0.1:{port}", browser, database, made["sessions"], made["values"])
    finally:
        server.terminate()
        server.wait()
