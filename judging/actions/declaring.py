"""Declares judges, gives them accounts where their scores count, and withdraws them."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.actions import create_people
from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign, CampaignRole, Role
from dialogues.masking import masker_of
from dialogues.queries import masked_words
from judging.limits import JUDGES_PER_CAMPAIGN, VERSIONS_PER_JUDGE
from judging.models import Judge
from judging.prompts import digest_of
from judging.trail_acts import JUDGE_DECLARED, JUDGE_SEATED, JUDGE_WITHDRAWN
from language_models.models import ModelEndpoint
from serving.refused import Refused


class CannotDeclare(Refused):
    """The message says why."""

    code = "cannot_declare"


class NoSuchModel(Refused):
    code = "no_such_model"

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key

    def __str__(self) -> str:
        return _("The campaign has declared no model “%(key)s”, or has withdrawn it.") % {"key": self.key}


def digest_of_judge(judge: Judge) -> str:
    """Of the judge as it would be asked now: its row, its model's, and the campaign's rubric."""
    endpoint, rubric = judge.endpoint, judge.campaign.rubric
    criteria = [
        [
            one.key, one.kind, one.scope, one.evidence_below, one.is_required, one.skills, one.name, one.question_zh,
            one.question_en,
            [[point.score, point.key, point.speaker, point.label_zh, point.label_en] for point in one.points.all()],
        ]
        for one in rubric.criteria.prefetch_related("points")
    ]  # fmt: skip
    return digest_of(
        {
            "language": judge.language,
            "instructions": judge.instructions,
            "maker": judge.maker,
            "n_samples": judge.n_samples,
            "temperature": judge.temperature,
            "seed": judge.seed,
            "model": [endpoint.url, endpoint.model, endpoint.options, endpoint.answers],
            "rubric": [rubric.asks_for_verdicts, rubric.shows_latency, criteria],
        }
    )


@transaction.atomic
def declare_judge(*, campaign: Campaign, key: str, model: str, by: Person | None, at: datetime, **said: Any) -> Judge:
    """The judge with that key; where anything that decides its answers differs from the version before, a new version.

    `said` are those of `SAID`; what is not said is the campaign's language or the default. Errors: `NotNow`, `NoSuchModel`, `CannotDeclare` for text that names who made a system, and beyond the limits.
    """
    check_open(campaign, Doing.ORGANIZE, at)
    campaign = Campaign.objects.select_related("rubric").held(campaign.pk)
    endpoint = ModelEndpoint.objects.in_use().filter(campaign=campaign, key=model).first()
    if endpoint is None:
        raise NoSuchModel(model)
    last = Judge.objects.filter(campaign=campaign, key=key).order_by("-version").first()
    judge = Judge(
        campaign=campaign, endpoint=endpoint, key=key, declared_by=by, declared_at=at,
        **{"language": campaign.language} | said,
    )  # fmt: skip
    _refuse_names(campaign, judge)
    judge.prompt_digest = digest_of_judge(judge)
    if (
        last is not None
        and last.withdrawn_at is None
        and last.prompt_digest == judge.prompt_digest
        # Costs of a judge are added up.
        and last.endpoint.currency == endpoint.currency
    ):
        # How much is drawn changes no answer, nor does the name of the same model.
        last.share, last.endpoint = judge.share, endpoint
        last.save(update_fields=["share", "endpoint"])
        return last
    others = Judge.objects.filter(campaign=campaign).newest().filter(withdrawn_at=None).exclude(key=key)
    if others.count() >= JUDGES_PER_CAMPAIGN:
        raise CannotDeclare(gettext_noop("A campaign has at most %(n)d judges."), n=JUDGES_PER_CAMPAIGN)
    if last is not None:
        if last.version >= VERSIONS_PER_JUDGE:
            text = gettext_noop("A judge has at most %(n)d versions: declare one under another key.")
            raise CannotDeclare(text, n=VERSIONS_PER_JUDGE)
        judge.version = last.version + 1
        _unseat(last, at)
    judge.save()
    details = {"model": model, "digest": judge.prompt_digest}
    record(JUDGE_DECLARED, by=by, at=at, campaign=campaign.slug, about=judge.name, details=details)
    return judge


def judge_as_it_is_now(*, judge: Judge, by: Person | None, at: datetime) -> Judge:
    """The judge itself, or its next version where its rubric, its model or the words of the prompt changed since.

    Errors: those of `declare_judge`; a system may have entered since whose maker the prompt names.
    """
    _refuse_names(judge.campaign, judge)
    if digest_of_judge(judge) == judge.prompt_digest:
        return judge
    said = {name: getattr(judge, name) for name in SAID}
    return declare_judge(campaign=judge.campaign, key=judge.key, model=judge.endpoint.key, by=by, at=at, **said)


SAID = ("language", "n_samples", "temperature", "share", "seed", "instructions", "maker")


def _refuse_names(campaign: Campaign, judge: Judge) -> None:
    masker = masker_of(masked_words(campaign))
    if any(masker.spans(text) for text in (judge.instructions, judge.maker)):
        raise CannotDeclare(gettext_noop("The judge's prompt would name who made a system: leave the name out."))


@transaction.atomic
def seat_judge(*, judge: Judge, at: datetime) -> Judge:
    """Gives the judge an account of a program with the role of reviewer, so that places are drawn for it like anybody's.

    Only where the campaign lets judges count. Errors: `NotNow`, `CannotDeclare`.
    """
    campaign = Campaign.objects.held(judge.campaign_id)
    check_open(campaign, Doing.ORGANIZE, at)
    if not campaign.programs_count:
        raise CannotDeclare(gettext_noop("Scores of judges do not count in this campaign (Settings)."))
    judge = Judge.objects.select_related("campaign__rubric", "endpoint", "account").get(pk=judge.pk)
    if judge.account_id is None:
        # The number keeps apart a campaign that was deleted and made again.
        account = Person(
            username=f"judge-{judge.key}-v{judge.version}-{judge.pk}", kind=Person.Kind.PROGRAM, display_name=judge.name
        )
        create_people(people=[account])
        judge.account = account
        judge.save(update_fields=["account"])
    _given, is_new = CampaignRole.objects.get_or_create(campaign=campaign, person=judge.account, role=Role.REVIEWER)
    if is_new:
        record(JUDGE_SEATED, by=None, at=at, campaign=campaign.slug, about=judge.name)
    return judge


@transaction.atomic
def withdraw_judge(*, judge: Judge, by: Person | None, at: datetime) -> Judge:
    """The judge is asked nothing more; what it scored stays. Errors: `NotNow`."""
    check_open(judge.campaign, Doing.ORGANIZE, at)
    judge = Judge.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=judge.pk)
    if judge.withdrawn_at is None:
        judge.withdrawn_at = at
        judge.save(update_fields=["withdrawn_at"])
        _unseat(judge, at)
        record(JUDGE_WITHDRAWN, by=by, at=at, campaign=judge.campaign.slug, about=judge.name)
    return judge


def _unseat(judge: Judge, at: datetime) -> None:
    """Places that the judge has not begun go to others with the next drawing."""
    if judge.account_id is not None:
        CampaignRole.objects.filter(campaign=judge.campaign_id, person=judge.account_id).delete()
