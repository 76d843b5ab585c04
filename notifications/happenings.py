"""What happened that somebody may want to hear of, read from what other rooms recorded, and who may be told.

A message holds its kind and a link. Whom it can reach: people who see on their own pages what it is about. A team hears of its
own systems, never of who talks to them or scores them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import CharField, Exists, Max, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse

from accounts.models import Person
from audit.models import TrailLine
from automatic_tasks.trail_acts import SERVICE_CHECKED
from campaigns.calendar import Doing, is_open
from campaigns.models import Campaign, Role, TeamMember
from campaigns.trail_acts import BOT_PAUSED
from conformance.results import is_green
from conformance.system_kinds import BOTS
from dialogues.models import Dialogue
from notifications.models import Event, Kind
from operating.trail_acts import BACKUP_FAILED
from publication.models import Publication
from registration.models import Application
from registration.trail_acts import APPLICATION_APPROVED, APPLICATION_REFUSED
from replays.trail_acts import SYSTEM_DRIFTED
from reviews.models import Dispute, RevisionRequest, Vetting
from reviews.trail_acts import DIALOGUE_RETURNED

LINES_AT_ONCE = 200
WAITS_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Happening:
    """`path` is where organizers and their programs are led, `readers` where each person is, by their ids."""

    key: str
    kind: Kind
    at: datetime
    campaign: Campaign | None
    path: str
    readers: Mapping[int, str] = field(default_factory=dict)


# -- lines of the trail ---------------------------------------------------------------------------------------------------


def lines_after(number: int) -> list[TrailLine]:
    """The next lines that may be worth a message, in their order."""
    return list(TrailLine.objects.in_order().filter(number__gt=number, act__in=TOLD_OF)[:LINES_AT_ONCE])


def told_by(line: TrailLine) -> Happening | None:
    """None for what is nobody's news, such as a check that went well."""
    return TOLD_OF[line.act](line)


def _bot_paused(line: TrailLine) -> Happening | None:
    return _of_system(line, Kind.BOT_PAUSED, _team_of_bot)


def _bot_drifted(line: TrailLine) -> Happening | None:
    """For organizers alone: what it is compared with are dialogues that its team has not read."""
    campaign = _campaign_of(line)
    if campaign is None:
        return None
    path = reverse("replays", args=[campaign.slug])
    return Happening(_key(line), Kind.BOT_DRIFTED, line.at, campaign, path, organizers(campaign, path))


def _bot_checked(line: TrailLine) -> Happening | None:
    return None if is_green(_said(line, "verdict")) else _of_system(line, Kind.CHECK_FAILED, _team_of_bot)


def _service_checked(line: TrailLine) -> Happening | None:
    return None if is_green(_said(line, "verdict")) else _of_system(line, Kind.CHECK_FAILED, _team_of_service)


def _of_system(line: TrailLine, kind: Kind, team_of: Callable[[Campaign, TrailLine], Q]) -> Happening | None:
    campaign = _campaign_of(line)
    if campaign is None:
        return None
    path, own = reverse("teams", args=[campaign.slug]), reverse("team", args=[campaign.slug])
    members = TeamMember.objects.filter(team_of(campaign, line), campaign=campaign)
    readers = dict.fromkeys(members.values_list("person", flat=True), own) | organizers(campaign, path)
    return Happening(_key(line), kind, line.at, campaign, path, readers)


def _team_of_bot(campaign: Campaign, line: TrailLine) -> Q:
    return Q(team__in=campaign.entries.filter(key=_said(line, "bot")).values("bot__team"))


def _team_of_service(campaign: Campaign, line: TrailLine) -> Q:
    return Q(team__name=_said(line, "team"))


def _application_answered(line: TrailLine) -> Happening | None:
    campaign = _campaign_of(line)
    if campaign is None:
        return None
    path = reverse("teams", args=[campaign.slug])
    own = reverse("team" if line.act == APPLICATION_APPROVED.key else "apply", args=[campaign.slug])
    applicants = Person.objects.filter(username=_said(line, "applicant"), applications__campaign=campaign)
    readers = dict.fromkeys(applicants.values_list("pk", flat=True), own)
    return Happening(_key(line), Kind.APPLICATION_ANSWERED, line.at, campaign, path, readers)


def _dialogue_returned(line: TrailLine) -> Happening | None:
    campaign = _campaign_of(line)
    if campaign is None:
        return None
    path = reverse("dialogues", args=[campaign.slug])
    talked = Dialogue.objects.of_campaign(campaign).filter(pk=_said(line, "dialogue"), origin=Dialogue.Origin.LIVE)
    testers = dict.fromkeys(talked.values_list("tester", flat=True), reverse("tester-list", args=[campaign.slug]))
    return Happening(_key(line), Kind.DIALOGUE_RETURNED, line.at, campaign, path, testers | organizers(campaign, path))


def _backup_failed(line: TrailLine) -> Happening:
    path = reverse("operate")
    staff = Person.objects.filter(is_staff=True, is_active=True).values_list("pk", flat=True)
    return Happening(_key(line), Kind.BACKUP_FAILED, line.at, None, path, dict.fromkeys(staff, path))


TOLD_OF: Mapping[str, Callable[[TrailLine], Happening | None]] = {
    BOT_PAUSED.key: _bot_paused,
    SYSTEM_DRIFTED.key: _bot_drifted,
    BOTS.acts.checked.key: _bot_checked,
    SERVICE_CHECKED.key: _service_checked,
    APPLICATION_APPROVED.key: _application_answered,
    APPLICATION_REFUSED.key: _application_answered,
    DIALOGUE_RETURNED.key: _dialogue_returned,
    BACKUP_FAILED.key: _backup_failed,
}


