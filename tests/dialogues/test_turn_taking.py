import pytest
from django.utils import translation

from dialogues.masking import masker_of
from dialogues.turn_taking import (
    Budget,
    DialogueStatus,
    EndReason,
    Refusal,
    SubtaskStatus,
    check_may_speak,
    cut_to_limit,
    is_closed,
    next_subtask,
    outcome,
    retries_left,
    shown_reply,
    statuses_at_end,
    subtask_after_reply,
)
from participants.picture_lines import Picture


def refusal_of(*arguments) -> str:
    with pytest.raises(Refusal) as refused:
        check_may_speak(*arguments)
    return refused.value.code


def test_a_tester_speaks_while_there_is_budget_and_no_turn_in_flight():
    check_may_speak("open", None, Budget(0, 3))
    check_may_speak("open", "answered", Budget(2, 3))
    check_may_speak("open", "failed", Budget(2, 3))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("completed", "answered", Budget(0, 3)), "closed"),
        (("open", "waiting", Budget(1, 3)), "turn_in_flight"),
        (("open", "answered", Budget(3, 3)), "cap_reached"),
    ],
)
def test_who_may_not_speak_hears_why(arguments, code):
    assert refusal_of(*arguments) == code


def test_a_subtask_closes_unfinished_when_its_cap_is_reached():
    assert subtask_after_reply(Budget(2, 3)) is SubtaskStatus.OPEN
    assert subtask_after_reply(Budget(3, 3)) is SubtaskStatus.CAP_REACHED


def test_the_next_subtask_is_the_first_that_is_not_closed():
    assert next_subtask(["finished", "pending", "pending"]) == 2
    assert next_subtask(["finished", "cap_reached"]) is None


def test_ending_as_done_finishes_what_was_being_done_and_gives_up_the_rest():
    assert statuses_at_end(["open", "pending"], EndReason.DONE, True) == ["finished", "given_up"]


def test_ending_as_done_without_any_reply_finishes_nothing():
    assert statuses_at_end(["open"], EndReason.DONE, False) == ["given_up"]


def test_giving_up_keeps_what_was_closed_before():
    assert statuses_at_end(["finished", "open"], EndReason.GAVE_UP, True) == ["finished", "given_up"]


def test_a_platform_failure_that_stood_makes_the_dialogue_void():
    assert outcome(["finished"], is_broken_by_platform=True) is DialogueStatus.VOID
    assert outcome(["finished", "finished"], is_broken_by_platform=False) is DialogueStatus.COMPLETED
    assert outcome(["finished", "failed"], is_broken_by_platform=False) is DialogueStatus.UNFINISHED


def test_a_turn_is_asked_three_times_at_most():
    assert [retries_left(n) for n in (1, 2, 3)] == [2, 1, 0]


def test_the_stricter_limit_says_how_many_retries_are_left():
    assert [retries_left(0, n) for n in (1, 3, 4, 6, 7)] == [3, 3, 2, 0, 0]
    assert retries_left(2, 4) == 1
    assert retries_left(0) == 3, "the platform's failure is not counted: three times may the bot fail"


def test_a_reply_that_names_its_maker_is_masked_and_flagged_in_any_letter_case():
    shown = shown_reply(["我是 acme 智能的助手"], masker_of(("ACME",)), 10)
    assert shown.texts == ("我是 ████ 智能的助手",)
    assert shown.flags == ("masked",)


def test_8000_characters_are_shown_over_all_bubbles_and_the_cut_is_flagged():
    shown = shown_reply(["a" * 5000, "b" * 5000], masker_of(()), 10)
    assert [len(text) for text in shown.texts] == [5000, 3000]
    assert shown.flags == ("cut",)


def test_fifty_bubbles_are_shown_and_the_rest_is_cut():
    shown = shown_reply([str(number) for number in range(60)], masker_of(()), 10)
    assert shown.texts == tuple(str(number) for number in range(50))
    assert shown.flags == ("cut",)


def test_words_are_cut_before_the_pictures_behind_them():
    lines = (*(Picture(f"{digit * 64}.png", 4096, 4096).line for digit in "0123"), "[image - too_many]")
    long = shown_reply(["a" * 8000, "b", *lines], masker_of(()), 10)
    assert (long.texts[1:], long.flags) == (lines, ("cut",))
    assert sum(map(len, long.texts)) == 8000
    many = shown_reply(["x"] * 60 + [*lines], masker_of(()), 10)
    assert (len(many.texts), many.texts[-5:]) == (50, lines)
    own = shown_reply(list(lines[:1]) * 200, masker_of(()), 10)
    assert (len(own.texts), own.flags) == (50, ("cut",))


def test_no_name_blots_out_a_picture_or_hides_in_one():
    line = Picture(f"{'face' * 16}.png", 9, 9).line
    masker = masker_of(("Image", "Face", "png"))
    assert shown_reply(["Image", line, "[image - empty]"], masker, 10).texts == ("█████", line, "[image - empty]")
    assert shown_reply(["[image - face]"], masker, 10).texts == ("[█████ - ████]",)


def test_a_name_that_runs_over_the_cut_is_masked_up_to_it():
    shown = shown_reply(["a" * 7997 + "Acme 的"], masker_of(("Acme",)), 10)
    assert shown.texts[0][7990:] == "aaaaaaa███"
    assert shown.flags == ("masked", "cut")


@pytest.mark.parametrize(
    "texts",
    [[""] * 87_000, ["a"] * 65_000, ["Team Alpha" * 26_000], ["a " * 130_000]],
    ids=["empty", "short", "names", "long"],
)
def test_a_reply_of_any_shape_is_prepared_at_a_bounded_cost(texts):
    import time

    masker = masker_of(("Team Alpha", "Acme"))
    started = time.thread_time()
    shown_reply(texts, masker, 10)
    assert time.thread_time() - started < 0.2


@pytest.mark.parametrize("character", ["e\u0301", "👩\u200d👩\u200d👧", "🇨🇳", "👍🏽"])
def test_a_cut_never_parts_a_character_from_its_marks(character):
    for limit in range(1, len(character)):
        assert cut_to_limit(["x" + character], limit=1 + limit) == ["x"]


def test_an_empty_reply_is_a_flagged_reply():
    assert shown_reply(["", " "], masker_of(()), 10).flags == ("empty",)


def test_a_reply_after_ten_seconds_is_flagged_as_slow():
    assert shown_reply(["ok"], masker_of(()), 10_001).flags == ("slow",)


def test_a_refusal_is_said_in_the_language_of_who_is_told_not_of_the_thread_that_refused():
    with translation.override("en"):
        closed = is_closed()
    with translation.override("zh-hans"):
        assert (closed.code, closed.message) == ("closed", "对话已结束。")
    with translation.override("en"):
        assert str(closed) == "The dialogue is closed."


def test_a_refusal_says_its_numbers():
    with pytest.raises(Refusal) as refused, translation.override("en"):
        check_may_speak("open", "answered", Budget(20, 20))
    with translation.override("en"):
        assert refused.value.message == "All 20 turns are used."
