"""The page of the campaign file: what it shows first, and that it does exactly that."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import Person
from audit.models import TrailLine
from tests.conftest import SMALL_CAMPAIGN

pytestmark = pytest.mark.django_db
FILE = "/campaigns/small/file/"
WITHOUT_TESTER = SMALL_CAMPAIGN.replace('[[people]]\nusername = "tester"\nroles = ["tester"]\n', "").replace(
    "reply_deadline_s = 5", "reply_deadline_s = 7"
)


@pytest.fixture
def organizing(campaign, organizer):
    Person.objects.update(language="en")
    client = Client()
    client.force_login(organizer)
    return client


def upload(client, text, name="campaign.toml"):
    return client.post(FILE, {"file": SimpleUploadedFile(name, text.encode())})


def hidden_in(answer, **more):
    """What the form of the preview would send."""
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', answer.content.decode())
    return {name: value for name, value in fields if name != "csrfmiddlewaretoken"} | {"act": "load"} | more


def test_what_is_downloaded_changes_nothing_when_it_is_uploaded(organizing, campaign):
    for format in ("toml", "json"):
        answer = organizing.get(f"{FILE}download/?format={format}")
        assert answer.headers["Content-Disposition"] == f'attachment; filename="small.{format}"'
        shown = upload(organizing, answer.content.decode(), f"small.{format}").content.decode()
        assert "The file says nothing new" in shown
        assert 'value="load"' not in shown
    assert [line.act for line in TrailLine.objects.filter(act="file.downloaded")] == ["file.downloaded"] * 2


def test_an_upload_shows_what_would_change_and_stores_nothing_before_it_is_confirmed(organizing, campaign, organizer):
    shown = upload(organizing, WITHOUT_TESTER)
    text = shown.content.decode()
    assert "campaign: reply_deadline_s changed" in text
    assert "person tester: role tester taken back" not in text
    assert "Show what removing the rows that are no longer in the file changes" in text
    campaign.refresh_from_db()
    assert campaign.reply_deadline_s == 5
    n_lines = TrailLine.objects.count()
    answer = organizing.post(FILE, hidden_in(shown))
    assert answer.status_code == 302
    campaign.refresh_from_db()
    assert campaign.reply_deadline_s == 7
    assert campaign.roles.filter(role="tester").exists()
    (line,) = TrailLine.objects.order_by("number")[n_lines:]
    assert (line.act, line.person, line.details) == (
        "campaign.loaded", organizer.username, {"changes": ["campaign: reply_deadline_s changed"]},
    )  # fmt: skip


def test_pruning_is_a_choice_of_its_own(organizing, campaign):
    asked = hidden_in(upload(organizing, WITHOUT_TESTER), prunes="1") | {"act": ""}
    shown = organizing.post(FILE, asked)
    assert "person tester: role tester taken back" in shown.content.decode()
    assert campaign.roles.filter(role="tester").exists()
    organizing.post(FILE, hidden_in(shown, prunes="1"))
    assert not campaign.roles.filter(role="tester").exists()


def test_what_changed_in_the_meantime_is_shown_again_instead_of_loaded(organizing, campaign, reviewer):
    shown = upload(organizing, WITHOUT_TESTER)
    campaign.roles.create(person=reviewer, role="tester")
    answer = organizing.post(FILE, hidden_in(shown))
    assert "Something has changed in the meantime" in answer.content.decode()
    campaign.refresh_from_db()
    assert campaign.reply_deadline_s == 5
    organizing.post(FILE, hidden_in(answer))
    campaign.refresh_from_db()
    assert campaign.reply_deadline_s == 7


@pytest.mark.parametrize("said", [{}, {"previewed": ""}, {"previewed": "nothing"}])
def test_nothing_is_loaded_that_nobody_was_shown(organizing, campaign, said):
    sent = hidden_in(upload(organizing, WITHOUT_TESTER))
    del sent["previewed"]
    organizing.post(FILE, sent | said)
    campaign.refresh_from_db()
    assert campaign.reply_deadline_s == 5


def test_every_problem_is_shown_with_its_place(organizing):
    text = SMALL_CAMPAIGN.replace("reply_deadline_s = 5", "reply_deadline_s = 0").replace('"tester"]', '"king"]')
    answer = upload(organizing, text)
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert "2 problems in the file" in shown
    assert "<code>[campaign] reply_deadline_s</code>" in shown
    assert "<code>[[people]] 2 roles[1]</code>" in shown


def test_a_file_of_another_campaign_is_refused(organizing):
    shown = upload(organizing, SMALL_CAMPAIGN.replace('slug = "small"', 'slug = "other"')).content.decode()
    assert "is other, but this is the campaign small" in shown


def test_what_the_browser_changed_can_be_taken_over_after_it_was_shown(organizing, campaign):
    campaign.scenarios.update(origin="page")
    refused = upload(organizing, SMALL_CAMPAIGN.replace("帮我订一张", "请订一张"))
    assert refused.status_code == 422
    shown = organizing.post(FILE, hidden_in(refused, act="preview"))
    assert "taken over from the browser" in shown.content.decode()
    organizing.post(FILE, hidden_in(shown))
    assert campaign.scenarios.get().opening.startswith("请订一张")


@pytest.mark.parametrize("content", ["", "%", "é", "bm8="])
def test_a_form_that_was_tampered_with_is_never_an_error_of_ours(organizing, content):
    assert organizing.post(FILE, {"content": content, "act": "load"}).status_code in {200, 302, 422}


def test_a_file_that_the_confirming_form_could_not_carry_is_refused_at_once(organizing, settings):
    settings.UPLOAD_LIMIT_BYTES = 3 * 1024 * 1024
    answer = organizing.post(FILE, {"file": SimpleUploadedFile("x.toml", b"#" * (1536 * 1024 + 1))}, follow=True)
    assert "The file is larger than 1.5 MB." in answer.content.decode()


def test_what_toml_cannot_say_is_said_and_json_can(organizing, campaign):
    campaign.scenarios.update(facts={"from": None})
    answer = organizing.get(f"{FILE}download/", follow=True)
    assert "scenarios 1.facts.from is null" in answer.content.decode()
    assert organizing.get(f"{FILE}download/?format=json").status_code == 200
    assert organizing.get(f"{FILE}download/?format=xml").status_code == 404
