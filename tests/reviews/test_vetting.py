"""Experts accept or return what was collected; a returned dialogue is done again, and both stay."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from audit.models import TrailLine
from campaigns.models import Campaign, Role
from dialogues.actions import open_dialogue
from dialogues.models import Dialogue, LedgerEvent
from dialogues.progress import assignment_rows
from dialogues.queries import events_after
from reviews.actions import BadReview, NotReviewable, NotYours
from reviews.actions.placing import draw_review_places
from reviews.actions.tending import recount_by_policy
from reviews.actions.vetting import vet_dialogue
from reviews.desk import to_vet
from reviews.models import Review, ReviewPlace, Vetting
from tests.reviews.conftest import NOON, closed_dialogues, panel, person, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def collected(campaign, tester):
    """A dialogue, and three experts who vet it."""
    panel(campaign, 1, experts_per_dialogue=3, reviewed_by="both", counted_reviews="both")
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    return dialogue, [person(campaign, f"expert-{number}", Role.EXPERT) for number in (1, 2, 3)]


def vet(dialogue, expert, is_accepted=True, reason="", faults=("natural",)):
    faults = () if is_accepted else faults
    return vet_dialogue(dialogue=dialogue, expert=expert, faults=faults, reason=reason, at=NOON)


def test_all_three_assess_it_and_then_the_majority_accepts_and_only_then_the_panel_scores_and_scores_count(
    collected, campaign, tester
):
    dialogue, (one, two, three) = collected
    submit(dialogue, tester)
    assert draw_review_places(campaign=campaign, at=NOON) == 0
    vet(dialogue, one)
    assert not Review.objects.get().is_counted
    assert [list(to_vet(campaign, expert)) for expert in (one, two)] == [[], [dialogue]]
    vet(dialogue, two)
    assert not Review.objects.get().is_counted, "the third has not answered"
    assert draw_review_places(campaign=campaign, at=NOON) == 0
    assert list(to_vet(campaign, three)) == [dialogue]
    vet(dialogue, three, False, "答非所问")
    assert Review.objects.get().is_counted
    assert draw_review_places(campaign=campaign, at=NOON) == 1
    assert not to_vet(campaign, three).exists()
    fourth = person(campaign, "expert-4", Role.EXPERT)
    assert not to_vet(campaign, fourth).exists()
    for expert in (three, fourth):
        with pytest.raises(NotReviewable):
            vet(dialogue, expert)


def test_an_expert_answers_five_questions_and_one_no_returns_it(collected):
    dialogue, (one, *_) = collected
    assert Vetting.Question.values == ["fluent", "natural", "appropriate", "coherent", "correct"]
    vetting = vet(dialogue, one, False, "人名说错了", faults=("correct", "fluent"))
    assert (vetting.is_accepted, vetting.faults) == (False, ["fluent", "correct"])
    with pytest.raises(BadReview):
        vet(dialogue, one, False, "x", faults=("short",))
    assert vet(dialogue, one).faults == []
    with pytest.raises(IntegrityError), transaction.atomic():
        Vetting.objects.update(is_accepted=False, reason="x")


def test_a_returned_dialogue_counts_nowhere_and_is_done_again(collected, campaign, tester):
    dialogue, (one, two, three) = collected
    submit(dialogue, tester)
    vet(dialogue, one, False, "答非所问")
    vet(dialogue, two, False, "中途换了话题")
    assert Dialogue.objects.get().status == "completed"
    vet(dialogue, three)
    returned = Dialogue.objects.get()
    assert (returned.status, returned.reason) == ("returned", "returned")
    assert Review.objects.get().is_submitted
    assert not Review.objects.get().is_counted
    (row,) = assignment_rows(tester, campaign, at=NOON)
    assert (row.state, row.dialogue_id, row.returned_because) == ("to_do", None, "答非所问\n中途换了话题")
    again = open_dialogue(assignment=returned.assignment, at=NOON)
    assert again.pk != returned.pk
    assert Dialogue.objects.count() == 2
    (row,) = assignment_rows(tester, campaign, at=NOON)
    assert (row.state, row.returned_because) == ("begun", "")


def test_the_ledger_says_that_it_was_returned_and_why(collected):
    dialogue, (one, two, three) = collected
    Dialogue.objects.update(last_seq=2)
    vet(dialogue, one, False, "答非所问")
    vet(dialogue, two, False, "中途换了话题")
    vet(dialogue, three)
    line = LedgerEvent.objects.get()
    assert (line.seq, line.kind) == (3, "dialogue.returned")
    assert '"because":"答非所问\\n中途换了话题"' in line.frame


def returns_in_the_trail():
    lines = TrailLine.objects.in_order()
    assert [one.act for one in lines][-1:] == ["dialogue.returned"]
    return list(lines.of_act("dialogue.returned").values_list("person", "campaign", "about", "details"))


def test_the_return_is_the_last_line_of_the_trail_and_names_no_expert(collected):
    dialogue, experts = collected
    for expert in experts:
        vet(dialogue, expert, False, "答非所问")
    alias = dialogue.assignment.entry.alias
    told = ("", "small", f"{alias} · flight-then-hotel", {"dialogue": str(dialogue.pk)})
    assert returns_in_the_trail() == [told]


def test_the_testers_list_shows_the_reason(collected, tester):
    dialogue, experts = collected
    for expert in experts:
        vet(dialogue, expert, False, "答非所问，Team Alpha 的口气")
    client = Client()
    client.force_login(tester)
    page = client.get("/campaigns/small/testing/").content.decode()
    assert "答非所问" in page
    assert "Team Alpha" not in page


def test_the_line_that_sockets_get_names_nobody(collected):
    dialogue, experts = collected
    Dialogue.objects.update(last_seq=2)
    for expert in experts:
        vet(dialogue, expert, False, "答非所问，Team Alpha 的口气")
    *_, (_, frame) = events_after(dialogue.pk, 0)
    assert "答非所问" in frame
    assert "Alpha" not in frame


def test_a_return_says_why_and_an_opinion_may_change_until_it_is_decided(collected):
    dialogue, (one, two, _) = collected
    for reason in ("", "   ", "x" * 5000):
        with pytest.raises(BadReview):
            vet(dialogue, one, False, reason)
    vet(dialogue, one, False, "答非所问")
    vet(dialogue, one, True)
    vet(dialogue, two, True)
    assert Vetting.objects.filter(is_accepted=True).count() == 2
    assert Dialogue.objects.get().status == "completed"


def test_only_experts_vet_and_never_their_own_or_what_is_not_collected(collected, campaign, tester, reviewer):
    dialogue, (one, *_) = collected
    person(campaign, tester.username, Role.EXPERT)
    for stranger in (tester, reviewer):
        with pytest.raises(NotYours):
            vet(dialogue, stranger)
    Dialogue.objects.update(status="abandoned")
    with pytest.raises(NotReviewable):
        vet(dialogue, one)


def test_without_experts_in_the_campaign_nothing_is_vetted(collected, campaign):
    dialogue, (one, *_) = collected
    campaign.experts_per_dialogue = 0
    campaign.save()
    with pytest.raises(NotReviewable):
        vet(dialogue, one)
    assert draw_review_places(campaign=campaign, at=NOON) == 1
    assert ReviewPlace.objects.count() == 1


def test_what_fewer_experts_have_decided_already_is_returned_by_the_new_setting(collected, campaign):
    dialogue, (one, *_) = collected
    recount_by_policy(campaign=campaign, at=NOON)
    vet(dialogue, one, False, "答非所问")
    Campaign.objects.filter(pk=campaign.pk).update(experts_per_dialogue=1)
    campaign.refresh_from_db()
    version = campaign.scores_version
    recount_by_policy(campaign=campaign, at=NOON)
    assert Dialogue.objects.get().status == "returned"
    assert LedgerEvent.objects.get().kind == "dialogue.returned"
    assert len(returns_in_the_trail()) == 1
    # No review of it counted; the board of pairs changes all the same.
    assert Campaign.objects.get(pk=campaign.pk).scores_version > version


@pytest.mark.parametrize(
    ("status", "is_read"),
    [
        ("open", False),
        ("void", False),
        ("abandoned", False),
        ("completed", True),
        ("unfinished", True),
        ("returned", True),
    ],
)
def test_an_expert_reads_what_was_collected_and_nothing_else(client, collected, status, is_read):
    dialogue, (expert, *_) = collected
    closed_at = None if status == "open" else NOON
    Dialogue.objects.update(status=status, closed_at=closed_at)
    client.force_login(expert)
    expected = 200 if is_read else 404
    assert client.get(f"/reviews/{dialogue.pk}/vetting/").status_code == expected
    assert client.get(f"/api/v1/dialogues/{dialogue.pk}/review/sheet/").status_code == expected


def test_who_imported_a_dialogue_may_vet_it(client, campaign):
    panel(campaign, 1, experts_per_dialogue=1)
    expert = person(campaign, "expert", Role.EXPERT)
    (imported,) = closed_dialogues(campaign, expert, 1, origin="imported", external_id="d1")
    (own,) = closed_dialogues(campaign, expert, 1, first=2000)
    assert list(to_vet(campaign, expert)) == [imported]
    client.force_login(expert)
    assert client.get(f"/reviews/{imported.pk}/vetting/").status_code == 200
    vet(imported, expert)
    with pytest.raises(NotYours):
        vet(own, expert)
