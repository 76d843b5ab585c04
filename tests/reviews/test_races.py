"""People who act on the same dialogue at the same moment, each in a thread with a connection of its own."""

from collections import Counter
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from campaigns.actions import load_campaign
from campaigns.models import Assignment, Role
from dialogues.actions import open_chosen_dialogue, open_dialogue
from dialogues.actions.deciding import NotPossible, reassign
from dialogues.actions.ledger import Outcome
from dialogues.actions.opening import NotOffered
from dialogues.models import Attempt, Dialogue, LedgerEvent
from dialogues.queries import events_after
from reviews.actions import Conflict, NotReviewable, NotYours, undo_submission
from reviews.actions.deciding import restore_dialogue, void_dialogue
from reviews.actions.placing import draw_review_places, open_next_place
from reviews.actions.tending import tend_reviewing
from reviews.actions.vetting import vet_dialogue
from reviews.models import Dispute, Review, ReviewChange, ReviewPlace
from tests.conftest import SMALL_CAMPAIGN, Admitted, spec_of
from tests.dialogues.test_actions import Talk
from tests.dialogues.test_races import at_once
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, person, submit

pytestmark = [pytest.mark.django_db(transaction=True)]

N_ROUNDS = 4


APART = SCORES | {"satisfaction": -2}


@pytest.fixture
def contest(transactional_db):
    campaign, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN))
    return campaign, Person.objects.get(username="tester")


def test_the_last_place_goes_to_one_of_two_reviewers(contest):
    campaign, tester = contest
    one, *_ = panel(campaign, 1)
    two = person(campaign, "two", Role.REVIEWER)
    for number in range(N_ROUNDS):
        closed_dialogues(campaign, tester, 1, first=1000 + number)
        opened = at_once(*(partial(open_next_place, campaign=campaign, reviewer=who, at=NOON) for who in (one, two)))
        assert sum(isinstance(dialogue, Dialogue) for dialogue in opened) == 1, opened
        (dialogue,) = [dialogue for dialogue in opened if dialogue]
        submit(dialogue, one if opened[0] else two)
    assert set(Counter(ReviewPlace.objects.held().values_list("dialogue", flat=True)).values()) == {1}


def test_of_two_tabs_that_hand_in_at_once_one_meets_a_conflict(contest):
    campaign, tester = contest
    (reviewer,) = panel(campaign, 1)
    for number in range(N_ROUNDS):
        (dialogue,) = closed_dialogues(campaign, tester, 1, first=1000 + number)
        draw_review_places(campaign=campaign, at=NOON)
        stored = at_once(*(partial(submit, dialogue, reviewer, ratings=given) for given in (SCORES, APART)))
        (conflict,) = [one for one in stored if isinstance(one, Conflict)]
        (review,) = [one for one in stored if isinstance(one, Review)]
        assert conflict.current["ratings"] == ReviewChange.objects.get(review=review).after["ratings"]


def test_the_last_two_of_a_panel_at_once_open_one_dispute(contest):
    campaign, tester = contest
    people = panel(campaign, 2, adjudicated_over=1)
    person(campaign, "adjudicator", Role.ADJUDICATOR)
    for number in range(N_ROUNDS):
        (dialogue,) = closed_dialogues(campaign, tester, 1, first=1000 + number)
        draw_review_places(campaign=campaign, at=NOON)
        given = zip(people, (SCORES, APART), strict=True)
        stored = at_once(*(partial(submit, dialogue, who, ratings=what) for who, what in given))
        assert all(isinstance(one, Review) for one in stored), stored
        assert Dispute.objects.get(dialogue=dialogue).settled_at is None
        assert not Review.objects.filter(dialogue=dialogue, is_counted=True).exists()


def test_an_undo_against_the_adjudicator_leaves_one_truth(contest):
    campaign, tester = contest
    people = panel(campaign, 2, adjudicated_over=1)
    adjudicator = person(campaign, "adjudicator", Role.ADJUDICATOR)
    for number in range(N_ROUNDS):
        (dialogue,) = closed_dialogues(campaign, tester, 1, first=1000 + number)
        draw_review_places(campaign=campaign, at=NOON)
        for who, what in zip(people, (SCORES, APART), strict=True):
            submit(dialogue, who, ratings=what)
        undone, decided = at_once(
            partial(undo_submission, dialogue=dialogue, reviewer=people[0], version=1, at=NOON + timedelta(minutes=1)),
            partial(submit, dialogue, adjudicator),
        )
        assert isinstance(undone, Review), undone
        counted = set(Review.objects.filter(dialogue=dialogue, is_counted=True).values_list("part", flat=True))
        if isinstance(decided, NotYours):
            assert counted == {"panel"}
            assert not Dispute.objects.filter(dialogue=dialogue).exists()
        else:
            assert counted == {"adjudication"}
            assert Dispute.objects.get(dialogue=dialogue).settled_by == decided


def test_drawings_and_hand_ins_at_once_neither_wait_for_ever_nor_draw_too_many(contest):
    campaign, tester = contest
    people = panel(campaign, 2)
    for number in range(N_ROUNDS):
        closed_dialogues(campaign, tester, 5, first=1000 + 10 * number)
        draw_review_places(campaign=campaign, at=NOON)
        newcomer = person(campaign, f"newcomer-{number}", Role.REVIEWER)

        def work(who):
            dialogue = open_next_place(campaign=campaign, reviewer=who, at=NOON)
            return submit(dialogue, who) if dialogue else None

        outcomes = at_once(
            *(partial(work, who) for who in (*people, newcomer)),
            partial(draw_review_places, campaign=campaign, at=NOON),
            partial(tend_reviewing, at=NOON),
        )
        assert not [one for one in outcomes if isinstance(one, Exception)], outcomes
    draw_review_places(campaign=campaign, at=NOON)
    assert set(Counter(ReviewPlace.objects.held().values_list("dialogue", flat=True)).values()) == {2}


