"""The types that the pages' scripts are checked against are those of the frames' schemas."""

import re

from frame.frame_types import FILE, frame_types
from tests.test_house import ROOT


def test_the_stored_types_are_those_of_the_schemas():
    assert (ROOT / FILE).read_text() == frame_types(), "run: manage.py frame_types"


def test_every_type_that_is_named_is_declared_and_none_is_unknown():
    text = frame_types()
    declared = re.findall(r"^export interface (\w+) ", text, re.MULTILINE)
    named = {name for name in re.findall(r": (?:Array<)?([A-Z]\w+)", text) if name not in {"Array", "Record"}}
    assert len(declared) == len(set(declared))
    assert named <= set(declared)
    assert "unknown" not in text
