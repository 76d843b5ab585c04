"""The form of a team's own quota. Pure."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop

from automatic_tasks.task_file import QuotaSpec
from reading.checking import BadForm, Problems
from reading.digits import whole_or_text
from reading.tables import table_of

TABLE = table_of(QuotaSpec)


def typed_quota(sent: Mapping[str, str]) -> dict[str, Any]:
    """What was typed as the document that a program sends: numbers where they are some, nothing where it is empty."""
    typed = {name: sent.get(name, "").strip() for name in ("team", "total", "per_day", "reason")}
    return {name: whole_or_text(text) if name in ("total", "per_day") else text for name, text in typed.items() if text}


def quota_of(document: Any) -> QuotaSpec:
    """Errors: `BadForm` with the names of fields as places."""
    problems = Problems()
    spec: QuotaSpec | None = TABLE.read(document, "", "", problems)
    if spec is not None and not problems and spec.total is None and spec.per_day is None:
        problems.note("total", gettext_noop("says no quota: give total, per_day or both"))
    problems.refuse(BadForm)
    if spec is None:
        raise BadForm(problems.listed())
    return spec
