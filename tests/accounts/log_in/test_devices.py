"""Browsers that somebody got in with."""

from django.core import signing
from django.http import HttpResponse
from django.test import RequestFactory

from accounts.log_in.guesses import COOKIE, N_NAMES, device_of, digest_of, remember_device

ANN, BOB = digest_of("ann"), digest_of("bob")


def with_cookie(value=""):
    request = RequestFactory().get("/")
    request.COOKIES[COOKIE] = value
    return request


def remembered(*names):
    value = ""
    for name in names:
        response = HttpResponse()
        remember_device(with_cookie(value), response, name)
        value = response.cookies[COOKIE].value
    return value


def test_a_browser_is_known_for_the_accounts_it_got_into_and_no_others():
    request = with_cookie(remembered(ANN))
    assert len(device_of(request, ANN)) == 22
    assert device_of(request, BOB) == ""


def test_a_browser_of_several_people_keeps_its_mark():
    first, second = with_cookie(remembered(ANN)), with_cookie(remembered(ANN, BOB))
    assert device_of(second, ANN) == device_of(second, BOB) != ""
    assert device_of(first, ANN) != device_of(second, ANN)


def test_a_cookie_that_somebody_made_up_is_as_none():
    assert device_of(with_cookie("made:up:cookie"), ANN) == ""
    assert device_of(with_cookie(remembered(ANN)[:-2] + "xx"), ANN) == ""


def test_a_browser_of_a_whole_room_remembers_who_used_it_last():
    many = [digest_of(str(number)) for number in range(N_NAMES + 1)]
    request = with_cookie(remembered(*many))
    assert device_of(request, many[0]) == ""
    assert device_of(request, many[1]) != ""


def test_no_script_reads_the_cookie_and_no_other_site_sends_it():
    response = HttpResponse()
    remember_device(with_cookie(), response, ANN)
    assert response.cookies[COOKIE]["httponly"]
    assert response.cookies[COOKIE]["samesite"] == "Lax"


def test_a_name_is_stored_as_a_digest():
    assert "ann" not in digest_of("ann")
    assert len(digest_of("a" * 500)) == 32


def test_a_browser_that_an_earlier_release_marked_is_still_known():
    marked = signing.dumps({"device": "d" * 22, "names": [ANN]}, salt="accounts.log_in.devices")
    assert device_of(with_cookie(marked), ANN) == "d" * 22
