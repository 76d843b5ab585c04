"""Makes, changes, opens and closes studies, until the campaign ends: then all of it is `NotNow`."""

import json
import secrets
from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign
from campaigns.study_specs import STUDIES, StudySpec, columns_of
from crowds.actions.loading import FIXED_ONCE_BEGUN, unknown_exclusions
from crowds.acts import STUDY_CHANGED, STUDY_CLOSED, STUDY_MADE, STUDY_OPENED
from crowds.models import CrowdStudy
from crowds.platforms import Outcome
from crowds.refusals import CannotStudy
from reviews.training import training_gold

# Typed in the place of a code, it removes what is stored.
NO_CODE = "-"
NO_CODES: Mapping[str, str] = {}


@transaction.atomic
def make_study(
    *, campaign: Campaign, spec: StudySpec, codes: Mapping[str, str] = NO_CODES, by: Person | None, at: datetime
) -> CrowdStudy:
    """A draft that lets nobody in before it is opened. Errors: `CannotStudy`."""
    campaign = _held(campaign, at)
    if campaign.studies.filter(key=spec.key).exists():
        raise CannotStudy("key_taken")
    if campaign.studies.count() >= STUDIES:
        raise CannotStudy("too_many", n=STUDIES)
    _check_exclusions(spec, campaign, by)
    study = CrowdStudy(campaign=campaign, door=secrets.token_urlsafe(24), made_by=by, made_at=at, **columns_of(spec))
    study.secret = _codes({}, codes)
    study.save()
    record(STUDY_MADE, by=by, at=at, campaign=campaign.slug, about=study.key, details=_told(study))
    return study


@transaction.atomic
def change_study(
    *, study: CrowdStudy, spec: StudySpec, codes: Mapping[str, str] = NO_CODES, by: Person | None, at: datetime
) -> CrowdStudy:
    """Stores what the study says from now on; `codes` that are not typed stay. Errors: `CannotStudy`."""
    campaign = _held(study.campaign, at)
    study = CrowdStudy.objects.select_for_update(no_key=True).get(pk=study.pk)
    columns = columns_of(spec)
    if campaign.studies.filter(key=spec.key).exclude(pk=study.pk).exists():
        raise CannotStudy("key_taken")
    has_begun = study.arrivals.exclude(started_at=None).exists()
    if has_begun and any(columns[name] != getattr(study, name) for name in FIXED_ONCE_BEGUN):
        raise CannotStudy("begun")
    _check_exclusions(spec, campaign, by)
    for name, value in columns.items():
        setattr(study, name, value)
    study.secret = _codes(study.codes, codes)
    if study.state == CrowdStudy.State.OPEN:
        _check_may_open(study, at)
    study.save()
    record(STUDY_CHANGED, by=by, at=at, campaign=campaign.slug, about=study.key, details=_told(study))
    return study


@transaction.atomic
def open_study(*, study: CrowdStudy, by: Person | None, at: datetime) -> CrowdStudy:
    """Lets people in by the link. Errors: `CannotStudy` where they would find nothing to do."""
    _held(study.campaign, at)
    study = CrowdStudy.objects.select_for_update(no_key=True).get(pk=study.pk)
    _check_may_open(study, at)
    if study.state != CrowdStudy.State.OPEN:
        study.state = CrowdStudy.State.OPEN
        study.save(update_fields=["state"])
        record(STUDY_OPENED, by=by, at=at, campaign=study.campaign.slug, about=study.key)
    return study


@transaction.atomic
def close_study(*, study: CrowdStudy, by: Person | None, at: datetime) -> CrowdStudy:
    """Lets nobody else in; who is at work goes on. Possible once the campaign is over, too."""
    study = CrowdStudy.objects.select_for_update(no_key=True).get(pk=study.pk)
    if study.state == CrowdStudy.State.OPEN:
        study.state = CrowdStudy.State.CLOSED
        study.save(update_fields=["state"])
        record(STUDY_CLOSED, by=by, at=at, campaign=study.campaign.slug, about=study.key)
    return study


def _held(campaign: Campaign, at: datetime) -> Campaign:
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    return campaign


def _check_exclusions(spec: StudySpec, campaign: Campaign, by: Person | None) -> None:
    if unknown := unknown_exclusions(spec.excludes, campaign, by):
        raise CannotStudy("unknown_exclusion", names=", ".join(unknown))


def _check_may_open(study: CrowdStudy, at: datetime) -> None:
    campaign = study.campaign
    if not study.pay:
        raise CannotStudy("no_wage")
    if study.role == CrowdStudy.WorkedAs.TESTER:
        if not campaign.entries.planned(campaign, at).exists() or not campaign.scenarios.tested().exists():
            raise CannotStudy("nothing_to_do")
        return
    if campaign.reviewed_by not in ("panel", "both"):
        raise CannotStudy("nobody_reviews")
    if study.screening_percent is not None:
        if campaign.training_pass_percent is None or not training_gold(campaign).exists():
            raise CannotStudy("no_gold")
        if study.screening_percent < campaign.training_pass_percent:
            raise CannotStudy("pass_mark", n=campaign.training_pass_percent)


def _codes(stored: Mapping[str, str], typed: Mapping[str, str]) -> str:
    """What is sealed: the codes by outcome."""
    known = {outcome.value for outcome in Outcome}
    codes = {
        **stored,
        **{outcome: code.strip() for outcome, code in typed.items() if outcome in known and code.strip()},
    }
    left = {outcome: code for outcome, code in codes.items() if code != NO_CODE}
    return json.dumps(left, sort_keys=True) if left else ""


def _told(study: CrowdStudy) -> dict[str, object]:
    """Details of a line of the trail."""
    return {
        "role": study.role,
        "platform": study.platform,
        "quota": study.quota,
        "needed": study.n_needed,
        "pay": str(study.pay),
        "currency": study.currency,
    }
