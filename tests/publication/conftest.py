"""A campaign with figures: imported records of two teams, computed and stored; bundles go to a folder of the test's own."""

import json

import pytest
from django.utils import timezone

from leaderboards.actions import import_records, refresh_leaderboard
from leaderboards.record_files import read_record_lines
from publication.actions.freezing import freeze
from tests.leaderboards.conftest import in_english

__all__ = ["in_english"]
# By team: how many of its four records are complete, with how many turns.
TEAMS = {"Team Beta": (3, 2), "Team Gamma": (1, 5)}


def record(team, number, is_complete, turns):
    return {
        "team": team, "bot": f"{team}'s bot", "scenario": f"s{number}", "reviewer": "r",
        "subtasks": [{"kind": "flight", "completed": is_complete, "turns": turns, "cap": 9}],
        "ratings": {"satisfaction": number - 2, "fluency": 1, "guidance": 0},
    }  # fmt: skip


def add_records(campaign, *records):
    lines = [json.dumps(record).encode() for record in records]
    import_records(campaign=campaign, lines=read_record_lines(lines, {}))
    campaign.refresh_from_db()


@pytest.fixture
def bundles(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path / "bundles"


@pytest.fixture
def scored(campaign, bundles):
    add_records(
        campaign,
        *[record(team, n, n <= n_complete, turns) for team, (n_complete, turns) in TEAMS.items() for n in range(1, 5)],
    )
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    return campaign


@pytest.fixture
def snapshot(scored, organizer):
    return freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())
