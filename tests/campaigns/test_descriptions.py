"""What a campaign says of itself: each change is the next version and one line of the trail; the file says it too."""

from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone, translation

from audit.models import TrailLine
from campaigns.actions import DescriptionChanged, copy_campaign, describe_campaign, load_campaign
from campaigns.calendar import NotNow
from campaigns.campaign_file.dumping import document_of, file_of
from campaigns.campaign_file.reader import read_campaign_file
from campaigns.models import Campaign
from participants.adapters import PROTOCOLS
from participants.limits import DESCRIPTION_LIMIT
from reading.checking import BadFile
from reading.kinds import Texts
from tests.conftest import SMALL_CAMPAIGN, spec_of

pytestmark = pytest.mark.django_db
FILE = '[description]\npurpose = {zh = "目的", en = "Why"}\n'


def describe(campaign, by=None, **texts):
    said = {part: Texts(*text) for part, text in texts.items() if part != "based_on"}
    return describe_campaign(campaign=campaign, texts=said, based_on=texts.get("based_on"), by=by, at=timezone.now())


def test_a_change_is_the_next_version_and_the_one_before_stays(campaign, organizer):
    describe(campaign, organizer, purpose=("目的", "Why"), prizes=("奖", ""))
    describe(campaign, organizer, prizes=("大奖", "Prize"))
    second, first = campaign.descriptions.all()
    assert (first.version, first.purpose_zh, first.prizes_zh) == (1, "目的", "奖")
    assert (second.version, second.purpose_zh, second.prizes_zh, second.written_by) == (2, "目的", "大奖", organizer)
    lines = TrailLine.objects.filter(act="description.changed").order_by("number")
    assert [line.details for line in lines] == [
        {"version": 1, "parts": ["purpose", "prizes"]},
        {"version": 2, "parts": ["prizes"]},
    ]


def test_what_is_the_same_is_no_version(campaign):
    describe(campaign, purpose=("一\n二", ""))
    assert describe(campaign, purpose=(" 一\r\n二 ", "")) is None
    assert campaign.descriptions.count() == 1


def test_who_wrote_from_an_older_version_overwrites_nothing(campaign):
    describe(campaign, purpose=("一", ""), based_on=0)
    with pytest.raises(DescriptionChanged):
        describe(campaign, purpose=("二", ""), based_on=0)
    assert describe(campaign, purpose=("二", ""), based_on=1).version == 2


def test_a_campaign_that_is_over_says_nothing_new(campaign):
    Campaign.objects.update(ends_at=timezone.now() - timedelta(days=1))
    with pytest.raises(NotNow):
        describe(campaign, purpose=("一", ""))


def test_a_version_exists_once(campaign):
    campaign.descriptions.create(version=1, written_at=timezone.now())
    with pytest.raises(IntegrityError):
        campaign.descriptions.create(version=1, written_at=timezone.now())


def test_a_part_is_shown_in_the_readers_language_or_the_other(campaign):
    written = describe(campaign, purpose=("目的", "Why"), rules=("规则", ""))
    with translation.override("en"):
        assert written.shown() == [("Purpose", "Why", "en"), ("Rules of participation", "规则", "zh-hans")]


def test_the_file_says_it_and_a_part_that_it_leaves_out_stays(campaign):
    describe(campaign, prizes=("奖", ""))
    _campaign, changes = load_campaign(spec=spec_of(SMALL_CAMPAIGN + FILE))
    assert changes == ["description: purpose changed"]
    assert campaign.descriptions.count() == 2
    assert document_of(campaign, with_secrets=False)["description"] == {
        "purpose": {"zh": "目的", "en": "Why"},
        "prizes": {"zh": "奖", "en": ""},
    }
    again = read_campaign_file("a.toml", file_of(campaign, "toml", with_secrets=True).encode(), PROTOCOLS)
    assert load_campaign(spec=again)[1] == []


def test_a_campaign_without_one_has_the_file_it_had(campaign):
    assert "description" not in document_of(campaign, with_secrets=False)


def test_a_text_that_is_too_long_is_refused_with_its_place():
    with pytest.raises(BadFile, match=r"\[description\] purpose"):
        spec_of(SMALL_CAMPAIGN + f'[description]\npurpose = "{"x" * (DESCRIPTION_LIMIT + 1)}"\n')


def test_a_copy_begins_with_what_the_other_says_now(campaign, organizer):
    describe(campaign, purpose=("一", ""))
    describe(campaign, purpose=("二", ""))
    copied = copy_campaign(source=campaign, slug="next", name=Texts("新", "New"), by=organizer)
    assert [(one.version, one.purpose_zh) for one in copied.descriptions.all()] == [(1, "二")]
