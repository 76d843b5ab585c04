"""The four steps to a published board: check, freeze, preview, publish; where each stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from publication.models import OF_LEADERBOARD, FreezeOrder, Publication, Snapshot
from publication.preflight import Finding, blocks

DONE, NOW, LATER, STOPPED = "done", "now", "later", "stopped"


@dataclass(frozen=True, slots=True)
class Steps:
    """`newest` is what was frozen last of this board, `standing` its publication, which may wait for its day."""

    findings: Sequence[Finding]
    order: FreezeOrder | None
    newest: Snapshot | None
    standing: Publication | None
    at: datetime

    @property
    def is_freezing(self) -> bool:
        return self.order is not None and not self.order.failure

    @property
    def is_public(self) -> bool:
        return self.standing is not None and self.standing.opens_at <= self.at

    @property
    def check(self) -> str:
        return STOPPED if blocks(self.findings) else DONE

    @property
    def freeze(self) -> str:
        if self.order is not None:
            return NOW if self.is_freezing else STOPPED
        if self.newest is not None:
            return DONE
        return LATER if self.check == STOPPED else NOW

    @property
    def preview(self) -> str:
        if self.newest is None:
            return LATER
        return DONE if self.standing else NOW

    @property
    def publish(self) -> str:
        if self.newest is None:
            return LATER
        return DONE if self.is_public else NOW


def steps_of(
    findings: Sequence[Finding],
    order: FreezeOrder | None,
    snapshots: Iterable[tuple[Snapshot, Publication | None, bool]],
    at: datetime,
    *,
    of_board: str = OF_LEADERBOARD,
) -> Steps:
    """`snapshots`: the newest first, each with the publication that nobody has withdrawn."""
    of_this = ((snapshot, standing) for snapshot, standing, _intact in snapshots if snapshot.of_board == of_board)
    newest, standing = next(of_this, (None, None))
    return Steps(findings, order, newest, standing, at)
