import pytest

from organizing.coverage_matrix import Fact, State
from organizing.survey import review_facts
from reviews.actions import save_draft
from reviews.actions.placing import draw_review_places
from reviews.panel_gaps import lacking_panels
from tests.reviews.conftest import NOON, closed_dialogues, panel, submit

pytestmark = pytest.mark.django_db


def test_each_review_is_done_begun_not_begun_coming_or_nobodys(campaign, tester, django_assert_num_queries):
    people = panel(campaign, 3)
    campaign.reviewers_per_dialogue = 4
    campaign.save()
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, people[0])
    save_draft(dialogue=dialogue, reviewer=people[1], changes={"comment": "…"}, based_on_version=0, at=NOON)
    closed_dialogues(campaign, tester, 1, first=2000)
    lacking = lacking_panels(campaign, NOON)
    bot, scenario = campaign.entries.get().key, campaign.scenarios.first().key
    with django_assert_num_queries(1):
        facts = review_facts(campaign, lacking)
    assert sorted((fact.tester, str(fact.state)) for fact in facts) == [
        ("", "coming"),
        ("", "coming"),
        ("", "coming"),
        ("", "short"),
        ("", "short"),
        ("reviewer", "done"),
        ("reviewer-2", "open"),
        ("reviewer-3", "left"),
    ]
    assert Fact("reviewer", bot, scenario, State.DONE) in facts
    assert {(fact.bot, fact.scenario) for fact in facts} == {(bot, scenario)}
