"""What a campaign says of replays: how many calls they may make, what its sentinel asks, and what is published of systems that changed. Pure."""

from django.utils.translation import gettext_noop

from campaigns.campaign_file.setting import Changeable, Setting
from reading.kinds import FLAG, Whole

REPLAYS = (
    Setting(
        "replay_calls_per_day",
        Whole(0, 100_000),
        2000,
        Changeable.ALWAYS,
        gettext_noop("Replays: calls per day"),
        gettext_noop("how many calls replays may make within 24 hours, those of the sentinel and of teams among them"),
        key="calls_per_day",
        table="replays",
    ),
    Setting(
        "team_replay_calls_per_day",
        Whole(0, 100_000),
        200,
        Changeable.ALWAYS,
        gettext_noop("Replays: calls per team and day"),
        gettext_noop(
            "how many of these calls a team may make to its own system after the publication; 0: teams make none"
        ),
        key="team_calls_per_day",
        table="replays",
    ),
    Setting(
        "sentinel_every_hours",
        Whole(0, 720),
        0,
        Changeable.ALWAYS,
        gettext_noop("Sentinel every (hours)"),
        gettext_noop(
            "hours after which dialogues of each system are put to it again, to see whether it drifts; 0: never"
        ),
        table="replays",
    ),
    Setting(
        "canaries",
        Whole(1, 20),
        3,
        Changeable.ALWAYS,
        gettext_noop("Sentinel: dialogues per system"),
        gettext_noop("how many finished dialogues of each system the sentinel puts to it, twice each"),
        table="replays",
    ),
    Setting(
        "drift_over_percent",
        Whole(1, 99),
        30,
        Changeable.ALWAYS,
        gettext_noop("Sentinel: drift over (percent)"),
        gettext_noop("a system that is farther from its dialogues than this, beyond its own variation, is reported"),
        table="replays",
    ),
    Setting(
        "publishes_changes",
        FLAG,
        False,
        Changeable.ALWAYS,
        gettext_noop("Publish changes of systems"),
        gettext_noop(
            "whether published leaderboards say which systems changed while they were tested, with their figures before and after"
        ),
        table="replays",
    ),
)
