import pytest

from reviews.rating_places import Said, applies_to, began, is_for, places_of, speakers_of, turn_of

TURNS = [Said(0, ("bot",)), Said(1, ("tester", "bot")), Said(2, ("tester",))]


def test_a_criterion_of_the_dialogue_is_asked_once():
    assert places_of("dialogue", [1, 2], TURNS, {""}) == ("",)


def test_a_criterion_of_subtasks_is_asked_for_each():
    assert places_of("subtask", [1, 2], TURNS, {""}) == ("#1", "#2")
    assert places_of("subtask", [], TURNS, {""}) == ()


def test_a_criterion_of_turns_is_asked_for_whoever_said_something_and_has_labels():
    assert places_of("turn", [1], TURNS, {"bot"}) == ("@0.bot", "@1.bot")
    assert places_of("turn", [1], TURNS, {"tester"}) == ("@1.tester", "@2.tester")
    assert places_of("turn", [1], TURNS, {"tester", "bot"}) == ("@0.bot", "@1.tester", "@1.bot", "@2.tester")
    assert places_of("turn", [1], TURNS, {""}) == ("@0.bot", "@1.tester", "@1.bot", "@2.tester")


@pytest.mark.parametrize(
    ("text", "texts", "who"),
    [
        ("你好", ["好"], ("tester", "bot")),
        ("", ["欢迎"], ("bot",)),
        ("你好", [], ("tester",)),
        ("你好", ["", ""], ("tester",)),
        ("", [], ()),
    ],
)
def test_a_failed_turn_and_an_opening_have_one_speaker(text, texts, who):
    assert speakers_of(text, texts) == who


def test_a_label_is_for_its_speaker_or_for_both():
    assert is_for("bot", "@3.bot")
    assert not is_for("bot", "@3.tester")
    assert is_for("", "@3.tester")
    assert is_for("", "")


def test_a_rating_of_a_turn_names_it():
    assert [turn_of(rating) for rating in ("coherence", "coherence#2", "nugget@13.bot")] == [None, None, 13]


def test_a_criterion_without_skills_is_asked_for_all():
    assert applies_to([], "knowledge")
    assert applies_to(["knowledge"], "knowledge")
    assert not applies_to(["knowledge"], "chit-chat")
    assert not applies_to(["knowledge"], "")


def test_a_subtask_began_where_something_was_said_or_the_tester_closed_it_as_finished():
    assert began(1, is_finished=False)
    assert began(0, is_finished=True)
    assert not began(0, is_finished=False)
