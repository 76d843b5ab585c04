"""One decision about many rows: each is done by itself with the one reason, and what is refused keeps none of the others."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from campaigns.models import CampaignRole, Role
from dialogues.actions import open_chosen_dialogue
from dialogues.models import Attempt, Dialogue
from tests.conftest import Admitted
from tests.dialogues.test_actions import Talk
from tests.reviews.conftest import person

pytestmark = pytest.mark.django_db
DIALOGUES, FAILURES, ASSIGNMENTS = (f"/campaigns/small/{page}/" for page in ("dialogues", "failures", "assignments"))
BECAUSE = "the network of the site was down"


@pytest.fixture
def organizing(organizer):
    Person.objects.update(language="en")
    client = Client()
    client.force_login(organizer)
    return client


def opened(campaign, tester):
    return open_chosen_dialogue(
        campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(),
        at=timezone.now(),
    )  # fmt: skip


def reasons(act):
    return list(TrailLine.objects.filter(act=act).values_list("because", flat=True))


def said(answer):
    return " ".join(str(message) for message in answer.context["messages"])


def test_all_that_were_chosen_are_void_with_one_reason_and_a_line_each(organizing, campaign, tester):
    chosen = [str(opened(campaign, tester).pk) for _ in range(3)]
    kept = opened(campaign, tester)
    answer = organizing.post(
        f"{DIALOGUES}many/",
        {"act": "void", "chosen": chosen, "because": BECAUSE, "back": f"{DIALOGUES}?state=open"},
        follow=True,
    )
    assert answer.redirect_chain == [(f"{DIALOGUES}?state=open", 302)]
    assert said(answer) == "3 done."
    assert reasons("dialogue.voided") == [BECAUSE] * 3
    assert list(Dialogue.objects.open().values_list("pk", flat=True)) == [kept.pk]


def test_one_that_is_refused_is_named_and_keeps_none_of_the_others(organizing, campaign, tester):
    first, second = opened(campaign, tester), opened(campaign, tester)
    sent = {"act": "end", "chosen": [str(first.pk), str(second.pk)], "because": BECAUSE}
    organizing.post(f"{DIALOGUES}{first.pk}/void/", {"because": "earlier"})
    answer = organizing.post(f"{DIALOGUES}many/", sent, follow=True)
    assert "1 done. 1 not done:" in said(answer)
    assert str(first.pk)[:8] in said(answer)
    assert not Dialogue.objects.open().exists()


@pytest.mark.parametrize("wrong", [{"because": " "}, {"chosen": []}, {"chosen": ["x"] * 201}])
def test_without_a_reason_or_a_choice_nothing_is_done(organizing, campaign, tester, wrong):
    sent = {"act": "void", "chosen": [str(opened(campaign, tester).pk)], "because": BECAUSE} | wrong
    if wrong.get("chosen"):
        sent["chosen"] = [str(number) for number in range(201)]
    organizing.post(f"{DIALOGUES}many/", sent)
    assert Dialogue.objects.open().count() == 1
    assert reasons("dialogue.voided") == []


def test_failures_are_booked_to_the_platform_together(organizing, campaign, tester):
    chosen = []
    for _ in range(2):
        dialogue = opened(campaign, tester)
        talk = Talk(dialogue, Admitted(tester))
        talk.fail(talk.send().asked)
        chosen.append(f"{dialogue.pk}:1")
    sent = {"act": "fault", "fault": "platform", "chosen": chosen, "because": BECAUSE, "back": FAILURES}
    assert said(organizing.post(f"{DIALOGUES}many/", sent, follow=True)) == "2 done."
    assert set(Attempt.objects.values_list("fault", flat=True)) == {"platform"}
    assert reasons("fault.booked") == [BECAUSE] * 2


@pytest.fixture
def assignments(campaign, tester):
    """Two of a tester who fell ill; two others could have them."""
    for name in ("anna", "bert"):
        person(campaign, name, Role.TESTER)
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    other = campaign.scenarios.create(key="other", position=9)
    return [
        campaign.assignments.create(tester=tester, entry=entry, scenario=one, position=number)
        for number, one in enumerate((scenario, other), start=1)
    ]


def test_whoever_has_the_fewest_left_gets_the_next(organizing, campaign, assignments):
    sent = {"chosen": [str(one.pk) for one in assignments], "tester": "", "because": BECAUSE}
    assert said(organizing.post(f"{ASSIGNMENTS}many/", sent, follow=True)) == "2 done."
    assert sorted(campaign.assignments.values_list("tester__username", flat=True)) == ["anna", "bert"]
    assert reasons("assignment.reassigned") == [BECAUSE] * 2


def test_a_program_reads_what_was_refused(organizing, campaign, tester, assignments):
    first, second = assignments
    first.tester = Person.objects.get(username="anna")
    first.save()
    sent = {"assignments": [first.pk, second.pk, 987654321], "tester": "anna", "because": BECAUSE}
    answer = organizing.post(f"/api/v1{ASSIGNMENTS}many/", sent, content_type="application/json").json()
    assert answer["done"] == 1
    assert [one["name"] for one in answer["refused"]][1:] == ["987654321"]
    nobody = organizing.post(
        f"/api/v1{ASSIGNMENTS}many/", sent | {"tester": "nobody-here"}, content_type="application/json"
    )
    assert (nobody.status_code, nobody.json()["code"]) == (409, "no_such_tester")


def test_a_dialogue_of_another_campaign_is_not_found(organizing, campaign, tester):
    body = {
        "act": "void",
        "dialogues": [{"id": "00000000-0000-4000-8000-000000000000"}, {"id": "x"}],
        "because": BECAUSE,
    }
    answer = organizing.post(f"/api/v1{DIALOGUES}many/", body, content_type="application/json").json()
    assert answer["done"] == 0
    assert len(answer["refused"]) == 2


def test_others_do_nothing_here(client, campaign, tester):
    dialogue = opened(campaign, tester)
    client.force_login(tester)
    for role in (Role.TESTER, Role.REVIEWER):
        CampaignRole.objects.get_or_create(campaign=campaign, person=tester, role=role)
    sent = {"act": "void", "chosen": [str(dialogue.pk)], "because": BECAUSE}
    assert client.post(f"{DIALOGUES}many/", sent).status_code == 404
    assert Dialogue.objects.open().exists()
