"""Which panels of a campaign lack reviews, since when, why nobody can be drawn for them, and what would fill them, in words."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Count, F, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from campaigns.interests import Interests
from campaigns.models import Campaign
from dialogues.models import Dialogue
from reviews.models import ClosedPanel, GuideExample, ReviewPlace, Vetting
from reviews.places_plan import panel_dialogues
from reviews.training import adjudicated_in, trainings

NAMED = 4
Released = ReviewPlace.Released
COLUMNS = (
    "dialogue_id", "reviewer_id", "name", "opened_at", "expires_at", "done_at", "released_at", "released_because",
)  # fmt: skip
SHOWN = 100
# On pages about more than panels.
FIRST_SHOWN = 5


class Hindrance(StrEnum):
    """Why a reviewer cannot be drawn for a dialogue. Those in training or paused may be drawn later."""

    SCORED = "scored"
    AT_WORK = "at_work"
    RAN_OUT = "ran_out"
    CANNOT_JUDGE = "cannot_judge"
    TALKED = "talked"
    ADJUDICATED = "adjudicated"
    INTERESTED = "interested"
    READ_EXAMPLE = "read_example"
    IN_TRAINING = "in_training"
    PAUSES = "pauses"
    LEFT = "left"


SENTENCES = {
    Hindrance.SCORED: gettext_noop("scored it: %(names)s"),
    Hindrance.AT_WORK: gettext_noop("have it to score: %(names)s"),
    Hindrance.RAN_OUT: gettext_noop("ran out of time: %(names)s"),
    Hindrance.CANNOT_JUDGE: gettext_noop("cannot judge it: %(names)s"),
    Hindrance.TALKED: gettext_noop("talked in it: %(names)s"),
    Hindrance.ADJUDICATED: gettext_noop("adjudicated it: %(names)s"),
    Hindrance.INTERESTED: gettext_noop("take part for a team: %(names)s"),
    Hindrance.READ_EXAMPLE: gettext_noop("may have read it in the scoring guide: %(names)s"),
    Hindrance.IN_TRAINING: gettext_noop("have not passed the training: %(names)s"),
    Hindrance.PAUSES: gettext_noop("paused by an organizer: %(names)s"),
    Hindrance.LEFT: gettext_noop("review no longer: %(names)s"),
}


@dataclass(slots=True)
class Panel:
    """What is known of a panel: what stands between each reviewer and a place in it, if anything does.

    `is_read`: reviewers may have read the dialogue in the scoring guide, so that nobody is drawn for it any more.
    """

    n_needed: int
    is_read: bool = False
    hindered: dict[str, Hindrance] = field(default_factory=dict)

    def hinder(self, reviewer: str, because: Hindrance) -> None:
        """What was said first of a reviewer stays."""
        self.hindered.setdefault(reviewer, because)

    def count(self, because: Hindrance) -> int:
        return sum(one is because for one in self.hindered.values())


@dataclass(frozen=True, slots=True)
class Gap:
    """How many reviews are done, at work, still to be drawn for, and how many nobody can be drawn for."""

    n_needed: int
    n_scored: int
    n_at_work: int
    n_to_draw: int
    n_short: int

    @property
    def may_be_closed(self) -> bool:
        """An organizer may declare the panel complete: it has a review, and none can be added as things are."""
        return bool(self.n_short and self.n_scored) and not (self.n_at_work or self.n_to_draw)


def gap_of(panel: Panel, reviewers: Collection[str]) -> Gap:
    """What the panel lacks, given everybody who reviews in the campaign."""
    n_scored, n_at_work = panel.count(Hindrance.SCORED), panel.count(Hindrance.AT_WORK)
    n_lacking = max(0, panel.n_needed - n_scored - n_at_work)
    n_to_draw = min(n_lacking, sum(one not in panel.hindered for one in reviewers))
    return Gap(panel.n_needed, n_scored, n_at_work, n_to_draw, n_lacking - n_to_draw)


def why_nobody(hindered: Mapping[str, Hindrance]) -> dict[Hindrance, list[str]]:
    """The people behind each reason, in the order in which `Hindrance` lists the reasons."""
    found = {because: sorted(one for one, own in hindered.items() if own is because) for because in Hindrance}
    return {because: people for because, people in found.items() if people}


def why_sentences(panel: Panel) -> list[str]:
    """Everybody who reviews in the campaign, by what keeps them from being drawn."""
    if not panel.hindered:
        return [_("The campaign has no reviewers.")]
    return [_(SENTENCES[because]) % {"names": names(people)} for because, people in why_nobody(panel.hindered).items()]


def what_fills(panel: Panel, gap: Gap) -> list[str]:
    """What would bring the missing reviews; each sentence is one way."""
    people, ways = why_nobody(panel.hindered), []
    if not panel.is_read:
        more = ngettext(
            "%(n)d more reviewer who did not talk in it", "%(n)d more reviewers who did not talk in it", gap.n_short
        )
        ways.append(more % {"n": gap.n_short})
    if (out := people.get(Hindrance.RAN_OUT)) and not panel.is_read:
        ways.append(_("the return of %(names)s: the draft and the place are still theirs") % {"names": names(out)})
    if training := people.get(Hindrance.IN_TRAINING):
        ways.append(_("the training, once passed: %(names)s") % {"names": names(training)})
    if paused := people.get(Hindrance.PAUSES):
        ways.append(_("ending the pause of: %(names)s") % {"names": names(paused)})
    if gap.may_be_closed:
        said = ngettext(
            "your decision to count it with %(n)d review", "your decision to count it with %(n)d reviews", gap.n_scored
        )
        ways.append(said % {"n": gap.n_scored})
    if panel.is_read and not ways:
        ways.append(_nobody_more(people.get(Hindrance.AT_WORK, [])))
    return ways


def _nobody_more(at_work: Sequence[str]) -> str:
    if not at_work:
        return _("nobody: reviewers may have read it in the scoring guide")
    told = _("nobody more: reviewers may have read it in the scoring guide; close it once they are done: %(names)s")
    return told % {"names": names(at_work)}


def names(people: Sequence[str]) -> str:
    """The first few by name, the rest by number."""
    n_others = len(people) - NAMED
    others = [ngettext("%(n)d other", "%(n)d others", n_others) % {"n": n_others}] if n_others > 0 else []
    return _(", ").join([*people[:NAMED], *others])


LET_GO = {Released.EXPIRED: Hindrance.RAN_OUT, Released.CANNOT_JUDGE: Hindrance.CANNOT_JUDGE}


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
    """The panels with a gap that no reviewer can fill as things are, the longest idle first."""
    return short_of(lacking_panels(campaign, at))


def short_of(lacking: Iterable[LackingPanel]) -> list[LackingPanel]:
    return sorted((one for one in lacking if one.gap.n_short), key=lambda one: (one.since, one.dialogue.pk))


def lacking_panels(campaign: Campaign, at: datetime) -> list[LackingPanel]:
    """Every panel that lacks reviews and was not closed: ten queries, and as much work as there are such panels.

    It says of each what the next drawing finds (`places_plan.py`).
    """
    found = {
        dialogue.pk: LackingPanel(dialogue, Panel(campaign.reviewers_per_dialogue), dialogue.closed_at or at)
        for dialogue in _lacking(campaign).select_related("assignment__entry__bot", "assignment__scenario")
    }
    if not found:
        return []
    roles = campaign.roles.reviewers().values_list("person", "person__username", "paused_at")
    reviewers = {person: username for person, username, _ in roles}
    paused = [person for person, _, paused_at in roles if paused_at is not None]
    in_training = [one for one, state in trainings(campaign, reviewers).items() if not state.has_passed]
    interests = Interests(campaign)
    interested = {pk: interests.barred_from(one.dialogue.assignment.entry.bot.team_id) for pk, one in found.items()}
    _note_places(found, campaign, reviewers, [*in_training, *paused], interested, at)
    _note_vettings(found, campaign)
    for dialogue, person in adjudicated_in(campaign):
        _hinder(found.get(dialogue), reviewers.get(person), Hindrance.ADJUDICATED)
    in_guide = GuideExample.objects.of_campaign(campaign).maybe_read().order_by()
    read = set(in_guide.values_list("dialogue", flat=True))
    for one in found.values():
        if one.dialogue.talker_id is not None:
            _hinder(one, reviewers.get(one.dialogue.talker_id), Hindrance.TALKED)
        for person in interested[one.dialogue.pk]:
            _hinder(one, reviewers.get(person), Hindrance.INTERESTED)
        one.panel.is_read = one.dialogue.pk in read
        for reviewer in reviewers.values() if one.panel.is_read else ():
            _hinder(one, reviewer, Hindrance.READ_EXAMPLE)
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
    done = ReviewPlace.objects.that_fill(campaign).filter(dialogue=OuterRef("pk"), done_at__isnull=False, is_gold=False)
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
    places = ReviewPlace.objects.that_fill(campaign).filter(dialogue__in=_lacking(campaign).values("pk"), is_gold=False)
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


@dataclass(frozen=True, slots=True)
class ShortPanels:
    """How many panels are short, and the first rows of them, the longest at rest first."""

    n: int
    rows: Sequence[LackingPanel]


def shown_panels(lacking: Iterable[LackingPanel], *, most: int = SHOWN) -> ShortPanels:
    short = short_of(lacking)
    return ShortPanels(len(short), short[:most])
