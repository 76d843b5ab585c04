"""The page on which a team applies: what was typed stays, errors stand by their fields, nobody sees another's."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from reading.checking import BadForm
from registration.actions import approve_application, refuse_application
from registration.application_form import MEMBERS_LIMIT, members_of, read_application
from registration.models import Application
from tests.registration.conftest import FORM, apply

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/small/apply/"
TYPED = FORM | {"members": "wang\nli@example.org"}


@pytest.fixture
def browser(outsider):
    client = Client(headers={"accept-language": "en"})
    client.force_login(outsider)
    return client


def page(client):
    return client.get(PAGE).content.decode()


def test_anybody_with_an_account_applies_where_the_campaign_takes_applications(open_campaign, browser, outsider):
    assert "Apply for a place" in page(browser)
    answer = browser.post(PAGE, TYPED)
    assert (answer.status_code, answer.headers["Location"]) == (302, PAGE)
    stored = Application.objects.get()
    assert (stored.applicant, stored.name_en, stored.members) == (outsider, "Polaris", ["wang", "li@example.org"])
    shown = page(browser)
    assert "waiting" in shown
    assert "Apply for a place" not in shown


def test_where_none_are_taken_there_is_no_page_but_an_answer_is_still_read(campaign, open_campaign, browser, outsider):
    application = apply(open_campaign, outsider)
    open_campaign.takes_applications = False
    open_campaign.save()
    refuse_application(application=application, by=None, because="<b>full</b>", at=timezone.now())
    shown = page(browser)
    assert "&lt;b&gt;full&lt;/b&gt;" in shown
    assert "Apply for a place" not in shown
    stranger = Client()
    stranger.force_login(Person.objects.create_user("stranger"))
    assert stranger.get(PAGE).status_code == 404
    assert browser.get("/campaigns/nowhere/apply/").status_code == 404


def test_errors_stand_by_their_fields_and_what_was_typed_stays(open_campaign, browser):
    answer = browser.post(PAGE, TYPED | {"affiliation": " ", "contact": 'x"><script>'})
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert shown.count('aria-invalid="true"') == 1
    assert 'value="北辰队"' in shown
    assert "x&quot;&gt;&lt;script&gt;" in shown
    assert "li@example.org" in shown
    assert not Application.objects.exists()


def test_an_applicant_withdraws_and_may_apply_again(application, browser):
    browser.post(PAGE + "withdraw/")
    assert Application.objects.get().state == "withdrawn"
    assert "Apply for a place" in page(browser)
    assert browser.post(PAGE + "withdraw/").status_code == 404


def test_a_second_application_in_another_tab_is_refused_with_a_sentence(application, browser):
    answer = browser.post(PAGE, TYPED, follow=True)
    assert "Your application is waiting for an answer already." in answer.content.decode()
    assert Application.objects.count() == 1


def test_who_was_approved_is_led_on(application, browser):
    approve_application(application=application, by=None, at=timezone.now())
    assert "Your team takes part." in page(browser)
    assert browser.get("/campaigns/small/team/").status_code == 200


def test_the_page_of_the_campaign_leads_to_the_application(open_campaign, browser):
    open_campaign.is_announced = True
    open_campaign.save()
    assert PAGE in browser.get("/campaigns/small/").content.decode()


def wrong_fields(**said):
    with pytest.raises(BadForm) as bad:
        read_application(FORM | said)
    return {problem.place for problem in bad.value.problems}


def test_a_team_needs_a_name_in_one_language_an_affiliation_and_a_contact():
    assert read_application(FORM | {"name_zh": ""}).name_en == "Polaris"
    assert wrong_fields(name_zh=" ", name_en="") == {"name_zh"}
    assert wrong_fields(affiliation=" ", contact="x" * 201) == {"affiliation", "contact"}


def test_members_are_texts_and_not_endless():
    assert wrong_fields(members=["a"] * (MEMBERS_LIMIT + 1)) == {"members"}
    assert wrong_fields(members=["a", 1]) == {"members[1]"}
    several = ["mallory@x.org, organizer", "a;b", "a\tb", "a，b", "a；b", "a\u2028b", "a\nb"]
    assert wrong_fields(members=["wang", *several]) == {f"members[{n}]" for n in range(1, 8)}
    assert members_of(" wang \r\n\n li@example.org") == ["wang", "li@example.org"]
