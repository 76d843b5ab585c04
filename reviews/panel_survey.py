"""Which panels of a campaign lack reviews, since when, why nobody can be drawn for them, and the rows that pages show of it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from campaigns.interests import Interests
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from reviews.models import ClosedPanel, ReviewPlace, Vetting
from reviews.panel_gaps import Gap, Hindrance, Panel, gap_of, what_fills, why_nobody, why_sentences
from reviews.places_plan import panel_dialogues
from reviews.training import adjudicated_in, trainings

Released = ReviewPlace.Released
LET_GO = {Released.EXPIRED: Hindrance.RAN_OUT, Released.CANNOT_JUDGE: Hindrance.CANNOT_JUDGE}

COLUMNS = (
    "dialogue_id", "reviewer_id", "name", "opened_at", "expires_at", "done_at", "released_at", "released_because",
)  # fmt: skip


@dataclass(slots=True)
class LackingPanel:
    """A dialogue whose panel lacks reviews. `since` is when something last happened to it; `begun` are who opened it."""

    dialogue: Dialogue
    panel: Panel
    since: datetime
    begun: set[str] = field(default_factory=set)
    gap: Gap = field(init=False)

    def happened(self, *times: datetime | None) -> None:
        self.since = max(self.since, *filter(None, times), self.since)

    def at_work(self) -> list[str]:
        return why_nobody(self.panel.hindered).get(Hindrance.AT_WORK, [])

    @property
    def why(self) -> list[str]:
        return why_sentences(self.panel)

    @property
    def ways(self) -> list[str]:
        return what_fills(self.panel, self.gap)


def short_panels(campaign: Campaign, at: datetime) -> list[LackingPanel]:
    """The panels for which somebody is missing whom nobody can replace as things are, the longest at rest first."""
    return short_of(lacking_panels(campaign, at))


def short_of(lacking: Iterable[LackingPanel]) -> list[LackingPanel]:
    return sorted((one for one in lacking if one.gap.n_short), key=lambda one: (one.since, one.dialogue.pk))


def lacking_panels(campaign: Campaign, at: datetime) -> list[LackingPanel]:
    """Every panel that lacks reviews and was not closed: nine queries, and as much work as there are such panels.

    It says of each what the next drawing finds (`places_plan.py`).
    """
    found = {
        dialogue.pk: LackingPanel(dialogue, Panel(campaign.reviewers_per_dialogue), dialogue.closed_at or at)
        for dialogue in _lacking(campaign).select_related("assignment__entry__bot", "assignment__scenario")
    }
    if not found:
        return []
    roles = campaign.roles.filter(role=Role.REVIEWER).values_list("person", "person__username", "paused_at")
    reviewers = {person: username for person, username, _ in roles}
    paused = [person for person, _, paused_at in roles if paused_at is not None]
    in_training = [one for one, state in trainings(campaign, reviewers).items() if not state.has_passed]
    interests = Interests(campaign)
    interested = {pk: interests.barred_from(one.dialogue.assignment.entry.bot.team_id) for pk, one in found.items()}
    _note_places(found, campaign, reviewers, [*in_training, *paused], interested, at)
    _note_vettings(found, campaign)
    for dialogue, person in adjudicated_in(campaign):
        _hinder(found.get(dialogue), reviewers.get(person), Hindrance.ADJUDICATED)
    for one in found.values():
        if one.dialogue.talker_id is not None:
            _hinder(one, reviewers.get(one.dialogue.talker_id), Hindrance.TALKED)
        for person in interested[one.dialogue.pk]:
            _hinder(one, reviewers.get(person), Hindrance.INTERESTED)
        for person in in_training:
            _hinder(one, reviewers[person], Hindrance.IN_TRAINING)
        for person in paused:
            _hinder(one, reviewers[person], Hindrance.PAUSES)
        one.gap = gap_of(one.panel, reviewers.values())
    return list(found.values())


def closed_panels(campaign: Campaign) -> QuerySet[ClosedPanel]:
    """The panels that are closed now, the last one first."""
    closed = ClosedPanel.objects.of_campaign(campaign).in_force().order_by("-closed_at", "-pk")
    return closed.select_related("dialogue__assignment__entry", "dialogue__assignment__scenario", "closed_by")


def _lacking(campaign: Campaign) -> Any:
    closed = ClosedPanel.objects.of_campaign(campaign).in_force().values("dialogue")
    # Counted apart: joined places would be grouped by every column that is read of dialogue, assignment and scenario.
    done = ReviewPlace.objects.filter(dialogue=OuterRef("pk"), done_at__isnull=False, is_gold=False)
    n_done = Subquery(done.order_by().values("dialogue").annotate(n=Count("pk")).values("n"))
    counted = panel_dialogues(campaign).exclude(pk__in=closed).annotate(n_done=Coalesce(n_done, 0))
    return counted.filter(n_done__lt=campaign.reviewers_per_dialogue)


def _note_places(
    found: Mapping[Any, LackingPanel],
    campaign: Campaign,
    reviewers: Mapping[int, str],
    may_not_begin: Iterable[int],
    interested: Mapping[Any, Collection[int]],
    at: datetime,
) -> None:
    places = ReviewPlace.objects.filter(dialogue__in=_lacking(campaign).values("pk"), is_gold=False)
    may_begin = reviewers.keys() - set(may_not_begin)
    rows = places.annotate(name=F("reviewer__username")).values_list(*COLUMNS, named=True)
    for row in rows:
        one = found.get(row.dialogue_id)
        if one is not None:
            one.happened(row.done_at, row.released_at)
            if row.done_at is None and row.reviewer_id in interested[row.dialogue_id]:
                # The next drawing takes the place away.
                _hinder(one, reviewers.get(row.reviewer_id), Hindrance.INTERESTED)
                continue
            _note_place(
                one, row, is_reviewer=row.reviewer_id in reviewers, may_begin=row.reviewer_id in may_begin, at=at
            )


def _note_place(one: LackingPanel, row: Any, *, is_reviewer: bool, may_begin: bool, at: datetime) -> None:
    has_begun = row.opened_at is not None
    has_run_out = row.expires_at is not None and row.expires_at <= at
    if row.done_at is not None:
        one.panel.hinder(row.name, Hindrance.SCORED)
    elif not is_reviewer:
        one.panel.hinder(row.name, Hindrance.LEFT)
    elif row.released_at is not None:
        _hinder(one, row.name, LET_GO.get(row.released_because))
    elif has_begun and has_run_out:
        one.happened(row.expires_at)
        one.panel.hinder(row.name, Hindrance.RAN_OUT)
    elif has_begun or may_begin:
        one.panel.hinder(row.name, Hindrance.AT_WORK)
        one.begun.update({row.name} if has_begun else ())


def _hinder(one: LackingPanel | None, reviewer: str | None, because: Hindrance | None) -> None:
    if one is not None and reviewer is not None and because is not None:
        one.panel.hinder(reviewer, because)


def _note_vettings(found: Mapping[Any, LackingPanel], campaign: Campaign) -> None:
    """A panel's time begins when the experts have spoken."""
    if campaign.experts_per_dialogue:
        of_campaign = Vetting.objects.filter(dialogue__assignment__campaign=campaign).order_by()
        for dialogue, last in of_campaign.values_list("dialogue").annotate(last=Max("at")):
            if dialogue in found:
                found[dialogue].happened(last)


SHOWN = 100
# On pages about more than panels.
FIRST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class ShortPanels:
    """How many panels are short, and the first rows of them, the longest at rest first."""

    n: int
    rows: Sequence[LackingPanel]


def shown_panels(lacking: Iterable[LackingPanel], *, most: int = SHOWN) -> ShortPanels:
    short = short_of(lacking)
    return ShortPanels(len(short), short[:most])
