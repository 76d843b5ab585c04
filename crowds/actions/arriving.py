"""Lets people of a platform in by a study's link: who looks, who is turned away, and who begins.

All that a study promises (quota, people at once, one place per outside person, exclusions) is decided while its row is held, and
with it those of the campaign's other studies, since one outside person never gets two accounts in a campaign, and those of the studies
that it excludes: of two that exclude each other, only one lets somebody in.
"""

import json
import random
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.utils.crypto import salted_hmac

from accounts.models import Person
from audit.actions import record
from campaigns.actions.consenting import ConsentChanged, consent_due, give_consent
from campaigns.calendar import Doing, NotNow, check_open
from campaigns.models import Assignment, CampaignRole, Role
from crowds.door_rules import cells_for, n_wrong
from crowds.models import Arrival, CrowdStudy
from crowds.platforms import Outcome, Outside
from crowds.refusals import CannotStudy
from crowds.trail_acts import CROWD_STARTED
from participants.secrets import SecretLost

MAY_HOLD = (Role.TESTER, Role.REVIEWER)


def digests_of(platform: str, participant: str) -> list[str]:
    """By which an outside person is known: with the present key first, then with keys that the platform had before."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    said = f"{platform}\n{participant}"
    return [salted_hmac("crowds.participants", said, secret=key, algorithm="sha256").hexdigest() for key in keys]


def arrival_of(study: CrowdStudy, outside: Outside) -> Arrival | None:
    """The place of that outside person, where they came before."""
    digests = digests_of(study.platform, outside.participant)
    found = Arrival.objects.filter(study=study, participant__in=digests).select_related("person").first()
    if found is not None:
        found.study = study
    return found


def turned_away_as(study: CrowdStudy, arrival: Arrival | None, outside: Outside, at: datetime) -> Outcome | None:
    """Why the outside person cannot begin, or go on, now; None where they may.

    Places whose time is over are taken until they are freed (`ending.free_late_places`).
    """
    if arrival is not None and arrival.is_at_work:
        return None
    if arrival is not None and arrival.is_over:
        return Outcome(arrival.state)
    has_begun = arrival is not None and arrival.started_at is not None
    if _lets_nobody_in(study, at):
        return Outcome.TOO_LATE if has_begun else Outcome.CLOSED
    if not has_begun and _took_part_before(study, outside):
        return Outcome.EXCLUDED
    counts = dict(
        study.arrivals.filter(state__in=(Arrival.State.STARTED, Arrival.State.COMPLETED))
        .order_by()
        .values_list("state")
        .annotate(Count("pk"))
    )
    n_at_work = counts.get(Arrival.State.STARTED, 0)
    if sum(counts.values()) < study.quota and (study.at_once is None or n_at_work < study.at_once):
        return None
    return Outcome.TOO_LATE if has_begun else Outcome.FULL


def _lets_nobody_in(study: CrowdStudy, at: datetime) -> bool:
    if study.state != CrowdStudy.State.OPEN:
        return True
    try:
        check_open(study.campaign, Doing.TEST if study.role == Role.TESTER else Doing.REVIEW, at)
    except NotNow:
        return True
    return False


def _took_part_before(study: CrowdStudy, outside: Outside) -> bool:
    """Whether the outside person was let in by one of the campaigns and studies that this one excludes."""
    excluded = CrowdStudy.objects.filter(_excluded(study)).exclude(pk=study.pk)
    digests = digests_of(study.platform, outside.participant)
    return Arrival.objects.let_in().filter(study__in=excluded, participant__in=digests).exists()


def _excluded(study: CrowdStudy) -> Q:
    named = Q(pk__in=[])
    for name in study.excludes:
        slug, _slash, key = name.partition("/")
        named |= Q(campaign__slug=slug) & (Q(key=key) if key else Q())
    return named


def note_visit(*, study: CrowdStudy, outside: Outside, arrival: Arrival | None, at: datetime) -> Outcome | None:
    """Stores that somebody looked at the first page; gives why they cannot begin now, or go on (None: they can).

    `arrival` is `arrival_of` them. Nothing is promised here, so nothing is held; a study that lets nobody in keeps no trace of
    who is new.
    """
    if arrival is not None and arrival.is_at_work:
        _keep_session(arrival, outside)
        return None
    away = turned_away_as(study, arrival, outside, at)
    _note_away(study, arrival, outside, away, at)
    return away


def _keep_session(arrival: Arrival, outside: Outside) -> None:
    """Stores the latest session, which is the one that the platform pays."""
    latest = _latest(arrival, outside)
    if latest is not None:
        # Ids that were erased meanwhile stay erased.
        held = Arrival.objects.at_work().filter(pk=arrival.pk, participant=arrival.participant)
        held.update(secret=json.dumps(asdict(latest)))


def _latest(arrival: Arrival, outside: Outside) -> Outside | None:
    """The ids to store; None where they are stored. A link without a session keeps the stored one."""
    try:
        stored = arrival.outside
    except SecretLost:
        return outside
    if not outside.session and stored.participant:
        return None
    latest = replace(outside, study=outside.study or stored.study, submit_to=outside.submit_to or stored.submit_to)
    return None if latest == stored else latest


def _note_away(
    study: CrowdStudy, arrival: Arrival | None, outside: Outside, away: Outcome | None, at: datetime
) -> None:
    """Stores whether somebody who has not begun could, for the organizer's counts."""
    if away is Outcome.CLOSED:
        return
    state = Arrival.State(away) if away in (Outcome.FULL, Outcome.EXCLUDED) else Arrival.State.CAME
    if arrival is None:
        new = Arrival(study=study, state=state, came_at=at, secret=json.dumps(asdict(outside)))
        new.participant = digests_of(study.platform, outside.participant)[0]
        # Two tabs of one person are one visit.
        Arrival.objects.bulk_create([new], ignore_conflicts=True)
    elif arrival.state in Arrival.NOT_BEGUN and arrival.state != state:
        Arrival.objects.filter(pk=arrival.pk, state=arrival.state).update(state=state)
        arrival.state = state


