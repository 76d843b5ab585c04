"""What is looked at when a server starts and after each migration: whether the end of the trail verifies.

A load that changes rows on its way, as `dumpdata` with its milliseconds does, breaks every line, so looking at the last ones is enough.
"""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import DatabaseError

from audit.chain import START, breaks_in
from audit.models import TrailLine, stored_lines, trail_as_it_stands

LINES_LOOKED_AT = 200


@register(Tags.database)
def trail_verifies(*, app_configs: Any = None, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    if "default" not in (databases or ()):
        return []
    try:
        stands, last = trail_as_it_stands()
        after = max(0, last - LINES_LOOKED_AT)
        before = TrailLine.objects.filter(number=after).values_list("hash", flat=True).first()
        lines = stored_lines(after=after, up_to=last)
        broken = next(
            breaks_in(lines, n_lines=stands.n_lines, head=stands.hash, after=after, previous=before or START), None
        )
    except DatabaseError:
        # Before the first migration there is no trail.
        return []
    if broken is None:
        return []
    return [
        Warning(
            f"The audit trail does not verify. Line {broken.number}: {broken.sentence}",
            hint="`manage.py verify_trail` names all lines. If this database was filled by `loaddata`, fill it by `manage.py restore`"
            " from a `manage.py backup` instead: `dumpdata` cuts the times that the trail is made over.",
            id="audit.W001",
        )
    ]
