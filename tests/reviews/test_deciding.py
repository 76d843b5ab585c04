"""What an organizer decides about one dialogue: void, counting again, faults booked anew; and what follows from it."""

import json
from datetime import timedelta

import pytest
from django.utils.translation import override

from audit.models import TrailLine
from campaigns.actions import ReasonNeeded
from campaigns.models import Campaign
from dialogues.actions import open_dialogue
from dialogues.actions.deciding import InFlight, NotPossible, end_for_tester
from dialogues.models import Attempt, Dialogue, LedgerEvent
from dialogues.progress import assignment_rows
from dialogues.queries import events_after
from dialogues.turn_taking import EndReason
from participants.failures import FailureKind, Fault
from reviews.actions import NotReviewable
from reviews.actions.deciding import book_fault, book_to_platform, restore_dialogue, void_dialogue
from reviews.actions.placing import draw_review_places, open_next_place
from reviews.models import GoldReview, Review, ReviewPlace
from tests.dialogues.test_actions import Talk
from tests.reviews.conftest import NOON, closed_dialogues, panel, submit

pytestmark = pytest.mark.django_db

WHY = {"because": "走错了场景", "at": NOON}


def kinds_of(dialogue):
    return [json.loads(frame)["type"] for _, frame in events_after(dialogue.pk, 0)]


def decided():
    """The lines of the trail about what organizers decide here; hand-ins have theirs."""
    own = ["dialogue.voided", "dialogue.restored", "dialogue.ended", "fault.booked"]
    return TrailLine.objects.filter(act__in=own).in_order()


def fresh(dialogue):
    return Dialogue.objects.get(pk=dialogue.pk)


def failing(dialogue, admission, *, times=3):
    """A talk whose first turn the bot fails so often; after three times its part is closed."""
    talk = Talk(dialogue, admission)
    talk.fail(talk.send("k1").asked)
    for _ in range(times - 1):
        talk.fail(talk.retry(1))
    return talk


