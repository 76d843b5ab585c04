"""How long a campaign keeps what people wrote and said, and the removal once that is over. Figures and counts stay."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Person
from audit.actions import record
from automatic_tasks.models import Run
from campaigns.models import Campaign
from dialogues.models import Dialogue, Objection, Problem
from language_models.actions.calls import forget_answers
from pairs.models import PairVote
from privacy.actions.talks import erase_talk, erased, in_parts
from privacy.stand_ins import in_json
from privacy.trail_acts import TEXTS_EXPIRED
from registration.models import Application, Invitation
from reviews.actions.erasing import change_gold_texts, change_review_texts
from reviews.models import GoldReview, GuideExample, Remark, Review, RevisionRequest, Vetting

LOOK_EVERY_S = 600.0


def due(at: datetime) -> list[Campaign]:
    """Campaigns whose texts have been kept as long as their setting says, counted from their end; the earliest first."""
    over = Campaign.objects.filter(texts_kept_days__gt=0, texts_gone_at=None, ends_at__lt=at).order_by("ends_at")
    return [campaign for campaign in over if is_due(campaign, at)]


def is_due(campaign: Campaign, at: datetime) -> bool:
    goes_at = texts_go_at(campaign)
    return campaign.texts_gone_at is None and goes_at is not None and goes_at < at


def texts_go_at(campaign: Campaign) -> datetime | None:
    """When what people wrote goes; None where nothing says so."""
    if not campaign.texts_kept_days or campaign.ends_at is None:
        return None
    return campaign.ends_at + timedelta(days=campaign.texts_kept_days)


def remove_due_texts(*, at: datetime) -> list[Campaign]:
    """Removes the texts of every campaign that is due."""
    return [campaign for campaign in due(at) if expire_texts(campaign=campaign, by=None, at=at)]


def expire_texts(*, campaign: Campaign, by: Person | None, at: datetime) -> bool:
    """False where another process has done it meanwhile, or the campaign was given more time; ended in the middle, it goes on the next time."""
    campaign.refresh_from_db()
    n_turns = remove_talks(campaign, partial(is_due, at=at))
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if is_whole := is_due(campaign, at):
            remove_writings(campaign, at)
        if is_whole or n_turns:
            details = {"turns": n_turns, "days": campaign.texts_kept_days} | ({} if is_whole else {"partly": True})
            record(TEXTS_EXPIRED, by=by, at=at, campaign=campaign.slug, about=campaign.slug, details=details)
    return is_whole


def remove_talks(campaign: Campaign, goes_on: Callable[[Campaign], bool]) -> int:
    """Removes what was said in the campaign's dialogues; gives the number of turns.

    Many dialogues go in transactions of their own, between which others write. Each asks under the campaign's lock whether to go on.
    """
    n_turns = 0
    for some in in_parts(Dialogue.everything.of_campaign(campaign).values_list("pk", flat=True)):
        with transaction.atomic():
            if not goes_on(Campaign.objects.select_for_update().get(pk=campaign.pk)):
                break
            n_turns += _remove_talk(some)
    return n_turns


def _remove_talk(dialogues: Sequence[UUID]) -> int:
    """What was said in them, and what reviewers wrote of it; gives the number of turns."""
    change_review_texts(reviews=Review.objects.filter(dialogue__in=dialogues), change=erased, keeps_drafts=False)
    change_gold_texts(gold=GoldReview.objects.filter(dialogue__in=dialogues), change=erased)
    return erase_talk(dialogues)


def remove_writings(campaign: Campaign, at: datetime) -> None:
    """Removes what people wrote beside the dialogues, and notes that the campaign's texts are gone."""
    for rows, columns in _writings(campaign):
        for row in rows.iterator(chunk_size=500):
            rows.model._base_manager.filter(pk=row.pk).update(
                **{name: in_json(getattr(row, name), erased) for name in columns}
            )
    forget_answers(campaigns=[campaign])
    Invitation.objects.filter(campaign=campaign).update(name="", email="")
    Campaign.objects.filter(pk=campaign.pk).update(texts_gone_at=at)
    campaign.texts_gone_at = at


def _writings(campaign: Campaign) -> list[tuple[QuerySet[Any], tuple[str, ...]]]:
    of_dialogue = {"dialogue__assignment__campaign": campaign}
    return [
        (Problem.objects.filter(**of_dialogue), ("text",)),
        (Objection.objects.filter(**of_dialogue), ("text", "answer")),
        (Remark.objects.filter(**of_dialogue), ("text",)),
        (Vetting.objects.filter(**of_dialogue), ("reason",)),
        (RevisionRequest.objects.filter(review__dialogue__assignment__campaign=campaign), ("reason",)),
        (PairVote.objects.filter(pair__campaign=campaign), ("reason",)),
        (GuideExample.objects.filter(**of_dialogue), ("reason",)),
        (Application.objects.filter(campaign=campaign), ("affiliation", "contact", "members")),
        (Run.objects.filter(task__campaign=campaign), ("note",)),
    ]
