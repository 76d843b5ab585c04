"""The trail: one line per act, in one chain.

The database itself refuses to change or remove a line (the migration's triggers), except that a text of it can be erased.
"""

from collections.abc import Iterator
from typing import ClassVar

from django.db import models

from audit.chain import START, Chained, Line
from audit.trail_acts import KEY_LIMIT, RESTORED, TrailAct, act_of
from serving.commits.statements import Statement


class TrailLineQuerySet(models.QuerySet["TrailLine"]):
    def of_campaign(self, slug: str) -> "TrailLineQuerySet":
        return self.filter(campaign=slug)

    def by_person(self, name: str) -> "TrailLineQuerySet":
        return self.filter(person=name)

    def of_act(self, key: str) -> "TrailLineQuerySet":
        return self.filter(act=key)

    def about_object(self, name: str, id: str = "") -> "TrailLineQuerySet":
        """Lines that name the object, alone or with another (`K7 · flight`), or a dialogue or run by its id."""
        named = models.Q(about=name) | models.Q(about__startswith=f"{name} · ")
        return self.filter(named | models.Q(details__dialogue=id) | models.Q(details__run=id) if id else named)

    def latest_first(self) -> "TrailLineQuerySet":
        return self.order_by("-number")

    def in_order(self) -> "TrailLineQuerySet":
        return self.order_by("number")


class TrailLine(models.Model):
    """One act: when, by whom, what, about what, why.

    People and campaigns are named by text: a line outlives what it is about. `person` is empty for a command and for the
    platform itself. `about` names the object as pages do, `details` holds what the sentence leaves out. `salts`, `gone` and `erased_by`: see `chain.Chained`.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    at = models.DateTimeField()
    person_id = models.BigIntegerField(null=True, blank=True)
    person = models.CharField(max_length=150, blank=True)
    act = models.CharField(max_length=KEY_LIMIT)
    campaign = models.CharField(max_length=60, blank=True)
    about = models.TextField(blank=True)
    because = models.TextField(blank=True)
    details = models.JSONField(default=dict, blank=True)
    salts = models.JSONField(default=dict)
    gone = models.JSONField(default=dict, blank=True)
    erased_by = models.PositiveBigIntegerField(null=True, blank=True)
    previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    objects = TrailLineQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["campaign", "-number"], name="trail_of_campaign"),
            models.Index(fields=["act", "-number"], name="trail_of_act"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.act}"

    @property
    def declared_act(self) -> TrailAct:
        return act_of(self.act)

    @property
    def sentence(self) -> str:
        return self.declared_act.said_of(self.about)

    def chained(self) -> Chained:
        line = Line(
            self.number,
            self.at,
            self.person_id,
            self.person,
            self.act,
            self.campaign,
            self.about,
            self.because,
            self.details,
        )
        return Chained(line, self.previous, self.hash, self.salts, self.gone, self.erased_by)


class TrailHead(models.Model):
    """The one row that says where the trail ends. Adding a line holds it until the commit, so lines come one by one."""

    ONLY = 1

    n_lines = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, default=START)

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(pk=1), name="one_trail")]

    def __str__(self) -> str:
        return f"{self.n_lines} {self.hash[:12]}"


def trail_as_it_stands() -> tuple[TrailHead, int]:
    """The head and the number of the last line, both of one moment; nothing is locked."""
    last = TrailLine.objects.order_by("-number").values("number")[:1]
    # One statement sees one state: a line and its head are committed together.
    head = TrailHead.objects.annotate(last=models.Subquery(last)).filter(pk=TrailHead.ONLY).first()
    if head is None:
        return TrailHead(), last.values_list("number", flat=True).first() or 0
    return head, head.last or 0


def head_of_trail() -> TrailHead:
    """Where the trail ends now: the number of lines and the last one's hash, 0 and `START` before the first.

    A copy that leaves the machine anchors the trail: it cannot be rewritten with another hash for that line.
    """
    return trail_as_it_stands()[0]


# Every socket that opens asks it.
_RESTORED = Statement(
    f"SELECT line.hash FROM {TrailLine._meta.db_table} line WHERE line.act = %s ORDER BY line.number DESC LIMIT 1",
    (TrailLine, "act"),
)


def epoch_of_trail() -> str:
    """Names the last restore that this database goes on from; empty before the first.

    A client that saw another epoch may have seen lines that this database never had.
    """
    restored = _RESTORED(RESTORED.key).fetchone()
    return restored[0][:16] if restored else ""


def line_of_hash(hash: str, *, up_to: int) -> int | None:
    """The number of the line to that number that has the hash; 0 for what the first line follows, None without one."""
    if hash == START:
        return 0
    return TrailLine.objects.filter(hash=hash, number__lte=up_to).values_list("number", flat=True).first()


def stored_lines(*, up_to: int, after: int = 0) -> Iterator[Chained]:
    """The lines behind `after` to that number in order, a few at a time in memory."""
    lines = TrailLine.objects.in_order().filter(number__gt=after, number__lte=up_to)
    return (line.chained() for line in lines.iterator(chunk_size=1000))
