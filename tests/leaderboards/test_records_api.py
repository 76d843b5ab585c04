"""An organizer's program reads the records behind a figure: their mean is the figure."""

import pytest
from django.utils import timezone

from campaigns.models import Role
from leaderboards.actions import refresh_leaderboard
from leaderboards.live_board import stored_board
from reviews.actions import submit_review
from tests.leaderboards.test_figure_records import paper
from tests.reviews.conftest import NOON, closed_dialogue

__all__ = ["paper"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def program(client, organizer):
    client.force_login(organizer)
    return client


def test_the_mean_of_all_pages_is_the_figure(paper, client, django_user_model):
    person = django_user_model.objects.create_user("organizer")
    paper.roles.create(person=person, role=Role.ORGANIZER)
    client.force_login(person)
    entry = paper.entries.earliest("pk")
    figure = stored_board(paper).rows[str(entry.pk)]["figures"]["mean_turns"]
    address, values = f"/api/v1/campaigns/paper/leaderboard/records/{entry.pk}/mean_turns/?per_page=40", []
    for number in (1, 2):
        answer = client.get(f"{address}&page={number}")
        assert answer.headers["X-Total-Count"] == "63"
        values += [row["value"] for row in answer.json()]
    assert len(values) == 63
    assert sum(values) / 63 == pytest.approx(figure)
    assert all(row["dialogue"] is None and row["subtasks"] for row in answer.json())


def test_a_record_of_a_dialogue_here_names_it_with_its_subtasks(campaign, tester, program):
    dialogue = closed_dialogue(campaign, tester)
    submit_review(
        dialogue=dialogue, reviewer=tester, verdicts={"1": True}, comment="", at=NOON,
        ratings={"satisfaction": 1, "fluency": 0, "guidance": 1}, based_on_version=0,
    )  # fmt: skip
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    address = f"/api/v1/campaigns/small/leaderboard/records/{campaign.entries.get().pk}/satisfaction/"
    assert program.get(address).json() == [
        {
            "dialogue": str(dialogue.pk),
            "part": "self",
            "scenario": "flight-then-hotel",
            "reviewer": "tester",
            "subtasks": [{"kind": "flight", "completed": True, "turns": 0, "cap": 9}],
            "value": 1.0,
            "weight": 1.0,
        }
    ]


def test_a_figure_or_bot_that_the_board_does_not_have_is_404(campaign, program):
    entry = campaign.entries.get().pk
    assert program.get(f"/api/v1/campaigns/small/leaderboard/records/{entry}/completion/").json() == []
    assert program.get(f"/api/v1/campaigns/small/leaderboard/records/{entry}/luck/").status_code == 404
    assert program.get("/api/v1/campaigns/small/leaderboard/records/0/completion/").status_code == 404
