from uuid import UUID

from dialogues.actions import Remembered
from participants.adapters import History, Utterance
from testing_console.live.bot_calls import Memory

A, B, C = UUID(int=1), UUID(int=2), UUID(int=3)


def of(dialogue_id, n_characters, seq=2):
    return Remembered(dialogue_id, seq, History([Utterance("user", "x" * n_characters)]))


def known(memory):
    return [dialogue_id for dialogue_id in (A, B, C) if memory.recall(dialogue_id) is not None]


def test_the_latest_of_a_dialogue_is_recalled_as_often_as_it_is_asked_for():
    memory = Memory()
    memory.keep(of(A, 1))
    memory.keep(of(A, 2, seq=4))
    assert memory.recall(A) == memory.recall(A) == of(A, 2, seq=4)


def test_beyond_the_limit_whoever_has_been_silent_longest_is_dropped():
    memory = Memory(limit=10)
    memory.keep(of(A, 4))
    memory.keep(of(B, 4))
    memory.keep(of(A, 5))
    assert known(memory) == [A, B]
    memory.keep(of(C, 4))
    assert known(memory) == [A, C]


def test_one_that_is_longer_than_the_limit_is_not_kept_and_leaves_room():
    memory = Memory(limit=10)
    memory.keep(of(A, 11))
    assert known(memory) == []
    memory.keep(of(B, 10))
    assert known(memory) == [B]


def test_what_is_forgotten_leaves_room():
    memory = Memory(limit=10)
    memory.keep(of(A, 6))
    memory.forget(but=[B])
    memory.keep(of(B, 4))
    memory.keep(of(C, 6))
    assert known(memory) == [B, C]
