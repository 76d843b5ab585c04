"""What is said of a service: a URL, and a secret that is kept, replaced or forgotten."""

import pytest

from automatic_tasks.services.form import read_service, said_in, wrong_fields
from reading.checking import BadForm

URL = "https://service.example.com/labels"


def test_an_empty_secret_keeps_the_stored_one_unless_none_is_wanted():
    assert said_in({"url": f" {URL} ", "secret": ""}) == {"url": URL}
    assert said_in({"url": URL, "secret": "s3cret"}) == {"url": URL, "secret": "s3cret"}
    assert said_in({"url": URL, "secret": "s3cret", "no_secret": "1"}) == {"url": URL, "secret": ""}


def test_what_is_read_says_whether_there_is_a_secret():
    assert read_service({"url": URL}).secret is None
    assert read_service({"url": URL, "secret": ""}).secret == ""


@pytest.mark.parametrize(
    ("said", "field"),
    [({}, "url"), ({"url": ""}, "url"), ({"url": 5}, "url"), ({"url": URL, "secret": "two\nlines"}, "secret"), ({"url": URL, "more": 1}, "more")],
)  # fmt: skip
def test_each_wrong_field_is_named(said, field):
    with pytest.raises(BadForm) as bad:
        read_service(said)
    assert set(wrong_fields(bad.value.problems)) == {field}
