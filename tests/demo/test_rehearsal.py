"""What the rehearsal plants in a panel, and that it shows whatever is drawn."""

from dataclasses import astuple

import pytest

from demo.rehearsal import CARELESS, SEVERE, Habit, habits_of
from tests.demo.simulated_panel import campaign_of, margins_of, panel_scores, sheets_of


def test_the_first_of_a_panel_is_severe_and_the_last_careless():
    assert habits_of(["a", "b", "c"]) == {"a": SEVERE, "b": Habit(), "c": CARELESS}
    assert habits_of(["a", "b"]) == {"a": Habit(), "b": Habit()}


@pytest.mark.parametrize("preset", ["smp2018", "seretod2022", "msde"])
def test_severity_and_carelessness_show_whoever_is_drawn_for_what(preset):
    spec = campaign_of(preset)
    sheets = sheets_of(spec)
    for seed in range(8):
        assert min(astuple(margins_of(panel_scores(spec, sheets, seed)))) > 0.05, seed
