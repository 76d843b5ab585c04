"""What testers agree to: asked before the first dialogue, once for each wording, kept with the version that was read."""

import pytest
from django.utils import timezone

from audit.models import TrailLine
from campaigns.actions import describe_campaign
from campaigns.actions.consenting import ConsentChanged, consent_due, give_consent
from campaigns.models import Consent
from dialogues.actions import open_dialogue
from dialogues.actions.opening import ConsentMissing
from dialogues.models import Dialogue
from reading.kinds import Texts

pytestmark = pytest.mark.django_db
LIST, API = "/campaigns/small/testing/", "/api/v1/campaigns/small/consent/"


def say(campaign, **texts):
    said = {part: Texts(*text) for part, text in texts.items()}
    return describe_campaign(campaign=campaign, texts=said, by=None, at=timezone.now())


@pytest.fixture
def asked(campaign):
    return say(campaign, consent=("对话会公开。", "Dialogues are published."))


def agree(campaign, person, version):
    give_consent(campaign=campaign, person=person, version=version, at=timezone.now())


def test_nobody_is_asked_where_nothing_is_written(campaign, tester):
    assert consent_due(campaign.pk, tester.pk) is None
    say(campaign, purpose=("目的", ""))
    assert consent_due(campaign.pk, tester.pk) is None


def test_a_tester_is_asked_once_for_each_wording(campaign, tester, asked):
    assert consent_due(campaign.pk, tester.pk) == asked
    agree(campaign, tester, asked.version)
    agree(campaign, tester, asked.version)
    assert Consent.objects.get().description == asked
    say(campaign, purpose=("另一部分", ""))
    assert consent_due(campaign.pk, tester.pk) is None
    again = say(campaign, consent=("对话会公开，匿名。", ""))
    assert consent_due(campaign.pk, tester.pk) == again
    with pytest.raises(ConsentChanged):
        agree(campaign, tester, asked.version)
    (line,) = TrailLine.objects.of_campaign("small").of_act("consent.given")
    assert line.details == {"version": asked.version}


def test_no_dialogue_begins_without_it_and_one_that_is_open_goes_on(campaign, tester, dialogue, asked):
    assert open_dialogue(assignment=dialogue.assignment, at=timezone.now()) == dialogue
    Dialogue.objects.all().delete()
    with pytest.raises(ConsentMissing):
        open_dialogue(assignment=dialogue.assignment, at=timezone.now())
    agree(campaign, tester, asked.version)
    assert open_dialogue(assignment=dialogue.assignment, at=timezone.now()).is_open


def test_the_list_asks_before_it_offers_anything(campaign, tester, dialogue, asked, client):
    Dialogue.objects.all().delete()
    client.force_login(tester)
    page = client.get(LIST).content.decode()
    assert "对话会公开。" in page
    assert "data-opens" not in page
    assert client.post(f"/assignments/{dialogue.assignment_id}/open/").headers["Location"] == LIST
    assert client.post(f"{LIST}consent/", {"version": asked.version + 1}).status_code == 302
    assert not Consent.objects.exists()
    client.post(f"{LIST}consent/", {"version": asked.version})
    page = client.get(LIST).content.decode()
    assert "对话会公开。" not in page
    assert "data-opens" in page


def test_a_program_reads_it_and_agrees(campaign, tester, asked, client):
    client.force_login(tester)
    told = client.get(API).json()
    assert told == {
        "version": asked.version,
        "words": {"zh": "对话会公开。", "en": "Dialogues are published."},
        "is_due": True,
    }
    assert client.post(API, {"version": 9}, content_type="application/json").status_code == 409
    assert client.post(API, {"version": told["version"]}, content_type="application/json").json()["is_due"] is False


def test_others_find_neither(campaign, reviewer, outsider, asked, client):
    for person in (reviewer, outsider):
        client.force_login(person)
        assert client.get(API).status_code == 404
        assert client.post(f"{LIST}consent/", {"version": 1}).status_code == 404
