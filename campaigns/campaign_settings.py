"""The settings of a campaign, each declared once: kind and limits, default, until when it may change, its words. Pure.

The reader of campaign files, the loader, the dump, the columns' defaults and limits, the organizer's page and the table in
docs/campaign-file.md all follow this list.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaigns.preset_files import PRESET_FILES
from participants.limits import NAME_LIMIT
from scoring.kinds import ANY_TEXT, FLAG, BothTexts, Choice, Kind, ListOf, Texts, Whole
from scoring.tables import NEEDED, Field

TURN_CAP = Whole(1, 1000)
DEADLINE_S = Whole(1, 120)


class Changeable(Enum):
    """Until when a setting may change. What decides the rules of dialogues is fixed once there is one."""

    ALWAYS = gettext_noop("at any time")
    BEFORE_DIALOGUES = gettext_noop("until the first dialogue")


# What a file gives for a setting that it does not mention; then the stored value stays.
NOT_SAID: Any = object()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: `name` is its column, `key` its name in campaign files where that is another one."""

    name: str
    kind: Kind
    default: Any
    changeable: Changeable
    label: str
    about: str
    key: str = ""

    @property
    def key_in_file(self) -> str:
        return self.key or self.name

    @property
    def field(self) -> Field:
        """How a campaign file is read: silence keeps what is stored, but a rule of dialogues is then the default."""
        keeps = self.changeable is Changeable.ALWAYS and self.default is not NEEDED
        return Field(self.kind, NOT_SAID if keeps else self.default, self.key)

    def columns(self, value: Any) -> dict[str, Any]:
        """What is stored for a value."""
        if isinstance(value, Texts):
            return {f"{self.name}_zh": value.zh, f"{self.name}_en": value.en}
        return {self.name: list(value) if isinstance(value, tuple) else value}

    def value_in(self, row: object) -> Any:
        """The value that a stored campaign has."""
        if isinstance(self.kind, BothTexts):
            return Texts(getattr(row, f"{self.name}_zh"), getattr(row, f"{self.name}_en"))
        stored = getattr(row, self.name)
        return tuple(stored) if isinstance(stored, list) else stored


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
        gettext_noop("rubric, ranking rule and who reviews"),
    ),
    Setting(
        "cap_per",
        Choice(("subtask", "dialogue")),
        "subtask",
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Turn cap per"),
        gettext_noop("what the turn cap applies to"),
    ),
    Setting(
        "turn_cap",
        TURN_CAP,
        None,
        Changeable.BEFORE_DIALOGUES,
        gettext_noop("Turn cap"),
        gettext_noop("turns per dialogue, only with cap_per = “dialogue”; otherwise each subtask has its own cap"),
    ),
    Setting(
        "free_choice",
        FLAG,
        False,
        Changeable.ALWAYS,
        gettext_noop("Free choice"),
        gettext_noop("testers may open any bot × scenario, instead of the assignments drawn for them"),
    ),
    Setting(
        "reply_deadline_s",
        DEADLINE_S,
        30,
        Changeable.ALWAYS,
        gettext_noop("Reply deadline (s)"),
        gettext_noop("seconds that a bot has for a reply; below 5 is for rehearsals"),
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
        gettext_noop("blotted out in replies, in any spelling; the names of all teams and bots always are"),
    ),
)

SETTINGS = {setting.name: setting for setting in _DECLARED}


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """A setting in the reader's language."""

    label: str
    about: str
    value: str
    changeable: str


def shown_settings(row: object) -> list[ShownSetting]:
    """The settings of a stored campaign, as a page shows them."""
    return [
        ShownSetting(_(one.label), _(one.about), in_words(one.value_in(row)), _(one.changeable.value))
        for one in SETTINGS.values()
    ]


def in_words(value: Any) -> str:
    match value:
        case bool():
            return _("yes") if value else _("no")
        case Texts():
            return " / ".join(dict.fromkeys(filter(None, (value.zh, value.en)))) or "–"
        case tuple():
            return ", ".join(value) or "–"
        case None:
            return "–"
    return str(value)
