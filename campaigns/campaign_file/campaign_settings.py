"""The settings of a campaign, each declared once: kind and limits, default, until when it may change, its words. Pure.

The reader of campaign files, the loader, the dump, the columns' defaults and limits, the organizer's page and the tables in
docs/campaign-settings.md all follow this list.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from campaigns.campaign_file.calendar_settings import CALENDAR
from campaigns.campaign_file.model_budget_settings import MODEL_BUDGETS
from campaigns.campaign_file.pairs_settings import PAIRS
from campaigns.campaign_file.replay_settings import REPLAYS
from campaigns.campaign_file.reviewing_settings import MINUTES, REVIEWING
from campaigns.campaign_file.setting import NOT_SAID, OF_PRESET, Changeable, Setting
from campaigns.preset_files import PRESET_FILES
from participants.limits import NAME_LIMIT
from reading.kinds import ANY_TEXT, FLAG, SLUG, BothTexts, Checked, Choice, ListOf, TableOf, Text, Whole
from reading.tables import NEEDED, Table

TURN_CAP = Whole(1, 1000)
DEADLINE_S = Whole(1, 120)
CONTEXT_MESSAGE = Checked(
    Text(4000, may_be_empty=True),
    lambda text: not text or "{context}" in text,
    gettext_noop("must hold {context}, where the context is inserted, or be empty"),
)
# The scenario of imported dialogues that name none; no file may say it.
IMPORTED_SCENARIO = "imported"
# Addresses of pages: no campaign could be reached under them.
RESERVED_SLUGS = frozenset({"new"})
# What an organizer's plan may draw, and what the platform's staff may let it draw.
MOST_DRAWN, MOST_DRAWN_BY_STAFF = 100_000, 2_000_000
# The plan of a campaign whose testers choose for themselves; stored as `free_choice`.
FREE = "free"
# Of `programs`: what programs do counts like what people do.
COUNT = "count"

_DECLARED = (
    Setting(
        "name",
        BothTexts(limit=NAME_LIMIT),
        NEEDED,
        Changeable.ALWAYS,
        gettext_noop("Name"),
        gettext_noop("what pages call the campaign"),
    ),
    Setting(
        "preset",
        Choice(PRESET_FILES),
        "smp2018",
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Preset"),
        gettext_noop("rubric, ranking rule and every default that its paper has"),
    ),
    Setting(
        "language",
        Choice(("zh", "en")),
        "zh",
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Language"),
        gettext_noop("the language that systems are told"),
        words={"zh": gettext_noop("Chinese"), "en": gettext_noop("English")},
    ),
    Setting(
        "cap_per",
        Choice(("subtask", "dialogue")),
        "subtask",
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Turn cap per"),
        gettext_noop("what the turn cap applies to"),
        words={"subtask": gettext_noop("subtask"), "dialogue": gettext_noop("dialogue")},
    ),
    Setting(
        "turn_cap",
        TURN_CAP,
        None,
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Turn cap"),
        gettext_noop("turns per dialogue, where the cap is per dialogue; otherwise each subtask has its own cap"),
        needs={"cap_per": ("dialogue",)},
    ),
    Setting(
        "turns_are",
        Choice(("exchanges", "utterances")),
        "exchanges",
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("A turn is"),
        gettext_noop("what T and turn caps count: an exchange (what a tester says and its answer) or each utterance"),
        words={"exchanges": gettext_noop("an exchange"), "utterances": gettext_noop("an utterance")},
    ),
    Setting(
        "opened_by",
        Choice(("tester", "bot")),
        "tester",
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Opened by"),
        gettext_noop("who speaks first"),
        words={"tester": gettext_noop("tester"), "bot": gettext_noop("bot")},
    ),
    Setting(
        "bot_may_end",
        FLAG,
        True,
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("System may end"),
        gettext_noop("whether a system that says so ends the dialogue; otherwise only testers and caps do"),
    ),
    Setting(
        "tester_may_end",
        Choice(("at_any_time", "all_used")),
        "at_any_time",
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Tester may end"),
        gettext_noop(
            "when a tester may end a dialogue as done; all_used: once every item is ticked as used or the turns are used up, and a dialogue that is given up earlier counts nowhere"
        ),
        words={"at_any_time": gettext_noop("at any time"), "all_used": gettext_noop("when everything given is used")},
    ),
    Setting(
        "context_message",
        CONTEXT_MESSAGE,
        "{context}",
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Context message"),
        gettext_noop("the message that carries a scenario's context to systems whose protocol has no field for it"),
    ),
    Setting(
        "sends_goal",
        FLAG,
        False,
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Systems are sent the goal"),
        gettext_noop(
            "whether systems get the facts of the goal card, as goal in the context; otherwise only what the scenario gives them"
        ),
    ),
    Setting(
        "free_choice",
        FLAG,
        False,
        Changeable.ALWAYS,
        gettext_noop("Free choice"),
        gettext_noop("testers may open any system × scenario, instead of the assignments drawn for them"),
    ),
    Setting(
        "reply_deadline_s",
        DEADLINE_S,
        30,
        Changeable.ALWAYS,
        gettext_noop("Reply deadline (s)"),
        gettext_noop("seconds that a system has for a reply; below 5 is for rehearsals"),
    ),
    Setting(
        "pauses_failing_bots",
        FLAG,
        True,
        Changeable.ALWAYS,
        gettext_noop("Failing systems pause"),
        gettext_noop("whether a system that fails five times in a row is paused until it answers again"),
    ),
    Setting(
        "silence_limit_min",
        MINUTES,
        120,
        Changeable.ALWAYS,
        gettext_noop("Silence limit (min)"),
        gettext_noop("minutes of silence after which an open dialogue is closed as abandoned"),
    ),
    Setting(
        "open_dialogues_per_tester",
        Whole(1, 1_000_000),
        3,
        Changeable.ALWAYS,
        gettext_noop("Open dialogues per tester"),
        gettext_noop("how many dialogues a tester may have open at once"),
    ),
    Setting(
        "is_announced",
        FLAG,
        False,
        Changeable.ALWAYS,
        gettext_noop("Announced"),
        gettext_noop("whether the front page names it to everybody before its board is published"),
        key="announced",
    ),
    Setting(
        "takes_applications",
        FLAG,
        False,
        Changeable.ALWAYS,
        gettext_noop("Takes applications"),
        gettext_noop("whether anybody may apply for a place as a team, also somebody without an account"),
    ),
    Setting(
        "admission",
        Choice(("at_once", "organizer")),
        "at_once",
        Changeable.ALWAYS,
        gettext_noop("Admission of systems"),
        gettext_noop(
            "whether a system that its team registers takes part at once, or when an organizer has admitted it"
        ),
        words={"at_once": gettext_noop("at once"), "organizer": gettext_noop("by an organizer")},
    ),
    Setting(
        "programs",
        Choice(("apart", COUNT)),
        "apart",
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Dialogues of programs"),
        gettext_noop(
            "whether dialogues of accounts of programs stand apart and count nowhere, or count like those of people, with a mark"
        ),
        words={"apart": gettext_noop("they stand apart"), COUNT: gettext_noop("they count")},
    ),
    Setting(
        "members_may_judge",
        Choice(("none", "others")),
        "none",
        Changeable.ALWAYS,
        gettext_noop("Members of teams judge"),
        gettext_noop("which dialogues members of teams may test, score and decide; never those of their own systems"),
        words={"none": gettext_noop("no dialogue"), "others": gettext_noop("those of other teams")},
    ),
    Setting(
        "green_report_hours",
        Whole(0, 720),
        0,
        Changeable.ALWAYS,
        gettext_noop("Green report (h)"),
        gettext_noop(
            "a system is scheduled and offered only with a green conformance report that is at most this many hours old; 0 demands none"
        ),
    ),
    Setting(
        "releases_transcripts",
        FLAG,
        False,
        Changeable.ALWAYS,
        gettext_noop("Transcripts released"),
        gettext_noop("whether teams may read what testers said to their own systems"),
    ),
    Setting(
        "texts_kept_days",
        Whole(0, 36_500),
        0,
        Changeable.ALWAYS,
        gettext_noop("Texts are kept (days)"),
        gettext_noop(
            "days after the end after which what people wrote and said is removed; figures stay; 0 keeps everything. What was published is not rewritten"
        ),
    ),
    Setting(
        "is_published",
        FLAG,
        False,
        Changeable.ALWAYS,
        gettext_noop("Leaderboard published"),
        gettext_noop("whether everybody may see the leaderboard"),
        key="published",
    ),
    Setting(
        "masked_words",
        ListOf(ANY_TEXT),
        (),
        Changeable.ALWAYS,
        gettext_noop("Masked words"),
        gettext_noop(
            "masked in replies and in what people write, in any spelling; names of teams and systems and the hosts of systems always are"
        ),
    ),
    *CALENDAR,
    Setting(
        "plan",
        Choice(("full", "per_cell", "random_goals", "quota", FREE)),
        "full",
        Changeable.ALWAYS,
        gettext_noop("Plan"),
        gettext_noop(
            "who talks to what: every tester every system × scenario, some testers per system × scenario, goals drawn at random, a quota per system and skill, or free choice"
        ),
        key="kind",
        table="plan",
        words={
            "full": gettext_noop("full"),
            "per_cell": gettext_noop("some testers per system × scenario"),
            "random_goals": gettext_noop("random goals"),
            "quota": gettext_noop("quota per system and skill"),
        },
        only_in_files=(FREE,),
        needs={"free_choice": (False,)},
    ),
    Setting(
        "testers_per_cell",
        Whole(1, 1000),
        1,
        Changeable.ALWAYS,
        gettext_noop("Testers per cell"),
        gettext_noop("how many testers talk to each system about each scenario"),
        table="plan",
        needs={"free_choice": (False,), "plan": ("per_cell",)},
    ),
    Setting(
        "dialogues_per_bot",
        Whole(0, 100_000),
        0,
        Changeable.ALWAYS,
        gettext_noop("Dialogues per system"),
        gettext_noop("how many goals are drawn at random for each system"),
        table="plan",
        needs={"free_choice": (False,), "plan": ("random_goals",)},
    ),
    Setting(
        "quota",
        TableOf(SLUG, Whole(1, 100_000)),
        {},
        Changeable.ALWAYS,
        gettext_noop("Quota per skill"),
        gettext_noop("dialogues per system, a line for each skill: chit-chat 10"),
        table="plan",
        needs={"free_choice": (False,), "plan": ("quota",)},
    ),
    Setting(
        "plan_limit",
        Whole(1, MOST_DRAWN_BY_STAFF),
        MOST_DRAWN,
        Changeable.ALWAYS,
        gettext_noop("Assignment limit"),
        gettext_noop(
            "how many assignments the plan may draw; a larger plan is refused before anything is drawn. Only staff of the platform raise it above 100,000"
        ),
        key="limit",
        table="plan",
        needs={"free_choice": (False,)},
    ),
    *REVIEWING,
    *PAIRS,
    Setting(
        "broken_dialogues",
        Choice(("counted", "left_out")),
        "counted",
        Changeable.ALWAYS,
        gettext_noop("Broken dialogues"),
        gettext_noop("whether a dialogue counts in which the system failed permanently and a subtask closed for that"),
        table="faults",
        words={
            "counted": gettext_noop("they count, the subtask as unfinished"),
            "left_out": gettext_noop("they are left out"),
        },
    ),
    Setting(
        "failed_turns",
        Choice(("free", "charged")),
        "free",
        Changeable.ALWAYS,
        gettext_noop("Failed turns"),
        gettext_noop("whether a turn that the system failed to answer is charged like an answered one"),
        table="faults",
        words={"free": gettext_noop("they are not charged"), "charged": gettext_noop("they are charged")},
    ),
    Setting(
        "ranking_rule",
        ListOf(ANY_TEXT),
        OF_PRESET,
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Ranking keys"),
        gettext_noop(
            "the figures that rank, the one that decides first in front: completion, mean_turns and criteria on a scale"
        ),
        key="keys",
        table="ranking",
    ),
    *REPLAYS,
    *MODEL_BUDGETS,
)

SETTINGS = {setting.name: setting for setting in _DECLARED}
# The tables of a campaign file that hold settings.
TABLES = tuple(dict.fromkeys(setting.table for setting in _DECLARED))


def settings_of(table: str) -> dict[str, Setting]:
    """The settings that stand in one table of a campaign file."""
    return {name: setting for name, setting in SETTINGS.items() if setting.table == table}


def table_of_settings(table: str, *, without: Collection[str] = ()) -> Table:
    """How that table of a campaign file is read."""
    return Table({name: setting.field for name, setting in settings_of(table).items() if name not in without})


def said_in(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The settings that the tables of a file mention, by name."""
    rows = [row for name, row in tables.items() if name in TABLES]
    return {name: value for row in rows for name, value in row.items() if name in SETTINGS and value is not NOT_SAID}