def _campaign_of(line: TrailLine) -> Campaign | None:
    """None once it is deleted."""
    return Campaign.objects.filter(slug=line.campaign).first()


def _said(line: TrailLine, name: str) -> str:
    return str(line.details.get(name, ""))


def _key(line: TrailLine) -> str:
    return f"line:{line.number}"


def organizers(campaign: Campaign, path: str) -> dict[int, str]:
    return _holders(campaign, {Role.ORGANIZER: path})


def _holders(campaign: Campaign, paths: Mapping[str, str]) -> dict[int, str]:
    """Who holds one of the roles, with the path of the first of them that they hold."""
    held = dict[int, str]()
    for role, path in paths.items():
        for person in campaign.roles.filter(role=role).values_list("person", flat=True):
            held.setdefault(person, path)
    return held


# -- leaderboards ---------------------------------------------------------------------------------------------------------


def boards_since(since: datetime, at: datetime) -> Iterator[Happening]:
    """Leaderboards that became public, on their day, and those of them that were withdrawn."""
    known = Publication.objects.select_related("snapshot__campaign").defer("snapshot__board")
    standing = known.public(at).filter(Q(public_from__gt=since) | Q(snapshot__campaign__publication_at__gt=since))
    for one in standing.filter(~_is_told("published")):
        path = reverse("snapshot", args=[one.snapshot.campaign.slug, one.snapshot.number])
        yield _of_board(one, "published", Kind.BOARD_PUBLISHED, one.opens_at, path)
    # Only what readers saw; its day may have been moved since.
    seen = known.filter(Q(_is_told("published")) | Q(public_from__lte=since), withdrawn_at__gt=since)
    for one in seen.filter(~_is_told("withdrawn")):
        assert one.withdrawn_at is not None, "the filter asks for it"
        path = reverse("campaign", args=[one.snapshot.campaign.slug])
        yield _of_board(one, "withdrawn", Kind.BOARD_WITHDRAWN, one.withdrawn_at, path)


def _is_told(word: str) -> Exists:
    key = Concat(Value(f"{word}:"), Cast(OuterRef("pk"), CharField()), output_field=CharField())
    return Exists(Event.objects.filter(key=key))


def _of_board(one: Publication, word: str, kind: Kind, at: datetime, path: str) -> Happening:
    campaign = one.snapshot.campaign
    everybody = dict.fromkeys(campaign.roles.values_list("person", flat=True), path)
    return Happening(f"{word}:{one.pk}", kind, at, campaign, path, everybody)


# -- decisions that wait --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Waiting:
    """Things of one kind that wait for somebody: the column that says since when, and who is led where."""

    name: str
    rows: QuerySet[Any]
    since: str
    doing: Doing
    page: str
    pages: Mapping[str, str]


def _waiting_in(campaign: Campaign) -> Iterable[Waiting]:
    reviewable = Dialogue.objects.of_campaign(campaign).reviewable()
    disputes = Dispute.objects.filter(dialogue__in=reviewable, settled_at=None)
    yield Waiting("disputes", disputes, "opened_at", Doing.REVIEW, "panels", {Role.ADJUDICATOR: "review-queue"})
    asked = RevisionRequest.objects.filter(review__dialogue__assignment__campaign=campaign, is_granted=None)
    yield Waiting("revisions", asked, "asked_at", Doing.ORGANIZE, "revisions", {})
    applied = Application.objects.of_campaign(campaign).waiting()
    yield Waiting("applications", applied, "applied_at", Doing.ORGANIZE, "teams", {})
    if campaign.experts_per_dialogue:
        undecided = reviewable.exclude(pk__in=Vetting.objects.dialogues_accepted_in(campaign))
        yield Waiting("vetting", undecided, "closed_at", Doing.REVIEW, "dialogues", {Role.EXPERT: "review-queue"})


def decisions_waiting(at: datetime) -> Iterator[Happening]:
    """Kinds of decisions of which another has waited for a day by now; of each kind at most one message a day and campaign."""
    for campaign in Campaign.objects.filter(Q(ends_at=None) | Q(ends_at__gt=at)):
        for waiting in _waiting_in(campaign):
            if not is_open(campaign, waiting.doing, at):
                continue
            late = waiting.rows.filter(**{f"{waiting.since}__lte": at - WAITS_FOR}).order_by()
            latest = late.aggregate(latest=Max(waiting.since))["latest"]
            if latest is not None and _is_news(f"waits:{waiting.name}:{campaign.pk}:", latest + WAITS_FOR, at):
                yield _that_waits(campaign, waiting, at)


def _is_news(prefix: str, over_a_day_since: datetime, at: datetime) -> bool:
    told = Event.objects.filter(kind=Kind.DECISION_WAITS, key__startswith=prefix).aggregate(at=Max("at"))["at"]
    return told is None or (told < over_a_day_since and told <= at - WAITS_FOR)


def _that_waits(campaign: Campaign, waiting: Waiting, at: datetime) -> Happening:
    path = reverse(waiting.page, args=[campaign.slug])
    paths = {role: reverse(page, args=[campaign.slug]) for role, page in waiting.pages.items()}
    readers = _holders(campaign, {Role.ORGANIZER: path, **paths})
    key = f"waits:{waiting.name}:{campaign.pk}:{int(at.timestamp())}"
    return Happening(key, Kind.DECISION_WAITS, at, campaign, path, readers)
