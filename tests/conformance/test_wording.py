import pytest
from django.utils import translation
from django.utils.translation import gettext

from config.environment import read_allowed_addresses
from conformance.documents import Row
from conformance.probes import NAMES, TIME
from conformance.results import UNFINISHED, Result, Verdict
from conformance.wording import WORDING
from participants.bot_urls import check_bot_url
from participants.failure_sentences import NOT_PUBLIC
from reading.findings import Finding
from reading.kinds import Wrong


def test_every_probe_has_a_name_and_says_what_to_do():
    assert set(NAMES) | {TIME, UNFINISHED, "labels", "batch"} == set(WORDING)
    assert all(wording.title and wording.advice.endswith(".") for wording in WORDING.values())


def test_a_system_that_dials_out_is_not_asked_to_open_a_port():
    advice = WORDING["reachable"].advice_for("dial-out")
    assert "no port has to be opened" in advice
    assert "organizers" in advice
    assert "firewall" not in advice
    assert "status 200" not in WORDING["status"].advice_for("dial-out")
    row = Row(Result("reachable", Verdict.FAIL, Finding("", "It is not connected.")), "dial-out")
    assert row.advice == advice
    assert "open the port in the firewall" in WORDING["reachable"].advice_for("huace/1")


@pytest.mark.parametrize(
    ("language", "who"),
    [("en", ("staff of this installation", "Allowed addresses")), ("zh-hans", ("平台管理员", "允许的地址"))],
)
def test_a_refused_address_says_who_can_allow_it_and_how(language, who):
    with translation.override(language), pytest.raises(Wrong) as wrong:
        check_bot_url("http://10.0.0.5:8000/chat", ())
    with translation.override(language):
        refused = wrong.value.at("url").message
        called = gettext(NOT_PUBLIC)
        said = (refused, called)
    assert "10.0.0.5:8000" in refused
    for text in said:
        assert all(word in text for word in who), text
    assert check_bot_url("http://10.0.0.5:8000/chat", [("10.0.0.5", 8000)])


def test_the_entry_to_ask_for_is_one_that_the_setting_reads():
    with pytest.raises(Wrong) as wrong:
        check_bot_url("http://[fd00::5]:8000/", ())
    entry = wrong.value.at("url").values["entry"]
    assert read_allowed_addresses({"HUACE_OUTBOUND_ALLOW": entry}) == {("fd00::5", 8000)}
