"""What the pages of studies for crowds show in browser tests: people at work, done, screened out, too late, and a study that is full."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import Person
from campaigns.campaign_file.study_specs import AttentionSpec, StudySpec
from campaigns.models import Campaign
from crowds.actions.arriving import note_visit, start
from crowds.actions.declaring import make_study, open_study
from crowds.actions.ending import decide, stop
from crowds.models import Arrival
from crowds.platforms import Outcome, Outside
from reading.kinds import Texts

WELCOME = Texts(
    "你将与几个订票助手对话，并为每段对话评分。**不需要任何专业知识。**",
    "You talk to assistants that book tickets, and score each dialogue. **No expertise is needed.**",
)
ITEM = AttentionSpec(
    question=Texts("为了确认你在认真阅读，请选“经常”", "To show that you read this, please choose “often”"),
    right=Texts("经常", "Often"),
    wrong=(Texts("从不", "Never"), Texts("有时", "Sometimes")),
)
CODES = {Outcome.COMPLETED.value: "C1A2B3C4", Outcome.FULL.value: "FULL7788", Outcome.SCREENED_OUT.value: "SCR00001"}


def study(campaign, organizer, key, name, **more):
    said = {
        "key": key, "role": "tester", "platform": "prolific", "quota": 40, "needed": 3, "minutes": 25, "pay": "5.00", "currency": "GBP",
        "name": name, "welcome": WELCOME, "bonus": "1.00", "return_url": "https://app.prolific.com/submissions/complete?cc={code}",
    }  # fmt: skip
    at = timezone.now() - timedelta(hours=1)
    made = make_study(campaign=campaign, spec=StudySpec(**said | more), codes=CODES, by=organizer, at=at)
    return open_study(study=made, by=organizer, at=at)


def comes(where, number, at):
    outside = Outside(f"5f3c{number:020x}", "64aa", f"sess{number}")
    return start(study=where, outside=outside, answers=[], consent_version=consent_of(where), at=at)


def consent_of(where):
    latest = where.campaign.descriptions.first()
    return latest.version if latest and latest.asks_for_consent else 0


def crowd_pages():
    """What stands for each name in the addresses of these pages."""
    campaign, organizer = Campaign.objects.get(slug="smp2018-demo"), Person.objects.get(username="organizer")
    first = study(campaign, organizer, "wave-1", Texts("第一轮众测", "First wave"))
    asks = study(
        campaign, organizer, "wave-2", Texts("第二轮众测", "Second wave"), attention=(ITEM,), screened_out_pay="0.50"
    )
    full = study(campaign, organizer, "pilot", Texts("试点", "Pilot"), quota=1)
    now = timezone.now()
    named(comes(first, 1, now), "p-at-work")
    done = comes(first, 2, now - timedelta(minutes=31))
    Arrival.objects.filter(pk=stop(arrival=done, at=now).pk).update(state="completed", n_done=3)
    named(done, "p-done")
    decide(arrival=done, decision=Arrival.Decision.APPROVED, has_bonus=True, because="", by=organizer, at=now)
    stop(arrival=comes(first, 3, now - timedelta(minutes=12)), at=now)
    comes(full, 4, now)
    for number in range(5, 9):
        note_visit(study=first, outside=Outside(f"5f3c{number:020x}"), arrival=None, at=now)
    return {"study": first.pk, "door": first.door, "door_that_asks": asks.door, "full_door": full.door}


def named(arrival, username):
    Person.objects.filter(pk=arrival.person_id).update(username=username)
