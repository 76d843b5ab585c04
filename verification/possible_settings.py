"""The values that the settings of campaign.json can have. Pure.

They are those of `campaigns/campaign_file/campaign_settings.py`, which needs Django. A setting of another version is not looked at.
"""

from collections.abc import Mapping
from typing import Any

from verification.bundle_format import CAMPAIGN
from verification.findings import Findings, shown

WHO = ("self", "panel", "both", "nobody")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "preset": ("msde", "ntcir14", "pairs", "seretod2022-0-2", "seretod2022", "smp2018"),
    "language": ("zh", "en"),
    "cap_per": ("subtask", "dialogue"),
    "turns_are": ("exchanges", "utterances"),
    "opened_by": ("tester", "bot"),
    "tester_may_end": ("at_any_time", "all_used"),
    "admission": ("at_once", "organizer"),
    "plan": ("full", "per_cell", "random_goals", "quota"),
    "reviewed_by": WHO,
    "counted_reviews": WHO,
    "decisions_count": ("as_panel", "one_more"),
    "broken_dialogues": ("counted", "left_out"),
    "failed_turns": ("free", "charged"),
    "programs": ("apart", "count"),
    "judges": ("apart", "count"),
}
FLAGS = ("bot_may_end", "sends_goal", "free_choice", "pauses_failing_bots")
# The lowest and the highest.
WHOLE: Mapping[str, tuple[int, int]] = {
    "turn_cap": (1, 1000),
    "reply_deadline_s": (1, 120),
    "silence_limit_min": (1, 43_200),
    "open_dialogues_per_tester": (1, 1_000_000),
    "green_report_hours": (0, 720),
    "testers_per_cell": (1, 1000),
    "dialogues_per_bot": (0, 100_000),
    "reviewers_per_dialogue": (1, 100),
    "reservation_min": (1, 43_200),
    "adjudicated_over": (0, 200),
    "experts_per_dialogue": (0, 100),
    "training_pass_percent": (1, 100),
    "gold_every": (0, 1000),
    "texts_kept_days": (0, 36_500),
}
MAY_BE_NULL = {"turn_cap", "adjudicated_over", "training_pass_percent"}
QUOTA = (1, 100_000)


def check_settings(settings: Mapping[str, Any], findings: Findings) -> None:
    """Notes each value that no campaign can have."""
    for name, value in settings.items():
        if not is_possible(name, value):
            findings.note(CAMPAIGN, f"the setting {shown(name)} cannot be {shown(value)}", figure=f"settings.{name}")
    if (settings["cap_per"] == "dialogue") is (settings["turn_cap"] is None):
        text = "cap_per and turn_cap exclude each other: one cap spans the dialogue, or each part has its own"
        findings.note(CAMPAIGN, text, figure="settings.cap_per")
    for skill, n in settings["quota"].items():
        if not _is_whole(n, QUOTA):
            text = f"the quota of {shown(skill)} cannot be {shown(n)}"
            findings.note(CAMPAIGN, text, figure="settings.quota")


def is_possible(name: str, value: Any) -> bool:
    """Whether a campaign can have that value; of a setting that is not known here, any."""
    if name in CHOICES:
        return value in CHOICES[name]
    if name in FLAGS:
        return type(value) is bool
    if name in WHOLE:
        return _is_whole(value, WHOLE[name]) or (value is None and name in MAY_BE_NULL)
    return name != "context_message" or value == "" or "{context}" in value


def _is_whole(value: Any, ends: tuple[int, int]) -> bool:
    return type(value) is int and ends[0] <= value <= ends[1]
