"""The settings of a bundle can have the values that those of a campaign can have; they are declared in both places."""

import pytest

from campaigns.campaign_settings import SETTINGS
from publication.bundle.documents import LEFT_OUT
from reading.kinds import Choice, Flag, Whole
from verification.findings import Findings
from verification.possible_settings import (
    CHOICES,
    FLAGS,
    MAY_BE_NULL,
    QUOTA,
    WHOLE,
    check_settings,
    is_possible,
)

TOLD = {name: one for name, one in SETTINGS.items() if name not in LEFT_OUT}


def test_choices_flags_and_limits_are_those_of_campaigns():
    choices = {name: one for name, one in TOLD.items() if isinstance(one.kind, Choice)}
    assert {name: set(allowed) for name, allowed in CHOICES.items()} == {
        name: set(one.kind.choices) - set(one.only_in_files) for name, one in choices.items()
    }
    assert set(FLAGS) == {name for name, one in TOLD.items() if isinstance(one.kind, Flag)}
    numbers = {name: one for name, one in TOLD.items() if isinstance(one.kind, Whole)}
    assert {name: (one.kind.lowest, one.kind.highest) for name, one in numbers.items()} == WHOLE
    assert {name for name, one in numbers.items() if one.word_for_null or one.default is None} == MAY_BE_NULL
    assert (TOLD["quota"].kind.kind.lowest, TOLD["quota"].kind.kind.highest) == QUOTA


def test_every_setting_that_a_bundle_tells_is_looked_at():
    assert set(TOLD) == {*CHOICES, *FLAGS, *WHOLE, "quota", "context_message"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("turns_are", "words"), ("bot_may_end", 1), ("reply_deadline_s", 0), ("reply_deadline_s", 121),
        ("reply_deadline_s", None), ("reply_deadline_s", True), ("turn_cap", 0), ("context_message", "no place for it"),
    ],
)  # fmt: skip
def test_a_value_that_no_campaign_can_have_is_impossible(name, value):
    assert not is_possible(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("turns_are", "utterances"), ("turn_cap", None), ("adjudicated_over", None), ("context_message", ""), ("of_later", 7)],
)  # fmt: skip
def test_a_value_that_a_campaign_can_have_is_possible(name, value):
    assert is_possible(name, value)


def found(**settings):
    findings = Findings()
    check_settings({"cap_per": "subtask", "turn_cap": None, "quota": {}} | settings, findings)
    return list(map(str, findings))


def test_one_cap_or_one_for_each_part():
    said = (
        "campaign.json: cap_per and turn_cap exclude each other: one cap spans the dialogue, or each part has its own"
    )
    assert found() == found(cap_per="dialogue", turn_cap=9) == []
    assert found(turn_cap=9) == found(cap_per="dialogue") == [said]


def test_a_quota_is_of_one_dialogue_at_least():
    assert found(quota={"booking": 3}) == []
    assert found(quota={"booking": 0}) == ["campaign.json: the quota of booking cannot be 0"]
