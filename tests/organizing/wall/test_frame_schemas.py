"""What a wall's socket sends fits the schema of its frames."""

import json
from datetime import UTC, datetime

from jsonschema import Draft202012Validator

from organizing.wall.frame_schemas import wall_frames
from organizing.wall.frames import changed_frame, needs_frame, state, state_frame
from organizing.wall.state import Change

AT = datetime(2026, 3, 1, tzinfo=UTC)


def test_each_frame_fits_the_schema_of_its_type():
    sent = [
        state_frame(state({"figures": {}}, at=AT, titles={}, needs=None)),
        changed_frame(Change({"bots": {"A": {"state": "normal"}}}, {"bots": ["B"]}), AT),
        needs_frame([], AT),
    ]
    for text in sent:
        frame = json.loads(text)
        Draft202012Validator(wall_frames()[f"server.{frame['type']}"]).validate(frame)
