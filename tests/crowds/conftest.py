"""A study of the small campaign for testers from Prolific, and people who come by its link."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaigns.campaign_file.study_specs import AttentionSpec, StudySpec
from crowds.actions.arriving import start
from crowds.actions.declaring import make_study, open_study
from crowds.platforms import Outcome, Outside
from dialogues.models import Dialogue
from reading.kinds import Texts

PID = "5f1c0ffee0ddba11deadbeef"
CODES = {Outcome.COMPLETED.value: "C0MPLETE", Outcome.SCREENED_OUT.value: "SCREEN1", Outcome.FULL.value: "FULL0"}
ITEM = AttentionSpec(
    question=Texts("请选“经常”", "Please choose “often”"),
    right=Texts("经常", "often"),
    wrong=(Texts("从不", "never"), Texts("有时", "sometimes")),
)


def spec(**more):
    said = {
        "key": "wave-1", "role": "tester", "platform": "prolific", "quota": 2, "needed": 2, "minutes": 20, "pay": 6, "currency": "GBP",
        "name": Texts("第一轮", "Wave 1"), "return_url": "https://app.prolific.com/submissions/complete?cc={code}",
    }  # fmt: skip
    return StudySpec(**said | more)


@pytest.fixture
def make(campaign, organizer):
    def made(*, is_open=True, **more):
        at = timezone.now()
        study = make_study(campaign=campaign, spec=spec(**more), codes=CODES, by=organizer, at=at)
        return open_study(study=study, by=organizer, at=at) if is_open else study

    return made


@pytest.fixture
def study(make):
    return make()


def address(study, participant=PID, session="s1"):
    return f"/enter/{study.door}/?PROLIFIC_PID={participant}&STUDY_ID=st1&SESSION_ID={session}"


def comes(study, participant=PID, at=None, **more):
    """The place of an outside person who begins."""
    more = {"answers": [], "consent_version": 0} | more
    return start(study=study, outside=Outside(participant, "st1", "s1"), at=at or timezone.now(), **more)


def talks(arrival, n=1):
    """The person has so many dialogues that count, with their scores."""
    at = timezone.now()
    waiting = arrival.person.assignments.filter(started_at=None)
    for assignment in waiting[:n]:
        assignment.started_at = at
        assignment.save()
        dialogue = Dialogue.objects.create(
            assignment=assignment,
            tester=arrival.person,
            opened_at=at + timedelta(seconds=1),
            closed_at=at,
            status="completed",
        )
        dialogue.reviews.create(reviewer=arrival.person, is_submitted=True, submitted_at=at)


def browser():
    return Client(raise_request_exception=True)
