"""Checks that a live database holds what it promised: turns, ledger, reviews, boards, the trail and every stored digest.

Each check reads and gives what it finds wrong, with where it stands and since when, as far as that is known.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import IntegrityError, connection
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Sum

from audit.chain import breaks_in
from audit.guards import missing_guards
from audit.models import stored_lines, trail_as_it_stands
from automatic_tasks.models import StoredFile
from dialogues.models import Attempt, Dialogue, LedgerEvent, Turn
from dialogues.pictures import content_of, files_of, is_whole
from dialogues.turn_taking import OPENING, DialogueStatus, TurnStatus
from leaderboards.live_board import LIVE, computed_rows
from leaderboards.models import StoredBoard
from participants.secrets import HasSecret
from publication.bundles import digest_stored
from publication.models import Snapshot
from reading.strict_json import are_same
from registration.models import DataPackage
from reviews.actions.contents import content_with, line_of
from reviews.models import Review
from reviews.trail import digest_of

# What a server that was killed leaves behind is settled by then.
SETTLED_WITHIN = timedelta(seconds=60)
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that does not hold; `since` is the time of the oldest row that shows it."""

    where: str
    sentence: str
    since: datetime | None = None


def numbers_of_turns(at: datetime) -> Iterator[Wrong]:
    """The turns of each dialogue are numbered 1 … k without a hole, and k is what the dialogue says it used."""
    counted = Turn.objects.filter(number__gt=OPENING).order_by().values("dialogue")
    numbered = counted.annotate(n=Count("pk"), last=Max("number"), since=Min("asked_at"))
    for row in numbered.exclude(n=F("last")):
        yield Wrong(_dialogue(row["dialogue"]), f"{row['n']} turns, and the last is {row['last']}", row["since"])
    used = numbered.exclude(dialogue__turns_used=F("last")).values_list(
        "dialogue", "last", "dialogue__turns_used", "since"
    )
    for dialogue, last, n_used, since in used:
        yield Wrong(_dialogue(dialogue), f"says that it used {n_used} turns, and has {last}", since)


