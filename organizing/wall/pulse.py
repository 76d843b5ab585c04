"""Whether anything happened that can change what needs a person: one statement, many times a second."""

from typing import Any

from django.db import connection
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Now

from audit.models import TrailLine
from automatic_tasks.models import AutomaticTask, Run, RunState, ServiceFingerprint, WorkerPresence
from automatic_tasks.runs.queue import PRESENT_FOR
from campaigns.models import Campaign, Entry
from conformance.models import Fingerprint
from dialogues.models import Outage, Problem
from publication.models import FreezeOrder
from registration.models import DialKey
from reviews.trail_acts import SCORES_HANDED_IN, SCORES_REVISED, SCORES_UNDONE

# Acts of every minute, which leave no panel without a reviewer.
OF_REVIEWERS = [act.key for act in (SCORES_HANDED_IN, SCORES_REVISED, SCORES_UNDONE)]


class Pulse:
    """What was there at the last beat, of one campaign. Used by one thread, whose connection writes nothing.

    What people do leaves a line in the trail; the rest are the rows of what the platform, bots and workers do by
    themselves. What only time changes beats in no pulse.
    """

    def __init__(self, campaign_id: int) -> None:
        # Prepared once: putting it together takes twenty times as long as asking it.
        self._statement = signs_of(campaign_id).query.sql_with_params()
        self._version: int | None = None
        self._signs: tuple[Any, ...] | None = None
        self.is_of_reviewers = False

    def has_changed(self) -> bool:
        """Whether anything is another than at the last call; the first call says yes.

        Then `is_of_reviewers` says that nothing happened but scores.
        """
        version = data_version()
        if version is not None and version == self._version:
            return False
        # The version comes before the rows: what is committed in between is asked for twice rather than never.
        self._version, before = version, self._signs
        with connection.cursor() as cursor:
            cursor.execute(*self._statement)
            self._signs = cursor.fetchone()
        if before == self._signs:
            return False
        self.is_of_reviewers = before is not None and self._are_scores(before)
        return True

    def _are_scores(self, before: tuple[Any, ...]) -> bool:
        assert self._signs is not None, "asked for after a beat"
        if self._signs[2:] != before[2:]:
            return False
        since = TrailLine.objects.of_campaign(self._signs[0]).filter(number__gt=before[1] or 0)
        return not since.exclude(act__in=OF_REVIEWERS).exists()


def signs_of(campaign_id: int) -> QuerySet[Campaign, Any]:
    """One row: first the slug and the number of the campaign's last act, then what happens by itself."""
    here, of_task, of_entry = OuterRef("pk"), {"task__campaign": OuterRef("pk")}, {"entry__campaign": OuterRef("pk")}
    acts = TrailLine.objects.filter(campaign=OuterRef("slug")).order_by("-number")
    keys = DialKey.objects.filter(**of_entry)
    tasks = AutomaticTask.objects.filter(campaign=here)
    runs, orders = Run.objects.filter(**of_task), FreezeOrder.objects.filter(campaign=here)
    # Of the whole site: the last one of a campaign alone would be sought among all its assignments or systems.
    of_site = [model.objects.order_by("-pk") for model in (Problem, Outage, Fingerprint, ServiceFingerprint)]
    workers = WorkerPresence.objects.filter(seen_at__gt=Now() - PRESENT_FOR).order_by("pk")
    signs = [
        acts.values("number")[:1],
        *(rows.values("pk")[:1] for rows in of_site),
        _one(keys, Max("connected_at")),
        _one(keys, Max("left_at")),
        _one(orders, Count("pk")),
        _one(orders, Max("failure")),
        _one(tasks, Sum("n_board_troubles")),
        _one(runs, Count("pk", filter=Q(state=RunState.QUEUED))),
        _one(runs, Max("finished_at")),
        workers.values("pk")[:1],
        _one(Entry.objects.filter(campaign=here), Max("green_at")),
    ]
    named = {f"sign_{n}": Subquery(sign) for n, sign in enumerate(signs)}
    return Campaign.objects.filter(pk=campaign_id).order_by().annotate(**named).values_list("slug", *named)


def _one(rows: QuerySet[Any, Any], figure: Any) -> Any:
    """A figure of all the rows, as a subquery takes it."""
    return rows.order_by().annotate(_all=Now()).values("_all").annotate(figure=figure).values("figure")


def data_version() -> int | None:
    """SQLite's number that other connections' commits change; None on databases without one."""
    if connection.vendor != "sqlite":
        return None
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        return int(cursor.fetchone()[0])
