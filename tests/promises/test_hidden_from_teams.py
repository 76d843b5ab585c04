"""No page or answer of the API shows a participant hidden scenarios, other teams or unreleased scores: canaries in each of them.

The crawl is made of the URL resolver, so a new route is crawled as soon as it exists.
"""

import re

import pytest
from django.utils import timezone

from automatic_tasks.models import Run, RunState, Score
from campaigns.models import Role, Scenario
from dialogues.models import Dialogue
from leaderboards.models import StoredBoard
from participants.models import Team
from reviews.models import Review
from tests.routes import ROUTES, access_of
from tests.world import address_of, again, asked, client_of, noted_client_of

pytestmark = pytest.mark.usefixtures("db")

SCENARIO, RIVAL, COMMENT, SCORE = "szenario", "rivale", "kommentar", 0.7654321
HIDDEN = re.compile(rf"{SCENARIO}|{RIVAL}|{COMMENT}|\b0[.,]765|\b76[.,]5", re.IGNORECASE)


# What asks for other roles has no answer for a participant (`test_access.py`), what is for staff none for anybody here.
FOR_TEAMS = [
    path
    for path, callback in ROUTES
    if (access := access_of(callback)).kind != "staff" and (not access.roles or Role.PARTICIPANT in access.roles)
]


@pytest.fixture
def planted(campaign, run, frozen, dialogue, participant):
    """The participant's own bot was scored, beside a rival's; nothing is published, nothing released."""
    text = {name: f"{SCENARIO} {name}" for name in ("title_zh", "title_en", "opening", "opening_en")}
    Scenario.objects.update(
        **text,
        instructions_zh=SCENARIO,
        instructions_en=SCENARIO,
        facts={"to": SCENARIO},
        context={"persona": SCENARIO},
    )
    rival = Team.objects.create(name=f"{RIVAL} team")
    entry = campaign.entries.create(
        bot=rival.bots.create(name=f"{RIVAL} bot"), key=f"{RIVAL}-key", alias="Q7", url=f"http://127.0.0.1:9/{RIVAL}"
    )
    figures = {figure.name: SCORE for figure in run.task.task_type.figures}
    Run.objects.update(state=RunState.SCORED, is_revealed=True)
    Score.objects.create(run=run, split="hidden", figures=figures, sums=b"", version=run.task.score_version)
    rows = {
        str(one.pk): {"n": 3, "figures": {"completion": SCORE, "mean_turns": SCORE, "satisfaction": SCORE}}
        for one in (entry, dialogue.assignment.entry)
    }
    StoredBoard.objects.update_or_create(campaign=campaign, key="live", defaults={"rows": rows})
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    Review.objects.create(
        dialogue=dialogue,
        reviewer=dialogue.tester,
        comment=COMMENT,
        submitted_at=timezone.now(),
        is_submitted=True,
        is_counted=True,
    )
    campaign.refresh_from_db()
    return dialogue


def shown_by(answer) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return f"{content.decode(errors='replace')} {answer.headers}"


def test_no_answer_of_any_route_shows_a_participant_what_is_hidden(planted, run, participant, settings):
    settings.API_RATE = 0
    n_shown, wrong, client = 0, [], noted_client_of(participant)
    for path in FOR_TEAMS:
        address = address_of(path, planted, run)
        for method in ("GET", "POST"):
            answer = asked(again(client), method, address)
            n_shown += answer.status_code == 200
            if found := HIDDEN.search(shown_by(answer)):
                wrong.append(f"{method} {address}: {answer.status_code} shows {found[0]}")
    assert not wrong, "\n".join(wrong)
    assert n_shown > 30


@pytest.mark.parametrize(
    ("address", "word"),
    [
        ("/campaigns/small/scenarios/", SCENARIO),
        ("/campaigns/small/teams/", RIVAL),
        ("/campaigns/small/leaderboard/", "0.765"),
        ("/api/v1/campaigns/small/tasks/quality/board/hidden/", "0.765"),
        ("/campaigns/small/export/reviews.csv", COMMENT),
    ],
)
def test_each_canary_is_seen_where_it_may_be(planted, organizer, address, word):
    """Else the crawl could not fail."""
    assert word in shown_by(client_of(organizer).get(address)).casefold()


def test_the_participant_gets_in_where_teams_belong(planted, participant):
    """Else the crawl could pass by being let in nowhere."""
    assert planted.assignment.campaign.roles.filter(person=participant, role=Role.PARTICIPANT).exists()
    for address in ("/campaigns/small/team/", "/campaigns/small/tasks/quality/", "/api/v1/campaigns/small/team/"):
        assert client_of(participant).get(address).status_code == 200, address
