"""Makes, changes, opens and closes studies, until the campaign ends: then all of it is `NotNow`.

A campaign file makes studies and changes what nobody has agreed to yet; it opens, closes and removes none, and knows no codes.
"""

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions.load_report import LoadReport
from campaigns.calendar import Doing, check_open
from campaigns.campaign_file.study_specs import STUDIES, StudySpec, columns_of, study_document
from campaigns.models import Campaign, CampaignRole, Role
from crowds.models import CrowdStudy
from crowds.platforms import Outcome
from crowds.refusals import CannotStudy
from crowds.trail_acts import STUDY_CHANGED, STUDY_CLOSED, STUDY_MADE, STUDY_OPENED
from reading.checking import BadFile
from reading.findings import Finding
from reviews.training import training_gold

# What somebody agreed to before they began; other terms are those of another study.
FIXED_ONCE_BEGUN = ("role", "platform", "n_needed", "currency", "pay", "bonus", "screened_out_pay")
# Typed in place of a code, it removes what is stored.
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
    if campaign.studies.filter(key=spec.key).exclude(pk=study.pk).exists():
        raise CannotStudy("key_taken")
    _check_exclusions(spec, campaign, by)
    _give(study, columns_of(spec), at)
    study.secret = _codes(study.codes, codes)
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
    campaign = Campaign.objects.held(campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    return campaign


def _give(study: CrowdStudy, columns: Mapping[str, Any], at: datetime) -> None:
    """What the study says from now on, not stored yet. Errors: `CannotStudy`."""
    fixed = [name for name in FIXED_ONCE_BEGUN if columns.get(name, getattr(study, name)) != getattr(study, name)]
    if fixed and study.arrivals.paid_for().exists():
        raise CannotStudy("begun")
    for name, value in columns.items():
        setattr(study, name, value)
    if study.state == CrowdStudy.State.OPEN:
        _check_may_open(study, at)


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
    said = {outcome: code.strip() for outcome, code in typed.items() if outcome in tuple(Outcome) and code.strip()}
    left = {outcome: code for outcome, code in {**stored, **said}.items() if code != NO_CODE}
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


def unknown_exclusions(names: Collection[str], campaign: Campaign | None, by: Person | None) -> list[str]:
    """Those that name no campaign or study whose people the organizer may learn of; a command may name any."""
    unknown = []
    for name in names:
        slug, _slash, key = name.partition("/")
        found = Campaign.objects.filter(slug=slug)
        if by is not None and not by.is_staff and (campaign is None or slug != campaign.slug):
            own = CampaignRole.objects.filter(person=by, role=Role.ORGANIZER)
            found = found.filter(pk__in=own.values("campaign"))
        if key:
            found = found.filter(studies__key=key)
        if not found.exists():
            unknown.append(name)
    return unknown


def compare_studies(
    campaign: Campaign, specs: Sequence[StudySpec], report: LoadReport, by: Person | None, at: datetime
) -> None:
    """Compares; what changes is written later. Studies that the file does not hold stay as they are."""
    stored: dict[str, Any] = {} if campaign.pk is None else {one.key: one for one in campaign.studies.all()}
    own_keys = {f"{campaign.slug}/{spec.key}" for spec in specs}
    for number, spec in enumerate(specs, start=1):
        place = f"[[studies]] {number}"
        names = [name for name in spec.excludes if name not in own_keys and name != campaign.slug]
        if unknown := unknown_exclusions(names, campaign, by):
            text = gettext_noop("%(names)s: no campaign or study of yours has that name")
            report.note(f"{place} excludes", text, names=", ".join(unknown))
        columns, study = columns_of(spec), stored.get(spec.key)
        if study is None:
            report.add_change(gettext_noop("study %(key)s made, as a draft"), key=spec.key)
            report.later(partial(_make, campaign, columns, by, at))
            continue
        changed = {name: value for name, value in columns.items() if getattr(study, name) != value}
        if not changed:
            continue
        if study.arrivals.paid_for().exists() and (fixed := [name for name in FIXED_ONCE_BEGUN if name in changed]):
            text = gettext_noop("cannot change %(names)s: somebody has begun")
            report.note(place, text, names=", ".join(fixed))
            continue
        text = gettext_noop("study %(key)s: %(names)s changed")
        report.add_change(text, key=spec.key, names=", ".join(sorted(changed)))
        report.later(partial(_change, study, changed, place, by, at))
        study.campaign = campaign
        try:
            _give(study, changed, at)
        except CannotStudy as refused:
            report.note(place, refused.text, **refused.values)


def documents_of(campaign: Campaign, with_secrets: bool) -> list[dict[str, Any]]:
    """The rows of the file; codes are in none."""
    return [study_document(study) for study in campaign.studies.all()]


def _make(campaign: Campaign, columns: dict[str, Any], by: Person | None, at: datetime) -> None:
    study = campaign.studies.create(door=secrets.token_urlsafe(24), made_by=by, made_at=at, **columns)
    record(STUDY_MADE, by=by, at=at, campaign=campaign.slug, about=study.key, details=_told(study))


def _change(study: CrowdStudy, changed: dict[str, Any], place: str, by: Person | None, at: datetime) -> None:
    """It was compared before it was held: somebody may have begun since. Errors: `BadFile`."""
    study = CrowdStudy.objects.select_for_update(no_key=True).get(pk=study.pk)
    try:
        _give(study, changed, at)
    except CannotStudy as refused:
        raise BadFile([Finding(place, refused.text, refused.values)]) from refused
    study.save(update_fields=list(changed))
    record(STUDY_CHANGED, by=by, at=at, campaign=study.campaign.slug, about=study.key, details=_told(study))
