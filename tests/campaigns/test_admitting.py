"""Drafts are submitted, admitted, sent back and frozen; until they are admitted nobody is offered them."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override

from audit.models import TrailLine
from campaigns.actions import (
    IsFrozen,
    NotThatStage,
    admit_bot,
    change_address,
    freeze_bot,
    load_campaign,
    register_bot,
    send_back_bot,
    submit_bot,
)
from campaigns.models import Entry
from campaigns.stages import is_sent_back, stage_of
from participants.adapters import ADAPTERS
from participants.bot_form import read_address, read_bot
from participants.limits import REASON_LIMIT
from participants.models import Team
from reading.checking import BadFile
from serving.refused import Refused
from tests.conftest import SMALL_CAMPAIGN, spec_of

URL = "https://own.example.com/"


def h(hours):
    return timezone.now() + timedelta(hours=hours)


@pytest.fixture(autouse=True)
def in_english():
    with override("en"):
        yield


@pytest.fixture
def draft(campaign, participant):
    form = read_bot({"name": "Own bot", "url": URL}, ADAPTERS)
    team = Team.objects.get(name="Team Alpha")
    at = timezone.now()
    return register_bot(campaign=campaign, team=team, form=form, by=participant, at=at, draft_since=at)


def stage(entry, at=None):
    entry = Entry.objects.select_related("campaign").get(pk=entry.pk)
    return str(stage_of(entry, entry.campaign, at or timezone.now()).stage)


def offered(campaign, entry):
    return campaign.entries.offered(campaign, timezone.now()).filter(pk=entry.pk).exists()


def address(url=URL, **more):
    return read_address({"url": url, "protocol": "huace/1"} | more, ADAPTERS)


def test_a_draft_is_submitted_admitted_and_frozen(campaign, draft, participant, organizer):
    assert stage(draft) == "draft"
    assert not offered(campaign, draft)
    submit_bot(entry=draft, by=participant, at=timezone.now())
    admit_bot(entry=draft, by=organizer, at=timezone.now())
    assert (stage(draft), offered(campaign, draft)) == ("admitted", True)
    freeze_bot(entry=draft, by=organizer, at=timezone.now())
    assert (stage(draft), offered(campaign, draft)) == ("frozen", True)
    acts = ["bot.registered", "bot.submitted", "bot.admitted", "bot.frozen"]
    assert list(TrailLine.objects.filter(about=draft.alias).order_by("number").values_list("act", flat=True)) == acts


def test_a_bot_is_sent_back_until_it_is_admitted_and_not_by_being_a_draft(draft, organizer):
    def was_sent_back():
        return is_sent_back(Entry.objects.get(pk=draft.pk))

    assert not was_sent_back()
    send_back_bot(entry=draft, because="It answers in English.", by=organizer, at=timezone.now())
    assert was_sent_back()
    admit_bot(entry=draft, by=organizer, at=timezone.now())
    assert not was_sent_back()


def test_who_is_sent_back_reads_why_and_is_a_draft_again(campaign, draft, organizer):
    admit_bot(entry=draft, by=organizer, at=timezone.now())
    send_back_bot(entry=draft, because="It answers in English.", by=organizer, at=timezone.now())
    draft.refresh_from_db()
    assert (stage(draft), draft.returned_because) == ("draft", "It answers in English.")
    assert not offered(campaign, draft)
    admit_bot(entry=draft, by=organizer, at=timezone.now())
    draft.refresh_from_db()
    assert draft.returned_because == ""


def test_a_bot_of_a_file_takes_part_at_once(campaign):
    entry = campaign.entries.get(key="a")
    assert (stage(entry), offered(campaign, entry)) == ("admitted", True)


@pytest.mark.parametrize(
    ("act", "said", "code"),
    [
        (submit_bot, {}, "not_a_draft"),
        (admit_bot, {}, "not_a_draft"),
        (send_back_bot, {"because": " "}, "no_reason"),
        (send_back_bot, {"because": "x" * (REASON_LIMIT + 1)}, "no_reason"),
    ],
)
def test_what_does_not_follow_is_refused(campaign, organizer, act, said, code):
    with pytest.raises(Refused) as refused:
        act(entry=campaign.entries.get(key="a"), by=organizer, at=timezone.now(), **said)
    assert refused.value.code == code
    assert str(refused.value)


def test_nobody_submits_or_freezes_twice(draft, organizer):
    submit_bot(entry=draft, by=None, at=timezone.now())
    with pytest.raises(NotThatStage, match="waits for an organizer"):
        submit_bot(entry=draft, by=None, at=timezone.now())
    with pytest.raises(NotThatStage, match="not been admitted"):
        freeze_bot(entry=draft, by=organizer, at=timezone.now())


def test_after_the_freeze_the_secret_alone_changes(campaign, draft, organizer):
    admit_bot(entry=draft, by=organizer, at=timezone.now())
    freeze_bot(entry=draft, by=organizer, at=timezone.now())
    change_address(entry=draft, form=address(secret="another"), by=organizer, at=timezone.now())
    draft.refresh_from_db()
    assert draft.secret == "another"
    for form in (address("https://other.example.com/", secret=""), address(protocol="rasa")):
        with pytest.raises(IsFrozen):
            change_address(entry=draft, form=form, by=organizer, at=timezone.now())


def test_after_the_freeze_a_file_changes_no_address(campaign):
    campaign.frozen_at = h(-1)
    campaign.save()
    moved = SMALL_CAMPAIGN.replace("http://127.0.0.1:9/", "http://127.0.0.1:10/")
    with pytest.raises(BadFile) as bad:
        load_campaign(spec=spec_of(moved))
    assert [str(one.place) for one in bad.value.problems] == ["[[bots]] 1 url"]
    load_campaign(spec=spec_of(SMALL_CAMPAIGN))


@pytest.mark.parametrize("protocol", ["openai", "dial-out"])
def test_after_the_freeze_a_file_changes_no_options(campaign, protocol):
    Entry.objects.filter(key="a").update(protocol=protocol, url="" if protocol == "dial-out" else URL)
    campaign.frozen_at = h(-1)
    campaign.save()
    said = f'url = ""\nprotocol = "{protocol}"' if protocol == "dial-out" else f'url = "{URL}"'
    frozen = SMALL_CAMPAIGN.replace('url = "http://127.0.0.1:9/"', said)
    load_campaign(spec=spec_of(frozen))
    changed = frozen.replace(said, f'{said}\noptions = {{model = "other"}}')
    with pytest.raises(BadFile) as bad:
        load_campaign(spec=spec_of(changed))
    assert [str(one.place) for one in bad.value.problems] == ["[[bots]] 1 options"]


def test_after_the_freeze_a_file_gives_no_url_to_a_bot_that_connects_itself(campaign):
    Entry.objects.filter(key="a").update(protocol="dial-out", url="")
    campaign.frozen_at = h(-1)
    campaign.save()
    with pytest.raises(BadFile) as bad:
        load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace("url =", 'protocol = "huace/1"\nurl =')))
    assert [str(one.place) for one in bad.value.problems] == ["[[bots]] 1 url", "[[bots]] 1 protocol"]


def test_another_address_needs_another_report(campaign, draft):
    Entry.objects.filter(pk=draft.pk).update(green_at=timezone.now())
    change_address(entry=draft, form=address(secret="x"), by=None, at=timezone.now())
    assert stage(draft) == "checked"
    change_address(entry=draft, form=address("https://own.example.com/new"), by=None, at=timezone.now())
    assert stage(draft) == "draft"


@pytest.mark.parametrize(
    ("green_at", "is_offered"), [(None, False), (-25, False), (-23, True)], ids=["never", "too long ago", "fresh"]
)
def test_a_campaign_may_demand_a_fresh_green_report(campaign, green_at, is_offered):
    campaign.green_report_hours = 24
    campaign.save()
    entry = campaign.entries.get(key="a")
    Entry.objects.filter(pk=entry.pk).update(green_at=None if green_at is None else h(green_at))
    entry.refresh_from_db()
    assert offered(campaign, entry) is is_offered
    assert entry.has_fresh_report(campaign, timezone.now()) is is_offered
    assert campaign.entries.planned(campaign, timezone.now()).exists() is is_offered


def test_a_bot_whose_report_grew_old_keeps_its_place_in_the_plan(campaign, tester):
    campaign.green_report_hours = 24
    campaign.save()
    entry = campaign.entries.get(key="a")
    scenario = campaign.scenarios.get()
    campaign.assignments.create(tester=tester, entry=entry, scenario=scenario, position=1, repetition=1, is_drawn=True)
    assert list(campaign.entries.planned(campaign, timezone.now())) == [entry]
    assert not offered(campaign, entry)


def test_where_a_green_report_is_demanded_none_is_admitted_without(campaign, draft, organizer):
    campaign.green_report_hours = 24
    campaign.save()
    with pytest.raises(NotThatStage, match="green conformance report"):
        admit_bot(entry=draft, by=organizer, at=timezone.now())
