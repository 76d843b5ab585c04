"""What the rehearsal reads off the campaign, so that it plays any preset; that it plays over the API alone."""

import re
from dataclasses import replace
from pathlib import Path

from campaigns.presets import PRESETS
from demo.tournament import scales_of
from tests.conftest import SMALL_CAMPAIGN, spec_of

ROOT = Path(__file__).resolve().parents[2]


def test_the_scales_are_those_of_the_campaigns_rubric_the_worst_point_first(monkeypatch):
    preset = PRESETS["smp2018"]
    _satisfaction, fluency, guidance = preset.rubric.criteria
    other = replace(preset.rubric, criteria=(replace(fluency, key="errors", better="lower"), guidance))
    monkeypatch.setitem(PRESETS, "smp2018", replace(preset, rubric=other))
    assert scales_of(spec_of(SMALL_CAMPAIGN)) == {"errors": (1, 0, -1), "guidance": (0, 1)}


def test_a_rubric_of_the_campaigns_own_counts_and_labels_have_no_points():
    own = """
[ranking]
keys = ["effort"]
[rubric]
key = "own"
name = "own"
[[rubric.criteria]]
key = "effort"
letter = "Ef"
name = "effort"
points = [{score = 1, label = "little"}, {score = 3, label = "much"}]
[[rubric.criteria]]
key = "act"
letter = "Act"
name = "act"
kind = "label"
labels = [{key = "a", label = "a"}, {key = "b", label = "b"}]
"""
    assert scales_of(spec_of(SMALL_CAMPAIGN + own)) == {"effort": (1, 3)}


def test_neither_the_demo_nor_its_pages_name_a_criterion():
    for path in (ROOT / "demo").rglob("*.py"):
        for criterion in PRESETS["smp2018"].rubric.criteria:
            assert criterion.key not in path.read_text(), f"{path.name} names {criterion.key}"


# What is played with: neither rows of the database nor commands.
OF_PROGRAMS = (
    "goal_card.py", "programs.py", "rehearsal.py", "setting_up.py", "tournament.py", "management/commands/tournament.py",
)  # fmt: skip
AROUND_THE_API = re.compile(r"\.models\b|\.actions\b|\.objects\b|call_command|\.Popen|subprocess\.run|/login/")


def test_programs_alone_play_the_tournament():
    for name in OF_PROGRAMS:
        assert not AROUND_THE_API.findall((ROOT / "demo" / name).read_text()), name


def test_all_that_is_done_without_the_api_is_the_link_of_the_first_organizer():
    installing = (ROOT / "demo" / "installation.py").read_text()
    assert re.findall(r"call_command\('(\w+)'", installing) == ["migrate", "invite"]
