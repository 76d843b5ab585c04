"""Rows that the database writes as columns are those that the models tell one after the other."""

import pytest
from django.utils import timezone

from campaigns.actions import change_settings
from dialogues.actions import open_chosen_dialogue
from dialogues.models import Turn
from leaderboards.exports import EXPORTS
from leaderboards.stored_columns import Stored, columns_of, rows_of
from tests.dialogues.test_actions import Talk
from tests.leaderboards.played import example, play
from tests.leaderboards.told_by_models import TOLD, as_json

pytestmark = pytest.mark.django_db

SMP = "smp2018"
# Each with what another one lacks: panels and disputes, parts and places, imported dialogues with labels, one cap, an opening.
PLAYED = {
    "panels": (SMP, {}),
    "experts": ("msde", {}),
    "labels of imported dialogues": ("ntcir14", {}),
    "one cap": (SMP, {"cap_per": "dialogue", "turn_cap": 12}),
    "utterances, the bot begins": (SMP, {"turns_are": "utterances", "opened_by": "bot", "failed_turns": "charged"}),
    "broken dialogues left out": (SMP, {"broken_dialogues": "left_out"}),
}


@pytest.mark.parametrize("kind", PLAYED)
def test_every_export_says_what_the_models_say(kind):
    preset, settings = PLAYED[kind]
    campaign = example(preset)
    change_settings(campaign=campaign, changes=settings, at=timezone.now())
    play(campaign)
    campaign.entries.update(secret="请问哪天")
    Turn.objects.filter(status="answered", number=1).update(flags=["slow"], wire={"request_id": "r", "waited_ms": 4})
    for what, told in TOLD.items():
        rows = as_json(EXPORTS[what].rows(campaign))
        assert rows == as_json(told(campaign)), what
        assert rows, what


WIRES = Stored(
    "dialogues_turn turn",
    dialogue="turn.dialogue_id",
    in_order_of="turn.number",
    columns={"turn.number": "plain", "turn.wire": "json"},
)


def test_rows_come_in_the_order_of_the_dialogues_and_what_is_missing_keeps_its_place(
    campaign, dialogue, admission, tester
):
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    other = open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now())
    Talk(dialogue, admission).turns(2)
    Turn.objects.filter(number=1).update(wire=None)
    Turn.objects.filter(number=2).update(wire={"waited_ms": 4})
    told = [(1, None), (2, {"waited_ms": 4})]
    assert list(rows_of(WIRES, [dialogue.pk, other.pk])) == [told, []]
    assert list(rows_of(WIRES, [other.pk, dialogue.pk])) == [[], told]
    assert columns_of(WIRES, [other.pk]) == ([0], [[], []])
    assert columns_of(WIRES, []) == ([], [[], []])
