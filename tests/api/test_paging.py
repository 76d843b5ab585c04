"""Pages of lists: stable, bounded, with headers that lead on; parameters are read strictly."""

from datetime import UTC, datetime

import pytest
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from api.paging import SINCE, asked_in, page_of


def asking(query: str) -> Request:
    return Request(APIRequestFactory().get(f"/api/v1/things/?{query}"))


def test_without_a_word_it_is_the_first_page():
    page = page_of(asking(""), list(range(3)))
    assert (page.rows, page.count, page.number, page.pages) == ([0, 1, 2], 3, 1, 1)
    assert page.headers["X-Total-Count"] == "3"
    assert "next" not in page.headers["Link"]


def test_headers_lead_to_the_other_pages_with_the_same_filters():
    page = page_of(asking("state=done&per_page=2&page=2"), list(range(5)))
    assert page.rows == [2, 3]
    assert '</api/v1/things/?state=done&per_page=2&page=3>; rel="next"' in page.headers["Link"]
    assert '</api/v1/things/?state=done&per_page=2&page=1>; rel="prev"' in page.headers["Link"]
    assert '</api/v1/things/?state=done&per_page=2&page=3>; rel="last"' in page.headers["Link"]


@pytest.mark.parametrize(
    "query", ["page=0", "page=-1", "page=2", "page=one", "page=１", "page=" + "9" * 25, "per_page=0", "per_page=1001"]
)
def test_a_page_that_there_is_not_is_refused_by_its_name(query):
    with pytest.raises(ValidationError) as refused:
        page_of(asking(query), [1])
    assert list(refused.value.detail) == [query.partition("=")[0]]


def test_a_list_may_have_shorter_pages_than_others():
    page = page_of(asking(""), list(range(5)), most=2)
    assert (page.rows, page.pages) == ([0, 1], 3)
    assert page_of(asking("per_page=1"), list(range(5)), most=2).rows == [0]
    with pytest.raises(ValidationError):
        page_of(asking("per_page=3"), list(range(5)), most=2)


def test_a_time_needs_its_zone():
    assert asked_in(asking("since=2026-03-01T09:00:00Z"), {"since": SINCE})["since"] == datetime(
        2026, 3, 1, 9, tzinfo=UTC
    )
    for wrong in (
        "2026-03-01T09:00:00", "yesterday", "", "0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-14:00",
    ):  # fmt: skip
        with pytest.raises(ValidationError):
            asked_in(asking(f"since={wrong}"), {"since": SINCE})


def test_parameters_that_nobody_declared_are_passed_over():
    assert asked_in(asking("elsewhere=1"), {"since": SINCE}) == {}