class TestVoid:
    def test_a_void_dialogue_counts_nowhere_and_its_assignment_is_open_again(self, closed, tester, organizer):
        submit(closed, tester)
        assert Review.objects.get().is_counted
        version = fresh(closed).assignment.campaign.scores_version
        outcome = void_dialogue(dialogue=closed, by=organizer, **WHY)
        void = fresh(closed)
        assert (void.status, void.reason) == ("void", "voided")
        review = Review.objects.get()
        assert review.is_submitted
        assert not review.is_counted
        assert void.assignment.campaign.scores_version > version
        (row,) = assignment_rows(tester, void.assignment.campaign, at=NOON)
        assert (row.state, row.dialogue_id, row.returned_because) == ("to_do", None, "走错了场景")
        assert open_dialogue(assignment=void.assignment, at=NOON).pk != void.pk
        ((told,),) = [one.lines for one in outcome.told]
        assert json.loads(told[1]) == {"type": "dialogue.voided", "seq": void.last_seq, "because": "走错了场景"}

    def test_it_is_one_line_of_the_trail(self, closed, organizer):
        void_dialogue(dialogue=closed, by=organizer, **WHY)
        (line,) = decided()
        assert (line.act, line.person, line.campaign) == ("dialogue.voided", "organizer", "small")
        alias = closed.assignment.entry.alias
        assert (line.about, line.because) == (f"{alias} · flight-then-hotel", "走错了场景")
        assert line.details == {"dialogue": str(closed.pk), "was": "unfinished"}

    def test_an_open_one_ends_and_its_turn_in_flight_is_cancelled(self, dialogue, admission, organizer):
        Talk(dialogue, admission).send("k1", "你好")
        outcome = void_dialogue(dialogue=dialogue, by=organizer, **WHY)
        assert outcome.stopped == dialogue.pk
        assert fresh(dialogue).status == "void"
        assert kinds_of(dialogue) == [
            "turn.accepted", "turn.failed", "subtask.closed", "subtask.closed", "dialogue.closed",
        ]  # fmt: skip
        last = json.loads(events_after(dialogue.pk, 0)[-1][1])
        assert (last["status"], last["reason"], last["because"]) == ("void", "voided", "走错了场景")

    def test_what_counts_nowhere_cannot_be_declared_void(self, closed, organizer):
        void_dialogue(dialogue=closed, by=organizer, **WHY)
        with pytest.raises(NotPossible):
            void_dialogue(dialogue=closed, by=organizer, **WHY)
        assert decided().count() == 1

    @pytest.mark.parametrize("because", ["", " \n", "x" * 501])
    def test_without_a_reason_nothing_happens(self, closed, organizer, because):
        with pytest.raises(ReasonNeeded):
            void_dialogue(dialogue=closed, by=organizer, because=because, at=NOON)
        assert fresh(closed).status == "unfinished"

    def test_gold_stays_as_it_is(self, closed, organizer):
        GoldReview.objects.create(dialogue=closed, content={}, set_by=organizer, set_at=NOON)
        with pytest.raises(NotPossible):
            void_dialogue(dialogue=closed, by=organizer, **WHY)
        assert fresh(closed).status == "unfinished"
        assert not LedgerEvent.objects.filter(kind="dialogue.voided").exists()

    def test_not_once_the_campaign_is_over(self, closed, organizer):
        Campaign.objects.update(ends_at=NOON - timedelta(seconds=1))
        with pytest.raises(NotPossible):
            void_dialogue(dialogue=closed, by=organizer, **WHY)
        with pytest.raises(NotPossible):
            end_for_tester(dialogue=closed, by=organizer, **WHY)
        assert fresh(closed).status == "unfinished"

    def test_the_testers_socket_hears_no_name_of_a_team(self, closed, organizer):
        void_dialogue(dialogue=closed, by=organizer, because="Team Alpha 换了模型", at=NOON)
        assert "Team Alpha" not in LedgerEvent.objects.get(kind="dialogue.voided").frame
        assert decided().get().because == "Team Alpha 换了模型"

    def test_places_of_its_panel_are_free(self, campaign, tester, organizer):
        one, two = panel(campaign, 2)
        (dialogue,) = closed_dialogues(campaign, tester, 1)
        draw_review_places(campaign=campaign, at=NOON)
        assert open_next_place(campaign=campaign, reviewer=one, at=NOON) == dialogue
        void_dialogue(dialogue=dialogue, by=organizer, **WHY)
        (place,) = ReviewPlace.objects.all()
        assert (place.reviewer, place.released_because) == (one, "not_reviewed")
        assert open_next_place(campaign=campaign, reviewer=two, at=NOON) is None

    def test_a_tester_who_hands_in_too_late_hears_why(self, closed, tester, organizer):
        void_dialogue(dialogue=closed, by=organizer, **WHY)
        with override("en"), pytest.raises(NotReviewable, match="declared"):
            submit(closed, tester)


class TestRestore:
    def test_it_counts_again_as_it_did(self, closed, tester, organizer):
        submit(closed, tester)
        void_dialogue(dialogue=closed, by=organizer, **WHY)
        restore_dialogue(dialogue=closed, by=organizer, **WHY)
        assert (fresh(closed).status, fresh(closed).reason) == ("unfinished", "gave_up")
        assert Review.objects.get().is_counted
        assert kinds_of(closed)[-2:] == ["dialogue.voided", "dialogue.restored"]
        assert [line.act for line in decided()] == ["dialogue.voided", "dialogue.restored"]

    def test_the_panel_is_drawn_for_again(self, campaign, tester, organizer):
        panel(campaign, 2)
        (dialogue,) = closed_dialogues(campaign, tester, 1)
        draw_review_places(campaign=campaign, at=NOON)
        void_dialogue(dialogue=dialogue, by=organizer, **WHY)
        restore_dialogue(dialogue=dialogue, by=organizer, **WHY)
        draw_review_places(campaign=campaign, at=NOON)
        assert ReviewPlace.objects.to_do().count() == 2

    def test_not_where_the_assignment_was_done_again(self, closed, organizer):
        void_dialogue(dialogue=closed, by=organizer, **WHY)
        open_dialogue(assignment=closed.assignment, at=NOON)
        with pytest.raises(NotPossible):
            restore_dialogue(dialogue=closed, by=organizer, **WHY)

    def test_not_where_it_was_still_open(self, dialogue, organizer):
        void_dialogue(dialogue=dialogue, by=organizer, **WHY)
        with pytest.raises(NotPossible):
            restore_dialogue(dialogue=dialogue, by=organizer, **WHY)

    def test_not_where_nobody_declared_anything(self, closed, organizer):
        with pytest.raises(NotPossible):
            restore_dialogue(dialogue=closed, by=organizer, **WHY)


