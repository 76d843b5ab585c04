"""Each page that lists or shows something, of the site and of the API, asks the database at most so often in a whole contest.

The routes come from the resolver: a new one needs its line in `MOST`. That pages ask no more often for more rows, whatever
the rows are, is in `test_page_queries.py`; here stands how often at all.
"""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone

from accounts.models import Person
from dialogues.models import Dialogue
from tests.contest import grow
from tests.routes import ROUTES, access_of
from tests.world import address_of, client_of, frozen, people, run

__all__ = ["frozen", "people", "run"]

# By the name of the route: two more than were measured, so one query per bot is too many. Exports ask once per part.
MOST = {
    "studies": 8, "study": 13, "study-payments": 9, "study-ids": 8, "api-studies": 7, "api-study": 9, "api-study-arrivals": 10, "api-study-payments": 9, "api-study-ids": 8,
    "review-guide": 20, "api-review-guide": 17, "guide-examples": 14, "api-guide-examples": 10, "about": 13, "hours": 8, "api-hours": 7, "rubric": 16, "api-rubric": 14, "programs": 30, "api-programs": 25, "dry-run": 12, "api-dry-run": 8, "comparison": 27, "api-comparison": 24, "description": 7, "description-version": 13, "api-description": 8, "api-description-version": 8, "agreement": 10, "agreement-of-teams": 11, "api-agreement": 7, "api-agreement-of-panel": 9,
    "api-announcements": 8, "api-application": 7, "api-applications": 8, "api-assignments": 11, "api-board-parts": 12,
    "api-calendar": 6, "api-campaign": 27, "api-campaign-dialogue": 16, "api-campaign-dialogues": 14,
    "api-campaign-file": 25, "api-check": 9, "api-choices": 6, "api-closed-panels": 8, "api-combined-board": 17,
    "api-combined-publication": 44, "combined-publication": 47, "api-task-board-publication": 28, "task-board-publication": 30,
    "api-correlations": 13, "api-coverage": 18, "api-details": 4, "api-dialogue": 7, "api-dialogue-card": 9,
    "api-dialogue-items": 8, "api-drawing": 13, "api-example-gold": 6, "api-example-run": 7, "api-export": 37,
    "api-failures": 10, "api-faults": 6, "api-faults-preview": 7, "api-figure-records": 11, "api-fingerprints": 11,
    "api-frames": 4, "api-invitations": 8, "api-leaderboard": 14, "api-leaderboard-statistics": 8, "api-metrics": 7,
    "api-one-service": 10, "api-one-task": 12, "api-own-bot": 11, "api-own-campaigns": 24, "api-own-dialogue": 9,
    "api-own-dialogues": 9, "api-own-failures": 12, "api-own-health": 10, "api-package-file": 19, "api-packages": 12,
    "api-page": 4, "api-panels": 7, "api-people": 11, "api-person": 12, "api-person-leave": 16, "api-practice": 10,
    "api-preferences": 4, "api-presets": 4, "api-problems": 8, "api-public-campaigns": 13, "api-publication": 35,
    "api-published-bundle": 13, "api-rankings": 20, "api-published-document": 13, "api-published-table": 13, "api-review": 10,
    "api-review-queue": 7, "api-review-sheet": 18, "api-review-waiting": 8, "api-revision-requests": 8, "api-run": 11,
    "api-run-batches": 11, "api-run-file": 16, "api-run-items": 10, "api-runs": 12, "api-scenario": 8,
    "api-scenario-card": 8, "api-scenario-example": 6, "api-scenarios": 8, "api-schema": 4, "api-second-factor": 6,
    "api-service": 10, "api-service-check": 9, "api-service-fingerprints": 11, "api-services": 12, "api-sessions": 5,
    "api-settings": 7, "api-snapshot": 8, "api-task-board": 17, "api-task-files": 18, "api-task-quotas": 9,
    "api-task-setup": 12, "api-tasks": 11, "api-requests-to-team": 6, "api-team-requests": 5, "api-team": 15, "api-team-bot": 10, "api-teams": 12, "api-to-do": 9,
    "api-tokens": 6, "api-trail": 7, "api-turn-request": 8, "api-wall": 62, "api-whole-trail": 5, "apply": 11,
    "assignments": 13, "calendar": 7, "campaign": 32, "check": 12, "check-badge": 5, "combined-board": 20,
    "console": 16, "correlation-file": 13, "correlations": 20, "coverage": 19, "design": 4, "details": 5,
    "dialogue-shown": 19, "dialogues": 18, "draw": 15, "example-gold": 6, "example-run": 7, "export": 37,
    "failures": 13, "faults": 10, "favicon": 4, "find": 22, "file": 7, "file-download": 25, "forgotten-password": 4, "home": 28,
    "import-records": 7, "imports": 7, "invitations": 10, "leaderboard": 24, "leaderboard-records": 16, "leave": 17,
    "new-campaign": 5, "site-organizers": 6, "api-site-organizers": 5, "addresses": 6, "api-addresses": 5, "operate": 17, "organize": 24, "organize-task": 15, "own-transcript": 11, "package-file": 21, "packages": 12,
    "panels": 9, "password": 4, "people": 13, "person": 16, "practice": 19, "problems": 10, "publication": 57,
    "reassign": 10, "review": 28, "review-queue": 16, "revisions": 9, "run": 16, "run-file": 16, "run-items": 11,
    "run-progress": 10, "scenario": 10, "scenario-example": 6, "scenario-import": 7, "scenario-new": 7,
    "scenario-preview": 9, "scenarios": 9, "second-factor": 6, "service-check": 11, "service-check-badge": 5,
    "rankings": 24, "session": 4, "sessions": 5, "settings": 13, "slices": 14, "snapshot": 11, "snapshot-bundle": 13,
    "snapshot-csv": 13, "snapshot-details": 18, "snapshot-json": 13, "snapshot-paper": 13, "snapshot-part": 13, "snapshot-dialogues": 13, "snapshot-dialogue": 13, "snapshot-side-by-side": 13, "snapshot-figures": 13, "snapshot-pairs": 12, "pair-board": 13, "api-pair-board": 13, "pairs": 23, "pair": 27, "pair-progress": 10, "api-pairs": 15, "api-pair": 15, "api-pair-progress": 9, "import-battles": 7, "figures": 12, "board-part": 15, "snapshot-records": 11, "task": 23,
    "task-board": 18, "task-edit": 17, "task-files": 18, "task-new": 7, "task-quotas": 10, "task-setup": 8,
    "tasks": 17, "team": 20, "teams": 17, "tester-list": 22, "tester-practice": 9, "api-consent": 9, "tokens": 7, "trail": 8, "trail-file": 12, "try-bot": 8,
    "try-own-bot": 9, "turn-request": 8, "verifier": 4, "vetting": 15, "wall": 66, "whole-trail": 6, "whole-trail-file": 10,
    "api-checks": 11, "api-service-checks": 11, "checks": 15,
    "api-erase-own": 24, "api-removal": 96, "erase-own": 26, "erase-person": 25, "own-messages": 7, "api-own-messages": 6, "api-webhooks": 7, "api-models": 7, "api-model": 7, "api-model-calls": 7, "models": 8, "model": 9, "api-deliveries": 8, "webhooks": 11, "redact": 9, "removal": 98,
    "judges": 9, "judge": 24, "api-judges": 7, "api-judge": 22,
    "objections": 10, "api-objections": 8, "own-objections": 10, "api-own-objections": 8, "own-report": 34, "api-own-report": 27,
    "rehearsals": 10, "rehearsal": 16, "api-rehearsals": 8, "api-rehearsal": 15,
    "replays": 12, "api-replays": 8, "replay": 10, "api-replay": 9, "api-sentinel-rounds": 8, "own-replays": 14, "api-own-replays": 9, "own-replay": 12, "api-own-replay": 10,
    "own-bot": 22, "service-checks": 14, "service-page": 15, "services": 13, "team-bot": 14,
}  # fmt: skip


