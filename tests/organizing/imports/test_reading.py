"""What a file brings into a campaign, and what it would bring."""

import json

import pytest
from django.db import connection
from django.utils import timezone, translation

from dialogues.models import Dialogue
from leaderboards.models import ImportedRecord
from organizing import file_imports as reading
from organizing.file_imports import TooMany, dialogues_in, only_tried, read_asked, records_in
from reading.checking import BadFile, BadForm
from tests.organizing.dialogues.test_import_api import SAID, lines
from tests.publication.conftest import record
from tests.trail import lines_of

pytestmark = pytest.mark.django_db
ASKED = {"format": "huace", "bot": "Helper", "team": "Team Beta"}


def counts_of(brought):
    return brought.n_new, brought.n_known


def records(*numbers):
    return "\n".join(json.dumps(record("Team Beta", number, True, 2)) for number in numbers).encode()


def test_what_is_only_tried_is_counted_and_not_stored(campaign, organizer):
    content = lines({"id": "d1", "turns": SAID}, {"id": "d2", "turns": SAID})

    bring = dialogues_in(campaign=campaign, content=content, asked=ASKED, by=organizer, at=timezone.now())
    with lines_of() as left:
        assert counts_of(only_tried(bring)) == (2, 0)
    assert (Dialogue.objects.count(), left) == (0, [])
    assert counts_of(bring()) == (2, 0)
    assert counts_of(only_tried(bring)) == (0, 2)


def test_records_are_new_once_and_on_record_under_who_brought_them(campaign, organizer):
    with lines_of() as left:
        assert counts_of(records_in(campaign=campaign, content=records(1, 2), by=organizer)()) == (2, 0)
        assert counts_of(records_in(campaign=campaign, content=records(1, 2, 3), by=organizer)()) == (1, 2)
    assert [(line.act, line.person, line.details) for line in left] == [
        ("records.imported", "organizer", {"n": 2}),
        ("records.imported", "organizer", {"n": 1}),
    ]
    assert ImportedRecord.objects.count() == 3


def test_a_score_off_the_scale_is_a_problem_by_its_place(campaign, organizer):
    bad = records(1).replace(b'"fluency": 1', b'"fluency": 7')
    with pytest.raises(BadFile) as refused:
        records_in(campaign=campaign, content=records(2) + b"\n" + bad, by=organizer)
    assert [problem.place for problem in refused.value.problems] == ["line 2, ratings.fluency"]
    assert not ImportedRecord.objects.exists()


def test_what_would_hold_up_others_is_refused_with_the_number(campaign, organizer, monkeypatch):
    monkeypatch.setattr(reading, "MOST_RECORDS", 2)
    with pytest.raises(TooMany) as refused:
        records_in(campaign=campaign, content=records(1, 2, 3), by=organizer)
    with translation.override("en"):
        assert str(refused.value) == "The file holds 3 records. A request takes at most 2: split the file."
    assert counts_of(records_in(campaign=campaign, content=records(1, 2), by=organizer)()) == (2, 0)


def test_the_form_is_read_strictly():
    assert read_asked({}) == {"format": "huace", "bot": "", "team": ""}
    with pytest.raises(BadForm) as refused:
        read_asked({"format": "xml", "colour": "red"})
    assert {problem.place for problem in refused.value.problems} == {"format", "colour"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("named", ["dialogues", "records"])
def test_a_file_is_read_before_the_writer_is_held(campaign, organizer, monkeypatch, named):
    held = []

    def noted(read):
        return lambda *said: held.append(connection.in_atomic_block) or read(*said)

    monkeypatch.setitem(reading.FORMATS, "huace", noted(reading.FORMATS["huace"]))
    monkeypatch.setattr(reading, "read_record_lines", noted(reading.read_record_lines))
    asked = {"campaign": campaign, "by": organizer}
    if named == "dialogues":
        content = lines({"id": "d1", "turns": SAID})
        bring = dialogues_in(content=content, asked=ASKED, at=timezone.now(), **asked)
    else:
        bring = records_in(content=records(1, 2), **asked)
    only_tried(bring)
    assert held == [False]
