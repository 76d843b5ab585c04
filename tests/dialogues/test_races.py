"""Threads that act on the same dialogues at once, each with a database connection of its own."""

import random
import threading
import time
from collections import Counter
from functools import partial

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import load_campaign, pause_bot, resume_bot, withdraw_bot
from campaigns.actions.leaving import leave_as_tester
from campaigns.models import Assignment
from dialogues.actions import (
    NotOffered,
    open_chosen_dialogue,
    open_dialogue,
    recover_interrupted,
    resume_or_open_chosen_dialogue,
)
from dialogues.models import Dialogue, LedgerEvent, Turn
from dialogues.queries import events_after
from dialogues.turn_taking import Refusal, RefusalCode, TurnStatus
from reading.checking import BadFile
from tests.conftest import SMALL_CAMPAIGN, Admitted, spec_of
from tests.dialogues.test_actions import Talk
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True)]

N_THREADS = 8
N_OPERATIONS = 60


def act(talk: Talk, rng: random.Random, keys: list[str]) -> None:
    dice = rng.random()
    if dice < 0.6:
        key = f"k{rng.randrange(40)}"
        keys.append(key)
        taken = talk.send(key, f"Text {key}")
        if taken.is_new:
            (talk.answer if rng.random() < 0.7 else talk.fail)(taken.asked)
    elif dice < 0.8:
        talk.answer(talk.retry(rng.randint(1, 5)))
    elif dice < 0.9:
        talk.close(rng.randint(1, 2), is_finished=rng.random() < 0.5)
    else:
        talk.send(rng.choice(keys or ["k0"]), "anders")


def test_no_interleaving_of_threads_breaks_a_number_a_key_or_a_cap():
    campaign, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN))
    tester = Person.objects.get(username="tester")
    chosen = {"entry": campaign.entries.get(), "scenario": campaign.scenarios.get(), "at": timezone.now()}
    dialogues = [open_chosen_dialogue(campaign=campaign, tester=tester, **chosen) for _ in range(6)]
    outcomes: Counter[str] = Counter()
    unforeseen: list[Exception] = []

    def run(number: int) -> None:
        rng, keys = random.Random(number), []
        talks = [Talk(dialogue, Admitted(tester)) for dialogue in dialogues]
        for _ in range(N_OPERATIONS):
            try:
                act(rng.choice(talks), rng, keys)
                outcomes["done"] += 1
            except Refusal as refusal:
                outcomes[refusal.code] += 1
            except OperationalError as busy:
                # SQLite's one writer may keep the others waiting for too long; on PostgreSQL this would be a deadlock.
                if connection.vendor != "sqlite":
                    unforeseen.append(busy)
                outcomes["busy"] += 1
            except Exception as error:
                unforeseen.append(error)
        connection.close()

    threads = [threading.Thread(target=run, args=[number]) for number in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not unforeseen
    assert outcomes["done"] > 20, outcomes
    assert outcomes["turn_in_flight"] + outcomes["closed"] + outcomes["not_current"] > 0
    for dialogue in Dialogue.objects.with_waiting():
        turns = Turn.objects.filter(dialogue=dialogue)
        numbers = [turn.number for turn in turns]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len({turn.key for turn in turns}) == len(numbers)
        assert dialogue.turns_used == len(numbers)
        for subtask, cap in ((1, 3), (2, 2)):
            assert sum(turn.subtask == subtask for turn in turns) <= cap
        seqs = [seq for seq, _ in events_after(dialogue.pk, 0)]
        assert seqs == list(range(1, dialogue.last_told + 1))


def at_once(*works):
    """What each gives or raises; all begin at the same moment, each in a thread with a connection of its own."""
    start = threading.Barrier(len(works))
    outcomes: list = [None] * len(works)

    def run(place, work):
        start.wait(10)
        try:
            outcomes[place] = work()
        except Exception as error:
            outcomes[place] = error
        connection.close()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


@pytest.fixture
def chosen(transactional_db):
    campaign, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN))
    tester = Person.objects.get(username="tester")
    return {
        "campaign": campaign, "tester": tester, "entry": campaign.entries.get(), "scenario": campaign.scenarios.get(),
    }  # fmt: skip


def assigned(chosen, n):
    return [Assignment.objects.create(**chosen, repetition=100 + number, position=number) for number in range(n)]


def open_assigned(pk):
    return open_dialogue(assignment=Assignment.objects.get(pk=pk), at=timezone.now()).pk


PER_DIALOGUE = (
    SMALL_CAMPAIGN.replace("[campaign]", '[campaign]\ncap_per = "dialogue"\nturn_cap = 7')
    .replace(", turn_cap = 3", "")
    .replace(", turn_cap = 2", "")
)


def test_a_dialogue_has_the_caps_of_a_file_that_was_loaded_since_its_assignment_was_read(chosen):
    (assignment,) = assigned(chosen, 1)
    assert assignment.campaign.turn_cap is None
    load_campaign(spec=spec_of(PER_DIALOGUE))
    dialogue = open_dialogue(assignment=assignment, at=timezone.now())
    assert (dialogue.turn_cap, dialogue.subtask_cap) == (7, None)


