import pytest

from audit.trail_acts import act_of, known_acts, trail_act


def test_an_act_says_what_was_done_about_what():
    paused = trail_act("test.paused", "paused the system %(about)s")
    assert paused.said_of("K7") == "paused the system K7"
    assert act_of("test.paused") == paused
    assert paused in known_acts()


def test_a_key_belongs_to_one_act():
    trail_act("test.once", "did")
    with pytest.raises(ValueError, match="declared twice"):
        trail_act("test.once", "did otherwise")


def test_a_key_that_cannot_be_stored_is_refused():
    with pytest.raises(ValueError, match="more than 40"):
        trail_act("x" * 41, "did")


def test_an_act_that_nobody_declares_any_more_is_shown_by_its_key():
    assert act_of("gone.act").said_of("K7") == "gone.act K7"
