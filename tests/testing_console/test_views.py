"""The testers' pages over HTTP: a link opens nothing, pages cost the same number of queries whatever their length."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import Assignment
from dialogues.actions import open_chosen_dialogue
from dialogues.models import Dialogue

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(tester):
    client = Client()
    client.force_login(tester)
    return client


def another(campaign, tester):
    return open_chosen_dialogue(
        campaign=campaign,
        tester=tester,
        entry=campaign.entries.get(),
        scenario=campaign.scenarios.get(),
        at=timezone.now(),
    )


def lengthen(criterion):
    """Gives the scale more points than a row has room for."""
    for score in range(3, 20):
        criterion.points.create(score=score, label_zh=str(score), label_en=str(score))


def test_a_link_to_an_assignment_asks_before_it_opens_a_dialogue(browser, dialogue):
    Dialogue.objects.all().delete()
    address = f"/assignments/{dialogue.assignment_id}/open/"
    asked = browser.get(address)
    assert asked.status_code == 200
    assert not Dialogue.objects.exists()
    opened = browser.post(address)
    assert opened.headers["Location"] == f"/dialogues/{Dialogue.objects.get().pk}/"


def test_a_link_to_an_assignment_that_is_begun_leads_to_its_dialogue(browser, dialogue):
    assert (
        browser.get(f"/assignments/{dialogue.assignment_id}/open/").headers["Location"] == f"/dialogues/{dialogue.pk}/"
    )


def test_the_console_of_an_own_dialogue_is_closed_to_who_tests_there_no_more(browser, dialogue, campaign, tester):
    address = f"/dialogues/{dialogue.pk}/"
    assert browser.get(address).status_code == 200
    campaign.roles.filter(person=tester).delete()
    assert browser.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/campaigns/small/testing/", "/dialogues/{dialogue}/"])
def test_a_page_costs_the_same_number_of_queries_whatever_there_is(browser, dialogue, campaign, tester, address):
    address = address.format(dialogue=dialogue.pk)
    browser.get(address)
    with CaptureQueriesContext(connection) as few:
        browser.get(address)
    for _ in range(5):
        another(campaign, tester)
    with CaptureQueriesContext(connection) as many:
        browser.get(address)
    assert len(many) == len(few)


def test_the_list_groups_what_is_to_be_done_and_goes_on_first(browser, campaign, tester, dialogue):
    ended = another(campaign, tester)
    Dialogue.objects.filter(pk=ended.pk).update(status="unfinished", closed_at=timezone.now())
    Assignment.objects.create(
        campaign=campaign,
        tester=tester,
        entry=campaign.entries.get(),
        scenario=campaign.scenarios.get(),
        repetition=9,
        position=9,
    )
    page = browser.get("/campaigns/small/testing/")
    assert [state for state, _ in page.context["groups"]] == ["begun", "to_score", "to_do"]
    assert page.context["following"].dialogue_id == dialogue.pk
    shares = [(share.n_done, share.n_rows) for share in page.context["by_system"]]
    assert shares == [(0, 3)]
    text = page.content.decode()
    assert text.index("go-on") < text.index("list-columns")


def test_the_console_knows_the_flags_the_number_and_the_scores_of_a_dialogue(browser, dialogue):
    page = browser.get(f"/dialogues/{dialogue.pk}/")
    assert (page.context["number"], page.context["n_rows"]) == (1, 1)
    assert page.context["settings"]["flagged"] == []
    assert [row.letter for row in page.context["score_form"].rows] == ["C", "C", "Sa", "F", "G"]


def test_a_long_scale_has_a_place_for_the_words_of_its_chosen_point(browser, dialogue, campaign):
    assert "scale-chosen" not in browser.get(f"/dialogues/{dialogue.pk}/").content.decode()
    lengthen(campaign.rubric.criteria.get(key="satisfaction"))
    page = browser.get(f"/dialogues/{dialogue.pk}/").content.decode()
    assert (page.count('class="scale-chosen"'), page.count('id="typed-score"')) == (1, 1)


def test_where_a_panel_scores_the_tester_is_not_asked_and_is_done(browser, dialogue, campaign):
    Dialogue.objects.update(status="completed", closed_at=timezone.now())
    asked = browser.get(f"/dialogues/{dialogue.pk}/")
    assert (asked.context["settings"]["asksForScores"], " inert" in asked.content.decode()) == (True, True)
    campaign.reviewed_by = "panel"
    campaign.save()
    page = browser.get(f"/dialogues/{dialogue.pk}/")
    assert (page.context["settings"]["asksForScores"], " inert" in page.content.decode()) == (False, False)
    listed = browser.get("/campaigns/small/testing/").context
    assert (listed["n_done"], listed["following"], listed["may_revise"]) == (1, None, False)


def test_where_a_panel_scores_a_dialogue_is_done_on_the_day_it_ended(browser, dialogue, campaign):
    campaign.reviewed_by = "panel"
    campaign.save()
    for days, n_done_today in ((2, 0), (0, 1)):
        Dialogue.objects.update(status="completed", closed_at=timezone.now() - timedelta(days=days))
        assert browser.get("/campaigns/small/testing/").context["n_done_today"] == n_done_today


def test_where_the_limit_of_open_dialogues_is_reached_nothing_offers_to_begin(browser, dialogue, campaign, tester):
    campaign.free_choice = True
    campaign.save()
    waiting = another(campaign, tester)
    Dialogue.objects.filter(pk=waiting.pk).delete()
    pages = ("/campaigns/small/testing/", f"/assignments/{waiting.assignment_id}/open/", f"/dialogues/{dialogue.pk}/")
    listed, asked, talk = (browser.get(page) for page in pages)
    assert "data-opens" in listed.content.decode()
    assert b"<kbd>Enter" in asked.content
    assert talk.context["settings"]["hasAnother"]
    campaign.open_dialogues_per_tester = 1
    campaign.save()
    listed, asked, talk = (browser.get(page) for page in pages)
    assert "data-opens" not in listed.content.decode()
    assert "/testing/open/" not in listed.content.decode()
    assert listed.context["full"]
    assert asked.context["full"]
    assert b"<kbd>Enter" not in asked.content
    assert not talk.context["settings"]["hasAnother"]
