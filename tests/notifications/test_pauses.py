from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings

from notifications.pauses import MAIL_TAKES_AT_MOST, PAUSES, TRIES_AT_MOST, next_digest, pause_after
from notifications.postman import LONGEST_S

SHANGHAI = ZoneInfo("Asia/Shanghai")


def test_pauses_grow_and_end():
    pauses = [pause_after(n) for n in range(1, TRIES_AT_MOST + 1)]
    assert pauses == sorted(pauses)
    assert len(pauses) == 7
    assert pauses[0].total_seconds() == 60


def test_no_try_takes_longer_than_the_shortest_pause():
    """Else a second process would send what the first is still sending."""
    assert min(PAUSES).total_seconds() > LONGEST_S
    assert MAIL_TAKES_AT_MOST.total_seconds() >= 10 * settings.EMAIL_TIMEOUT


def test_a_digest_goes_out_at_eight_of_the_site():
    assert next_digest(datetime(2026, 3, 1, 7, 59, tzinfo=SHANGHAI), SHANGHAI) == datetime(
        2026, 3, 1, 8, tzinfo=SHANGHAI
    )
    assert next_digest(datetime(2026, 3, 1, 8, 0, tzinfo=SHANGHAI), SHANGHAI) == datetime(
        2026, 3, 2, 8, tzinfo=SHANGHAI
    )
    in_utc = datetime(2026, 2, 28, 23, 30, tzinfo=ZoneInfo("UTC"))
    assert next_digest(in_utc, SHANGHAI) == datetime(2026, 3, 1, 8, tzinfo=SHANGHAI)
