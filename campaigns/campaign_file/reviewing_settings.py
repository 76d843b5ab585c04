"""The settings of the table `[reviewing]`: who scores, whose scores count, who vets, and what reviewers must pass. Pure."""

from django.utils.translation import gettext_noop

from campaigns.campaign_file.setting import Changeable, Setting
from reading.kinds import Choice, Whole, WholeOr

MINUTES = Whole(1, 43_200)
PANEL = {"reviewed_by": ("panel", "both")}

REVIEWING = (
    Setting(
        "reviewed_by",
        Choice(("self", "panel", "both", "nobody")),
        "self",
        Changeable.ALWAYS,
        gettext_noop("Scored by"),
        gettext_noop(
            "the tester of a dialogue, a panel of reviewers that is never its tester, or both; nobody where dialogues are only collected"
        ),
        key="by",
        table="reviewing",
        words={
            "self": gettext_noop("its tester"),
            "panel": gettext_noop("a panel"),
            "both": gettext_noop("its tester and a panel"),
            "nobody": gettext_noop("nobody"),
        },
    ),
    Setting(
        "counted_reviews",
        Choice(("self", "panel", "both", "nobody")),
        "self",
        Changeable.ALWAYS,
        gettext_noop("Counted scores"),
        gettext_noop("whose scores rank; those that are given, where a file says only by whom"),
        key="counted",
        table="reviewing",
        words={
            "self": gettext_noop("the tester's"),
            "panel": gettext_noop("the panel's"),
            "both": gettext_noop("all"),
            "nobody": gettext_noop("nobody's"),
        },
        needs={"reviewed_by": ("both",)},
    ),
    Setting(
        "reviewers_per_dialogue",
        Whole(1, 100),
        3,
        Changeable.ALWAYS,
        gettext_noop("Reviewers per dialogue"),
        gettext_noop("how many reviewers are in the panel of a dialogue"),
        key="reviewers",
        table="reviewing",
        needs=PANEL,
    ),
    Setting(
        "reservation_min",
        MINUTES,
        60,
        Changeable.ALWAYS,
        gettext_noop("Reservation (min)"),
        gettext_noop("minutes that a reviewer has for a dialogue that they opened"),
        table="reviewing",
        needs=PANEL,
    ),
    Setting(
        "adjudicated_over",
        WholeOr(0, 200, "never"),
        "never",
        Changeable.ALWAYS,
        gettext_noop("Adjudicated over"),
        gettext_noop("a panel that differs by more points than this is a dispute for the adjudicator"),
        table="reviewing",
        words={"never": gettext_noop("never")},
        word_for_null="never",
        needs=PANEL,
    ),
    Setting(
        "decisions_count",
        Choice(("as_panel", "one_more")),
        "as_panel",
        Changeable.ALWAYS,
        gettext_noop("A decision counts"),
        gettext_noop(
            "how an adjudicator's scores count: in place of the panel's, with the same weight, or as one more record beside them"
        ),
        table="reviewing",
        words={
            "as_panel": gettext_noop("in the panel's place"),
            "one_more": gettext_noop("as one more record"),
        },
        needs=PANEL,
    ),
    Setting(
        "experts_per_dialogue",
        Whole(0, 100),
        0,
        Changeable.ALWAYS,
        gettext_noop("Experts per dialogue"),
        gettext_noop("how many experts vet a dialogue before it counts; 0: it is not vetted"),
        key="experts",
        table="reviewing",
    ),
    Setting(
        "training_pass_percent",
        WholeOr(1, 100, "off"),
        "off",
        Changeable.ALWAYS,
        gettext_noop("Training pass mark (percent)"),
        gettext_noop("the share of gold scores that opens a reviewer's queue"),
        table="reviewing",
        words={"off": gettext_noop("no training")},
        word_for_null="off",
        needs=PANEL,
    ),
    Setting(
        "gold_every",
        Whole(0, 1000),
        0,
        Changeable.ALWAYS,
        gettext_noop("Gold every"),
        gettext_noop("dialogues after which a reviewer gets one with gold scores; 0: never"),
        table="reviewing",
        needs=PANEL,
    ),
    Setting(
        "second_reading_every",
        Whole(0, 1000),
        0,
        Changeable.ALWAYS,
        gettext_noop("Second reading every"),
        gettext_noop(
            "dialogues after which a reviewer gets an earlier one again without being told; what they say then counts nowhere; 0: never"
        ),
        table="reviewing",
    ),
    Setting(
        "judges",
        Choice(("apart", "count")),
        "apart",
        Changeable.ALWAYS,
        gettext_noop("Scores of judges that are models"),
        gettext_noop(
            "whether what models score stands apart and counts nowhere, or counts as a reviewer's scores do, marked in each row"
        ),
        table="reviewing",
        words={
            "apart": gettext_noop("stand apart"),
            "count": gettext_noop("count like a reviewer's"),
        },
        needs=PANEL,
    ),
)
