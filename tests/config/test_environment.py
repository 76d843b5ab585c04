import threading
import time

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import (
    MailServer,
    read_allowed_addresses,
    read_choice,
    read_flag,
    read_frame_rate,
    read_mail_server,
    read_networks,
    read_number,
    read_package_limit,
    read_site_url,
    read_storage,
    read_token,
    read_upload_limit,
    refuse_unknown_names,
)
from serving.sqlite_in_turn.base import TurnLock


def test_an_unknown_setting_stops_the_start():
    with pytest.raises(ImproperlyConfigured, match="HUACE_PROT"):
        refuse_unknown_names({"HUACE_PROT": "1", "PATH": "x"})
    refuse_unknown_names({"HUACE_DEBUG": "1"})


@pytest.mark.parametrize("value", ["maybe", "2", "ja"])
def test_a_flag_is_1_or_0(value):
    with pytest.raises(ImproperlyConfigured):
        read_flag("HUACE_DEBUG", {"HUACE_DEBUG": value})


@pytest.mark.parametrize("value", ["fast", "-1", "nan", "inf"])
def test_a_frame_rate_is_a_number_from_0(value):
    with pytest.raises(ImproperlyConfigured):
        read_frame_rate({"HUACE_FRAME_RATE": value})
    assert read_frame_rate({"HUACE_FRAME_RATE": "0"}) == 0
    assert read_frame_rate({}) == 20


@pytest.mark.parametrize("value", ["-1", "10", "one", "1.0", "１"])
def test_a_number_is_whole_and_in_its_range(value):
    with pytest.raises(ImproperlyConfigured, match="HUACE_PROXIES must be a whole number from 0 to 9"):
        read_number("HUACE_PROXIES", 0, 0, 9, {"HUACE_PROXIES": value})
    assert read_number("HUACE_PROXIES", 0, 0, 9, {"HUACE_PROXIES": "2"}) == 2
    assert read_number("HUACE_PROXIES", 0, 0, 9, {}) == 0


def test_allowed_addresses_are_host_and_port():
    allowed = read_allowed_addresses({"HUACE_OUTBOUND_ALLOW": "127.0.0.1:9001, Bots.Example:443,[::1]:80"})
    assert allowed == {("127.0.0.1", 9001), ("bots.example", 443), ("::1", 80)}


@pytest.mark.parametrize("value", ["127.0.0.1", "host:", ":80", "host:0", "host:99999", "host:８０"])
def test_an_allowed_address_without_host_and_port_stops_the_start(value):
    with pytest.raises(ImproperlyConfigured):
        read_allowed_addresses({"HUACE_OUTBOUND_ALLOW": value})


MAIL = {"HUACE_MAIL_FROM": "huace@example.org", "HUACE_SITE_URL": "https://huace.example.org"}


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("smtp://mail.example", MailServer("mail.example", 25, "", "", "", "huace@example.org")),
        ("smtp+starttls://u:p%40ss@mail.example", MailServer("mail.example", 587, "u", "p@ss", "starttls", "huace@example.org")),
        ("smtps://u:p@mail.example:2465", MailServer("mail.example", 2465, "u", "p", "tls", "huace@example.org")),
    ],
)  # fmt: skip
def test_a_mail_server_is_a_url(url, read):
    assert read_mail_server(MAIL | {"HUACE_MAIL_URL": url}) == read


def test_without_a_mail_server_no_mail_is_sent():
    assert read_mail_server({"HUACE_SITE_URL": "https://huace.example.org"}) is None


@pytest.mark.parametrize(
    "environment",
    [
        MAIL,
        {"HUACE_MAIL_URL": "smtp://mail.example", "HUACE_MAIL_FROM": "huace@example.org"},
        {"HUACE_MAIL_URL": "smtp://mail.example", "HUACE_SITE_URL": "https://huace.example.org"},
        MAIL | {"HUACE_MAIL_URL": "smtp://mail.example", "HUACE_MAIL_FROM": "nobody"},
        MAIL | {"HUACE_MAIL_URL": "smtp://mail.example", "HUACE_MAIL_FROM": "a@b\nBcc: c@d"},
        *(
            MAIL | {"HUACE_MAIL_URL": url}
            for url in ("mail.example", "http://mail.example", "smtp://", "smtp://u@mail.example", "smtp://[", "smtp://h:x",
                        "smtp://h/x", "smtp://h?tls=1")
        ),
    ],
)  # fmt: skip
def test_a_mail_server_that_cannot_be_read_stops_the_start(environment):
    with pytest.raises(ImproperlyConfigured):
        read_mail_server(environment)


def test_what_is_wrong_with_a_mail_server_is_said_without_its_password():
    with pytest.raises(ImproperlyConfigured) as wrong:
        read_mail_server(MAIL | {"HUACE_MAIL_URL": "smpt://u:canary@mail.example"})
    assert "canary" not in str(wrong.value)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://huace.example.org", "https://huace.example.org"),
        ("https://huace.example.org/", "https://huace.example.org"),
        (" https://huace.example.org", "https://huace.example.org"),
        ("https://Huace.Example.org:443", "https://huace.example.org"),
        ("http://huace.example.org:8080", "http://huace.example.org:8080"),
        ("https://话测.example.cn", "https://xn--0zw156d.example.cn"),
        ("https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443"),
    ],
)
def test_the_site_is_an_origin_as_browsers_name_it(url, origin):
    assert read_site_url({"HUACE_SITE_URL": url}) == origin
    assert read_site_url({}) == ""