def start(
    *, study: CrowdStudy, outside: Outside, answers: Sequence[int | None], consent_version: int, at: datetime
) -> Arrival | None:
    """The place of the outside person: begun now, or the one that they have; its state says where they were turned away.

    `answers` are those to the attention items, in their order. The caller logs `person` in where the place is `started`. None: the
    study lets nobody in, and does not know them. Errors: `ConsentChanged` where another version is asked for by now;
    `CannotStudy` where the account may not be opened.
    """
    arrival = arrival_of(study, outside)
    if arrival is not None and arrival.is_at_work:
        check_may_enter(arrival)
        _keep_session(arrival, outside)
        return arrival
    away = turned_away_as(study, arrival, outside, at)
    if away is None:
        return _started(study, outside, answers, consent_version, at)
    # Turning somebody away needs no lock: a crowd at a full study must not queue for its row.
    _note_away(study, arrival, outside, away, at)
    return arrival or arrival_of(study, outside)


@transaction.atomic
def _started(
    study: CrowdStudy, outside: Outside, answers: Sequence[int | None], consent_version: int, at: datetime
) -> Arrival | None:
    """As `start`, decided while the row of the study is held, with those of the studies that share its promises."""
    held = CrowdStudy.objects.select_for_update(no_key=True, of=("self",)).select_related("campaign")
    rows = held.filter(Q(campaign=study.campaign_id) | _excluded(study)).order_by("pk")
    study = next(one for one in rows if one.pk == study.pk)
    arrival = arrival_of(study, outside)
    away = turned_away_as(study, arrival, outside, at)
    if arrival is not None and arrival.is_at_work:
        check_may_enter(arrival)
        _keep_session(arrival, outside)
        return arrival
    if away is not None or arrival is None:
        _note_away(study, arrival, outside, away, at)
        arrival = arrival or arrival_of(study, outside)
    if away is not None or arrival is None:
        return arrival
    if arrival.started_at is None:
        arrival.n_attention_wrong = n_wrong(study.attention, answers)
        if arrival.n_attention_wrong > study.attention_wrong_at_most:
            arrival.state, arrival.ended_at = Arrival.State.SCREENED_OUT, at
            arrival.save(update_fields=["state", "ended_at", "n_attention_wrong"])
            return arrival
    _begin(arrival, outside, consent_version, at)
    record(CROWD_STARTED, by=arrival.person, at=at, campaign=study.campaign.slug, about=study.key)
    return arrival


