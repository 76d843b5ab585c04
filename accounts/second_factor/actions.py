"""What can be done with a second factor: set it up, use it, end it."""

from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import ApiToken, Person
from accounts.second_factor.codes import as_typed, digest_of_code, fresh_codes
from accounts.trail_acts import BACKUP_CODES_MADE, SECOND_FACTOR_ENDED, SECOND_FACTOR_RESET, SECOND_FACTOR_SET
from audit.actions import record


class ReasonNeeded(ValueError):
    """A reset needs a reason for the readers of the trail."""


@transaction.atomic
def begin_set_up(*, person: Person) -> TOTPDevice:
    """A new secret that counts for nothing before a code proves that an app has it; an older unproved one is dropped."""
    Person.objects.select_for_update().get(pk=person.pk)
    TOTPDevice.objects.filter(user=person, confirmed=False).delete()
    return TOTPDevice.objects.create(user=person, name="app", confirmed=False)


@dataclass(frozen=True, slots=True)
class TurnedOn:
    """The backup codes, which are stored nowhere, and how many API tokens ended."""

    codes: list[str]
    n_tokens: int


@transaction.atomic
def finish_set_up(
    *,
    person: Person,
    code: str,
    session_key: str = "",
    token: ApiToken | None = None,
    tokens: QuerySet[ApiToken] | None = None,
) -> TurnedOn | None:
    """Turns the second factor on; None if the code is wrong.

    All other logins end, those of programs, too: they were opened by the password alone. The session or the `token` that
    brought the code stays. `tokens` are further ones that the person ends.
    """
    device = TOTPDevice.objects.select_for_update().filter(user=person, confirmed=False).first()
    if device is None or person.has_second_factor or not device.verify_token(as_typed(code)):
        return None
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    forget_factor(person)
    log_ins = list(person.log_ins.exclude(session_id=session_key))
    Session.objects.filter(log_in__in=log_ins).delete()
    of_log_in = person.valid_tokens(timezone.now()).filter(is_of_log_in=True).exclude(pk=token.pk if token else None)
    n_of_log_in = of_log_in.delete()[0]
    n_others = 0 if tokens is None else tokens.delete()[0]
    ended = {"log_ins": len(log_ins), "tokens_of_log_in": n_of_log_in, "other_tokens": n_others}
    turned_on = TurnedOn(_new_codes(person), n_of_log_in + n_others)
    record(SECOND_FACTOR_SET, by=person, about=person.username, details=ended)
    return turned_on


@transaction.atomic
def renew_backup_codes(*, person: Person) -> list[str]:
    """New backup codes; the old ones stop working."""
    codes = _new_codes(person)
    record(BACKUP_CODES_MADE, by=person, about=person.username)
    return codes


@transaction.atomic
def use_code(*, person: Person, code: str) -> bool:
    """Whether the code is the app's of this half minute, or a backup code; each is good once."""
    typed = as_typed(code)
    for device in TOTPDevice.objects.select_for_update().filter(user=person, confirmed=True):
        if typed.isascii() and typed.isdigit() and device.verify_token(typed):
            return True
    backup = StaticDevice.objects.select_for_update().filter(user=person, confirmed=True).first()
    return backup is not None and backup.verify_token(_digest_among(backup, typed))


@transaction.atomic
def end_second_factor(*, person: Person) -> None:
    """The person turns it off themselves."""
    _delete_devices(person)
    record(SECOND_FACTOR_ENDED, by=person, about=person.username)


@transaction.atomic
def reset_second_factor(*, person: Person, by: Person | None, because: str, campaign: str = "") -> None:
    """For somebody who lost the app and the backup codes: the password alone lets them in again. Errors: `ReasonNeeded`."""
    if not because.strip():
        raise ReasonNeeded
    _delete_devices(person)
    record(SECOND_FACTOR_RESET, by=by, campaign=campaign, about=person.username, because=because.strip())


def forget_factor(person: Person) -> None:
    """Makes `person.has_second_factor` read again."""
    # By its name: the person of a request is a proxy, whose own `__dict__` holds nothing.
    with suppress(AttributeError):
        del person.has_second_factor


def _digest_among(backup: StaticDevice, typed: str) -> str:
    """The code's digest by the key under which it is stored; a key that was replaced still opens what it closed."""
    digests = [digest_of_code(typed, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    known = backup.token_set.filter(token__in=digests).values_list("token", flat=True).first()
    return known or digests[0]


def _new_codes(person: Person) -> list[str]:
    codes = fresh_codes()
    StaticDevice.objects.filter(user=person).delete()
    backup = StaticDevice.objects.create(user=person, name="backup")
    for code in codes:
        backup.token_set.create(token=digest_of_code(code, settings.SECRET_KEY))
    return codes


def _delete_devices(person: Person) -> None:
    TOTPDevice.objects.filter(user=person).delete()
    StaticDevice.objects.filter(user=person).delete()
    forget_factor(person)
