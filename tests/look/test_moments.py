"""Moments are written on the clocks of one zone, which its offset names."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.utils import timezone

from look.moments import moment_on, offset_of, time_element

AT = datetime(2026, 12, 4, 0, 30, tzinfo=UTC)
SUMMER = datetime(2026, 7, 4, 0, 30, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "at", "written"),
    [
        ("Asia/Shanghai", AT, "2026-12-04 08:30 (UTC+08:00)"),
        ("Europe/Berlin", AT, "2026-12-04 01:30 (UTC+01:00)"),
        ("Europe/Berlin", SUMMER, "2026-07-04 02:30:05 (UTC+02:00)"),
        ("America/St_Johns", AT, "2026-12-03 21:00 (UTC-03:30)"),
        ("UTC", AT, "2026-12-04 00:30 (UTC+00:00)"),
    ],
)
def test_a_moment_is_on_its_zones_clocks_with_the_offset_of_that_day(zone, at, written):
    assert moment_on(ZoneInfo(zone), at) == written


def test_a_form_says_how_much_of_it_is_written():
    assert moment_on(ZoneInfo("Asia/Shanghai"), SUMMER, "m-d H:i") == "07-04 08:30 (UTC+08:00)"
    assert offset_of(AT) == "UTC+00:00"


def test_on_pages_it_is_an_element_that_scripts_can_read():
    assert time_element(ZoneInfo("Asia/Shanghai"), AT) == (
        '<time class="moment" datetime="2026-12-04T00:30:00+00:00">2026-12-04 08:30 (UTC+08:00)</time>'
    )


def test_templates_write_it_on_the_clocks_of_the_request():
    template = Template("{{ at|moment_text }} {{ at|offset }} {{ none|moment }}{{ none|moment_text }}|{{ at|moment }}")
    with timezone.override(ZoneInfo("Europe/Berlin")):
        text, element = template.render(Context({"at": AT, "none": None})).split("|")
    assert text == "2026-12-04 01:30 (UTC+01:00) UTC+01:00 "
    assert ">2026-12-04 01:30 (UTC+01:00)</time>" in element
