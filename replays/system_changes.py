"""When systems changed in the middle of a contest, as their fingerprints say."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from audit.models import TrailLine
from campaigns.models import Campaign
from conformance.models import Fingerprint
from conformance.system_kinds import BOTS

# The latest changes of one system that are told apart.
MOST_CHANGES = 5


@dataclass(frozen=True, slots=True)
class SystemChange:
    """The system changed after `last_same`, when it was last seen as before, and by `found`; None: it was not seen before."""

    last_same: datetime | None
    found: datetime

    @property
    def from_(self) -> datetime:
        """The end of what is certainly from before."""
        return self.last_same or self.found


def changes_of(campaign: Campaign) -> dict[int, list[SystemChange]]:
    """By entry, in the order of time; two queries at most.

    The trail has one line per change, also once it was accepted and the fingerprint became the one to compare with.
    """
    lines = TrailLine.objects.of_campaign(campaign.slug).filter(act=BOTS.acts.changed.key).in_order()
    told = [(str(line.details.get("bot", "")), line.at) for line in lines]
    if not told:
        return {}
    taken = Fingerprint.objects.filter(entry__campaign=campaign, failure=[], entry__key__in={key for key, _ in told})
    by_key: dict[str, tuple[int, list[datetime]]] = {}
    rows = taken.exclude(answers=[]).order_by("taken_at", "pk").values_list("entry__key", "entry", "taken_at")
    for key, entry, taken_at in rows:
        by_key.setdefault(key, (entry, []))[1].append(taken_at)
    found: dict[int, list[SystemChange]] = {}
    for key, at in told:
        if key in by_key:
            entry, moments = by_key[key]
            found.setdefault(entry, []).append(_change(moments, at))
    return {entry: changes[-MOST_CHANGES:] for entry, changes in found.items()}


def _change(moments: Sequence[datetime], at: datetime) -> SystemChange:
    """The fingerprint that a line of the trail tells of is the latest before it, and the one before that showed no change."""
    until = [moment for moment in moments if moment <= at]
    if not until:
        return SystemChange(None, at)
    return SystemChange(until[-2] if len(until) > 1 else None, until[-1])


def span_of(changes: Sequence[SystemChange], opened: datetime, closed: datetime) -> int | None:
    """The span between changes that a dialogue is of, 0 before the first; None where one may have come in its middle."""
    for number, change in enumerate(changes):
        if closed <= change.from_:
            return number
        if opened < change.found:
            return None
    return len(changes)
