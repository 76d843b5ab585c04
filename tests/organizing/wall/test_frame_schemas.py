"""What a wall's socket sends fits the schema of its frames, row by row."""

import json
from datetime import UTC, datetime

import pytest
from django.utils import timezone
from jsonschema import Draft202012Validator

from dialogues.actions import take_turn
from dialogues.events import PONG, ErrorFrame
from dialogues.turn_taking import RefusalCode
from frame.api_pages.views import frame_schemas
from organizing.wall.consumers import is_ping
from organizing.wall.reading import wall_now
from organizing.wall.state import Change
from organizing.wall.wall_frames import changed_frame, needs_frame, state, state_frame

AT = datetime(2026, 3, 1, tzinfo=UTC)


def fits(frame, side="WallServer"):
    return Draft202012Validator({**frame_schemas(), "$ref": f"#/$defs/{side}"}).is_valid(frame)


@pytest.mark.django_db
def test_each_frame_fits_the_schema_of_its_type(campaign, dialogue, admission, tester):
    take_turn(dialogue_id=dialogue.pk, admission=admission, key="k", text="你好", at=timezone.now(), owner="x")
    campaign.entries.update(paused_at=AT, paused_because="x")
    now = wall_now(campaign, timezone.now())
    assert now["needs"]
    assert all(now["sections"].values())
    change = Change({name: dict(rows) for name, rows in now["sections"].items()}, {"bots": ["B"]})
    sent = [
        state_frame(now),
        state_frame(state(now["sections"], at=AT, titles={}, needs=None)),
        changed_frame(change, AT),
        changed_frame(Change({}, {}), AT),
        needs_frame(now["needs"], AT),
        ErrorFrame(RefusalCode.BAD_FRAME, "No.").frame(),
        PONG,
    ]
    for text in sent:
        frame = json.loads(text)
        assert fits(frame), frame["type"]
        assert not fits({**frame, "type": "other"})
    frame = json.loads(sent[0])
    for name, rows in frame["sections"].items():
        ((key, row), *_) = rows.items()
        for column in row:
            less = {**rows, key: {one: value for one, value in row.items() if one != column}}
            assert not fits({**frame, "sections": {**frame["sections"], name: less}}), (name, column)
    assert not fits({**frame, "needs": [{"key": "x"}]})


@pytest.mark.parametrize("frame", [{"type": "ping"}, {"type": "ping", "n": 1}, {"type": "pong"}, {}, [], "ping"])
def test_a_wall_takes_what_its_schema_names(frame):
    assert is_ping(json.dumps(frame)) == fits(frame, "WallClient")
