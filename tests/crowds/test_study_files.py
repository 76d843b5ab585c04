"""Studies in a campaign file, in the form of the page, and what neither can say."""

from decimal import Decimal

import pytest
from django.utils import timezone

from audit.models import TrailLine
from campaigns.actions import load_campaign
from campaigns.actions.load_report import LoadReport
from campaigns.campaign_file.dumping import file_of
from campaigns.campaign_file.reader import read_campaign_file
from campaigns.campaign_file.study_specs import PARAMETERS
from crowds.actions.declaring import compare_studies
from crowds.models import CrowdStudy
from crowds.study_form import shown_study, spec_of_form
from participants.adapters import PROTOCOLS
from reading.checking import BadFile, BadForm
from tests.conftest import SMALL_CAMPAIGN
from tests.crowds.conftest import CODES, ITEM, PID, comes, spec

pytestmark = pytest.mark.django_db
ROW = """
[[studies]]
key = "wave-1"
role = "tester"
platform = "mturk"
quota = 3
needed = 2
minutes = 10
pay = "2.50"
currency = "USD"
attention = [{question = "a?", right = "b", wrong = ["c"]}]
"""


def load(text):
    return load_campaign(spec=read_campaign_file("c.toml", (SMALL_CAMPAIGN + text).encode(), PROTOCOLS))


def test_a_file_makes_a_draft_and_a_second_load_changes_nothing(campaign):
    load(ROW)
    study = CrowdStudy.objects.get()
    assert (study.state, str(study.pay), study.minutes_at_most) == ("draft", "2.50", 30)
    assert study.names == type(study.names)(*PARAMETERS["mturk"])
    assert load(ROW)[1] == []
    assert any("minutes" in change for change in load(ROW.replace("minutes = 10", "minutes = 12"))[1])
    load(ROW.replace('"2.50"', '"3.00"'))
    of_studies = TrailLine.objects.filter(act__startswith="study.").order_by("number")
    assert [(line.act, line.details["pay"]) for line in of_studies] == [
        ("study.made", "2.50"),
        ("study.changed", "2.50"),
        ("study.changed", "3.00"),
    ]


def test_what_somebody_agreed_to_cannot_be_changed_by_a_file(campaign, make):
    comes(make())
    with pytest.raises(BadFile) as bad:
        load(ROW)
    assert "[[studies]] 1" in str(bad.value)


def test_an_open_study_stays_one_that_may_be_open(campaign, make):
    study = make()
    of_it = ROW.replace('"mturk"', '"prolific"')
    for free in (of_it.replace('"2.50"', "0"), of_it.replace('"tester"', '"reviewer"') + "screening_percent = 80\n"):
        with pytest.raises(BadFile) as bad:
            load(free)
        assert "[[studies]] 1" in str(bad.value)
        study.refresh_from_db()
        assert (str(study.pay), study.role) == ("6.00", "tester")


def test_who_begins_while_a_file_is_compared_keeps_their_terms(campaign, make):
    study, report = make(), LoadReport()
    compare_studies(campaign, [spec(pay=Decimal(1))], report, None, timezone.now())
    comes(study)
    with pytest.raises(BadFile):
        report.store()
    study.refresh_from_db()
    assert str(study.pay) == "6.00"


def test_the_dump_holds_the_study_and_neither_codes_nor_people(campaign, make):
    study = make(attention=(ITEM,), attention_wrong_at_most=1)
    arrival = comes(study)
    for with_secrets in (False, True):
        text = file_of(campaign, "toml", with_secrets=with_secrets)
        assert 'key = "wave-1"' in text
        for secret in (*CODES.values(), PID, arrival.person.username, study.door):
            assert secret not in text


def test_a_dump_loads_as_nothing_new(campaign, make):
    make(attention=(ITEM,), screening_percent=None, excludes=("small",), at_once=2, bonus=1)
    text = file_of(campaign, "toml", with_secrets=True)
    assert load_campaign(spec=read_campaign_file("c.toml", text.encode(), PROTOCOLS))[1] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("return_url", '"http://app.prolific.com/"'),
        ("return_url", '"https://{participant}.example.org/"'),
        ("return_url", '"https://example.org:8443/"'),
        ("return_url", '"https://user:pass@example.org/"'),
        ("return_url", '"https://example.org/?x={password}"'),
        ("return_url", '"https://localhost/"'),
        ("bonus", '"1.234"'),
        ("bonus", "-1"),
        ("excludes", '["no such campaign"]'),
        ("excludes", '["elsewhere"]'),
        ("participant_parameter", '"a&b"'),
        ("at_once", "0"),
    ],
)
def test_what_a_study_cannot_say_is_named_with_its_place(campaign, field, value):
    with pytest.raises(BadFile) as bad:
        load(f"{ROW}{field} = {value}\n")
    assert f"[[studies]] 1 {field}" in str(bad.value)


def test_the_form_shows_what_it_stores(make, campaign):
    study = make(attention=(ITEM,), bonus=2, excludes=("small",))
    spec = spec_of_form(shown_study(study))
    assert spec.attention == (ITEM,)
    assert (spec.quota, spec.needed, str(spec.pay), spec.excludes) == (2, 2, "6.00", ("small",))
    with pytest.raises(BadForm, match="quota"):
        spec_of_form({**shown_study(study), "quota": "many"})