@pytest.mark.parametrize(
    "url", ["huace.example.org", "ftp://h", "https://h/x", "https://u:p@h", "https://h?x", "https://h:x"]
)
def test_another_site_stops_the_start(url):
    with pytest.raises(ImproperlyConfigured):
        read_site_url({"HUACE_SITE_URL": url})


def test_writers_take_turns_in_the_order_in_which_they_came():
    lock, order = TurnLock(), []
    lock.acquire(1)

    def wait(number: int) -> None:
        assert lock.acquire(5)
        order.append(number)
        lock.release()

    threads = []
    for number in range(5):
        threads.append(threading.Thread(target=wait, args=[number]))
        threads[-1].start()
        time.sleep(0.02)
    lock.release()
    for thread in threads:
        thread.join()
    assert order == list(range(5))


def test_a_writer_that_waits_too_long_gives_up_its_place():
    lock = TurnLock()
    lock.acquire(1)
    assert not lock.acquire(0.01)
    lock.release()
    assert lock.acquire(0.01)


@pytest.mark.parametrize("value", ["0", "-1", "2.5", "２", "1e3", "", "2000", "lots"])
def test_an_upload_limit_that_is_none_stops_the_start(value):
    with pytest.raises(ImproperlyConfigured, match="HUACE_UPLOAD_MB"):
        read_upload_limit({"HUACE_UPLOAD_MB": value})
    assert read_upload_limit({"HUACE_UPLOAD_MB": "20"}) == 20 * 1024 * 1024
    assert read_upload_limit({}) == 2 * 1024 * 1024
    with pytest.raises(ImproperlyConfigured, match="HUACE_PACKAGE_MB"):
        read_package_limit({"HUACE_PACKAGE_MB": value})
    assert read_package_limit({}) == 64 * 1024 * 1024


def test_a_choice_is_one_of_its_words():
    with pytest.raises(ImproperlyConfigured, match="must be one of nobody, organizers, not 'all'"):
        read_choice("HUACE_X", ("nobody", "organizers"), {"HUACE_X": "all"})
    assert read_choice("HUACE_X", ("nobody", "organizers"), {}) == "nobody"


@pytest.mark.parametrize("token", ["short", "with a space in it", "mit-Umlaut-äöü-und-lang"])
def test_a_token_that_no_header_could_carry_or_that_is_short_is_refused(token):
    with pytest.raises(ImproperlyConfigured, match="16 characters"):
        read_token("HUACE_METRICS_TOKEN", {"HUACE_METRICS_TOKEN": token})


def test_a_token_is_what_was_given_and_none_without():
    assert read_token("HUACE_METRICS_TOKEN", {"HUACE_METRICS_TOKEN": " a-token-of-sixteen "}) == "a-token-of-sixteen"
    assert read_token("HUACE_METRICS_TOKEN", {}) == ""


def test_networks_are_read_and_anything_else_is_refused():
    found = read_networks("HUACE_METRICS_FROM", {"HUACE_METRICS_FROM": "10.0.0.7, fd00::/8"})
    assert [str(one) for one in found] == ["10.0.0.7/32", "fd00::/8"]
    with pytest.raises(ImproperlyConfigured, match=r"10\.0\.0\.7/8"):
        read_networks("HUACE_METRICS_FROM", {"HUACE_METRICS_FROM": "10.0.0.7/8"})


def test_the_address_of_storage_is_read_part_by_part():
    assert read_storage({}) is None
    assert read_storage({"HUACE_STORAGE_URL": "s3://k:a%2Fb@s.example.org:9000/huace/a/b?region=eu-central-1"}) == {
        "endpoint_url": "https://s.example.org:9000", "access_key": "k", "secret_key": "a/b",
        "bucket_name": "huace", "location": "a/b", "region_name": "eu-central-1",
    }  # fmt: skip
    plain = read_storage({"HUACE_STORAGE_URL": "s3+http://k:s@[::1]/huace"})
    assert (plain["endpoint_url"], plain["location"], plain["region_name"]) == ("http://[::1]", "", "us-east-1")


@pytest.mark.parametrize(
    "url",
    [
        "https://k:hidden@h/b",
        "s3://h/b",
        "s3://k:hidden@h",
        "s3://k@h/b",
        "s3://k:hidden@h/b?rgion=x",
        "s3://k:hidden@h:x/b",
        "s3://k:hidden@h/b#c",
    ],
)
def test_a_bad_address_of_storage_stops_the_start_without_its_secret(url):
    with pytest.raises(ImproperlyConfigured, match="HUACE_STORAGE_URL must be") as refusal:
        read_storage({"HUACE_STORAGE_URL": url})
    assert "hidden" not in str(refusal.value)