@pytest.fixture
def readers(people):
    """A client per role, and of somebody whom the site itself trusts."""
    staff = Person.objects.create_user("staff", is_staff=True)
    return {**{role.value: client_of(person) for role, person in people.items()}, "staff": client_of(staff)}


def who_opens(callback):
    access = access_of(callback)
    if access.kind == "staff":
        return ["staff"]
    return [str(role) for role in access.roles] or ["organizer", "tester", "reviewer", "participant"]


@pytest.fixture
def pages(people, dialogue, run, frozen):
    """Name, reader and address of every page that is there for them; experts and teams come last."""
    found = []
    for path, callback in ROUTES:
        if "<str:token>" not in path:
            address = address_of(path, dialogue, run)
            name = resolve(address.partition("?")[0]).url_name
            found += [(name, who, address) for who in who_opens(callback)]
    return sorted(found, key=reads_what_is_over)


def reads_what_is_over(page):
    """Experts and teams read of a dialogue that is closed, and nothing before."""
    _, who, address = page
    return who == "expert" or "/team/" in address


def opened(pages, readers, dialogue):
    """By its name, how often each page asked the database, for the reader for whom it asked most."""
    asked = {}
    for page in pages:
        name, who, address = page
        if reads_what_is_over(page):
            Dialogue.objects.filter(pk=dialogue.pk).update(status="completed", closed_at=timezone.now())
        if n := n_queries(readers[who], address):
            asked[name] = max(n, asked.get(name, 0))
    return asked


def n_queries(client, address):
    """0 where nothing is shown: the route takes other methods, or leads on."""
    # Django keeps the last 9,000 queries: a full log would grow by none.
    connection.queries_log.clear()
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
        assert answer.status_code < 500, address
        answer.getvalue()  # a file that is sent in pieces is read while it is sent
    return len(captured) if answer.status_code == 200 else 0


@pytest.mark.django_db
def test_every_page_asks_no_more_often_than_it_says(campaign, dialogue, pages, readers, settings, monkeypatch):
    settings.API_RATE = 0
    # On a slow machine some page would note that its reader is still there.
    monkeypatch.setattr("accounts.sessions.limits.SEEN_EVERY", timedelta(days=1))
    opened(pages, readers, dialogue)  # what stays in memory is read by the first
    Dialogue.objects.filter(pk=dialogue.pk).update(status="open", closed_at=None)
    grow(campaign)
    asked = opened(pages, readers, dialogue)
    assert {name: n for name, n in asked.items() if n > MOST.get(name, 0)} == {}
    assert MOST.keys() - asked.keys() == set()
