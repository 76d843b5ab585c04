"""One-click sign-in: in a demo, and nowhere else."""

import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import load_campaign
from campaigns.models import Campaign
from demo.management.commands.demo import CAMPAIGN_FILE, GUIDED_FILE
from demo.people import DEMO_PEOPLE, GUIDED
from demo.published import BLIND_REVIEW_FILE, import_finished_dialogues
from dialogues.models import Dialogue
from tests.conftest import spec_of

pytestmark = pytest.mark.django_db
LANDINGS = {
    "tester-1": "/campaigns/smp2018-demo/testing/",
    "reviewer": "/campaigns/blind-review-demo/review/",
    "participant": "/campaigns/smp2018-demo/team/",
    # Who organizes several campaigns sees them all.
    "organizer": "/",
}
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def loaded(db):
    campaign = load_campaign(spec=spec_of(CAMPAIGN_FILE.read_text()))[0]
    reviewed = load_campaign(spec=spec_of(BLIND_REVIEW_FILE.read_text()))[0]
    import_finished_dialogues(reviewed, timezone.now())
    return campaign


@pytest.fixture
def in_a_demo(settings, loaded):
    """The site as `manage.py demo` starts it."""
    templates = deepcopy(settings.TEMPLATES)
    templates[0]["OPTIONS"]["context_processors"].append("demo.context.demo")
    settings.TEMPLATES = templates
    settings.ROOT_URLCONF = "tests.demo.demo_urls"


def test_without_the_setting_the_addresses_do_not_exist(loaded, client):
    assert settings.IS_DEMO is False
    for name in ("demo-sign-in", "demo-guided"):
        with pytest.raises(NoReverseMatch):
            reverse(name)
    assert client.post("/demo/sign-in/", {"username": "organizer"}).status_code == 404
    assert client.post("/demo/guided/").status_code == 404
    assert "_auth_user_id" not in client.session
    assert b"demo/sign-in" not in client.get("/").content


@pytest.mark.parametrize(("value", "is_there"), [("1", True), ("0", False), ("", False)])
def test_the_setting_alone_makes_them_exist(value, is_there):
    code = (
        "import django; django.setup(); from django.urls import resolve, Resolver404\n"
        "try: resolve('/demo/sign-in/'); print(True)\nexcept Resolver404: print(False)"
    )
    environment = os.environ | {"HUACE_DEMO": value, "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == str(is_there)


@pytest.mark.parametrize("person", DEMO_PEOPLE, ids=lambda person: person.username)
def test_one_click_signs_in_as_each_role_and_leads_to_its_work(in_a_demo, client, person):
    assert f'value="{person.username}"' in client.get("/").content.decode()
    answer = client.post("/demo/sign-in/", {"username": person.username}, follow=True)
    assert answer.status_code == 200
    assert client.session["_auth_user_id"] == str(Person.objects.get(username=person.username).pk)
    assert answer.redirect_chain[-1][0] == LANDINGS[person.username]


def test_nobody_else_can_be_named(in_a_demo, client):
    Person.objects.create_user("boss", is_staff=True)
    Person.objects.create_user("somebody")
    for username in ("boss", "somebody", "tester-3", ""):
        assert client.post("/demo/sign-in/", {"username": username}).status_code == 404
    assert "_auth_user_id" not in client.session


def test_an_account_of_the_demo_that_was_given_power_is_not_signed_in(in_a_demo, client):
    Person.objects.filter(username="organizer").update(is_staff=True)
    assert client.post("/demo/sign-in/", {"username": "organizer"}).status_code == 404


def test_it_takes_a_post_with_its_token(in_a_demo):
    client = Client(enforce_csrf_checks=True)
    assert client.get("/demo/sign-in/?username=organizer").status_code == 405
    assert client.post("/demo/sign-in/", {"username": "organizer"}).status_code == 403
    assert client.post("/demo/guided/").status_code == 403


def test_the_guided_dialogue_has_one_part_and_its_guide(in_a_demo, client):
    answer = client.post("/demo/guided/", follow=True)
    dialogue = Dialogue.objects.get(tester__username=GUIDED)
    assert answer.redirect_chain[-1][0] == f"/dialogues/{dialogue.pk}/?guide"
    assert dialogue.subtasks.count() == 1
    assert dialogue.assignment.entry.key == "booking"
    assert 'id="guide"' in answer.content.decode()
    assert 'id="guide"' not in client.get(f"/dialogues/{dialogue.pk}/").content.decode()


def test_the_guided_dialogue_is_taken_up_again_until_it_is_scored(in_a_demo, client):
    client.post("/demo/guided/")
    client.post("/demo/guided/")
    assert Dialogue.objects.filter(tester__username=GUIDED).count() == 1
    Dialogue.objects.update(status="completed", closed_at=timezone.now(), scored_at=timezone.now())
    client.post("/demo/guided/")
    assert Dialogue.objects.filter(tester__username=GUIDED).count() == 2


def test_the_reviewer_has_finished_dialogues_to_score(in_a_demo, client):
    client.post("/demo/sign-in/", {"username": "reviewer"})
    page = client.get(LANDINGS["reviewer"]).content.decode()
    assert 'id="next-form"' in page
    wanted = {"campaign": "blind-review-demo"}
    following = client.post("/api/v1/reviews/next/", wanted, content_type="application/json").json()
    assert client.get(f"/reviews/{following['dialogue']}/").status_code == 200
    import_finished_dialogues(Campaign.objects.get(slug="blind-review-demo"), timezone.now())
    assert Dialogue.objects.filter(origin=Dialogue.Origin.IMPORTED).count() == 4, "imported once"


def test_the_guided_dialogue_is_in_the_language_of_the_page(in_a_demo, client):
    load_campaign(spec=spec_of(GUIDED_FILE.read_text()))
    client.post("/demo/guided/", headers={"accept-language": "en"})
    dialogue = Dialogue.objects.get(tester__username=GUIDED)
    campaign, scenario = dialogue.assignment.campaign, dialogue.assignment.scenario
    assert campaign.language == "en"
    assert scenario.opening in {"I want to book a hotel in Hangzhou", "Please check trains from Shanghai to Hangzhou"}
    client.post("/demo/guided/", headers={"accept-language": "zh-hans"})
    assert (
        Dialogue.objects.filter(tester__username=GUIDED).exclude(pk=dialogue.pk).get().assignment.campaign.language
        == "zh"
    )


def test_the_guided_dialogue_ends_with_a_card_that_leads_on(in_a_demo, client):
    client.post("/demo/guided/", headers={"accept-language": "zh-hans"})
    page = client.get("/campaigns/smp2018-demo/testing/?guide").content.decode()
    assert 'name="board" value="smp2018-demo"' in page
    assert 'id="guide"' not in client.get("/campaigns/smp2018-demo/testing/").content.decode()
    board = client.post("/demo/sign-in/", {"username": "organizer", "board": "smp2018-demo"}, follow=True)
    assert (board.status_code, board.redirect_chain[-1][0]) == (200, "/campaigns/smp2018-demo/leaderboard/")


def test_no_other_board_is_led_to(in_a_demo, client):
    answer = client.post("/demo/sign-in/", {"username": "organizer", "board": "blind-review-demo"})
    assert answer.headers["Location"] == "/start/"
