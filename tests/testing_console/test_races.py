"""Threads that act on the same dialogues at once, each with a database connection of its own."""

import random
import threading
from collections import Counter

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from campaigns.actions import load_campaign
from participants.models import Person
from testing_console.actions import open_chosen_dialogue
from testing_console.models import Dialogue, LedgerEvent, Turn
from testing_console.turn_taking import Refusal
from tests.conftest import SMALL_CAMPAIGN, Admitted, spec_of
from tests.testing_console.test_actions import Talk

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
            (talk.answer if rng.random() < 0.7 else talk.fail)(taken.turn)
    elif dice < 0.8:
        turn = talk.retry(rng.randint(1, 5))
        talk.answer(turn)
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
            except OperationalError:
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
    for dialogue in Dialogue.objects.all():
        turns = Turn.objects.filter(dialogue=dialogue)
        numbers = [turn.number for turn in turns]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len({turn.key for turn in turns}) == len(numbers)
        assert dialogue.turns_used == len(numbers)
        for subtask, cap in ((1, 3), (2, 2)):
            assert sum(turn.subtask == subtask for turn in turns) <= cap
        seqs = list(LedgerEvent.objects.filter(dialogue=dialogue).values_list("seq", flat=True))
        assert seqs == list(range(1, dialogue.last_seq + 1))
