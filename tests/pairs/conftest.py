"""A campaign of three systems and two scenarios whose people compare pairs."""

import pytest
from django.utils import translation

from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from pairs.actions import open_next_pair, vote
from participants.models import Team
from tests.conftest import Admitted
from tests.dialogues.test_actions import Talk
from tests.reviews.conftest import NOON, closed_dialogue, person


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.fixture
def live(campaign):
    """Testers talk to two systems at once."""
    return with_pairs(campaign, "live")


@pytest.fixture
def finished(campaign, tester):
    """Reviewers read two finished dialogues of a scenario."""
    campaign = with_pairs(campaign, "finished")
    for repetition, entry in enumerate(campaign.entries.order_by("pk"), start=1):
        for scenario in campaign.scenarios.order_by("pk"):
            talked(campaign, tester, entry, scenario, repetition)
    return campaign


def with_pairs(campaign, kind, **settings):
    for letter in ("b", "c"):
        team = Team.objects.create(name=f"Team {letter}")
        campaign.entries.create(
            bot=team.bots.create(name=letter),
            key=letter,
            alias=f"{letter.upper()}7",
            url=f"http://127.0.0.1:9/{letter}",
        )
    scenario = campaign.scenarios.create(key="train", position=2, title_zh="火车票", title_en="A train")
    scenario.subtasks.create(position=1, kind="train", turn_cap=3)
    Campaign.objects.filter(pk=campaign.pk).update(pairs_kind=kind, **settings)
    campaign.refresh_from_db()
    return campaign


def talked(campaign, tester, entry, scenario, repetition=1, n_turns=2):
    """A finished dialogue of that system."""
    dialogue = closed_dialogue(campaign, tester, n_turns=n_turns, repetition=1000 + repetition)
    assignment = campaign.assignments.create(
        tester=tester, entry=entry, scenario=scenario, repetition=repetition, position=repetition,
        is_drawn=False, started_at=NOON,
    )  # fmt: skip
    Dialogue.objects.filter(pk=dialogue.pk).update(assignment=assignment)
    return Dialogue.objects.get(pk=dialogue.pk)


def judge_of(campaign, name="judge"):
    return person(campaign, name, Role.REVIEWER if campaign.pairs_kind == "finished" else Role.TESTER)


def ended(pair, judge, n_turns=1):
    """The pair after both sides of it were talked and ended."""
    for dialogue in (pair.left_dialogue, pair.right_dialogue):
        talk = Talk(dialogue, Admitted(judge))
        talk.turns(n_turns)
        talk.end()
    return type(pair).objects.with_names().get(pk=pair.pk)


def opened(campaign, judge, at=NOON):
    return open_next_pair(campaign=campaign, judge=judge, at=at)


def voted(pair, judge, verdict="left", version=0, at=NOON, **said):
    return vote(pair=pair, judge=judge, verdict=verdict, based_on_version=version, at=at, **said)
