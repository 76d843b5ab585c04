"""Lets people of a platform in by a study's link: who looks, who is turned away, and who begins.

All that a study promises (quota, people at once, one place and one account per outside person, exclusions) is decided while its
row is held, so that of a thousand arrivals in a minute each sees what the one before was given.
"""

import json
import random
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from accounts.models import Person
from audit.actions import record
from campaigns.actions.consenting import ConsentChanged, consent_due, give_consent
from campaigns.calendar import Doing, NotNow, check_open
from campaigns.models import Assignment, Campaign, CampaignRole, Role
from crowds.actions.ending import end_late, note_ended
from crowds.acts import CROWD_STARTED
from crowds.attention import n_wrong
from crowds.drawing import cells_for
from crowds.models import Arrival, CrowdStudy
from crowds.platforms import Outcome, Outside
from crowds.refusals import CannotStudy

NAME_TRIES = 5
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


def closed_as(study: CrowdStudy, at: datetime) -> bool:
    """Whether nobody new is let in now, whatever room there is."""
    if study.state != CrowdStudy.State.OPEN:
        return True
    try:
        check_open(study.campaign, Doing.TEST if study.role == Role.TESTER else Doing.REVIEW, at)
    except NotNow:
        return True
    return False


def has_room(study: CrowdStudy, at: datetime) -> bool:
    """Whether one more may be at work, and complete. Places whose time is over count for nobody."""
    n_completed = study.arrivals.filter(state=Arrival.State.COMPLETED).count()
    n_at_work = study.arrivals.at_work().filter(due_at__gt=at).count()
    return n_completed + n_at_work < study.quota and (study.at_once is None or n_at_work < study.at_once)


def took_part_before(study: CrowdStudy, digests: Sequence[str]) -> bool:
    """Whether the outside person was let in by one of the campaigns and studies that this one excludes."""
    named = Q(pk__in=[])
    for name in study.excludes:
        slug, _slash, key = name.partition("/")
        of_one = Q(study__campaign__slug=slug) & (Q(study__key=key) if key else Q())
        named |= of_one
    return Arrival.objects.let_in().filter(named, participant__in=digests).exclude(study=study).exists()


@transaction.atomic
def note_visit(*, study: CrowdStudy, outside: Outside, at: datetime) -> Arrival | None:
    """Keeps that somebody looked at the first page; who cannot be let in is noted so. None where the study lets nobody in."""
    study = _held(study)
    arrival = arrival_of(study, outside)
    if closed_as(study, at):
        return arrival
    if arrival is None:
        arrival = _new(study, outside, at)
    return _turned_away(study, arrival, outside, at) or arrival


def _new(study: CrowdStudy, outside: Outside, at: datetime) -> Arrival:
    digest = digests_of(study.platform, outside.participant)[0]
    arrival: Arrival = study.arrivals.create(participant=digest, secret=json.dumps(asdict(outside)), came_at=at)
    return arrival


def _turned_away(study: CrowdStudy, arrival: Arrival, outside: Outside, at: datetime) -> Arrival | None:
    """The arrival with its outcome where it cannot begin now; None where it may. Who was let in before is not asked again."""
    state = Arrival.State
    if arrival.state == state.STARTED or arrival.state in (state.COMPLETED, state.SCREENED_OUT, state.LEFT):
        return arrival
    if arrival.started_at is None and took_part_before(study, digests_of(study.platform, outside.participant)):
        return _stored(arrival, state.EXCLUDED)
    if not has_room(study, at):
        # Who ran out of time reads that, and not that it is full.
        return arrival if arrival.state == state.TOO_LATE else _stored(arrival, state.FULL)
    return None


def _stored(arrival: Arrival, state: Arrival.State) -> Arrival:
    if arrival.state != state:
        arrival.state = state
        arrival.save(update_fields=["state"])
    return arrival


@transaction.atomic
def start(
    *, study: CrowdStudy, outside: Outside, answers: Sequence[int | None], consent_version: int, at: datetime
) -> Arrival:
    """The place of the outside person: begun now, or the one that they have; its state says where they were turned away.

    `answers` are those to the attention items, in their order. The caller logs `person` in where the place is `started`.
    Errors: `ConsentChanged` where another version is asked for by now; `CannotStudy` where the account may not be opened.
    """
    study = _held(study)
    arrival = arrival_of(study, outside)
    if arrival is not None and arrival.state == Arrival.State.STARTED:
        check_may_enter(arrival)
        return arrival
    if closed_as(study, at):
        return arrival or Arrival(study=study, state=Arrival.State.CAME, came_at=at)
    arrival = arrival or _new(study, outside, at)
    late = end_late(study=study, at=at)
    arrival.refresh_from_db(fields=["state"])
    begun = _begun_or_not(study, arrival, outside, answers, consent_version, at)
    if begun.state == Arrival.State.STARTED:
        record(CROWD_STARTED, by=begun.person, at=at, campaign=study.campaign.slug, about=study.key)
    for one in late:
        note_ended(one, at)
    return begun


