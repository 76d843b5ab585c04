"""Times that organizers ask by: with their zone or in the site's, and None for what is none."""

from datetime import UTC, datetime

import pytest

from organizing.dialogues.filters import moment_of


@pytest.mark.parametrize(
    ("said", "moment"),
    [
        ("2026-03-01T09:00", datetime(2026, 3, 1, 1, tzinfo=UTC)),
        ("2026-03-01", datetime(2026, 2, 28, 16, tzinfo=UTC)),
        ("2026-03-01T09:00:00Z", datetime(2026, 3, 1, 9, tzinfo=UTC)),
        ("2026-03-01T09:00:00+02:00", datetime(2026, 3, 1, 7, tzinfo=UTC)),
        ("", None),
        ("tomorrow", None),
        ("2026-02-30T09:00", None),
        ("0001-01-01T00:00", None),
        ("9999-12-31T23:59:59-12:00", None),
    ],
)
def test_a_time_without_a_zone_is_the_sites(settings, said, moment):
    settings.TIME_ZONE = "Asia/Shanghai"
    assert moment_of(said) == moment
