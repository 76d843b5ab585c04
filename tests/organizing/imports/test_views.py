"""The pages on which an organizer imports a file, tries one, and reads what is wrong with it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from dialogues.models import Dialogue
from leaderboards.models import ImportedRecord
from organizing import file_imports as reading
from tests.organizing.dialogues.test_import_api import SAID, lines
from tests.organizing.imports.test_reading import records
from tests.team_desk.conftest import client_of

pytestmark = pytest.mark.django_db
DIALOGUES = "/campaigns/small/imports/"
RECORDS = "/campaigns/small/imports/records/"
OF_BETA = {"format": "huace", "bot": "Helper", "team": "Team Beta"}


@pytest.fixture
def organizing(campaign, organizer):
    organizer.language = "en"
    organizer.save()
    return client_of(organizer)


def send(client, address, content, **said):
    return client.post(address, {"file": SimpleUploadedFile("mine.jsonl", content)} | said, follow=True)


def test_dialogues_are_imported_and_the_page_says_how_many(organizing, organizer):
    content = lines({"id": "d1", "turns": SAID}, {"id": "d2", "turns": SAID})
    page = send(organizing, DIALOGUES, content, **OF_BETA).content.decode()
    assert "mine.jsonl is imported: 2 new, 0 imported before." in page
    assert set(Dialogue.objects.values_list("tester", flat=True)) == {organizer.pk}
    assert "0 new, 2 imported before." in send(organizing, DIALOGUES, content, **OF_BETA).content.decode()


def test_a_file_that_is_only_checked_stores_nothing_and_leaves_what_was_typed(organizing):
    answer = send(organizing, DIALOGUES, lines({"id": "d1", "turns": SAID}), then="check", **OF_BETA)
    page = answer.content.decode()
    assert "mine.jsonl is right: 1 new, 0 imported before. Nothing was stored." in page
    assert 'value="Helper"' in page
    assert not Dialogue.objects.exists()


def test_every_problem_stands_on_the_page_with_its_place(organizing):
    two = lines({"id": "d1", "turns": SAID}, {"id": "d2", "turns": SAID, "scenario": "none"})
    answer = send(organizing, DIALOGUES, two, **OF_BETA | {"bot": ""})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "3 problems in the file" in page
    for place in ("line 1, bot", "line 2, bot", "line 2, scenario"):
        assert f"<code>{place}</code>" in page, place
    assert 'value="Team Beta"' in page
    assert not Dialogue.objects.exists()


def test_records_are_imported_checked_and_refused_in_the_same_way(organizing, monkeypatch):
    checked = send(organizing, RECORDS, records(1, 2), then="check").content.decode()
    assert "2 new, 0 imported before. Nothing was stored." in checked
    assert not ImportedRecord.objects.exists()
    assert "is imported: 2 new" in send(organizing, RECORDS, records(1, 2)).content.decode()
    wrong = send(organizing, RECORDS, b'{"team": "T"}')
    assert (wrong.status_code, "<code>line 1, scenario</code>" in wrong.content.decode()) == (422, True)
    monkeypatch.setattr(reading, "MOST_RECORDS", 1)
    many = send(organizing, RECORDS, records(3, 4))
    assert (many.status_code, "The file holds 2 records." in many.content.decode()) == (422, True)


def test_without_a_file_or_with_one_too_large_the_page_says_so(organizing, settings):
    assert "Choose a file first." in organizing.post(RECORDS, follow=True).content.decode()
    settings.UPLOAD_LIMIT_BYTES = 100
    assert "The file is larger than" in send(organizing, RECORDS, records(1, 2)).content.decode()


def test_the_page_is_among_those_of_the_results(organizing):
    page = organizing.get(DIALOGUES).content.decode()
    assert f'href="{RECORDS}"' in page
    assert "Systems and exports" in page


def test_the_file_field_says_what_it_takes_in_words(organizing):
    assert "JSON Lines." in organizing.get(RECORDS).content.decode()
    page = organizing.get(DIALOGUES).content.decode()
    assert "At most" in page
    assert "[(" not in page, "another's variable in the field"
