"""Which addresses beyond the public ones systems may be called at: allowed, taken back."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from participants.allowed_addresses import CannotAllow, check_port, place_of
from participants.models import AllowedAddress
from participants.trail_acts import ADDRESS_ALLOWED, ADDRESS_TAKEN_BACK

# Each is compared with every address that is called.
ADDRESSES_AT_MOST = 200


@transaction.atomic
def allow_address(*, place: str, port: int, by: Person, at: datetime) -> AllowedAddress:
    """Every process knows within seconds. Errors: `CannotAllow`."""
    place = place_of(place)
    check_port(place, port)
    if AllowedAddress.objects.count() >= ADDRESSES_AT_MOST:
        raise CannotAllow(
            gettext_noop("At most %(n)d addresses are allowed here: allow a network."), n=ADDRESSES_AT_MOST
        )
    try:
        with transaction.atomic():
            allowed = AllowedAddress.objects.create(place=place, port=port, added_at=at)
    except IntegrityError:
        raise CannotAllow(gettext_noop("This address is allowed already.")) from None
    record(ADDRESS_ALLOWED, by=by, at=at, about=str(allowed))
    return allowed


@transaction.atomic
def take_address_back(*, allowed: AllowedAddress, by: Person, at: datetime) -> None:
    """Kept connections end with their next call; a call that is under way is not broken off."""
    n_removed, _of = AllowedAddress.objects.filter(pk=allowed.pk).delete()
    if n_removed:
        record(ADDRESS_TAKEN_BACK, by=by, at=at, about=str(allowed))
