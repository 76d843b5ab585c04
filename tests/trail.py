"""What the trail got while something was done."""

from collections.abc import Iterator
from contextlib import contextmanager

from audit.models import TrailLine


@contextmanager
def lines_of() -> Iterator[list[TrailLine]]:
    """The lines that are added inside the block, in their order; filled when it ends."""
    last = max(TrailLine.objects.values_list("number", flat=True), default=0)
    added: list[TrailLine] = []
    yield added
    added.extend(TrailLine.objects.in_order().filter(number__gt=last))
