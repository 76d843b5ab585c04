from datetime import UTC, datetime

import pytest
from django.utils import translation

from campaigns.calendar import DATES, Dates
from campaigns.campaign_file.calendar_settings import OutOfOrder
from organizing.setting_up.calendar_form import form_of, read_form


def test_the_form_shows_dates_on_the_clocks_of_the_campaign_and_reads_them_back():
    dates = Dates(
        time_zone="Europe/Berlin",
        testing_from=datetime(2026, 7, 1, 10, tzinfo=UTC),
        testing_until=datetime(2026, 12, 1, 10, 0, 30, tzinfo=UTC),
    )
    form = form_of(dates)
    assert (form.typed["testing_from"], form.typed["testing_until"]) == ("2026-07-01T12:00", "2026-12-01T11:00:30")
    read = read_form(dict(form.typed), "Europe/Berlin")
    assert (read.wrong, read.dates) == ({}, {name: getattr(dates, name) for name in DATES})


@pytest.mark.parametrize(
    "typed", ["soon", "2026-03-01", "2026-13-01T00:00", "2026-03-01T09:00+08:00", "1999-01-01T00:00"]
)
def test_what_is_no_date_is_named_beside_its_field_and_stays_typed(typed):
    form = read_form({"ends_at": typed}, "Asia/Shanghai")
    assert list(form.wrong) == ["ends_at"]
    shown = {field.name: field for field in form.fields()}
    assert (shown["ends_at"].typed, bool(shown["ends_at"].wrong)) == (typed, True)


def test_an_hour_that_the_clocks_skip_is_no_time():
    with translation.override("en"):
        form = read_form({"ends_at": "2026-03-29T02:30"}, "Europe/Berlin")
    assert form.wrong == {"ends_at": "The clocks of this time zone skip this time."}


def test_an_unknown_time_zone_is_named():
    assert list(read_form({"time_zone": "Mars/Olympus"}, "UTC").wrong) == ["time_zone"]


def test_dates_out_of_order_are_named_by_their_labels():
    form = read_form({}, "UTC")
    with translation.override("en"):
        form.complain_of_order([OutOfOrder("testing_from", "testing_until")])
    assert form.wrong == {"testing_until": "must come after “Testing from”"}


@pytest.mark.parametrize(
    ("typed", "zone"), [("0001-01-01T00:00", "Asia/Shanghai"), ("9999-12-31T23:59", "America/New_York")]
)
def test_the_ends_of_time_are_no_dates(typed, zone):
    assert list(read_form({"ends_at": typed}, zone).wrong) == ["ends_at"]
