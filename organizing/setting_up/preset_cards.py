"""What each preset means, on a card: its rubric, what ranks, its caps, who talks to what and who scores."""

from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from campaigns.campaign_settings import SETTINGS
from campaigns.presets import PRESETS, CampaignPreset
from measures.live import RECORD_FIGURES
from rubrics.bilingual import in_readers_language
from testing_console.score_axis import shown

_PLANS = {
    "full": gettext_noop("every tester talks to every system about every scenario"),
    "per_cell": gettext_noop("some testers per system and scenario"),
    "random_goals": gettext_noop("goals are drawn at random"),
    "quota": gettext_noop("a quota of dialogues per system and skill"),
}


@dataclass(frozen=True, slots=True)
class PresetCard:
    key: str
    name: str
    source: str
    lines: tuple[tuple[str, str], ...]


def preset_cards() -> list[PresetCard]:
    return [_card(preset) for preset in PRESETS.values()]


def _card(preset: CampaignPreset) -> PresetCard:
    return PresetCard(
        preset.key,
        in_readers_language(preset.rubric.name_zh, preset.rubric.name_en),
        preset.source,
        (
            (gettext("Scored"), _criteria(preset)),
            (gettext("Ranked by"), _ranking(preset)),
            (gettext("Turns"), _cap(preset)),
            (gettext("Who talks to what"), gettext(_PLANS[preset.value_of("plan")])),
            (gettext("Who scores"), _who_scores(preset)),
        ),
    )


def _criteria(preset: CampaignPreset) -> str:
    return ", ".join(_criterion(one) for one in preset.rubric.criteria)


def _criterion(criterion: object) -> str:
    name = in_readers_language(criterion.name_zh, criterion.name_en)  # type: ignore[attr-defined]
    points = [point.score for point in criterion.points]  # type: ignore[attr-defined]
    return f"{name} {shown(min(points))}…{shown(max(points))}" if criterion.is_scale else name  # type: ignore[attr-defined]


def _ranking(preset: CampaignPreset) -> str:
    letters = {figure.name: figure.letter for figure in RECORD_FIGURES}
    letters |= {criterion.key: criterion.letter for criterion in preset.rubric.criteria}
    return " › ".join(letters.get(name, name) for name in preset.ranking_rule)


def _cap(preset: CampaignPreset) -> str:
    if preset.value_of("cap_per") == "dialogue":
        return gettext("at most %(n)s per dialogue") % {"n": preset.value_of("turn_cap")}
    return gettext("at most %(n)s per subtask") % {"n": preset.subtask_cap}


def _who_scores(preset: CampaignPreset) -> str:
    by = preset.value_of("reviewed_by")
    if by == "panel":
        return gettext("a panel of %(n)s") % {"n": preset.value_of("reviewers_per_dialogue")}
    return gettext(SETTINGS["reviewed_by"].words[by])
