"""campaign.json: by what rules the records of a campaign were made, counted and ranked."""

from typing import Any

from django.db.models import Exists, OuterRef

from campaigns.campaign_settings import SETTINGS, settings_of
from campaigns.hidden_orders import plan_seed
from campaigns.models import Campaign
from dialogues.models import Dialogue
from publication.bundle.names import Names
from publication.bundle.plan_ground import can_be_drawn, quota_told
from reviews.models import ReviewPlace
from rubrics.models import Criterion, ScalePoint

# What says nothing about the figures, is told elsewhere in the document, or lists the names to be masked.
LEFT_OUT = {
    "name",
    "is_announced",
    "is_published",
    "takes_applications",
    "releases_transcripts",
    "masked_words",
    "members_may_judge",
    "plan_limit",
    "ranking_rule",
    *settings_of("calendar"),
}


def campaign_document(campaign: Campaign, names: Names) -> dict[str, Any]:
    """The rule with directions, every setting, the seed of the plan, and the rubric."""
    return {
        "campaign": campaign.slug,
        "name": names.text({"zh": campaign.name_zh, "en": campaign.name_en}),
        "rule": [{"key": key.figure, "better": key.better} for key in campaign.ranking_keys()],
        "settings": {name: _setting(campaign, name, names) for name in SETTINGS if name not in LEFT_OUT},
        "seed": plan_seed(campaign) if tells_seed(campaign) else None,
        "rubric": _rubric(campaign, names),
    }


def tells_seed(campaign: Campaign) -> bool:
    """Whether a plan was drawn that readers can draw again, and nothing is left to be talked about or reviewed: the seed tells whom one
    meets next.

    It tells nothing of aliases, nor which tester has which name (`campaigns/hidden_orders.py`).
    """
    counted = Dialogue.objects.counted().filter(assignment=OuterRef("pk"))
    undone = campaign.assignments.filter(is_drawn=True, entry__withdrawn_at=None).exclude(Exists(counted))
    unreviewed = ReviewPlace.objects.to_do().filter(dialogue__assignment__campaign=campaign)
    open_now = Dialogue.objects.of_campaign(campaign).open()
    if campaign.free_choice or undone.exists() or open_now.exists() or unreviewed.exists():
        return False
    return can_be_drawn(campaign)


def _setting(campaign: Campaign, name: str, names: Names) -> Any:
    value = getattr(campaign, name)
    if name == "quota":
        return quota_told(value, names)
    return names.text(value) if name == "context_message" else value


def _rubric(campaign: Campaign, names: Names) -> dict[str, Any]:
    rubric = campaign.rubric
    return {
        "key": rubric.key,
        "version": rubric.version,
        "name": names.text({"zh": rubric.name_zh, "en": rubric.name_en}),
        "asks_for_verdicts": rubric.asks_for_verdicts,
        "criteria": [_criterion(one, names) for one in rubric.criteria.prefetch_related("points")],
    }


def _criterion(criterion: Criterion, names: Names) -> dict[str, Any]:
    return {
        "key": criterion.key,
        "letter": criterion.letter,
        "name": names.text({"zh": criterion.name_zh, "en": criterion.name_en}),
        "question": names.text({"zh": criterion.question_zh, "en": criterion.question_en}),
        "kind": criterion.kind,
        "scope": criterion.scope,
        "better": criterion.better,
        "skills": criterion.skills,
        "is_required": criterion.is_required,
        "evidence_below": criterion.evidence_below,
        "points": [_point(point, names) for point in criterion.points.all()],
    }


def _point(point: ScalePoint, names: Names) -> dict[str, Any]:
    label = names.text({"zh": point.label_zh, "en": point.label_en})
    return {"score": point.score, "key": point.key, "speaker": point.speaker, "label": label}
