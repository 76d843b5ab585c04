"""A campaign that takes applications, and somebody who would like a place."""

import pytest
from django.utils import timezone

from registration.actions import apply_for_place, write_agreement
from registration.application_form import read_application

FORM = {
    "name_zh": "北辰队",
    "name_en": "Polaris",
    "affiliation": "某大学",
    "contact": "polaris@example.org",
    "members": ["wang", "li@example.org"],
}


@pytest.fixture
def open_campaign(campaign):
    campaign.takes_applications = True
    campaign.save()
    return campaign


@pytest.fixture
def application(open_campaign, outsider):
    return apply(open_campaign, outsider)


@pytest.fixture
def agreement(campaign, organizer):
    return agree_on(campaign, "只用于评测。", by=organizer)


def apply(campaign, applicant, **said):
    form = read_application(FORM | said)
    return apply_for_place(campaign=campaign, applicant=applicant, form=form, at=timezone.now())


def agree_on(campaign, text_zh, text_en="For the evaluation only.", by=None):
    return write_agreement(campaign=campaign, text_zh=text_zh, text_en=text_en, by=by, at=timezone.now())
