"""From which budgets a guess is taken."""

import pytest
from django.core import signing
from django.http import HttpResponse
from django.test import RequestFactory

from accounts.log_in.guesses import (
    COOKIE,
    N_NAMES,
    Guess,
    address_behind,
    budgets_of,
    device_of,
    digest_of,
    network_of,
    remember_device,
    valid_address,
)


def test_a_strange_browser_is_held_by_account_and_network_by_account_and_by_network():
    limits = {tuple(sorted(budget.fields)): budget.limit for budget in budgets_of(Guess("n", "10.0.0.1"))}
    assert limits == {("device", "name", "network"): 5, ("device", "name"): 30, ("device", "network"): 100}


def test_a_known_browser_has_a_budget_that_nobody_elsewhere_uses_up():
    (budget,) = budgets_of(Guess("n", "10.0.0.1", "mine"))
    assert budget.fields == {"name": "n", "device": "mine"}


DIRECT = {"REMOTE_ADDR": "192.0.2.7"}


def through(*forwarded):
    return DIRECT | {"HTTP_X_FORWARDED_FOR": ", ".join(forwarded)}


def test_without_a_proxy_of_ours_nobody_chooses_their_address():
    assert address_behind(through("203.0.113.9"), 0) == "192.0.2.7"


def test_behind_one_proxy_the_address_is_what_that_proxy_saw_not_what_the_client_said():
    assert address_behind(through("1.1.1.1", "203.0.113.9"), 1) == "203.0.113.9"


def test_behind_two_proxies_the_outer_one_is_believed():
    assert address_behind(through("1.1.1.1", "203.0.113.9", "10.0.0.2"), 2) == "203.0.113.9"


@pytest.mark.parametrize("forwarded", [(), ("203.0.113.9",), ("nonsense", "10.0.0.2")])
def test_a_header_that_did_not_pass_all_proxies_is_not_believed(forwarded):
    assert address_behind(through(*forwarded), 2) == "192.0.2.7"


@pytest.mark.parametrize(
    ("text", "address"), [("::ffff:192.0.2.7", "192.0.2.7"), ("2001:DB8:0::1", "2001:db8::1"), ("unix:", ""), ("", "")]
)
def test_an_address_has_one_form(text, address):
    assert valid_address(text) == address


def test_a_subscriber_of_ipv6_cannot_take_another_address_for_each_guess():
    assert network_of("2001:db8:1:2::1") == network_of("2001:db8:1:2:ffff::9") == "2001:0db8:0001:0002"
    assert network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("") == ""


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