def test_a_load_beside_the_first_dialogue_is_refused_or_rules_it(chosen):
    for _ in range(8):
        load_campaign(spec=spec_of(SMALL_CAMPAIGN))
        (assignment,) = assigned(chosen, 1)
        load = partial(load_campaign, spec=spec_of(PER_DIALOGUE))
        loaded, opened = at_once(load, partial(open_assigned, assignment.pk))
        caps = Dialogue.objects.values_list("turn_cap", "subtask_cap").get(pk=opened)
        assert caps == ((None, 3) if isinstance(loaded, BadFile) else (7, None)), loaded
        Dialogue.objects.get(pk=opened).subtasks.all().delete()
        Dialogue.objects.all().delete()
        assignment.delete()


def test_a_double_click_on_an_assignment_opens_one_dialogue_and_gives_it_to_both(chosen):
    for assignment in assigned(chosen, 10):
        clicks = [partial(open_assigned, assignment.pk)] * 4
        assert set(at_once(*clicks)) == {Dialogue.objects.get(assignment=assignment).pk}


def test_chosen_dialogues_opened_at_once_are_repetitions_of_their_own(chosen):
    opened = at_once(*[lambda: open_chosen_dialogue(**chosen, at=timezone.now()).pk] * 6)
    assert set(opened) == set(Dialogue.objects.values_list("pk", flat=True))
    assert len(set(opened)) == 6
    assert sorted(Assignment.objects.values_list("repetition", "position")) == [(n, n) for n in range(1, 7)]


def test_a_double_click_on_a_choice_opens_one_dialogue(chosen):
    opened = at_once(*[lambda: resume_or_open_chosen_dialogue(**chosen, at=timezone.now()).pk] * 6)
    assert opened == [Dialogue.objects.get().pk] * 6


def test_a_choice_is_opened_anew_once_something_was_said(chosen):
    first = resume_or_open_chosen_dialogue(**chosen, at=timezone.now())
    talk = Talk(first, Admitted(chosen["tester"]))
    talk.answer(talk.send("k", "Hallo").asked)
    assert resume_or_open_chosen_dialogue(**chosen, at=timezone.now()).pk != first.pk


def test_no_interleaving_opens_more_dialogues_than_the_campaign_allows(chosen):
    chosen["campaign"].open_dialogues_per_tester = 3
    chosen["campaign"].save()
    own = assigned(chosen, 6)
    outcomes = at_once(
        *[lambda one=one: open_dialogue(assignment=one, at=timezone.now()) for one in own],
        *[lambda: open_chosen_dialogue(**chosen, at=timezone.now())] * 6,
    )
    assert Dialogue.objects.open().count() == 3
    assert sum(isinstance(outcome, Dialogue) for outcome in outcomes) == 3
    assert [type(outcome) for outcome in outcomes if not isinstance(outcome, Dialogue)] == [Refusal] * 9


def sweep():
    return [told.dialogue_id for told in recover_interrupted(at=timezone.now(), is_lost=lambda turn: True).told]


