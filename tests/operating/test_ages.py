"""An age is one figure, in a unit that still says something."""

from datetime import UTC, datetime, timedelta

from django.utils import translation

from operating.templatetags.ages import age_at

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


def test_an_age_has_one_figure():
    with translation.override("en"):
        assert age_at(NOW - timedelta(hours=47), NOW) == "47 hours ago"
        # The clock of another machine may be a little ahead.
        assert age_at(NOW + timedelta(seconds=3), NOW) == "0 minutes ago"
