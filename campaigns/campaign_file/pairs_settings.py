"""The settings of the table `[pairs]`: whether judges compare two systems side by side, which ones, and how often. Pure."""

from django.utils.translation import gettext_noop

from campaigns.campaign_file.setting import Changeable, Setting
from reading.kinds import Choice, Whole

ASKED = {"pairs_kind": ("live", "finished")}

PAIRS = (
    Setting(
        "pairs_kind",
        Choice(("none", "live", "finished")),
        "none",
        Changeable.ALWAYS,
        gettext_noop("Pairs"),
        gettext_noop(
            "whether two systems are compared side by side: testers talk to both at once, or reviewers read two finished dialogues of a scenario"
        ),
        key="kind",
        table="pairs",
        words={
            "none": gettext_noop("none"),
            "live": gettext_noop("testers talk to two systems at once"),
            "finished": gettext_noop("reviewers read two finished dialogues"),
        },
    ),
    Setting(
        "pairs_draw",
        Choice(("balanced", "adaptive")),
        "balanced",
        Changeable.ALWAYS,
        gettext_noop("Draw of pairs"),
        gettext_noop(
            "which two systems come next: those that were compared least, or those whose distance is known least"
        ),
        key="draw",
        table="pairs",
        words={"balanced": gettext_noop("balanced"), "adaptive": gettext_noop("adaptive")},
        needs=ASKED,
    ),
    Setting(
        "pairs_per_judge",
        Whole(1, 10_000),
        30,
        Changeable.ALWAYS,
        gettext_noop("Pairs per judge"),
        gettext_noop("how many pairs a judge compares at most"),
        key="per_judge",
        table="pairs",
        needs=ASKED,
    ),
    Setting(
        "pairs_reason",
        Choice(("off", "optional", "needed")),
        "optional",
        Changeable.ALWAYS,
        gettext_noop("Reasons for votes"),
        gettext_noop("whether judges write why they prefer a system"),
        key="reason",
        table="pairs",
        words={
            "off": gettext_noop("not asked"),
            "optional": gettext_noop("optional"),
            "needed": gettext_noop("required"),
        },
        needs=ASKED,
    ),
)
