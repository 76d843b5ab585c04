"""Erases a person: their names and texts go; dialogues, scores, counts and chains stay, under `erased-7`.

What somebody did in an office (an announcement, an agreement, a package, a bot) is the contest's and stays without the name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID

from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_noop
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.log_in.guesses import code_digest_of, digest_of
from accounts.models import ApiToken, LiftedNetworkLimit, LogInTry, OneTimeLink, Person
from audit.actions import erase_texts, record
from audit.models import TrailLine, head_of_trail
from automatic_tasks.models import Run
from campaigns.models import Assignment, Campaign, CampaignRole, Role, TeamMember
from crowds.actions.ending import forget_person
from dialogues.models import Attempt, Dialogue, Objection, Presence, Problem, Turn
from language_models.actions.calls import forget_answers
from leaderboards.live_board import LIVE, STATISTICS
from leaderboards.models import StoredBoard
from notifications.models import Choice, ConfirmedAddress, Delivery
from pairs.models import PairVote
from privacy.actions.mentions import change_mentions
from privacy.actions.talks import erase_from_ledger, erase_names, erase_talk, erased, in_parts
from privacy.stand_ins import Change, in_json, in_turn, without_names
from privacy.trail_acts import PERSON_ERASED
from publication.models import Snapshot
from registration.models import Application, Invitation
from replays.models import ReplayTurn
from reviews.actions.erasing import (
    change_gold_texts,
    change_review_texts,
    last_change,
    reviews_to_change,
    written_since,
)
from reviews.models import ClosedPanel, GoldReview, GuideExample, Remark, Review, ReviewPlace, RevisionRequest, Vetting
from serving.refused import Refused

# Details of a line that say where its person was.
WHERE = ("network", "address", "email", "device")


class CannotErase(Refused):
    """Something must be done first; the sentence says what."""

    code = "cannot_erase"


@dataclass(frozen=True, slots=True)
class Removal:
    """What erasing a person removes, and what it leaves; counts but for `published`, the digests of bundles that are not rewritten."""

    dialogues: int
    reviews: int
    other_texts: int
    roles: int
    credentials: int
    trail_lines: int
    published: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"published": list(self.published)}


def names_of(person: Person) -> list[str]:
    """Under which the person is known: of the account, and of the invitations and applications by which they came."""
    of_account = [person.username, person.email, person.display_name, person.get_full_name()]
    invited = Invitation.objects.filter(used_by=person).values_list("name", "email")
    return [name for name in [*of_account, *(name for row in invited for name in row)] if name]


def new_name(person: Person) -> str:
    return f"erased-{person.pk}"


def preview_erasing(*, person: Person) -> Removal:
    """What `erase_person` would do now. Errors: `CannotErase`."""
    check_may_erase(person)
    return Removal(
        dialogues=Dialogue.everything.filter(tester=person, origin__in=_TALKED).count(),
        reviews=Review.objects.filter(reviewer=person).count(),
        other_texts=sum(rows.count() for rows, _ in _own_texts(person)),
        roles=person.campaign_roles.count(),
        credentials=ApiToken.objects.filter(user=person).count() + person.log_ins.count(),
        trail_lines=TrailLine.objects.filter(person_id=person.pk).count(),
        published=frozen_with(person),
    )


def check_may_erase(person: Person) -> None:
    """Errors: `CannotErase`."""
    if person.erased_at is not None:
        raise CannotErase(gettext_noop("This person is erased already."))
    if n := Dialogue.everything.open().filter(tester=person, origin__in=_TALKED).count():
        raise CannotErase(gettext_noop("End the open dialogues first: %(n)d"), n=n)
    for role in person.campaign_roles.filter(role=Role.ORGANIZER).select_related("campaign"):
        others = role.campaign.roles.filter(role=Role.ORGANIZER, person__is_active=True).exclude(person=person)
        if not others.exists():
            raise CannotErase(
                gettext_noop("The campaign %(slug)s has no other organizer: name one first."), slug=role.campaign.slug
            )
    if person.is_staff and not Person.objects.filter(is_staff=True, is_active=True).exclude(pk=person.pk).exists():
        raise CannotErase(gettext_noop("The site has no other staff account: make one first."))


_TALKED = (Dialogue.Origin.LIVE, Dialogue.Origin.PRACTICE, Dialogue.Origin.PROGRAM)


def erase_person(*, person: Person, by: Person | None, at: datetime, everywhere: bool = False) -> Removal:
    """Erases the person and gives what was removed. The acts of the trail stay, without the name.

    `everywhere` also takes the names out of what other people said in their dialogues until now. Errors: `CannotErase`.
    """
    check_may_erase(person)
    # Before the transaction: nobody could write while all that was ever said is looked through.
    return _erase(person, mentions_of(person, at, everywhere=everywhere), by=by, at=at)


@dataclass(frozen=True, slots=True)
class Mentions:
    """Where the names stood when all was looked through: in dialogues of other people, in reviews, and in other people's lines of the trail.

    `last_change` and `n_lines` say how far the changes of reviews and the trail went before: what came later is looked through again.
    """

    names: Sequence[str]
    talks: Sequence[UUID]
    reviews: Sequence[int]
    lines: Sequence[int]
    last_change: int
    n_lines: int


def mentions_of(person: Person, at: datetime, *, everywhere: bool) -> Mentions:
    names, last, n_lines = names_of(person), last_change(), head_of_trail().n_lines
    change = without_names(names, new_name(person))
    lines = TrailLine.objects.exclude(person_id=person.pk).in_order().iterator(chunk_size=1000)
    return Mentions(
        names=names,
        talks=talks_that_mention(person) if everywhere else [],
        reviews=reviews_to_change(change),
        lines=[line.number for line in lines if _left_of(line, person, change)],
        last_change=last,
        n_lines=n_lines,
    )


@transaction.atomic
def _erase(person: Person, found: Mentions, *, by: Person | None, at: datetime) -> Removal:
    person = Person.objects.select_for_update().get(pk=person.pk)
    removal = preview_erasing(person=person)
    if names_of(person) != found.names:
        raise CannotErase(gettext_noop("The person's name was changed meanwhile: try again."))
    change = without_names(found.names, new_name(person))
    reasons = TrailLine.objects.filter(person_id=person.pk).exclude(because="").values_list("because", flat=True)
    elsewhere = in_turn(_without_whole({*_erase_texts_of(person), *reasons}), change)
    erase_names(found.talks, change)
    for some in in_parts(found.talks):
        forget_answers(campaigns=Campaign.objects.filter(assignments__dialogues__in=some))
    erase_from_ledger(_decided_by(person), elsewhere)
    change_mentions(elsewhere)
    for reviews in in_parts(found.reviews):
        change_review_texts(reviews=Review.objects.filter(pk__in=reviews), change=change)
    change_review_texts(reviews=written_since(found.last_change, at), change=change)
    change_gold_texts(gold=GoldReview.objects.all(), change=change)
    _end_access(person)
    _give_back_work(person, at)
    former = person.username
    _empty_account(person, at)
    _drop_named_boards(former)
    line = record(
        PERSON_ERASED,
        by=person if by == person else by,
        at=at,
        about=person.username,
        details={name: n for name, n in removal.as_json().items() if name != "published"},
    )
    own_and_later = TrailLine.objects.filter(Q(person_id=person.pk) | Q(number__gt=found.n_lines))
    others = (TrailLine.objects.filter(number__in=some) for some in in_parts(found.lines))
    for lines in (own_and_later, *others):
        erase_texts(said_by=line, without=lambda one: _left_of(one, person, change), among=lines)
    return removal


def _without_whole(texts: Iterable[str]) -> Change:
    """Erases what is one of the texts as a whole: a reason also stands where it was given for."""
    known = frozenset(texts)
    return lambda text: erased(text) if text in known else text


def _erase_texts_of(person: Person) -> list[str]:
    """Removes what the person wrote and said; gives the texts, which others may have repeated."""
    talks = list(Dialogue.everything.filter(tester=person, origin__in=_TALKED).values_list("pk", flat=True))
    erase_talk(talks)
    said: list[str] = []

    def take(text: str) -> str:
        said.append(text)
        return erased(text)

    change_review_texts(reviews=Review.objects.filter(reviewer=person), change=take, keeps_drafts=False)
    change_gold_texts(gold=GoldReview.objects.filter(set_by=person), change=take)
    for rows, columns in _own_texts(person):
        for row in rows:
            rows.model._base_manager.filter(pk=row.pk).update(
                **{name: in_json(getattr(row, name), take) for name in columns}
            )
    forget_answers(campaigns=Campaign.objects.filter(pk__in=_wrote_in(person)))
    Invitation.objects.filter(used_by=person).update(name=new_name(person), email="")
    return [text for text in said if text]


def _own_texts(person: Person) -> list[tuple[Any, tuple[str, ...]]]:
    """The rows that the person wrote, and which of their columns go."""
    return [
        (Problem.objects.filter(reported_by=person), ("text",)),
        (Objection.objects.filter(made_by=person), ("text",)),
        (Objection.objects.filter(answered_by=person), ("answer",)),
        (Remark.objects.filter(reviewer=person), ("text",)),
        (RevisionRequest.objects.filter(review__reviewer=person), ("reason",)),
        (Vetting.objects.filter(expert=person), ("reason",)),
        (PairVote.objects.filter(judge=person), ("reason",)),
        (GuideExample.objects.filter(added_by=person), ("reason",)),
        (ClosedPanel.objects.filter(closed_by=person), ("because",)),
        (Run.objects.filter(submitted_by=person), ("note", "file_name")),
        (Application.objects.filter(applicant=person), ("affiliation", "contact", "members")),
    ]


def _decided_by(person: Person) -> list[UUID]:
    """The dialogues of which they decided something: their ledgers tell the reasons."""
    lines = TrailLine.objects.filter(person_id=person.pk, details__has_key="dialogue")
    ids = [UUID(one) for one in lines.values_list("details__dialogue", flat=True) if isinstance(one, str)]
    return list(Dialogue.everything.filter(pk__in=ids).values_list("pk", flat=True))


def talks_that_mention(person: Person) -> list[UUID]:
    """Dialogues of other people in which one of the names occurs: as it was said, as it came, or as it was answered in a replay."""
    change = without_names(names_of(person), new_name(person))
    others = Dialogue.everything.exclude(tester=person, origin__in=_TALKED).values("pk")
    said = (
        Turn.objects.filter(dialogue__in=others).values_list("dialogue", "text", "texts"),
        Attempt.objects.filter(turn__dialogue__in=others).values_list("turn__dialogue", "evidence", "texts"),
        ReplayTurn.objects.filter(turn__dialogue__in=others).values_list("turn__dialogue", "evidence", "texts"),
    )
    rows = chain.from_iterable(one.iterator(chunk_size=1000) for one in said)
    return sorted({talk for talk, text, texts in rows if any(change(one) != one for one in (text, *texts))})


def _end_access(person: Person) -> None:
    """Every way in ends at once, on open sockets too."""
    Session.objects.filter(log_in__person=person).delete()
    ApiToken.objects.filter(user=person).delete()
    OneTimeLink.objects.filter(person=person).delete()
    TOTPDevice.objects.filter(user=person).delete()
    StaticDevice.objects.filter(user=person).delete()
    Presence.objects.filter(person=person).delete()
    ConfirmedAddress.objects.filter(person=person).delete()
    Choice.objects.filter(person=person).delete()
    Delivery.objects.filter(person=person).delete()
    forget_person(person=person)
    guessed = [digest_of(person.username), code_digest_of(person.username)]
    LogInTry.objects.filter(name__in=guessed).delete()
    LiftedNetworkLimit.objects.filter(name__in=guessed).delete()
    AccessAttempt.objects.filter(username=person.username).delete()
    AccessLog.objects.filter(username=person.username).delete()


def _give_back_work(person: Person, at: datetime) -> None:
    """What the person has not begun is open to others again: their places at once, assignments with the next drawing."""
    waiting = ReviewPlace.objects.filter(reviewer=person, done_at=None, released_at=None)
    waiting.update(released_at=at, released_because=ReviewPlace.Released.NO_REVIEWER)
    Assignment.everything.filter(tester=person, started_at=None).delete()
    CampaignRole.objects.filter(person=person).delete()
    TeamMember.objects.filter(person=person).delete()


def _empty_account(person: Person, at: datetime) -> None:
    person.username, person.erased_at = new_name(person), at
    person.first_name = person.last_name = person.display_name = person.email = person.language = ""
    person.is_active = person.is_staff = person.is_superuser = False
    person.last_login = None
    person.set_unusable_password()
    person.save()


def _drop_named_boards(name: str) -> None:
    """Stored figures that go by the names of reviewers are computed again under the new one."""
    for board in StoredBoard.objects.exclude(key__in=[LIVE, STATISTICS]).iterator(chunk_size=50):
        if name in str(board.rows):
            board.delete()


def _left_of(line: TrailLine, person: Person, change: Change) -> Mapping[str, Any]:
    """What is left of a line's texts, where that is something else."""
    is_own = line.person_id == person.pk
    details = in_json(line.details, change)
    if is_own or change(line.about) != line.about:
        details = {name: value for name, value in details.items() if name not in WHERE}
    left: dict[str, Any] = {
        "person": new_name(person) if is_own else line.person,
        "about": change(line.about),
        "because": erased(line.because) if is_own else change(line.because),
        "details": details,
    }
    return {name: text for name, text in left.items() if text != getattr(line, name)}


def _wrote_in(person: Person) -> set[int]:
    """The campaigns, by id, that have dialogues or reviews of the person."""
    talked = Campaign.objects.filter(assignments__dialogues__tester=person)
    reviewed = Campaign.objects.filter(assignments__dialogues__reviews__reviewer=person)
    return {*talked.values_list("pk", flat=True), *reviewed.values_list("pk", flat=True)}


def frozen_with(person: Person) -> tuple[str, ...]:
    """The digests of frozen bundles that hold dialogues or reviews of the person, made before they are erased."""
    campaigns = _wrote_in(person)
    frozen = Snapshot.objects.filter(campaign__in=campaigns, has_people=True).exclude(bundle_digest="")
    return tuple(frozen.order_by("made_at").values_list("bundle_digest", flat=True))
