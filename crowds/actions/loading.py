"""The studies of a campaign file: which exclusions somebody may name, and what of stored studies changes.

A file makes studies and changes what nobody has agreed to yet; it opens, closes and removes none, and knows no codes.
"""

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop

from accounts.models import Person
from campaigns.actions.load_report import LoadReport
from campaigns.models import Campaign, CampaignRole, Role
from campaigns.study_specs import StudySpec, columns_of, study_document

# What somebody agreed to before they began; other terms are those of another study.
FIXED_ONCE_BEGUN = ("role", "platform", "n_needed", "currency", "pay")


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
        has_begun = study.arrivals.exclude(started_at=None).exists()
        if has_begun and (fixed := [name for name in FIXED_ONCE_BEGUN if name in changed]):
            text = gettext_noop("cannot change %(names)s: somebody has begun")
            report.note(place, text, names=", ".join(fixed))
            continue
        text = gettext_noop("study %(key)s: %(names)s changed")
        report.add_change(text, key=spec.key, names=", ".join(sorted(changed)))
        report.later(partial(_change, study, changed))


def documents_of(campaign: Campaign, with_secrets: bool) -> list[dict[str, Any]]:
    """The rows of the file; codes are in none."""
    return [study_document(study) for study in campaign.studies.all()]


def _make(campaign: Campaign, columns: dict[str, Any], by: Person | None, at: datetime) -> None:
    campaign.studies.create(door=secrets.token_urlsafe(24), made_by=by, made_at=at, **columns)


def _change(study: Any, changed: dict[str, Any]) -> None:
    for name, value in changed.items():
        setattr(study, name, value)
    study.save(update_fields=list(changed))
