"""The scoring guide: criteria and points for everybody who scores; an example for who has scored it, masked, of no named system."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Person
from campaigns.models import Campaign
from dialogues.models import Turn
from reviews.actions.submitting import REVIEWER_WINDOW_S
from reviews.guide import examples_of, marks_for
from reviews.models import GoldReview, Review
from tests.reviews.conftest import NOON, closed_dialogues, panel
from tests.reviews.test_training import make_gold, take

pytestmark = pytest.mark.django_db
PAGE, API = "/campaigns/small/review/guide/", "/api/v1/campaigns/small/review/guide/"


@pytest.fixture
def reviewer(campaign, tester, organizer):
    """With two training dialogues, of which they have scored one."""
    (found,) = panel(campaign, 1, training_pass_percent=50)
    dialogues = closed_dialogues(campaign, tester, 2)
    make_gold(dialogues, organizer)
    maker = campaign.entries.get().bot.team.name
    Turn.objects.filter(dialogue__in=dialogues, number=1).update(texts=[f"这里是{maker}"])
    GoldReview.objects.update(is_for_training=True)
    take(campaign, found, at=NOON)
    Person.objects.update(language="en")
    return found


def told(client, who):
    client.force_login(who)
    return client.get(API).json()


def examples_for(campaign, person, at):
    return examples_of(marks_for(campaign, person, at))


def test_a_reviewer_sees_the_examples_that_they_have_scored_and_an_organizer_all(client, reviewer, organizer):
    mine = told(client, reviewer)
    assert [one["number"] for one in mine["examples"]] == [1]
    assert len(told(client, organizer)["examples"]) == 2


def test_an_example_appears_only_when_its_hand_in_can_no_longer_be_undone(client, campaign, reviewer):
    over = NOON + timedelta(seconds=REVIEWER_WINDOW_S)
    assert examples_for(campaign, reviewer, over - timedelta(seconds=1)) == []
    assert len(examples_for(campaign, reviewer, over)) == 1
    Review.objects.update(submitted_at=timezone.now())
    assert told(client, reviewer)["examples"] == []
    assert "can no longer come to you" in client.get(PAGE).content.decode()


def test_an_example_stands_at_its_point_and_names_no_system(client, campaign, reviewer):
    entry = campaign.entries.select_related("bot__team").get()
    guide = told(client, reviewer)
    satisfaction = guide["criteria"][0]
    assert (satisfaction["letter"], satisfaction["points"][0]["score"]) == ("Sa", "2")
    shown = {point["score"]: point["examples"] for point in satisfaction["points"]}
    assert sum(map(len, shown.values())) == 1
    page = client.get(PAGE).content.decode()
    for text in (page, str(guide)):
        assert "█" in text
        assert entry.bot.team.name not in text
        assert entry.alias not in text


def test_before_the_first_training_dialogue_the_guide_has_its_criteria_alone(client, campaign, organizer):
    (found,) = panel(campaign, 1)
    guide = told(client, found)
    assert (guide["examples"], len(guide["criteria"])) == ([], 3)
    assert "Examples appear here" in client.get(PAGE, headers={"accept-language": "en"}).content.decode()


def test_a_tester_reads_no_guide(client, tester, reviewer):
    client.force_login(tester)
    assert client.get(PAGE).status_code == 404
    assert client.get(API).status_code == 404
    assert Campaign.objects.count() == 1