class TestEnd:
    def test_it_is_scored_as_it_stands_and_the_tester_reads_why(self, dialogue, admission, organizer):
        Talk(dialogue, admission).turns(1)
        outcome = end_for_tester(dialogue=dialogue, by=organizer, **WHY)
        assert (fresh(dialogue).status, fresh(dialogue).reason) == ("unfinished", "ended_by_organizer")
        assert outcome.stopped == dialogue.pk
        closing = json.loads(outcome.told[0].lines[-1][1])
        assert closing["because"] == "走错了场景"
        assert decided().get().act == "dialogue.ended"

    def test_a_closed_one_cannot_end(self, closed, organizer):
        with pytest.raises(NotPossible):
            end_for_tester(dialogue=closed, by=organizer, **WHY)
        assert not decided().exists()


class TestFaults:
    def book(self, dialogue, fault, number=1, by=None):
        return book_fault(dialogue=dialogue, number=number, fault=fault, by=by, **WHY)

    def test_a_part_that_the_platform_broke_makes_the_closed_dialogue_void(self, dialogue, admission, tester):
        talk = failing(dialogue, admission)
        talk.turns(1)
        talk.close(2)
        submit(dialogue, tester)
        assert fresh(dialogue).status == "unfinished"
        self.book(dialogue, Fault.PLATFORM)
        assert fresh(dialogue).status == "void"
        assert not Review.objects.get().is_counted
        current = Attempt.objects.get(is_current=True)
        assert (current.fault, current.measured_fault) == ("platform", "bot")
        assert kinds_of(dialogue)[-2:] == ["fault.booked", "dialogue.voided"]
        line = decided().get()
        said = {"turn": 1, "was": "bot", "fault": "platform", "dialogue_is": "void"}
        assert line.details == {"dialogue": str(dialogue.pk), **said}

    def test_booked_back_it_counts_again(self, dialogue, admission, tester):
        talk = failing(dialogue, admission)
        talk.turns(1)
        talk.close(2)
        submit(dialogue, tester)
        self.book(dialogue, Fault.PLATFORM)
        self.book(dialogue, Fault.BOT)
        assert fresh(dialogue).status == "unfinished"
        assert Review.objects.get().is_counted
        assert Attempt.objects.get(is_current=True).measured_fault == "bot"

    def test_what_the_platform_broke_counts_once_it_is_the_bots_fault(self, dialogue, admission):
        talk = Talk(dialogue, admission)
        talk.fail(talk.send("k1").asked, FailureKind.INTERRUPTED)
        talk.end()
        assert fresh(dialogue).status == "void"
        self.book(dialogue, Fault.BOT)
        assert fresh(dialogue).status == "unfinished"

    def test_what_its_tester_gave_up_before_all_was_used_stays_uncounted_whoever_failed(self, dialogue, admission):
        """Booked to the bot from the beginning, it would have ended as given up early."""
        Campaign.objects.update(tester_may_end="all_used")
        talk = Talk(dialogue, admission)
        talk.fail(talk.send("k1").asked, FailureKind.INTERRUPTED)
        talk.end(EndReason.GAVE_UP)
        assert fresh(dialogue).status == "void"
        self.book(dialogue, Fault.BOT)
        assert fresh(dialogue).status == "void"
        assert kinds_of(dialogue)[-1] == "fault.booked"

    def test_not_where_another_dialogue_has_its_place(self, dialogue, admission):
        talk = Talk(dialogue, admission)
        talk.fail(talk.send("k1").asked, FailureKind.INTERRUPTED)
        talk.end()
        open_dialogue(assignment=dialogue.assignment, at=NOON)
        with pytest.raises(NotPossible):
            self.book(dialogue, Fault.BOT)

    def test_an_open_dialogue_goes_on_and_is_void_in_the_end(self, dialogue, admission):
        talk = failing(dialogue, admission)
        self.book(dialogue, Fault.PLATFORM)
        assert fresh(dialogue).is_open
        talk.turns(1)
        talk.close(2)
        assert fresh(dialogue).status == "void"

    def test_not_while_the_bot_is_asked(self, dialogue, admission):
        talk = failing(dialogue, admission, times=1)
        talk.retry(1)
        with pytest.raises(NotPossible):
            self.book(dialogue, Fault.PLATFORM)

    def test_an_answered_turn_has_no_fault(self, closed):
        with pytest.raises(NotPossible):
            self.book(closed, Fault.PLATFORM)

    def test_nothing_is_booked_twice(self, dialogue, admission):
        failing(dialogue, admission)
        with pytest.raises(NotPossible):
            self.book(dialogue, Fault.BOT)


