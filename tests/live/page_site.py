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

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, ViewportSize
from playwright.sync_api import Page as Tab

from tests.live.browser import chromium, go_to
from tests.live.databases import ROOT
from tests.live.server import served
from tests.migrated import migrated_file

LANGUAGES = {"zh": "zh-hans", "en": "en"}
THEMES = ("light", "dark")
# Of the person called nobody: who logs in by the page, as people do.
PASSWORD = "a long enough one"
CONNECTED = "body:has(#connection[data-state=connected])"
COMPUTED = "main:not(:has([data-reload-s])) .heat"
MOST_BYTES = 150_000
MOST_SHIFT = 0.05
# Sums up how far things moved by themselves.
WATCH = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) { if (!one.hadRecentInput) { window.shift += one.value; } }
}).observe({type: "layout-shift", buffered: true});
"""
SCREEN: ViewportSize = {"width": 1280, "height": 720}
SIZES = ((1280, 720), (1920, 1080), (390, 844))


@dataclass(frozen=True)
class Page:
    """A page to look at: who opens which address.

    `press` is a key that opens what is to be seen on it, once `ready` is there, and `shown` what is there then; `media` is
    "print" for the page on paper. `is_drawn` is a page that no address gives by itself (tests/live/seeds.py).
    """

    name: str
    path: str
    person: str = ""
    ready: str = "main"
    expects: int = 200
    press: str = ""
    shown: str = ""
    media: str = ""
    is_drawn: bool = False


PAGES = (
    Page("front", "/"),
    Page("about", "/about/", "tester-1"),
    Page("login", "/login/"),
    Page("code", "/login/code/", "half-way"),
    Page("error-404", "/nowhere/", expects=404),
    Page("error-405", "/campaigns/smp2018-demo/testing/open/", "tester-1", expects=405),
    Page("trail", "/campaigns/smp2018-demo/trail/", "organizer"),
    Page("trail-whole", "/trail/", "organizer"),
    Page("password", "/account/password/", "tester-1"),
    Page("tokens", "/account/tokens/", "tester-1"),
    Page("sessions", "/account/sessions/", "tester-1"),
    Page("details", "/account/details/", "tester-1"),
    Page("own-messages", "/account/messages/", "tester-1"),
    Page("confirm-address", "/account/messages/confirm/{confirmation}/", "tester-1"),
    Page("confirm-nothing", "/account/messages/confirm/x/", "tester-1", expects=404),
    Page("erase-own", "/account/erase/", "tester-3"),
    Page("erase-person", "/people/{tester}/erase/", "organizer"),
    Page("redact", "/campaigns/smp2018-demo/redact/{closed}/", "organizer"),
    Page("webhooks", "/campaigns/smp2018-demo/webhooks/", "organizer"),
    Page("models", "/campaigns/smp2018-demo/models/", "organizer"),
    Page("model", "/campaigns/smp2018-demo/models/{model}/", "organizer"),
    Page("judges", "/campaigns/smp2018-demo/judges/", "organizer"),
    Page("judge", "/campaigns/smp2018-demo/judges/{judge}/", "organizer"),
    Page("studies", "/campaigns/smp2018-demo/studies/", "organizer"),
    Page("study", "/campaigns/smp2018-demo/studies/{study}/", "organizer"),
    Page("enter", "/enter/{door}/?PROLIFIC_PID=new"),
    Page("enter-asks", "/enter/{door_that_asks}/?PROLIFIC_PID=new"),
    Page("crowd-full", "/enter/{full_door}/?PROLIFIC_PID=new"),
    Page("crowd-broken", "/enter/nowhere/", expects=404),
    Page("crowd-place", "/enter/{door}/place/", "p-at-work"),
    Page("crowd-list", "/campaigns/smp2018-demo/testing/", "p-at-work"),
    Page("crowd-completed", "/enter/{door}/place/", "p-done"),
    Page("removal", "/campaigns/smp2018-demo/removal/", "organizer"),
    Page("second-factor", "/account/second-factor/", "tester-1"),
    Page("home", "/", "organizer"),
    Page("find", "/find/?q=te&in=smp2018-demo", "organizer"),
    Page("find-dialog", "/campaigns/smp2018-demo/", "tester-1", press="Control+k", shown="#find[open] .found a"),
    Page("home-of-nothing", "/", "nobody"),
    Page("campaign", "/campaigns/smp2018-demo/", "tester-1"),
    Page("description-version", "/campaigns/smp2018-demo/about/1/", "tester-1"),
    Page("campaign-dated", "/campaigns/short/", "reviewer-1"),
    Page("campaign-organizer", "/campaigns/smp2018-demo/", "organizer"),
    Page("campaign-public", "/campaigns/smp2018/"),
    Page("apply", "/campaigns/smp2018-demo/apply/", "nobody"),
    Page("apply-waiting", "/campaigns/smp2018-demo/apply/", "applicant"),
    Page("apply-refused", "/campaigns/smp2018-demo/apply/", "refused-applicant"),
    Page("list", "/campaigns/smp2018-demo/testing/", "tester-1"),
    Page("tester-practice", "/campaigns/smp2018-demo/testing/practice/", "tester-1", ready=CONNECTED),
    Page("start", "/assignments/{assignment}/open/", "tester-3"),
    Page("console-start", "/dialogues/{fresh}/", "tester-1", ready=CONNECTED),
    Page("console", "/dialogues/{talking}/", "tester-1", ready=f"{CONNECTED} .turn[data-turn='3'] .from-bot"),
    Page("console-fail", "/dialogues/{with_failures}/", "tester-2", ready=f"{CONNECTED} .turn[data-turn='5'] .failure kbd"),
    Page("console-data", "/dialogues/{talking}/", "tester-1", ready=CONNECTED, press="Alt+d", shown="#data[open]"),
    Page("console-keys", "/dialogues/{talking}/", "tester-1", ready=CONNECTED, press="Alt+h", shown="#help[open]"),
    Page("console-ending", "/dialogues/{talking}/", "tester-1", ready=CONNECTED, press="Alt+9", shown="#ending[open]"),
    Page("console-problem", "/dialogues/{talking}/", "tester-1", ready=CONNECTED, press="Alt+p", shown="#problem[open]"),
    Page("console-score", "/dialogues/{to_score}/", "tester-1", ready="#rubric:not([inert])"),
    Page("review-queue", "/campaigns/panel/review/", "reviewer-1"),
    Page("review", "/reviews/{to_review_1}/", "reviewer-1", ready="#rubric:not([inert])"),
    Page("review-disputes", "/campaigns/panel/review/", "adjudicator"),
    Page("review-decide", "/reviews/{disputed}/", "adjudicator", ready="#rubric:not([inert])"),
    Page("review-to-vet", "/campaigns/vetted/review/", "expert"),
    Page("vetting", "/reviews/{to_vet}/vetting/", "expert"),
    Page("revisions", "/campaigns/panel/revisions/", "organizer"),
    Page("panels", "/campaigns/short/panels/", "organizer"),
    Page("agreement", "/campaigns/panel/agreement/", "organizer", ready="main:not(:has([data-reload-s])) section table"),
    Page("leaderboard", "/campaigns/smp2018/leaderboard/"),
    Page("leaderboard-print", "/campaigns/smp2018/leaderboard/", media="print"),
    Page("leaderboard-snapshot", "/campaigns/smp2018/leaderboard/1/"),
    Page("leaderboard-records", "/campaigns/smp2018/leaderboard/records/{ranked}/completion/", "organizer"),
    Page("leaderboard-figures", "/campaigns/smp2018-demo/leaderboard/figures/", "organizer"),
    Page("snapshot-figures", "/campaigns/smp2018/leaderboard/1/figures/"),
    Page("published-dialogues", "/campaigns/short/leaderboard/1/dialogues/", "organizer"),
    Page("published-dialogue", "/campaigns/short/leaderboard/1/dialogues/{published_dialogue}/", "organizer"),
    Page("side-by-side", "/campaigns/short/leaderboard/1/dialogues/side-by-side/", "organizer"),
    Page("snapshot-paper", "/campaigns/smp2018/leaderboard/1/paper/"),
    Page("snapshot-records", "/campaigns/smp2018/leaderboard/1/records/completion/"),
    Page("publication", "/campaigns/smp2018/publication/", "organizer"),
    Page("snapshot", "/campaigns/smp2018/publication/1/", "organizer"),
    Page("leaderboard-organizer", "/campaigns/smp2018-demo/leaderboard/", "organizer"),
    Page("faults", "/campaigns/smp2018-demo/faults/", "organizer"),
    Page("leaderboard-parts", "/campaigns/smp2018-demo/leaderboard/parts/", "organizer"),
    Page("correlations", "/campaigns/smp2018/correlations/", ready=COMPUTED),
    Page("correlations-organizer", "/campaigns/panel/correlations/", "organizer"),
    Page("wall", "/campaigns/smp2018-demo/wall/", "organizer", ready=CONNECTED),
    Page("scenarios", "/campaigns/smp2018-demo/scenarios/", "organizer"),
    Page("scenario", "/campaigns/smp2018-demo/scenarios/one/case-05/", "organizer"),
    Page("scenario-new", "/campaigns/smp2018-demo/scenarios/new/", "organizer"),
    Page("scenario-preview", "/campaigns/smp2018-demo/scenarios/one/case-05/preview/", "organizer"),
    Page("scenario-import", "/campaigns/smp2018-demo/scenarios/import/", "organizer"),
    Page("imports", "/campaigns/smp2018-demo/imports/", "organizer"),
    Page("import-battles", "/campaigns/smp2018-demo/imports/pairs/", "organizer"),
    Page("pairs", "/campaigns/panel/pairs/", "reviewer-1"),
    Page("pair", "/pairs/{to_compare}/", "reviewer-1"),
    Page("pair-live", "/pairs/{live_pair}/", "tester-1", ready=CONNECTED),
    Page("pair-keys", "/pairs/{to_compare}/", "reviewer-1", press="?", shown="#help[open]"),
    Page("pair-progress", "/campaigns/panel/pair-progress/", "organizer"),
    Page("pair-board", "/campaigns/compared/leaderboard/pairs/", "organizer"),
    Page("snapshot-pairs", "/campaigns/compared/leaderboard/1/pairs/", "organizer"),
    Page("import-records", "/campaigns/smp2018-demo/imports/records/", "organizer"),
    Page("campaign-file", "/campaigns/smp2018-demo/file/", "organizer"),
    Page("new-campaign", "/campaigns/new/", "organizer"),
    Page("settings", "/campaigns/smp2018-demo/settings/", "organizer"),
    Page("description", "/campaigns/smp2018-demo/description/", "organizer"),
    Page("review-guide", "/campaigns/panel/review/guide/", "organizer"),
    Page("guide-examples", "/campaigns/panel/review/guide/examples/", "organizer"),
    Page("rubric", "/campaigns/short/rubric/", "organizer"),
    Page("rubric-fixed", "/campaigns/smp2018-demo/rubric/", "organizer"),
    Page("calendar", "/campaigns/short/calendar/", "organizer"),
    Page("organize", "/campaigns/smp2018-demo/organize/", "organizer"),
    Page("problems", "/campaigns/smp2018-demo/problems/", "organizer"),
    Page("dialogues", "/campaigns/smp2018-demo/dialogues/", "organizer"),
    Page("dialogues-found", "/campaigns/smp2018-demo/dialogues/?words=%E9%A2%84%E8%AE%A2%E6%88%90%E5%8A%9F", "organizer"),
    Page("dialogue", "/campaigns/smp2018-demo/dialogues/{with_failures}/", "organizer"),
    Page("dialogue-scored", "/campaigns/panel/dialogues/{disputed}/", "organizer"),
    Page("failures", "/campaigns/smp2018-demo/failures/", "organizer"),
    Page("objections", "/campaigns/smp2018-demo/objections/", "organizer"),
    Page("replays", "/campaigns/smp2018-demo/replays/?dialogue={replayed}&against={replayed_alias}", "organizer"),
    Page("replay", "/campaigns/smp2018-demo/replays/{replay}/", "organizer"),
    Page("assignments", "/campaigns/smp2018-demo/assignments/", "organizer"),
    Page("reassign", "/campaigns/smp2018-demo/assignments/{assignment}/", "organizer"),
    Page("people", "/campaigns/smp2018-demo/people/", "organizer"),
    Page("hours", "/campaigns/smp2018-demo/people/hours/", "organizer"),
    Page("invitations", "/campaigns/smp2018-demo/people/invitations/", "organizer"),
    Page("person", "/campaigns/smp2018-demo/people/{tester}/", "organizer"),
    Page("leave", "/campaigns/smp2018-demo/people/{tester}/leave/?role=tester", "organizer"),
    Page("forgotten-password", "/password/forgotten/"),
    Page("set-password", "/password/set/{link}/"),
    Page("link-unknown", "/password/set/unknown/", expects=404),
    Page("invitation", "/invitations/{invitation}/"),
    Page("invitation-unknown", "/invitations/unknown/", expects=404),
    Page("coverage", "/campaigns/smp2018-demo/coverage/", "organizer"),
    Page("coverage-chosen", "/campaigns/smp2018-demo/coverage/?by=person&chosen=tester-1", "organizer"),
    Page("coverage-reviews", "/campaigns/short/coverage/?by=reviews", "organizer"),
    Page("draw", "/campaigns/smp2018-demo/coverage/draw/", "organizer"),
    Page("team", "/campaigns/smp2018-demo/team/", "participant"),
    Page("own-bot", "/campaigns/smp2018-demo/team/bots/{own_bot}/", "participant"),
    Page("own-objections", "/campaigns/smp2018-demo/team/objections/", "participant"),
    Page("own-replays", "/campaigns/smp2018/team/replays/", "participant"),
    Page("own-replay", "/campaigns/smp2018/team/replays/{own_replay}/", "participant"),
    Page("own-report", "/campaigns/smp2018/team/bots/{ranked}/report/", "participant"),
    Page("own-transcript", "/campaigns/smp2018-demo/team/dialogues/{closed}/", "participant"),
    Page("practice", "/campaigns/smp2018-demo/team/practice/{practice}/", "participant",
         ready=f"{CONNECTED} .turn[data-turn='2'] .from-bot"),
    Page("checks", "/campaigns/smp2018-demo/bots/{own_bot}/checks/", "participant"),
    Page("check", "/campaigns/smp2018-demo/checks/{report}/", "participant"),
    Page("check-green", "/campaigns/smp2018-demo/checks/{green_report}/", "participant"),
    Page("check-running", "/campaigns/smp2018-demo/checks/{report_of_organizer}/", "organizer"),
    Page("try-own", "/campaigns/smp2018-demo/team/try/", "participant"),
    Page("teams", "/campaigns/smp2018-demo/teams/", "organizer"),
    Page("try", "/campaigns/smp2018-demo/teams/try/", "organizer"),
    Page("team-bot", "/campaigns/smp2018-demo/teams/bots/{own_bot}/", "organizer"),
    Page("teams-agreement", "/campaigns/smp2018-demo/teams/agreement/", "organizer"),
    Page("teams-data", "/campaigns/smp2018-demo/teams/data/", "organizer"),
    Page("tasks", "/campaigns/smp2018-demo/tasks/", "participant"),
    Page("task", "/campaigns/smp2018-demo/tasks/quality/", "participant"),
    Page("task-service", "/campaigns/smp2018-demo/tasks/intents/", "participant"),
    Page("task-organize", "/campaigns/smp2018-demo/tasks/quality/organize/", "organizer"),
    Page("task-setup", "/campaigns/smp2018-demo/task-setup/", "organizer"),
    Page("task-new", "/campaigns/smp2018-demo/task-setup/new/dialogue-quality/", "organizer"),
    Page("task-edit", "/campaigns/smp2018-demo/task-setup/one/quality/", "organizer"),
    Page("task-quotas", "/campaigns/smp2018-demo/task-setup/one/quality/quotas/", "organizer"),
    Page("task-board", "/campaigns/smp2018-demo/tasks/quality/board/development/", "organizer"),
    Page("combined-board", "/campaigns/smp2018-demo/boards/main/", "organizer"),
    Page("run", "/campaigns/smp2018-demo/runs/{run}/", "participant"),
    Page("run-items", "/campaigns/smp2018-demo/runs/{run}/items/development/", "organizer"),
    Page("services", "/campaigns/smp2018-demo/services/", "organizer"),
    Page("service", "/campaigns/smp2018-demo/services/{service}/", "participant"),
    Page("service-checks", "/campaigns/smp2018-demo/services/{service}/checks/", "participant"),
    Page("service-check", "/campaigns/smp2018-demo/service-checks/{service_report}/", "participant"),
    Page("api", "/about/api/"),
    Page("design", "/design/", "organizer"),
    Page("operate", "/operate/", "organizer"),
    Page("site-organizers", "/operate/organizers/", "organizer"),
    Page("addresses", "/operate/addresses/", "organizer"),
    Page("apply-newcomer", "/campaigns/smp2018-demo/apply/"),
    Page("programs", "/campaigns/smp2018-demo/programs/", "organizer"),
    Page("rehearsals", "/campaigns/smp2018-demo/rehearsals/", "organizer"),
    Page("rehearsals-empty", "/campaigns/short/rehearsals/", "organizer"),
    Page("rehearsal", "/campaigns/smp2018-demo/rehearsals/{rehearsal}/", "organizer"),
    Page("rehearsal-running", "/campaigns/smp2018-demo/rehearsals/{rehearsal_running}/", "organizer"),
    Page("dry-run", "/campaigns/smp2018-demo/programs/dry-run/{model}/", "organizer"),
    Page("comparison", "/campaigns/smp2018-demo/comparison/?with=smp2018", "organizer"),
    Page("rankings", "/campaigns/smp2018-demo/rankings/", "organizer"),
    *(Page(f"error-{status}", "/", expects=status, is_drawn=True) for status in (400, 403, 409, 413, 429, 500, 503)),
    Page("combined-publication", "/campaigns/smp2018-demo/boards/main/publication/", "organizer"),
    Page("task-board-publication", "/campaigns/smp2018-demo/tasks/quality/board/hidden/publication/", "organizer"),
)  # fmt: skip


@dataclass
class Looking:
    """A tab, and what the browser complained of in it."""

    tab: Tab
    errors: list[str] = field(default_factory=list)
    expects: int = 200

    def note(self, message: ConsoleMessage) -> None:
        if message.type == "error" and f"status of {self.expects}" not in message.text:
            self.errors.append(message.text)


@dataclass
class PageSite:
    base: str
    browser: Browser
    database: Path
    sessions: dict[str, str]
    values: dict[str, str]
    drawn: dict[str, str]
    _contexts: dict[tuple[str, str], BrowserContext] = field(default_factory=dict)
    _looking: dict[tuple[str, str], Looking] = field(default_factory=dict)

    def address(self, page: Page) -> str:
        return self.base + page.path.format(**self.values)

    def context(self, person: str, language: str) -> BrowserContext:
        """A browser of that person; their language is set where the server looks for it."""
        if (person, language) not in self._contexts:
            context = self.browser.new_context(viewport=SCREEN, reduced_motion="reduce")
            cookies = {"django_language": LANGUAGES[language]}
            if person:
                cookies["sessionid"] = self.sessions[person]
            context.add_cookies([{"name": name, "value": value, "url": self.base} for name, value in cookies.items()])
            self._contexts[person, language] = context
        if person:
            self.speak(language)
        return self._contexts[person, language]

    def speak(self, language: str) -> None:
        self.store("UPDATE accounts_person SET language = ?", LANGUAGES[language])

    def store(self, statement: str, *values: object) -> None:
        """Changes the server's database beside it, as another process would."""
        connection = sqlite3.connect(self.database, timeout=10)
        with connection:
            connection.execute(statement, [str(value) for value in values])
        connection.close()

    def give_drawn(self, tab: Tab, page: Page, language: str) -> None:
        """Answers the page's address in this tab with what was drawn for it."""
        if page.is_drawn:
            body = self.drawn[f"{page.name}-{language}"]
            tab.route(
                self.address(page),
                lambda route: route.fulfill(status=page.expects, content_type="text/html; charset=utf-8", body=body),
            )

    def open(self, page: Page, language: str):
        """A tab that shows the page, and the list of the browser's complaints about it."""
        looking = self.new_tab(page.person, language)
        self.show(looking, page, language)
        return looking.tab, looking.errors

    def look(self, page: Page, language: str):
        """As `open`, in the tab in which this person looks at one page after another: each new tab costs a process."""
        if (page.person, language) not in self._looking:
            self._looking[page.person, language] = self.new_tab(page.person, language)
        looking = self._looking[page.person, language]
        looking.tab.unroute_all()
        looking.tab.set_viewport_size(SCREEN)
        looking.tab.emulate_media(media="screen", color_scheme="light")
        looking.errors.clear()
        self.speak(language)
        self.show(looking, page, language)
        return looking.tab, looking.errors

    def new_tab(self, person: str, language: str) -> Looking:
        looking = Looking(self.context(person, language).new_page())
        looking.tab.add_init_script(WATCH)
        looking.tab.on("pageerror", lambda error: looking.errors.append(str(error)))
        looking.tab.on("console", lambda message: looking.note(message))
        return looking

    def show(self, looking: Looking, page: Page, language: str) -> None:
        tab, looking.expects = looking.tab, page.expects
        self.give_drawn(tab, page, language)
        answer = go_to(tab, self.address(page))
        assert answer is not None
        assert answer.status == page.expects, f"{page.name}: {answer.status}"
        tab.wait_for_selector(page.ready)
        if page.press:
            tab.keyboard.press(page.press)
            tab.wait_for_selector(page.shown)
        if page.media:
            tab.emulate_media(media="print")
        tab.evaluate("document.fonts.ready.then(() => undefined)")

    def read(self, page: Page, language: str) -> str:
        """The page as the server sends it, without a browser's work."""
        if page.is_drawn:
            return self.drawn[f"{page.name}-{language}"]
        answer = self.context(page.person, language).request.get(self.address(page))
        assert answer.status == page.expects, f"{page.name}: {answer.status}"
        return answer.text()


@contextmanager
def page_site(folder: Path) -> Iterator[PageSite]:
    database = folder / "pages.sqlite3"
    database.write_bytes(migrated_file().read_bytes())
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{database}", "HUACE_DEMO": "1"}
    environment.pop("REDIS_URL", None)
    seeds = [sys.executable, "manage.py", "shell", "-v0", "-c", "from tests.live.seeds import main; main()"]
    made = json.loads(subprocess.run(seeds, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE).stdout)
    with served(environment, "--drain", "0") as base, chromium() as browser:
        yield PageSite(base, browser, database, made["sessions"], made["values"], made["drawn"])
