"""What the operator's side of the installation writes."""

from datetime import datetime
from typing import Any

from operating.models import KEPT_FOR, ProcessReport


def report_process(*, name: str, at: datetime, report: dict[str, Any]) -> None:
    """Stores the latest report of a server process, and drops those that nobody asks for any more."""
    ProcessReport.objects.update_or_create(name=name, defaults={**report, "seen_at": at})
    ProcessReport.objects.filter(seen_at__lt=at - KEPT_FOR).delete()