def _begin(arrival: Arrival, outside: Outside, consent_version: int, at: datetime) -> None:
    study = arrival.study
    arrival.person = arrival.person or _known_person(study, outside)
    own = Assignment.objects.none()
    if arrival.person is None:
        arrival.person = Person(username=f"p-{secrets.token_hex(6)}", came_by=Person.CameBy.CROWD)
        arrival.person.set_unusable_password()
        arrival.person.save()
    else:
        check_may_enter(arrival)
        own = study.campaign.assignments.filter(tester=arrival.person)
        others = Arrival.objects.at_work().filter(person=arrival.person, study__campaign=study.campaign)
        # What somebody does counts in one place.
        if others.filter(study__role=study.role).exists():
            raise CannotStudy("at_work_elsewhere")
    person = arrival.person
    due = consent_due(study.campaign_id, person.pk)
    if due is not None and due.version != consent_version:
        raise ConsentChanged
    arrival.state, arrival.ended_at = Arrival.State.STARTED, None
    arrival.started_at = arrival.started_at or at
    arrival.due_at = at + timedelta(minutes=study.minutes_at_most)
    arrival.consent_version = due.version if due else arrival.consent_version
    if latest := _latest(arrival, outside):
        arrival.secret = json.dumps(asdict(latest))
    arrival.save()
    role = CampaignRole(campaign=study.campaign, person=person, role=study.role)
    CampaignRole.objects.bulk_create([role], ignore_conflicts=True)
    if study.role == Role.TESTER:
        _give_work(arrival, list(own.values_list("entry", "scenario", "repetition", "started_at")), at)
    if due is not None:
        give_consent(campaign=study.campaign, person=person, version=consent_version, at=at)


def _known_person(study: CrowdStudy, outside: Outside) -> Person | None:
    """The account that the outside person has in this campaign, so that nobody scores their own dialogues."""
    digests = digests_of(study.platform, outside.participant)
    before = Arrival.objects.filter(study__campaign=study.campaign, participant__in=digests).exclude(person=None)
    found = before.select_related("person").first()
    return found.person if found else None


def check_may_enter(arrival: Arrival) -> None:
    """A link opens the account that it made, as long as that is nothing more: no staff, no other role, no team, no second factor.

    Errors: `CannotStudy` with code `not_this_account`.
    """
    person = arrival.person
    is_own = (
        person is not None
        and person.is_active
        and person.erased_at is None
        and person.came_by == Person.CameBy.CROWD
        and not (person.is_staff or person.is_superuser or person.is_program or person.has_second_factor)
        and not person.campaign_roles.exclude(role__in=MAY_HOLD).exists()
        and not person.team_places.exists()
    )
    if not is_own:
        raise CannotStudy("not_this_account")


def _give_work(arrival: Arrival, own: Sequence[tuple[int, int, int, datetime | None]], at: datetime) -> None:
    """As many assignments as are still needed: of their `own` (entry, scenario, repetition, begun at) those that wait and those of this place count."""
    study, campaign = arrival.study, arrival.study.campaign
    latest = Counter[tuple[int, int]]()
    for entry, scenario, repetition, _began in own:
        latest[entry, scenario] = max(latest[entry, scenario], repetition)
    since = arrival.started_at or at
    n_missing = study.n_needed - sum(began is None or began >= since for *_cell, began in own)
    if n_missing <= 0:
        return
    counted = campaign.assignments.order_by().values_list("entry", "scenario").annotate(Count("pk"))
    taken = {(entry, scenario): n for entry, scenario, n in counted}
    entries = list(campaign.entries.planned(campaign, at).order_by("pk").values_list("pk", flat=True))
    scenarios = list(campaign.scenarios.tested().order_by("key").values_list("pk", flat=True))
    # Which cells somebody gets follows from the campaign's seed and the account.
    rng = random.Random(f"{campaign.drawing_seed}:{arrival.person_id}")
    rows = []
    for position, (entry, scenario) in enumerate(
        cells_for(entries, scenarios, taken, n_missing, rng), start=len(own) + 1
    ):
        latest[entry, scenario] += 1
        rows.append(
            Assignment(
                campaign=campaign, tester=arrival.person, entry_id=entry, scenario_id=scenario,
                repetition=latest[entry, scenario], position=position, is_drawn=False,
            )
        )  # fmt: skip
    Assignment.objects.bulk_create(rows)