class TestFailuresThatWereThePlatforms:
    """Booked by the platform itself, on the way of an organizer's bookings."""

    def test_it_costs_no_retry_and_says_so_in_the_ledger(self, dialogue, admission):
        talk = Talk(dialogue, admission)
        asked = talk.send().asked
        talk.fail(asked)
        outcome = talk.noted(book_to_platform(asked=asked.turn, at=NOON))
        attempt = Attempt.objects.get()
        assert (attempt.fault, attempt.measured_fault) == (Fault.PLATFORM, Fault.BOT)
        assert talk.events()[-1] == {"type": "fault.booked", "seq": 3, "turn": 1, "fault": "platform", "because": ""}
        assert len(outcome.told) == 1
        with pytest.raises(NotPossible):
            book_to_platform(asked=asked.turn, at=NOON)

    def test_the_trail_says_it_was_nobody(self, dialogue, admission):
        talk = Talk(dialogue, admission)
        asked = talk.send().asked
        talk.fail(asked)
        book_to_platform(asked=asked.turn, at=NOON)
        line = decided().get()
        assert (line.act, line.person, line.details["was"]) == ("fault.booked", "", "bot")

    def test_a_failure_that_was_asked_again_counts_no_longer_and_leaves_no_line(self, dialogue, admission):
        talk = Talk(dialogue, admission)
        asked = talk.send().asked
        talk.fail(asked)
        again = talk.retry(1)
        assert book_to_platform(asked=asked.turn, at=NOON).told == ()
        assert Attempt.objects.get().fault == Fault.PLATFORM
        talk.fail(again)
        assert talk.events()[-1]["retries_left"] == 2

    def test_the_failure_that_is_named_is_booked_and_not_a_later_one(self, dialogue, admission):
        talk = Talk(dialogue, admission)
        asked = talk.send().asked
        talk.fail(asked)
        talk.fail(talk.retry(1))
        book_to_platform(asked=asked.turn, at=NOON)
        assert list(Attempt.objects.order_by("number").values_list("fault", flat=True)) == ["platform", "bot"]

    def test_while_a_turn_is_in_flight_the_booking_waits(self, dialogue, admission):
        talk = Talk(dialogue, admission)
        asked = talk.send().asked
        # Not even its own failure is stored yet.
        with pytest.raises(InFlight):
            book_to_platform(asked=asked.turn, at=NOON)
        talk.fail(asked)
        following = talk.send(key="next").asked
        with pytest.raises(InFlight):
            book_to_platform(asked=asked.turn, at=NOON)
        assert Attempt.objects.get().fault == Fault.BOT
        talk.answer(following)
        assert book_to_platform(asked=asked.turn, at=NOON).told

    def test_a_dialogue_that_closed_on_it_is_void_with_its_scores_and_the_board_is_computed_anew(
        self, dialogue, admission, tester
    ):
        talk = Talk(dialogue, admission)
        asked = talk.send("k1").asked
        talk.fail(asked)
        talk.end()
        submit(dialogue, tester)
        assert fresh(dialogue).status == "unfinished"
        assert Review.objects.get().is_counted
        version = fresh(dialogue).assignment.campaign.scores_version
        talk.noted(book_to_platform(asked=asked.turn, at=NOON))
        void = fresh(dialogue)
        assert (void.status, void.assignment.campaign.scores_version) == ("void", version + 1)
        assert not Review.objects.get().is_counted
        assert kinds_of(dialogue)[-2:] == ["fault.booked", "dialogue.voided"]
        assert open_dialogue(assignment=void.assignment, at=NOON).pk != dialogue.pk