def test_three_experts_at_once_return_a_dialogue_once(contest):
    campaign, tester = contest
    panel(campaign, 1, experts_per_dialogue=3)
    experts = [person(campaign, f"expert-{number}", Role.EXPERT) for number in (1, 2, 3)]
    for number in range(N_ROUNDS):
        (dialogue,) = closed_dialogues(campaign, tester, 1, first=1000 + number)
        vetted = at_once(*(
            partial(vet_dialogue, dialogue=dialogue, expert=who, faults=["fluent"], reason="x", at=NOON)
            for who in experts
        ))  # fmt: skip
        assert not [one for one in vetted if isinstance(one, Exception)], vetted
        assert Dialogue.objects.get(pk=dialogue.pk).status == "returned"
        assert LedgerEvent.objects.filter(dialogue=dialogue, kind="dialogue.returned").count() == 1


WHY = {"by": None, "because": "x", "at": NOON}


def fresh_dialogue(campaign, tester):
    return open_chosen_dialogue(
        campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(),
        at=timezone.now(),
    )  # fmt: skip


def test_a_reply_that_comes_with_the_declaration_is_in_the_ledger_or_late(contest):
    campaign, tester = contest
    for _ in range(N_ROUNDS):
        dialogue = fresh_dialogue(campaign, tester)
        talk = Talk(dialogue, Admitted(tester))
        asked = talk.send().asked
        void, is_current = at_once(partial(void_dialogue, dialogue=dialogue, **WHY), partial(talk.answer, asked))
        assert isinstance(void, Outcome), void
        now = Dialogue.objects.get(pk=dialogue.pk)
        assert (now.status, now.reason) == ("void", "voided")
        lines = events_after(dialogue.pk, 0)
        assert [seq for seq, _ in lines] == list(range(1, now.last_seq + 1))
        late = Attempt.objects.filter(turn__dialogue=dialogue, outcome="late").exists()
        assert late is not is_current


def test_of_two_declarations_at_once_one_is_refused(contest):
    campaign, tester = contest
    for number in range(N_ROUNDS):
        (dialogue,) = closed_dialogues(campaign, tester, 1, first=1000 + number)
        done = at_once(*(partial(void_dialogue, dialogue=dialogue, **WHY) for _ in range(2)))
        assert sorted(type(one).__name__ for one in done) == ["NotPossible", "Outcome"], done
        assert LedgerEvent.objects.filter(dialogue=dialogue, kind="dialogue.voided").count() == 1
        assert TrailLine.objects.filter(act="dialogue.voided", details__dialogue=str(dialogue.pk)).count() == 1


def test_what_is_handed_in_meanwhile_is_kept_and_does_not_count(contest):
    campaign, tester = contest
    (reviewer,) = panel(campaign, 1)
    for number in range(N_ROUNDS):
        (dialogue,) = closed_dialogues(campaign, tester, 1, first=1000 + number)
        draw_review_places(campaign=campaign, at=NOON)
        assert open_next_place(campaign=campaign, reviewer=reviewer, at=NOON) == dialogue
        void, handed_in = at_once(partial(void_dialogue, dialogue=dialogue, **WHY), partial(submit, dialogue, reviewer))
        assert isinstance(void, Outcome), void
        assert isinstance(handed_in, Review | NotReviewable | NotYours), handed_in
        assert not Review.objects.filter(dialogue=dialogue, is_counted=True).exists()
        assert not ReviewPlace.objects.filter(dialogue=dialogue).to_do().exists()


def test_a_dialogue_counts_again_or_its_assignment_is_begun_again_never_both(contest):
    campaign, tester = contest
    for number in range(N_ROUNDS):
        (dialogue,) = closed_dialogues(campaign, tester, 1, first=1000 + number)
        void_dialogue(dialogue=dialogue, **WHY)
        restored, opened = at_once(
            partial(restore_dialogue, dialogue=dialogue, **WHY),
            partial(open_dialogue, assignment=dialogue.assignment, at=NOON),
        )
        assert isinstance(opened, Dialogue), opened
        assert isinstance(restored, Outcome | NotPossible), restored
        assert (opened.pk == dialogue.pk) is isinstance(restored, Outcome)
        assert Dialogue.objects.filter(assignment=dialogue.assignment).counted().count() == 1


def test_an_assignment_is_opened_by_its_old_tester_or_given_on_never_both(contest):
    campaign, tester = contest
    for number in range(N_ROUNDS):
        other = person(campaign, f"other-{number}", Role.TESTER)
        assignment = Assignment.objects.create(
            campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(),
            repetition=500 + number, position=500 + number,
        )  # fmt: skip
        given, opened = at_once(
            partial(reassign, assignment=assignment, to=other, **WHY),
            partial(open_dialogue, assignment=assignment, at=NOON),
        )
        now = Assignment.objects.get(pk=assignment.pk)
        if isinstance(given, NotPossible):
            assert (now.tester, opened.tester) == (tester, tester)
        else:
            assert isinstance(opened, NotOffered), opened
            assert now.tester == other
