"""Presets of whole campaigns, as the papers had them: the files of this folder, each the tables of a campaign file that hold rules.

`[preset]` names the paper and says what is the preset's alone; everything else a campaign file may say otherwise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_noop

from campaigns.campaign_file.campaign_settings import SETTINGS, TABLES, said_in, settings_of, table_of_settings
from campaigns.preset_files import PRESET_FILES
from measures.live import RECORD_FIGURES
from reading.checking import Problems, read_declared
from reading.findings import FILE
from reading.kinds import ANY_TEXT, OBJECT, TEXT, ListOf, Whole
from reading.tables import Field, Table
from rubrics.presets import RubricPreset
from rubrics.rubric_table import RUBRIC


@dataclass(frozen=True, slots=True)
class CampaignPreset:
    """`ranking_rule` names figures, the one that decides first in front; `subtask_cap` is the default turn cap of a subtask.

    Directions and letters are those of the criteria, so the rule does not repeat them. `source` is the paper; `settings` are
    those that the preset says itself, by name. `boards` are tables `[[boards]]` as task files have them, which a column's `task` gives the
    type of a task: a preset knows no task. The room of the tasks reads them.
    """

    key: str
    rubric: RubricPreset
    ranking_rule: tuple[str, ...]
    subtask_cap: int
    source: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    boards: tuple[Mapping[str, Any], ...] = ()

    def value_of(self, name: str) -> Any:
        """What a setting is where a campaign file does not say it."""
        return self.settings.get(name, SETTINGS[name].default)


# What a campaign says for itself: a preset knows neither its name and dates nor who may see it.
OWN = (
    "name",
    "preset",
    "is_announced",
    "is_published",
    "takes_applications",
    "releases_transcripts",
    "masked_words",
    "members_may_judge",
    *settings_of("calendar"),
)
ROOT = Table(
    {
        "preset": Field(Table({"source": Field(TEXT), "subtask_cap": Field(Whole(1, 1000), 20)})),
        **{name: Field(table, table.nothing) for name in TABLES for table in [table_of_settings(name, without=OWN)]},
        "ranking": Field(Table({"ranking_rule": Field(ListOf(ANY_TEXT), key="keys")})),
        "rubric": Field(RUBRIC),
        "boards": Field(ListOf(OBJECT), ()),
    }
)


def read_preset(key: str, content: bytes) -> CampaignPreset:
    """Errors: `BadFile`."""
    problems = Problems()
    root: dict[str, Any] = problems.read(read_declared(f"{key}.toml", content), FILE, ROOT) or ROOT.nothing
    problems.refuse()
    settings = said_in(root)
    rule = settings.pop("ranking_rule")
    check_ranking(rule, root["rubric"], problems)
    problems.refuse()
    told = {"ranking_rule": rule, "settings": settings, "boards": root["boards"]}
    return CampaignPreset(key=key, rubric=root["rubric"], **told, **root["preset"])


def check_ranking(rule: tuple[str, ...], rubric: RubricPreset, problems: Problems) -> None:
    """What ranks is a figure that all evaluations have, or a criterion on a scale."""
    scales = [criterion.key for criterion in rubric.criteria if criterion.is_scale]
    known = [*(figure.name for figure in RECORD_FIGURES), *scales]
    for number, name in enumerate(rule, start=1):
        place = f"[ranking] keys[{number}]"
        if name not in known:
            text = gettext_noop("“%(name)s” is neither a figure nor a criterion on a scale; there are %(known)s")
            problems.note(place, text, name=name, known=", ".join(known))
        elif name in rule[: number - 1]:
            problems.note(place, gettext_noop("“%(name)s” already decides before"), name=name)


PRESETS = {key: read_preset(key, path.read_bytes()) for key, path in PRESET_FILES.items()}
