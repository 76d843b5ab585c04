"""After publication a team reads how its own system did beside the others, and nothing of anybody else."""

import pytest
from django.utils import timezone

from campaigns.actions import note_changed_scores
from campaigns.models import Campaign
from participants.models import Team
from team_desk import own_report
from tests.reviews.conftest import closed_dialogue, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def entries(campaign):
    """The own system, and two others."""
    own = campaign.entries.get()
    others = []
    for number in (1, 2):
        bot = Team.objects.create(name=f"Team Other {number}").bots.create(name=f"other-{number}")
        others.append(
            campaign.entries.create(
                bot=bot, key=f"other-{number}", alias=f"Q{number}", url="http://127.0.0.1:9/", protocol="huace/1"
            )
        )
    return [own, *others]


@pytest.fixture
def scored(campaign, tester, entries):
    """The own system needed six turns for what took the others two and four, and was scored lower."""
    Campaign.objects.update(is_published=True, was_published=True)
    found = []
    for number, (entry, n_turns, satisfaction) in enumerate(zip(entries, (6, 2, 4), (-1, 1, 2), strict=True)):
        dialogue = closed_dialogue(campaign, tester, n_turns=n_turns, repetition=100 + number)
        dialogue.subtasks.update(answered_turns=n_turns)
        dialogue.assignment.entry = entry
        dialogue.assignment.save()
        Campaign.objects.update(is_published=False)
        ratings = {"satisfaction": satisfaction, "fluency": 0, "guidance": 1}
        submit(dialogue, tester, ratings=ratings, evidence={"satisfaction": 1} if not number else {}, at=timezone.now())
        Campaign.objects.update(is_published=True)
        found.append(dialogue)
    return found


def report(browser, entry):
    return browser.get(f"/campaigns/small/team/bots/{entry.pk}/report/")


def test_there_is_none_before_the_publication(browser, entries):
    assert report(browser, entries[0]).status_code == 404
    assert browser.get(f"/api/v1/campaigns/small/team/bots/{entries[0].pk}/report/").status_code == 404


def test_own_figures_stand_beside_the_mean_of_the_others(browser, entries, scored):
    shown = report(browser, entries[0]).context["report"]
    figures = {row.key.name: (row.own, row.others) for row in shown.figures}
    assert figures["mean_turns"] == (6, 3)
    assert figures["satisfaction"] == (-1, 1.5)
    assert [(row.own, row.others, row.lost) for row in shown.lost] == [(6, 3, 3)]
    (dialogue,) = shown.dialogues
    assert (dialogue.scores["satisfaction"], dialogue.evidence) == (-1, [("Sa", 1)])


def test_of_a_single_other_system_nothing_is_told(browser, entries, scored):
    scored[2].reviews.all().update(is_counted=False)
    shown = report(browser, entries[0]).context["report"]
    assert {row.others for row in shown.figures} == {None}
    assert shown.lost == []


def test_an_own_second_system_is_none_of_the_others(browser, entries, scored):
    bot = entries[2].bot
    bot.team = entries[0].bot.team
    bot.save()
    assert {row.others for row in report(browser, entries[0]).context["report"].figures} == {None}


def test_there_is_none_while_a_file_alone_calls_the_board_published(browser, entries, scored):
    Campaign.objects.update(was_published=False)
    assert report(browser, entries[0]).status_code == 404


def test_nobody_is_named_and_scenarios_are_numbers_before_the_release(browser, entries, scored, tester, campaign):
    title = campaign.scenarios.first().title_en
    page = report(browser, entries[0]).content.decode()
    for hidden in (tester.username + " ", "Team Other", "other-1", "Q1", title):
        assert hidden not in page.split("<main")[1], hidden
    Campaign.objects.update(releases_transcripts=True)
    page = report(browser, entries[0]).content.decode()
    assert title in page
    assert f"/campaigns/small/team/dialogues/{scored[0].pk}/" in page


def test_another_teams_report_is_not_there(entries, scored, browser, rival):
    assert report(browser, entries[1]).status_code == 404
    assert report(rival, entries[0]).status_code == 404


def test_the_api_gives_the_same(browser, entries, scored):
    told = browser.get(f"/api/v1/campaigns/small/team/bots/{entries[0].pk}/report/").json()
    assert {"figure": "mean_turns", "own": 6.0, "others": 3.0} in told["figures"]
    assert told["dialogues"][0]["evidence"] == [{"criterion": "Sa", "turn": 1}]
    assert told["lost"] == [{"case": "#1", "own": 6.0, "others": 3.0}]


def test_the_campaign_is_added_up_once_for_a_version_of_its_scores(browser, entries, scored, monkeypatch):
    added_up = []
    sums_by_cell = own_report.sums_by_cell
    monkeypatch.setattr(own_report, "sums_by_cell", lambda *asked: added_up.append(asked) or sums_by_cell(*asked))
    first, again = (report(browser, entries[0]).context["report"] for _ in range(2))
    assert len(added_up) == 1
    assert first.figures == again.figures
    note_changed_scores(campaign=Campaign.objects.get())
    report(browser, entries[0])
    assert len(added_up) == 2
