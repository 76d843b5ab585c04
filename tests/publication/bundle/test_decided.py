"""What an organizer decides about single dialogues leaves bundles that verify, and figures that two ways of counting agree on."""

import pytest

from campaigns.actions import change_settings
from dialogues.actions.deciding import end_for_tester, reassign
from dialogues.models import Attempt, Dialogue
from leaderboards.exports import EXPORTS
from leaderboards.live_board import failures_by_entry
from leaderboards.live_sums import sums_by_entry
from measures.live import LiveSums
from participants.failures import Fault
from reviews.actions.deciding import book_fault, restore_dialogue, void_dialogue
from tests.leaderboards.played import example, play, records_by_entry
from tests.publication.bundle.test_writing import assert_verified, bytes_of, report_of
from tests.reviews.conftest import NOON, person

pytestmark = pytest.mark.django_db

WHY = {"by": None, "because": "x", "at": NOON}
CRITERIA = ["satisfaction", "fluency", "guidance"]


@pytest.fixture
def played():
    campaign = example("smp2018")
    change_settings(campaign=campaign, changes={"failed_turns": "charged"})
    return play(campaign)


def counted(campaign):
    """A dialogue with reviews that count."""
    return Dialogue.objects.of_campaign(campaign).filter(reviews__is_counted=True).order_by("opened_at").first()


def failed(campaign, **narrowed):
    found = Attempt.objects.filter(is_current=True, outcome="failure", turn__dialogue__assignment__campaign=campaign)
    return found.filter(**narrowed).order_by("pk").first()


def both_ways(campaign):
    """The sums by SQL, which have to be those of the records."""
    by_sql = dict(sums_by_entry(campaign, CRITERIA))
    one_by_one = {}
    for entry, records in records_by_entry(campaign).items():
        sums = one_by_one[entry] = LiveSums()
        for record in records:
            sums.add_record(record, CRITERIA)
    assert {entry: sums.figures(CRITERIA) for entry, sums in by_sql.items()} == {
        entry: sums.figures(CRITERIA) for entry, sums in one_by_one.items()
    }
    return {entry: sums.n_records for entry, sums in by_sql.items()}


def test_a_void_dialogue_is_no_record_and_one_that_counts_again_is(played, tmp_path):
    dialogue, before = counted(played), both_ways(played)
    n = dialogue.reviews.filter(is_counted=True).count()
    void_dialogue(dialogue=dialogue, **WHY)
    entry = dialogue.assignment.entry_id
    assert both_ways(played).get(entry, 0) == before[entry] - n
    assert_verified(bytes_of(played), tmp_path)
    restore_dialogue(dialogue=dialogue, **WHY)
    assert both_ways(played) == before
    assert_verified(bytes_of(played), tmp_path)


def test_a_failure_booked_to_the_platform_is_no_failure_of_the_bot(played, tmp_path):
    attempt = failed(played, fault="bot", turn__dialogue__status="unfinished")
    dialogue = attempt.turn.dialogue
    before = failures_by_entry(played)[dialogue.assignment.entry_id][0]
    book_fault(dialogue=dialogue, number=attempt.turn.number, fault=Fault.PLATFORM, **WHY)
    dialogue.refresh_from_db()
    assert dialogue.status == "void"
    assert failures_by_entry(played).get(dialogue.assignment.entry_id, (0, 0))[0] == before - 1
    both_ways(played)
    for hides_teams in (False, True):
        assert_verified(bytes_of(played, hides_teams=hides_teams), tmp_path)
    book_fault(dialogue=dialogue, number=attempt.turn.number, fault=Fault.BOT, **WHY)
    assert failures_by_entry(played)[dialogue.assignment.entry_id][0] == before
    assert_verified(bytes_of(played), tmp_path)


def test_what_the_platform_broke_counts_once_it_is_the_bots(played, tmp_path):
    attempt = failed(played, fault="platform", turn__dialogue__status="void")
    dialogue = attempt.turn.dialogue
    book_fault(dialogue=dialogue, number=attempt.turn.number, fault=Fault.BOT, **WHY)
    dialogue.refresh_from_db()
    assert dialogue.status == "unfinished"
    assert_verified(bytes_of(played), tmp_path)


def test_an_ended_and_a_reassigned_dialogue_verify_too(played, tmp_path):
    (dialogue, another, *_) = Dialogue.objects.of_campaign(played).open().order_by("opened_at")
    end_for_tester(dialogue=dialogue, **WHY)
    void_dialogue(dialogue=another, **WHY)
    newcomer = person(played, "newcomer", "tester")
    reassign(assignment=another.assignment, to=newcomer, **WHY)
    assert_verified(bytes_of(played), tmp_path)
    testers = {row[0]: row[1] for row in EXPORTS["dialogues"].rows(played)}
    assert testers[str(another.pk)] == another.tester.username


def test_a_fault_that_is_not_the_one_of_the_ledger_is_found(played, tmp_path):
    Attempt.objects.filter(pk=failed(played, fault="bot").pk).update(fault="platform")
    said = [str(one) for one in report_of(bytes_of(played), tmp_path).findings]
    assert any("fault" in one and "ledger" in one for one in said), said
