"""What a person wants to be told of, and the address that mails go to."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from accounts.link_tokens import digest_of, new_token
from accounts.models import Person
from notifications.models import OF_CAMPAIGNS, OF_THE_SITE, Choice, ConfirmedAddress, Delivery, Kind
from serving.refused import Refused

LINK_LASTS = timedelta(days=1)
LINK_EVERY = timedelta(minutes=5)


class CannotConfirm(Refused):
    """The sentence says why."""

    code = "cannot_confirm"


def kinds_for(person: Person) -> list[Kind]:
    """What the person can be told of at all."""
    return [*OF_CAMPAIGNS, *(OF_THE_SITE if person.is_staff else ())]


def choice_of(person: Person) -> Choice:
    """As it is stored; who has chosen nothing gets no mails."""
    stored = Choice.objects.filter(person=person).first()
    return stored or Choice(person=person, kinds=[str(kind) for kind in kinds_for(person)])


@transaction.atomic
def choose_messages(*, person: Person, mail: str, kinds: Collection[str]) -> Choice:
    """What waits for the person and is not wanted any more is dropped."""
    wanted = [str(kind) for kind in kinds_for(person) if kind in kinds]
    choice, _made = Choice.objects.update_or_create(person=person, defaults={"mail": mail, "kinds": wanted})
    waiting = Delivery.objects.filter(person=person, state=Delivery.State.WAITING)
    kept = wanted if mail != Choice.Mail.NONE else []
    waiting.exclude(event__kind__in=kept).delete()
    return choice


@transaction.atomic
def ask_confirmation(*, person: Person, at: datetime) -> str:
    """The token of a link to be mailed to the address of the account; an earlier one ends. Errors: `CannotConfirm`."""
    if not settings.HAS_MAIL:
        raise CannotConfirm(gettext_noop("This installation sends no mails."))
    if not person.email:
        raise CannotConfirm(gettext_noop("Your account has no e-mail address."))
    known = ConfirmedAddress.objects.select_for_update().filter(person=person).first()
    if known and known.address == person.email and known.confirmed_at:
        raise CannotConfirm(gettext_noop("This address is confirmed."))
    if known and known.asked_at > at - LINK_EVERY:
        raise CannotConfirm(gettext_noop("A link was mailed a moment ago. Ask again in five minutes."))
    token = new_token()
    asked = {"address": person.email, "digest": digest_of(token), "asked_at": at, "confirmed_at": None}
    ConfirmedAddress.objects.update_or_create(person=person, defaults=asked)
    return token


def confirm_address(*, person: Person, token: str, at: datetime) -> None:
    """Mails go to the address from now on. Errors: `CannotConfirm` for another's link, an old one, or one to a former address."""
    check_link(person, token, at).update(confirmed_at=at)


def check_link(person: Person, token: str, at: datetime) -> QuerySet[ConfirmedAddress]:
    """The address that the link confirms. Errors: `CannotConfirm`."""
    asked = ConfirmedAddress.objects.filter(
        person=person, digest=digest_of(token), address=person.email, asked_at__gt=at - LINK_LASTS
    )
    if not asked.exists():
        raise CannotConfirm(
            gettext_noop("This link confirms nothing: it is over a day old, or for another account or address.")
        )
    return asked
