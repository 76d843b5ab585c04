"""A team objects to what stands of its own dialogues; an organizer answers, and both are in the trail."""

import pytest
from django.utils import timezone

from audit.models import TrailLine
from campaigns.reasons import ReasonNeeded
from dialogues.actions.objecting import Answered, NothingToObjectTo, answer_objection, object_to
from dialogues.models import Dialogue, Objection
from tests.dialogues.test_actions import Talk
from tests.team_desk.conftest import client_of

pytestmark = pytest.mark.django_db
OWN = "/campaigns/small/team/objections/"
API = "/api/v1/campaigns/small"


@pytest.fixture
def failed(dialogue, admission):
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("k1").asked)
    talk.fail(talk.send("k2").asked)
    return dialogue


def against_fault(dialogue, participant, turn=2, text="it answered within a second"):
    named = Dialogue.objects.with_names().get(pk=dialogue.pk)
    number = named.turns.get(number=turn)
    return object_to(dialogue=named, turn=number, against="fault", text=text, by=participant, at=timezone.now())


def test_a_fault_can_be_objected_to_once_at_a_time_and_only_where_a_call_failed(failed, participant):
    with pytest.raises(NothingToObjectTo):
        against_fault(failed, participant, turn=1)
    with pytest.raises(ReasonNeeded):
        against_fault(failed, participant, text="  ")
    made = against_fault(failed, participant)
    with pytest.raises(NothingToObjectTo):
        against_fault(failed, participant)
    answer_objection(objection=made, is_upheld=False, because="it did not", by=participant, at=timezone.now())
    against_fault(failed, participant)
    assert Objection.objects.count() == 2


@pytest.mark.parametrize(
    ("against", "status", "is_published", "is_taken"),
    [
        ("void", "void", False, True), ("void", "completed", True, False), ("scores", "completed", True, True),
        ("scores", "completed", False, False), ("scores", "void", True, False), ("weather", "completed", True, False),
    ],
)  # fmt: skip
def test_only_what_stands_can_be_objected_to(dialogue, campaign, participant, against, status, is_published, is_taken):
    campaign.is_published = campaign.was_published = is_published
    campaign.save()
    Dialogue.objects.update(status=status, closed_at=timezone.now())
    named = Dialogue.objects.with_names().get()
    said = {"against": against, "text": "no", "by": participant, "at": timezone.now()}
    if is_taken:
        assert object_to(dialogue=named, **said).against == against
    else:
        with pytest.raises(NothingToObjectTo):
            object_to(dialogue=named, **said)


def test_both_stand_in_the_trail_and_an_answer_is_given_once(failed, participant, organizer):
    made = against_fault(failed, participant)
    answered = answer_objection(objection=made, is_upheld=True, because="so it was", by=organizer, at=timezone.now())
    assert (answered.is_upheld, answered.answer) == (True, "so it was")
    with pytest.raises(Answered):
        answer_objection(objection=made, is_upheld=False, because="no", by=organizer, at=timezone.now())
    lines = TrailLine.objects.filter(act__startswith="objection.").order_by("number")
    assert [(one.act, one.person, one.because) for one in lines] == [
        ("objection.made", "participant", "it answered within a second"), ("objection.upheld", "organizer", "so it was"),
    ]  # fmt: skip


def test_the_team_objects_and_reads_the_answer_without_the_name_of_who_gave_it(browser, failed, organizer, campaign):
    shown = browser.get(f"/campaigns/small/team/bots/{failed.assignment.entry_id}/").content.decode()
    assert f'value="{failed.pk}"' in shown
    said = {"dialogue": str(failed.pk), "turn": 2, "against": "fault", "because": "it was in time"}
    assert browser.post(OWN, said).url == OWN
    assert browser.post(OWN, said).status_code == 409
    assert "it was in time" in browser.post(OWN, said).content.decode()
    keeper = client_of(organizer)
    page = keeper.get("/campaigns/small/objections/").content.decode()
    assert "it was in time" in page
    address = f"/campaigns/small/objections/{Objection.objects.get().pk}/"
    empty = keeper.post(address, {"upheld": "no", "because": ""})
    assert empty.status_code == 409
    keeper.post(address, {"upheld": "no", "because": "the log says otherwise"})
    shown = browser.get(OWN).content.decode()
    assert "the log says otherwise" in shown
    assert organizer.username not in shown
    (told,) = browser.get(f"{API}/team/objections/").json()
    assert (told["upheld"], told["answer"], told["turn"]) == (False, "the log says otherwise", 2)


def test_another_team_neither_sees_it_nor_objects_for_them(failed, browser, rival, participant):
    made = against_fault(failed, participant)
    assert made.text not in rival.get(OWN).content.decode()
    said = {"dialogue": str(failed.pk), "turn": 2, "against": "fault", "because": "theirs", "text": "theirs"}
    assert rival.post(OWN, said).status_code == 404
    assert rival.post(f"{API}/team/objections/", said, "application/json").status_code == 404
    assert browser.post(OWN, said | {"dialogue": "no id"}).status_code == 404


def test_the_api_does_the_same(browser, failed, organizer):
    said = {"dialogue": str(failed.pk), "turn": 2, "against": "fault", "text": "in time"}
    made = browser.post(f"{API}/team/objections/", said, "application/json")
    assert (made.status_code, made.json()["upheld"]) == (201, None)
    keeper = client_of(organizer)
    (told,) = keeper.get(f"{API}/objections/").json()
    assert (told["team"], told["made_by"]) == ("Team Alpha", "participant")
    answer = keeper.post(f"{API}/objections/{told['id']}/", {"upheld": True, "because": "yes"}, "application/json")
    assert answer.json()["upheld"] is True
