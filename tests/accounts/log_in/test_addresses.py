"""From which address a request came, and whose word that is."""

import pytest

from accounts.log_in.guesses import address_behind, network_of, valid_address

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
