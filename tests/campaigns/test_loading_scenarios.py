"""Scenarios of a campaign file: those of the browser stay, those that are gone leave only to pruning."""

import pytest

from campaigns.actions import load_campaign, load_file
from campaigns.actions.loading_scenarios import merged_order
from campaigns.models import Scenario
from reading.checking import BadFile
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db
HEAD, _, REST = SMALL_CAMPAIGN.partition("[[scenarios]]")
PEOPLE = "[[people]]" + REST.partition("[[people]]")[2]


def file_with(*keys, **openings):
    rows = [
        f'[[scenarios]]\nkey = "{key}"\nopening = "{openings.get(key, key)}"\nsubtasks = [{{kind = "flight"}}]\n'
        for key in keys
    ]
    return HEAD + "".join(rows) + PEOPLE


def load(*keys, prunes=False, takes_over=False, **openings):
    return load_file(spec=spec_of(file_with(*keys, **openings)), prunes=prunes, takes_over=takes_over)


def said(loaded):
    return loaded.report.changes, [left.in_english for left in loaded.report.left_alone]


def keys_of(campaign):
    return list(campaign.scenarios.values_list("key", flat=True))


def of_the_browser(campaign, key, position):
    made = Scenario.objects.create(campaign=campaign, key=key, opening=key, position=position)
    made.subtasks.create(position=1, kind="flight", turn_cap=20)
    return made


def test_a_scenario_that_leaves_the_file_stays_until_a_load_prunes():
    campaign = load("one", "two").campaign
    assert said(load("one")) == ([], ["left alone: scenario two, no longer in the file; only pruning removes it"])
    assert keys_of(campaign) == ["one", "two"]
    assert said(load("one", prunes=True)) == (["scenario two removed"], [])
    assert keys_of(campaign) == ["one"]


def test_a_scenario_of_the_browser_is_left_alone_in_its_place():
    campaign = load("one", "two").campaign
    Scenario.objects.filter(key="two").update(position=3)
    of_the_browser(campaign, "own", 2)
    loaded = load("two", "one", "three", prunes=True)
    assert said(loaded) == (
        ["scenario three added", "order of the scenarios changed"],
        ["left alone: scenario own, made in the browser"],
    )
    assert keys_of(campaign) == ["two", "own", "one", "three"]
    assert list(campaign.scenarios.values_list("position", flat=True)) == [1, 2, 3, 4]


def test_a_file_may_name_a_scenario_of_the_browser_as_it_is():
    campaign = load("one").campaign
    of_the_browser(campaign, "own", 2)
    assert said(load("one", "own")) == ([], [])
    assert campaign.scenarios.get(key="own").origin == "page"


def test_what_the_file_says_otherwise_of_a_scenario_of_the_browser_is_a_problem_until_it_is_taken_over():
    campaign = load("one").campaign
    of_the_browser(campaign, "own", 2)
    with pytest.raises(BadFile) as bad:
        load("one", "own", own="another")
    (problem,) = bad.value.problems
    assert str(problem).startswith("[[scenarios]] 2 key: scenario own was made or changed in the browser")
    taken = load("one", "own", own="another", takes_over=True)
    assert taken.report.changes == ["scenario own: taken over from the browser", "scenario own: opening changed"]
    assert load("one", "own", own="another").report.changes == []


def test_a_scenario_that_dialogues_need_cannot_be_pruned(dialogue):
    with pytest.raises(BadFile) as bad:
        load("other", prunes=True)
    assert [problem.place for problem in bad.value.problems] == ["[[scenarios]] flight-then-hotel"]
    load_campaign(spec=spec_of(SMALL_CAMPAIGN))


@pytest.mark.parametrize(
    ("stored", "wanted", "order"),
    [
        ("abc", "abc", "abc"),
        ("abc", "cba", "cba"),
        ("aXb", "ba", "bXa"),
        ("aXbn", "anb", "aXnb"),
        ("XY", "", "XY"),
        ("ab", "gab", "ab"),
    ],
)
def test_what_is_named_exchanges_places_and_all_others_stay(stored, wanted, order):
    assert "".join(merged_order(list(stored), list(wanted))) == order
