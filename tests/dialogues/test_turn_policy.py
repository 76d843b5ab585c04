from types import SimpleNamespace

import pytest
from django.utils import timezone

from campaigns.campaign_file.campaign_settings import settings_of
from dialogues.actions import open_chosen_dialogue
from dialogues.fault_policy import CHARGED, COUNTED, FREE, LEFT_OUT, FaultPolicy, fault_policy_of
from dialogues.progress import assignment_rows
from dialogues.queries import state_of
from dialogues.turn_policy import TurnPolicy, turn_policy_of
from tests.dialogues.test_openings import OpenedTalk


def policy(turns_are, opened_by="tester"):
    return turn_policy_of(SimpleNamespace(turns_are=turns_are, opened_by=opened_by))


def test_exchanges_are_counted_as_they_are_whoever_begins():
    assert policy("exchanges", "bot") == policy("exchanges") == TurnPolicy(1, 0)
    assert (policy("exchanges").exchanges(20), policy("exchanges").turns(20)) == (20, 20)
    assert policy("exchanges", "bot").charged(3, has_opening=True) == 3


@pytest.mark.parametrize(
    ("opened_by", "cap", "exchanges", "shown"),
    [
        ("tester", 10, 5, 10),
        ("tester", 11, 5, 10),  # an eleventh would have no answer
        ("tester", 2, 1, 2),
        ("tester", 1, 1, 2),  # nothing shorter can be talked
        ("bot", 10, 4, 9),  # 1 + 4 × 2, a tenth would have no answer
        ("bot", 11, 5, 11),
        ("bot", 3, 1, 3),
    ],
)
def test_a_cap_of_utterances_holds_whole_exchanges(opened_by, cap, exchanges, shown):
    counting = policy("utterances", opened_by)
    assert counting.exchanges(cap) == exchanges
    assert counting.shown_cap(cap) == shown
    assert counting.turns(exchanges) == shown


def test_the_opening_is_part_of_the_first_subtask_only():
    counting = policy("utterances", "bot")
    assert [counting.exchanges(10, is_first=first) for first in (True, False)] == [4, 5]
    assert [counting.shown_cap(10, is_first=first) for first in (True, False)] == [9, 10]


def test_an_opening_that_was_never_answered_is_charged_to_nobody():
    counting = policy("utterances", "bot")
    assert counting.charged(3, has_opening=True) == 7
    assert counting.charged(3, has_opening=False) == 6
    assert policy("utterances").charged(3, has_opening=True) == 6


@pytest.fixture
def of_utterances(campaign):
    campaign.turns_are, campaign.opened_by = "utterances", "bot"
    campaign.save()
    campaign.scenarios.get().subtasks.update(turn_cap=6)
    return campaign


@pytest.mark.django_db
def test_a_dialogue_is_opened_with_the_exchanges_that_fit(of_utterances, dialogue):
    # 1 + 2 × 2 of six in the first subtask, 3 × 2 in the second.
    assert (dialogue.turn_cap, dialogue.subtask_cap) == (None, 2)
    assert [one.turn_cap for one in dialogue.subtasks.all()] == [2, 3]


@pytest.mark.django_db
def test_one_cap_over_the_dialogue_is_converted_too(of_utterances, tester):
    of_utterances.cap_per, of_utterances.turn_cap = "dialogue", 10
    of_utterances.save()
    of_utterances.scenarios.get().subtasks.update(turn_cap=None)
    made = open_chosen_dialogue(
        campaign=of_utterances,
        tester=tester,
        entry=of_utterances.entries.get(),
        scenario=of_utterances.scenarios.get(),
        at=timezone.now(),
    )
    assert (made.turn_cap, made.subtask_cap) == (4, None)


@pytest.mark.django_db
def test_pages_show_utterances_and_frames_exchanges(of_utterances, dialogue, admission, client):
    talk = OpenedTalk(dialogue, admission)
    talk.answer(talk.open_by_bot())
    talk.turns(1)
    state = state_of(talk.id)
    assert (state.turns_used, state.turn_cap, state.turns_are, state.opened_by) == (1, 5, "utterances", "bot")
    client.force_login(dialogue.tester)
    page = client.get(f"/dialogues/{dialogue.pk}/")
    assert (page.context["budget"].spent, page.context["budget"].cap) == (3, 5)
    assert [(one.turns_used, one.turn_cap) for _, one in page.context["parts"]] == [(3, 5), (0, 6)]
    (row,) = assignment_rows(dialogue.tester, at=timezone.now())
    assert (row.turns_used, row.caps, row.turn_cap) == (3, (5, 6), 11)


@pytest.mark.parametrize(
    ("broken", "failed", "leaves_out", "charges"),
    [
        ("counted", "free", False, False),
        ("left_out", "free", True, False),
        ("counted", "charged", False, True),
        ("left_out", "charged", True, True),
    ],
)
def test_the_settings_of_a_campaign_say_what_failures_cost(broken, failed, leaves_out, charges):
    policy = fault_policy_of(SimpleNamespace(broken_dialogues=broken, failed_turns=failed))
    assert (policy.leaves_out_broken, policy.charges_failed_turns) == (leaves_out, charges)


def test_the_words_of_the_policy_are_the_choices_of_the_settings():
    choices = {name: set(setting.stored_choices) for name, setting in settings_of("faults").items()}
    assert choices == {"broken_dialogues": {COUNTED, LEFT_OUT}, "failed_turns": {FREE, CHARGED}}


def test_unless_a_campaign_says_otherwise_failures_cost_what_the_papers_charge():
    """A broken dialogue counts as unfinished, and only answered turns are charged."""
    settings = settings_of("faults")
    policy = FaultPolicy(**{name: setting.default for name, setting in settings.items()})
    assert policy == FaultPolicy()
    assert not policy.leaves_out_broken
    assert not policy.charges_failed_turns