def _begun_or_not(
    study: CrowdStudy,
    arrival: Arrival,
    outside: Outside,
    answers: Sequence[int | None],
    consent_version: int,
    at: datetime,
) -> Arrival:
    if turned_away := _turned_away(study, arrival, outside, at):
        return turned_away
    is_back = arrival.started_at is not None
    arrival.n_attention_wrong = arrival.n_attention_wrong if is_back else n_wrong(study.attention, answers)
    if (arrival.n_attention_wrong or 0) > study.attention_wrong_at_most:
        arrival.state, arrival.ended_at = Arrival.State.SCREENED_OUT, at
        arrival.save(update_fields=["state", "ended_at", "n_attention_wrong"])
        return arrival
    return _begin(study, arrival, outside, consent_version, at)


def _begin(study: CrowdStudy, arrival: Arrival, outside: Outside, consent_version: int, at: datetime) -> Arrival:
    person = arrival.person or _account_of(study, outside)
    due = consent_due(study.campaign_id, person.pk)
    if due is not None and due.version != consent_version:
        raise ConsentChanged
    arrival.person, arrival.state, arrival.ended_at = person, Arrival.State.STARTED, None
    arrival.started_at = arrival.started_at or at
    arrival.due_at = at + timedelta(minutes=study.minutes_at_most)
    arrival.consent_version = due.version if due else arrival.consent_version
    # The latest session is the one that the platform pays.
    arrival.secret = json.dumps(asdict(outside))
    arrival.save()
    check_may_enter(arrival)
    CampaignRole.objects.get_or_create(campaign=study.campaign, person=person, role=study.role)
    if study.role == Role.TESTER:
        _give_work(study, person, at)
    if due is not None:
        give_consent(campaign=study.campaign, person=person, version=consent_version, at=at)
    return arrival


def _account_of(study: CrowdStudy, outside: Outside) -> Person:
    """The account that the outside person has in this campaign, so that nobody scores their own dialogues; or a new one."""
    digests = digests_of(study.platform, outside.participant)
    before = Arrival.objects.filter(study__campaign=study.campaign, participant__in=digests).exclude(person=None)
    if (known := before.select_related("person").first()) and known.person:
        return known.person
    for _try in range(NAME_TRIES):
        name = f"p-{secrets.token_hex(5)}"
        if not Person.objects.filter(username=name).exists():
            break
    person = Person(username=name, came_by=Person.CameBy.CROWD)
    person.set_unusable_password()
    person.save()
    return person


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


def _give_work(study: CrowdStudy, person: Person, at: datetime) -> None:
    """As many assignments as are still needed; those that wait from before count."""
    campaign: Campaign = study.campaign
    own = Assignment.objects.filter(campaign=campaign, tester=person)
    n_missing = study.n_needed - own.count()
    if n_missing <= 0:
        return
    taken = Counter(Assignment.objects.filter(campaign=campaign).values_list("entry", "scenario"))
    entries = list(campaign.entries.planned(campaign, at).order_by("pk").values_list("pk", flat=True))
    scenarios = list(campaign.scenarios.tested().order_by("key").values_list("pk", flat=True))
    # Which cells somebody gets follows from the campaign's seed and the account.
    rng = random.Random(f"{campaign.drawing_seed}:{person.pk}")
    numbers = Counter(own.values_list("entry", "scenario"))
    position = own.count()
    rows = []
    for entry, scenario in cells_for(entries, scenarios, taken, n_missing, rng):
        numbers[entry, scenario] += 1
        position += 1
        rows.append(
            Assignment(
                campaign=campaign, tester=person, entry_id=entry, scenario_id=scenario,
                repetition=numbers[entry, scenario], position=position, is_drawn=False,
            )
        )  # fmt: skip
    Assignment.objects.bulk_create(rows)


def _held(study: CrowdStudy) -> CrowdStudy:
    held = CrowdStudy.objects.select_for_update(no_key=True, of=("self",)).select_related("campaign")
    return held.get(pk=study.pk)


OUTCOMES = {
    Arrival.State.COMPLETED: Outcome.COMPLETED,
    Arrival.State.SCREENED_OUT: Outcome.SCREENED_OUT,
    Arrival.State.FULL: Outcome.FULL,
    Arrival.State.EXCLUDED: Outcome.EXCLUDED,
    Arrival.State.TOO_LATE: Outcome.TOO_LATE,
    Arrival.State.LEFT: Outcome.LEFT,
}