def ledger(at: datetime) -> Iterator[Wrong]:
    """The lines of each dialogue are numbered 1 … n without a hole: two for an answered turn, one for any other, and the rest."""
    said = Turn.objects.order_by().values_list("dialogue").annotate(n=Count("pk"), total=Sum("seq"))
    answered = Turn.objects.filter(status=TurnStatus.ANSWERED).order_by().values_list("dialogue")
    noted = LedgerEvent.objects.order_by().values_list("dialogue")
    lines: dict[UUID, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for some in (
        said,
        answered.annotate(n=Count("pk"), total=Sum("outcome_seq")),
        noted.annotate(n=Count("pk"), total=Sum("seq")),
    ):
        for dialogue, n, total in some.iterator():
            lines[dialogue] = (lines[dialogue][0] + n, lines[dialogue][1] + total)
    for dialogue in Dialogue.everything.with_waiting().only("last_seq", "opened_at").iterator(AT_ONCE):
        n, total, last = *lines[dialogue.pk], dialogue.last_told
        # So many different numbers from 1 on have this sum only where none is missing.
        if (n, total) != (last, last * (last + 1) // 2):
            sentence = f"its ledger has {n} lines, not those from 1 to {last}"
            yield Wrong(_dialogue(dialogue.pk), sentence, dialogue.opened_at)


def attempts(at: datetime) -> Iterator[Wrong]:
    """A failed turn has one attempt that counts, which failed; an answered one has none that failed and counts."""
    current = Attempt.objects.filter(turn=OuterRef("pk"), is_current=True)
    failed = current.filter(outcome=Attempt.Outcome.FAILURE)
    for turn in Turn.objects.filter(~Exists(failed), status=TurnStatus.FAILED).iterator(AT_ONCE):
        yield Wrong(_turn(turn), "failed, and no attempt says how", turn.settled_at)
    for turn in Turn.objects.filter(Exists(failed), status=TurnStatus.ANSWERED).iterator(AT_ONCE):
        yield Wrong(_turn(turn), "is answered, and the attempt that counts failed", turn.settled_at)


def nothing_hangs(at: datetime) -> Iterator[Wrong]:
    """No turn waits beyond its deadline and a minute, and none in a dialogue that is closed."""
    for turn, since in waiting_turns():
        deadline = timedelta(seconds=turn.dialogue.assignment.campaign.reply_deadline_s)
        if turn.dialogue.status != DialogueStatus.OPEN:
            yield Wrong(_turn(turn), "waits for an answer, and its dialogue is closed", since)
        elif since + deadline + SETTLED_WITHIN < at:
            yield Wrong(_turn(turn), "waits beyond its deadline, and nobody asks the system", since)


def waiting_turns() -> Iterator[tuple[Turn, datetime]]:
    """The turns in flight, and when the system was last asked: the tester may have had it asked again."""
    waiting = Turn.objects.filter(status=TurnStatus.WAITING).select_related("dialogue__assignment__campaign")
    for turn in waiting.iterator(AT_ONCE):
        again = LedgerEvent.objects.filter(dialogue=turn.dialogue_id, kind="turn.retried", at__gt=turn.asked_at)
        asked_again_at = again.aggregate(at=Max("at"))["at"] if turn.attempt_number > 1 else None
        yield turn, asked_again_at or turn.asked_at


def reviews(at: datetime) -> Iterator[Wrong]:
    """The changes of each review are a chain, and the last one says what the review holds."""
    parts = "changes", "verdicts", "ratings__criterion__points"
    stored = Review.objects.filter(version__gt=0).prefetch_related(*parts).order_by("pk")
    for review in stored.iterator(AT_ONCE):
        where, previous, after = f"review {review.pk} of dialogue {review.dialogue_id}", "", None
        changes = list(review.changes.all())
        if [change.version for change in changes] != list(range(1, review.version + 1)):
            yield Wrong(where, f"is of version {review.version}, and has {len(changes)} changes", review.submitted_at)
        for change in changes:
            if digest_of(line_of(change), previous) != change.digest:
                yield Wrong(where, f"change {change.version} is not what was recorded", change.at)
                break
            previous, after = change.digest, change.after
        else:
            if changes and not are_same(
                after, content_with(review, review.ratings.all()) if review.is_submitted else None
            ):
                yield Wrong(where, "holds other scores than its last change says", changes[-1].at)


def boards(at: datetime) -> Iterator[Wrong]:
    """A leaderboard that is up to date holds the figures that its records give now."""
    for stored in StoredBoard.objects.filter(key=LIVE).select_related("campaign"):
        if stored.computed_at and not stored.is_outdated:
            computed = json.loads(json.dumps(computed_rows(stored.campaign)))
            if not are_same(_figures(stored.rows), _figures(computed)):
                yield Wrong(
                    f"leaderboard of {stored.campaign.slug}",
                    "holds other figures than its records give",
                    stored.computed_at,
                )


def _figures(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Without the failures: a dialogue that closes without a score changes them, and no version."""
    return {entry: {**row, "failed": None} for entry, row in rows.items()}


def trail(at: datetime) -> Iterator[Wrong]:
    """The audit trail is one chain, and the database guards it."""
    stands, last = trail_as_it_stands()
    for one in breaks_in(stored_lines(up_to=last), n_lines=stands.n_lines, head=stands.hash):
        yield Wrong(f"line {one.number} of the trail", one.sentence)
    for name in missing_guards(connection):
        yield Wrong("the trail", f"its trigger {name} is missing, switched off or changed")


def digests(at: datetime) -> Iterator[Wrong]:
    """Every stored file, data package, snapshot, bundle and picture still has the digest that was told."""
    for file in StoredFile.objects.iterator(chunk_size=1):
        if hashlib.sha256(file.content).hexdigest() != file.sha256:
            yield Wrong(f"stored file {file.sha256[:12]}", "is not what its digest says")
    for package in DataPackage.objects.filter(removed_at=None).iterator():
        found = hashlib.sha256()
        for piece in package.pieces.values_list("content", flat=True).iterator(chunk_size=1):
            found.update(piece)
        if found.hexdigest() != package.sha256:
            yield Wrong(f"data package {package.file_name}", "is not what its digest says", package.uploaded_at)
    for snapshot in Snapshot.objects.iterator(chunk_size=1):
        if not snapshot.is_intact:
            yield Wrong(f"snapshot {snapshot.digest[:12]}", "is not what its digest says", snapshot.made_at)
        if snapshot.bundle_digest and (ails := _what_ails(snapshot.bundle_digest)):
            yield Wrong(f"bundle {snapshot.bundle_digest[:12]}", ails, snapshot.made_at)
    for picture in sorted(files_of(Dialogue.everything.all())):
        if ails := _what_ails_picture(picture):
            yield Wrong(f"picture {picture}", ails)


def _what_ails(digest: str) -> str:
    """Of a bundle; large ones are read in full, too."""
    try:
        return "" if digest_stored(digest) == digest else "is changed in the storage"
    except FileNotFoundError:
        return "is missing in the storage"
    except OSError as gone:
        return f"cannot be read: {gone}"


def _what_ails_picture(file: str) -> str:
    try:
        return "" if is_whole(file, content_of(file)) else "is changed in the storage"
    except FileNotFoundError:
        # A reply may say such a line by itself.
        return ""
    except OSError as gone:
        return f"cannot be read: {gone}"


def secrets(at: datetime) -> Iterator[Wrong]:
    """Every sealed secret can be read with the keys of this installation."""
    for model in apps.get_models():
        if issubclass(model, HasSecret):
            for row in model._default_manager.iterator(AT_ONCE):
                if row.has_secret and row.has_lost_its_secret():
                    yield Wrong(f"{model._meta.verbose_name} {row.pk}", "no key of this installation reads its secret")


def references(at: datetime) -> Iterator[Wrong]:
    """No row points to one that is gone; PostgreSQL sees to that by itself."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for (sentence,) in cursor.execute("PRAGMA quick_check").fetchall():
                if sentence != "ok":
                    yield Wrong("the database file", sentence)
        try:
            connection.check_constraints()
        except IntegrityError as broken:
            yield Wrong("the database", str(broken))


def _dialogue(pk: UUID) -> str:
    return f"dialogue {pk}"


def _turn(turn: Turn) -> str:
    return f"turn {turn.number} of dialogue {turn.dialogue_id}"


CHECKS: Mapping[str, Callable[[datetime], Iterator[Wrong]]] = {
    "references": references,
    "turns": numbers_of_turns,
    "ledger": ledger,
    "attempts": attempts,
    "waiting turns": nothing_hangs,
    "reviews": reviews,
    "leaderboards": boards,
    "audit trail": trail,
    "digests": digests,
    "secrets": secrets,
}