def test_the_sweep_waits_for_no_writer_and_deadlocks_with_none(chosen):
    """A reply is being stored: its dialogue is locked, its turn will be. The sweep must not lock them the other way."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    talk = Talk(open_chosen_dialogue(**chosen, at=timezone.now()), Admitted(chosen["tester"]))
    asked = talk.send("k", "Hallo").asked
    is_locked, is_swept = threading.Event(), threading.Event()

    def store_the_reply():
        with transaction.atomic():
            Dialogue.objects.select_for_update().get(pk=talk.id)
            is_locked.set()
            was_swept = is_swept.wait(5)
            talk.answer(asked)
        return was_swept

    def sweep_meanwhile():
        is_locked.wait(5)
        n_recovered = len(sweep())
        is_swept.set()
        return n_recovered

    assert at_once(store_the_reply, sweep_meanwhile) == [True, 0]
    assert Turn.objects.get(pk=asked.turn.id).status == TurnStatus.ANSWERED


def test_the_sweep_fails_every_turn_whose_owner_is_gone(chosen):
    talks = [Talk(open_chosen_dialogue(**chosen, at=timezone.now()), Admitted(chosen["tester"])) for _ in range(3)]
    for talk in talks:
        talk.send("k", "Hallo")
    assert any(at_once(sweep, sweep, sweep))
    sweep()
    assert set(Turn.objects.values_list("status", flat=True)) == {TurnStatus.FAILED}
    assert LedgerEvent.objects.filter(kind="turn.failed").count() == 3


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("answer", "fail", TurnStatus.ANSWERED),
        ("fail", "answer", TurnStatus.FAILED),
        ("end", "answer", TurnStatus.FAILED),
        ("recover", "answer", TurnStatus.FAILED),
    ],
)
def test_a_reply_and_a_failure_that_meet_settle_a_turn_once(chosen, first, second, status):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    talk = Talk(open_chosen_dialogue(**chosen, at=timezone.now()), Admitted(chosen["tester"]))
    asked = talk.send("k", "Hallo").asked
    acts = {"answer": lambda: talk.answer(asked), "fail": lambda: talk.fail(asked), "end": talk.end, "recover": sweep}
    is_written = threading.Event()

    def slowly():
        with transaction.atomic():
            acts[first]()
            is_written.set()
            time.sleep(0.3)

    def afterwards():
        is_written.wait(5)
        return acts[second]()

    assert at_once(slowly, afterwards) == [None, False]
    assert Turn.objects.get(pk=asked.turn.id).status == status
    assert [seq for seq, _ in events_after(talk.id, 0)] == list(range(1, talk.now().last_told + 1))


@pytest.mark.parametrize("key", ["k1", "k2"])
def test_a_turn_that_waited_for_the_lock_sees_the_one_before_it(chosen, key):
    """The rows are read before the wait: what the other writer stored meanwhile counts all the same."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    talk = Talk(open_chosen_dialogue(**chosen, at=timezone.now()), Admitted(chosen["tester"]))
    is_stored = threading.Event()

    def first():
        with transaction.atomic():
            taken = talk.send("k1")
            is_stored.set()
            until(somebody_waits_for_a_lock)
        return taken.asked.turn.id

    def second():
        is_stored.wait(60)
        try:
            return talk.send(key).is_new
        except Refusal as refusal:
            return refusal.code

    _, seen = at_once(first, second)
    assert seen == {"k1": False, "k2": RefusalCode.TURN_IN_FLIGHT}[key]
    assert [turn.number for turn in Turn.objects.filter(dialogue=talk.id)] == [1]


def somebody_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


NOT_FREE = SMALL_CAMPAIGN.replace("free_choice = true", "free_choice = false")
SECOND_TESTER = '\n[[people]]\nusername = "tester-2"\nroles = ["tester"]\n'


def test_an_assignment_that_a_drawing_has_just_deleted_is_refused(chosen):
    campaign, _ = load_campaign(spec=spec_of(NOT_FREE))
    assignment = campaign.assignments.get()
    load_campaign(spec=spec_of(NOT_FREE.replace('roles = ["tester"]', "roles = []")), prunes=True)
    with pytest.raises(NotOffered):
        open_dialogue(assignment=assignment, at=timezone.now())
    assert not Dialogue.objects.exists()


def test_an_opening_beside_a_drawing_is_refused_or_comes_first(chosen):
    """Whichever commits first: the dialogue is there and its assignment stays, or there is neither."""
    seen: Counter[str] = Counter()
    for _ in range(8):
        campaign, _ = load_campaign(spec=spec_of(NOT_FREE + SECOND_TESTER))
        assignment = campaign.assignments.get(tester=chosen["tester"])
        leave = partial(
            leave_as_tester, campaign=campaign, person=chosen["tester"], because="left", by=None, at=timezone.now()
        )
        changes, opened = at_once(leave, partial(open_held, assignment))
        assert not isinstance(changes, Exception), changes
        is_there = Assignment.objects.filter(pk=assignment.pk).exists()
        if isinstance(opened, NotOffered):
            assert not is_there
            assert not Dialogue.objects.exists()
        else:
            assert is_there
            assert Dialogue.objects.get().pk == opened
        seen[type(opened).__name__] += 1
        Dialogue.objects.all().delete()
        Assignment.objects.all().delete()
    assert set(seen) <= {"UUID", "NotOffered"}, seen


def open_held(assignment):
    """As a page does that read the assignment before."""
    return open_dialogue(assignment=assignment, at=timezone.now()).pk


def test_a_bot_that_pauses_is_opened_by_nobody_but_who_talks_to_it_goes_on(chosen):
    entry = chosen["entry"]
    first, second = assigned(chosen, 2)
    talk = Talk(open_dialogue(assignment=first, at=timezone.now()), Admitted(chosen["tester"]))
    pause_bot(entry=entry, because="its server is moved", at=timezone.now())
    assert open_dialogue(assignment=first, at=timezone.now()).pk == talk.id
    talk.answer(talk.send("k", "Hallo").asked)
    with pytest.raises(NotOffered) as refused:
        open_dialogue(assignment=second, at=timezone.now())
    assert "is paused" in refused.value.text
    with pytest.raises(NotOffered):
        open_chosen_dialogue(**chosen, at=timezone.now())
    resume_bot(entry=entry, because="it is back")
    assert open_dialogue(assignment=second, at=timezone.now()).is_open
    withdraw_bot(entry=entry, because="the team asked for it", at=timezone.now())
    with pytest.raises(NotOffered) as refused:
        open_chosen_dialogue(**chosen, at=timezone.now())
    assert "is not taking part" in refused.value.text
