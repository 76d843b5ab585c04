"""A team's program reads its bot's last day as a series of cells."""

import pytest

from tests.team_desk.test_health_reading import talk

__all__ = ["talk"]
pytestmark = pytest.mark.django_db


def test_the_cells_add_up_to_the_day(talk, dialogue, participant, client):
    client.force_login(participant)
    place = f"/api/v1/campaigns/small/team/bots/{dialogue.assignment.entry_id}/health/"
    day = client.get(place).json()
    assert (day["answered"], day["failed"], day["percent_answered"], day["p50_ms"]) == (1, 1, 50.0, 5)
    assert len(day["cells"]) == 144
    assert sum(cell["answered"] for cell in day["cells"]) == 1
    assert sum(cell["failed"] for cell in day["cells"]) == 1
    assert day["cells"][0] == {**day["cells"][0], "answered": 0, "failed": 0, "p50_ms": None, "p95_ms": None}
    assert day["cells"][0]["since"] < day["cells"][-1]["since"]


def test_another_teams_bot_has_no_day(talk, dialogue, participant, client, campaign):
    client.force_login(participant)
    campaign.team_members.filter(person=participant).delete()
    assert client.get(f"/api/v1/campaigns/small/team/bots/{dialogue.assignment.entry_id}/health/").status_code == 409
    assert client.get("/api/v1/campaigns/small/team/bots/987654321/health/").status_code == 409
