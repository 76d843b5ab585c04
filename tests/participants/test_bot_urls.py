"""What whoever types a bot's URL learns before anything is stored or called."""

import pytest

from participants.bot_urls import check_bot_url, check_service_url, named_host
from reading.kinds import Wrong
from serving import own_host


@pytest.mark.parametrize(
    "url",
    ["https://bot.example.com/chat", " http://8.8.8.8:9000/ ", "http://[2606:4700::1111]/", "https://机器人.中国/"],
)
def test_a_public_url_is_stored_as_it_was_typed(url):
    assert check_bot_url(url, ()) == url.strip()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "must not be empty"),
        ("ftp://bot.example.com/", "must start with"),
        ("bot.example.com", "must start with"),
        ("http://", "names no host"),
        ("http://:80/", "names no host"),
        ("http://me:pw@bot.example.com/", "user name or password"),
        ("http://bot.example.com:22/", "port 22"),
        ("http://bot.example.com:6379/", "port 6379"),
        ("http://bot.example.com:99999/", "cannot be read"),
        ("http://[::1/", "cannot be read"),
        ("http://a b/", "space"),
    ],
)
def test_what_no_bot_needs_is_refused_with_the_reason(url, said):
    with pytest.raises(Wrong, match=said):
        check_bot_url(url, ())


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "10.0.0.8", "192.168.1.2", "169.254.169.254", "0", "[::1]",
        "[::ffff:127.0.0.1]", "[fe80::1%25eth0]", "[64:ff9b::7f00:1]", "localhost", "LOCALHOST.", "bot.localhost", "nas.local", "metadata.google.internal",
    ],
)  # fmt: skip
def test_a_private_address_is_refused_however_it_is_spelled(host):
    with pytest.raises(Wrong, match="private network"):
        check_bot_url(f"http://{host}/", ())


def test_a_service_is_called_over_http_alone():
    assert check_service_url(" https://service.example.com/labels ", ()) == "https://service.example.com/labels"
    for url in ("ws://service.example.com/", "wss://service.example.com/"):
        with pytest.raises(Wrong, match="must start with http:// or https://"):
            check_service_url(url, ())
    with pytest.raises(Wrong, match="private network"):
        check_service_url("http://10.0.0.8/", ())


def test_what_the_site_lets_through_passes_on_that_port_alone():
    allowed = {("127.0.0.1", 9001), ("bots.local", 22)}
    assert check_bot_url("http://127.0.0.1:9001/", allowed)
    assert check_bot_url("http://Bots.local:22/x", allowed)
    with pytest.raises(Wrong):
        check_bot_url("http://127.0.0.1:9002/", allowed)


@pytest.mark.parametrize("host", ["169.254.169.254", "0xa9fea9fe", "[::ffff:169.254.169.254]", "100.100.100.200"])
def test_no_site_lets_a_metadata_service_through(host):
    named = host.strip("[]")
    with pytest.raises(Wrong, match="never called"):
        check_bot_url(f"http://{host}/latest/", {(named, 80)})


def test_a_name_that_only_begins_like_an_inner_one_is_a_name():
    assert check_bot_url("https://localhost.example.com/", ())


@pytest.mark.parametrize(
    "url", ["http://2130706433:8123/", "http://127.0.0.1:8123/x", "https://Huace.example.org./api/"]
)
def test_the_platforms_own_address_is_refused_however_it_is_written_or_allowed(url, settings, monkeypatch):
    settings.ALLOWED_HOSTS = ["huace.example.org"]
    monkeypatch.setattr(own_host, "_listening", {8123})
    for check in (check_bot_url, check_service_url):
        with pytest.raises(Wrong, match="address of this platform"):
            check(url, {("127.0.0.1", 8123)})
    with pytest.raises(Wrong, match="private network"):
        check_bot_url("http://127.0.0.1:8124/", ())


def test_a_host_is_a_name_that_tells_whose_it_is():
    told = {
        "https://Bots.Alpha.Example:8443/chat": "bots.alpha.example", "http://机器人.中国/": "机器人.中国",
        "http://8.8.8.8/": "", "http://127.1/": "", "http://[::1]/": "", "http://rasa:5005/": "", "": "", "http://[": "",
    }  # fmt: skip
    assert {url: named_host(url) for url in told} == told
