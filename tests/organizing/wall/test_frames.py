"""The frames of a wall's socket."""

import json
from datetime import UTC, datetime

from organizing.wall.state import Change
from organizing.wall.wall_frames import changed_frame, needs_frame, state, state_frame

NOON = datetime(2026, 5, 17, 12, tzinfo=UTC)
AT = "2026-05-17T12:00:00+00:00"


def test_the_state_is_whole_and_says_when_it_was_so():
    whole = state({"bots": {"K7": {"n": 1}}}, at=NOON, titles={"case": "机票"}, needs=None)
    assert json.loads(state_frame(whole)) == {
        "type": "wall.state", "at": AT, "sections": {"bots": {"K7": {"n": 1}}}, "titles": {"case": "机票"}, "needs": None,
    }  # fmt: skip


def test_a_change_has_rows_and_what_is_gone():
    frame = changed_frame(Change({"bots": {"K7": {"n": 2}}}, {"dialogues": ["d1"]}), NOON)
    assert json.loads(frame) == {
        "type": "wall.changed", "at": AT, "rows": {"bots": {"K7": {"n": 2}}}, "gone": {"dialogues": ["d1"]},
    }  # fmt: skip


def test_needs_replace_what_was_needed_before():
    assert json.loads(needs_frame([], NOON)) == {"type": "wall.needs", "at": AT, "needs": []}
