"""No page asks the database more often because there are more rows: each is opened at two sizes of everything."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Person
from automatic_tasks.actions import score_baselines, submit_file_run
from automatic_tasks.models import AutomaticTask, Run, RunState, Score
from campaigns.models import Campaign, Role
from dialogues.actions import open_chosen_dialogue
from dialogues.models import Dialogue
from leaderboards.actions import refresh_leaderboard
from participants.models import Team
from reviews.actions import submit_review
from tests.automatic_tasks.conftest import good_run, tasks
from tests.conftest import Admitted
from tests.dialogues.test_actions import Talk
from tests.publishing import publish_now

__all__ = ["good_run", "tasks"]

pytestmark = pytest.mark.django_db

HOME = ["/", "/about/", "/start/", "/campaigns/small/"]
TASKS = [
    "/campaigns/small/tasks/", "/campaigns/small/tasks/quality/", "/api/v1/campaigns/small/tasks/",
    "/campaigns/small/services/", "/api/v1/campaigns/small/services/",
]  # fmt: skip
BOARDS = [
    "/campaigns/small/leaderboard/", "/api/v1/campaigns/small/leaderboard/",
    "/campaigns/small/correlations/", "/api/v1/campaigns/small/correlations/",
    "/campaigns/small/tasks/quality/board/hidden/", "/api/v1/campaigns/small/tasks/quality/board/hidden/",
]  # fmt: skip
PAGES = {
    "nobody": [*HOME, *BOARDS],
    "tester": [*HOME, "/campaigns/small/testing/", "/dialogues/{dialogue}/"],
    "participant": [
        *HOME, *TASKS, *BOARDS, "/api/v1/campaigns/small/tasks/quality/runs/",
        "/campaigns/small/team/", "/campaigns/small/team/bots/{entry}/", "/api/v1/campaigns/small/team/",
    ],
    "organizer": [
        *HOME, *TASKS, *BOARDS, "/campaigns/small/wall/", "/campaigns/small/organize/",
        "/campaigns/small/teams/", "/campaigns/small/teams/data/", "/campaigns/small/teams/agreement/", "/api/v1/campaigns/small/teams/",
        "/campaigns/small/coverage/", "/campaigns/small/coverage/draw/",
        "/campaigns/small/publication/", "/campaigns/small/publication/1/", "/campaigns/small/leaderboard/1/",
        "/campaigns/small/leaderboard/records/{entry}/completion/", "/campaigns/small/leaderboard/parts/", "/campaigns/small/tasks/quality/organize/",
        "/api/v1/campaigns/small/tasks/quality/runs/",
    ],
}  # fmt: skip
SCORES = {"satisfaction": 1, "fluency": 0, "guidance": 1}


@pytest.fixture(autouse=True)
def published(campaign, tasks):
    publish_now(campaign)
    AutomaticTask.objects.update(released_at=timezone.now(), board_is_open=True)


def add_dialogues(campaign, n):
    """Entries, scenarios and dialogues: every other one scored, the rest open."""
    tester = Person.objects.get(username="tester")
    first, case = campaign.entries.order_by("pk").first(), campaign.scenarios.order_by("pk").first()
    for _ in range(n):
        number = campaign.entries.count()
        team = Team.objects.create(name=f"Team {number}")
        bot = team.bots.create(name=f"bot {number}")
        entry = campaign.entries.create(bot=bot, key=f"b{number}", alias=f"B{number}", url=first.url)
        scenario = campaign.scenarios.create(key=f"case-{number}", position=10 + number)
        scenario.subtasks.create(position=1, kind="flight", turn_cap=3)
        for place in (case, scenario):
            dialogue = open_chosen_dialogue(
                campaign=campaign, tester=tester, entry=entry, scenario=place, at=timezone.now()
            )
        talk = Talk(dialogue, Admitted(tester))
        talk.turns(1)
        talk.close(1)
        submit_review(
            dialogue=Dialogue.objects.get(pk=dialogue.pk), reviewer=tester, ratings=SCORES, verdicts={}, comment="",
            based_on_version=0, at=timezone.now(),
        )  # fmt: skip
    refresh_leaderboard(campaign=campaign, at=timezone.now())


def add_people(campaign, n):
    for number in range(n):
        person = Person.objects.create_user(f"tester-{campaign.roles.count()}-{number}")
        campaign.roles.create(person=person, role=Role.TESTER)


def add_campaigns(n):
    for _ in range(n):
        number = Campaign.objects.count()
        first = Campaign.objects.get(slug="small")
        other = Campaign.objects.create(
            slug=f"other-{number}", name_zh=f"另一个 {number}", name_en=f"Other {number}", preset=first.preset,
            rubric=first.rubric, ranking_rule=first.ranking_rule, is_published=True,
        )  # fmt: skip
        for place in first.roles.all():
            other.roles.create(person=place.person, role=place.role)


def add_runs(quality, content, n):
    """Scored runs of teams old and new, and baselines."""
    at = timezone.now() - timedelta(days=2)
    for team in (Team.objects.get(name="Team Alpha"), *Team.objects.exclude(name="Team Alpha").order_by("-pk")[:n]):
        run = submit_file_run(task=quality, team=team, person=None, content=content, file_name="r", at=at)
        for split in quality.splits:
            figures = {"quality.A.nmd": 0.2 + run.number / 100}
            Score.objects.create(run=run, split=split, figures=figures, sums=b"", version=quality.score_version)
    score_baselines(task=quality, person=None, at=at)
    Run.objects.filter(scores__isnull=False).update(state=RunState.SCORED)


def add_tasks(campaign, n):
    for _ in range(n):
        task = campaign.automatic_tasks.get(key="responses")
        task.pk, task.key = None, f"task-{campaign.automatic_tasks.count()}"
        task.save()


def n_queries(who, path):
    client = Client()
    if who != "nobody":
        client.force_login(Person.objects.get(username=who))
    # The first request may read what stays in memory: gold files, content types.
    assert client.get(path, follow=True).status_code == 200, path
    with CaptureQueriesContext(
        connection,
    ) as captured:
        client.get(path, follow=True)
    return len(captured), captured


@pytest.mark.parametrize("who", PAGES)
def test_more_rows_are_no_more_queries(campaign, tasks, good_run, who):
    def grow(n):
        add_dialogues(campaign, n)
        add_people(campaign, n)
        add_campaigns(n)
        add_tasks(campaign, n)
        add_runs(tasks["quality"], good_run, n)

    grow(2)
    first = str(Dialogue.objects.order_by("opened_at").first().pk)
    pages = [path.format(dialogue=first, entry=campaign.entries.order_by("pk").first().pk) for path in PAGES[who]]
    before = {path: n_queries(who, path)[0] for path in pages}
    grow(3)
    after = {path: n_queries(who, path)[0] for path in pages}
    assert after == before
