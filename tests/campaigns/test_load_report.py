"""What a load changed, in sentences, and what it could not change."""

import pytest

from campaigns.actions.load_report import LoadReport
from reading.findings import Finding


def test_a_refusal_says_what_has_begun_and_what_to_do():
    report = LoadReport()
    report.note_begun("[campaign] preset")
    report.note_gone("[[bots]] a")
    report.note("[[bots]] 1", "is wrong")
    assert report.listed() == [
        Finding(
            "[campaign] preset", "cannot be changed since dialogues were opened; make a new campaign for a new rule"
        ),
        Finding("[[bots]] a", "is gone from the file, but dialogues or records need it; put it back"),
        Finding("[[bots]] 1", "is wrong"),
    ]
    assert report.changes == []


@pytest.mark.django_db
def test_only_what_differs_is_stored_and_named(campaign):
    report = LoadReport()
    # Changed by somebody else since the row was read: what the file does not change is not written back.
    type(campaign).objects.update(free_choice=False)
    report.apply(
        campaign, {"name_zh": "新", "name_en": "Small", "reply_deadline_s": 9}, "campaign: %(changed)s changed"
    )
    assert report.changes == ["campaign: name_zh, reply_deadline_s changed"]
    campaign.refresh_from_db()
    assert (campaign.name_zh, campaign.reply_deadline_s, campaign.free_choice) == ("新", 9, False)
    report.apply(campaign, {"name_zh": "新"}, "campaign: %(changed)s changed")
    assert len(report.changes) == 1
