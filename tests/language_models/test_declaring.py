"""Models are declared by a file, in the browser and over the API; the same rules hold everywhere."""

from decimal import Decimal

import pytest
from django.utils import timezone

from campaigns.actions.loading import load_campaign, preview_load
from campaigns.campaign_file.dumping import file_of
from campaigns.campaign_file.model_specs import ModelSpec
from language_models.actions.calls import begin_call
from language_models.actions.endpoints import (
    CannotDeclare,
    change_model,
    check_model,
    declare_model,
    withdraw_model,
)
from language_models.models import ModelEndpoint, ModelSpending
from language_models.prompts import Most
from language_models.refusals import ModelRefusal
from reading.checking import BadFile, BadForm
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.fakes.scripted_model import scripted_model
from tests.language_models.endpoints import NOW, an_endpoint

pytestmark = pytest.mark.django_db
ROW = """
[[models]]
key = "m"
url = "https://models.example.org/v1"
model = "small-1"
secret = "sk-1"
answers = "tools"
options = {leave_out = ["seed"], extra = {top_p = 0.5}, deadline_s = 20}
price_in = 0.15
price_out = 0.6
currency = "CNY"
calls_a_day = 100
cost_in_all = 12.5
"""
SPEC = ModelSpec(key="m", url="https://models.example.org/v1", model="small-1", secret="sk-1")


def load(rows, **how):
    return load_campaign(spec=spec_of(SMALL_CAMPAIGN + rows), **how)[1]


def problems_of(rows, **how):
    with pytest.raises(BadFile) as bad:
        load(rows, **how)
    return {one.place for one in bad.value.problems}


def test_a_file_declares_a_model_and_the_dump_declares_the_same(campaign):
    assert load(ROW) == ["model m declared"]
    endpoint = ModelEndpoint.objects.get()
    assert (endpoint.price_in, endpoint.cost_in_all, endpoint.calls_in_all) == (Decimal("0.15"), Decimal("12.5"), None)
    assert endpoint.secret == "sk-1"
    assert load(ROW) == []
    assert load(ROW.replace('secret = "sk-1"\n', "")) == []
    dumped = file_of(campaign, "toml", with_secrets=True)
    assert load_campaign(spec=spec_of(dumped))[1] == []
    assert "sk-1" in dumped
    assert "sk-1" not in file_of(campaign, "toml", with_secrets=False)


def test_a_file_changes_what_it_says_and_names_it(campaign):
    load(ROW)
    assert load(ROW.replace("0.6", "0.7").replace("sk-1", "sk-2")) == ["model m: price_out, secret changed"]
    assert ModelEndpoint.objects.get().secret == "sk-2"


def test_a_secret_goes_to_no_other_server_by_omission(campaign, organizer):
    load(ROW)
    moved = ROW.replace("models.example.org", "other.example.org")
    assert problems_of(moved.replace('secret = "sk-1"\n', "")) == {"[[models]] 1 secret"}
    assert load(moved) == ["model m: url changed"]
    back = ModelSpec(key="m", url="https://models.example.org/v1", model="small-1")
    with pytest.raises(BadForm):
        change_model(endpoint=ModelEndpoint.objects.get(), spec=back, by=organizer, at=NOW)


def test_what_was_spent_fixes_the_currency(campaign, organizer):
    load(ROW)
    endpoint = ModelEndpoint.objects.get()
    begin_call(endpoint=endpoint, purpose="check", digest="0", most=Most(5, 5), at=NOW)
    assert load(ROW.replace("CNY", "EUR")) == ["model m: currency changed"]
    begin_call(endpoint=endpoint, purpose="check", digest="0", most=Most(5, 5, Decimal("0.01")), at=NOW)
    assert problems_of(ROW.replace("CNY", "USD")) == {"[[models]] 1 currency"}
    with pytest.raises(BadForm, match="EUR"):
        change_model(endpoint=endpoint, spec=SPEC, by=organizer, at=NOW)
    withdraw_model(endpoint=endpoint, by=organizer, at=NOW)
    with pytest.raises(BadForm, match="EUR"):
        declare_model(campaign=campaign, spec=SPEC, by=organizer, at=NOW)
    assert problems_of(ROW.replace("CNY", "USD")) == {"[[models]] 1 currency"}
    assert load(ROW.replace("CNY", "EUR")) == ["model m declared"]


def test_what_a_file_no_longer_names_leaves_where_it_prunes(campaign):
    load(ROW)
    assert load("") == []
    assert load("", prunes=True) == ["model m withdrawn"]
    endpoint = ModelEndpoint.objects.get()
    assert endpoint.withdrawn_at is not None
    assert not endpoint.has_secret
    assert load(ROW) == ["model m declared"]
    assert ModelEndpoint.objects.get().withdrawn_at is None


def test_a_model_of_the_browser_is_the_browsers(campaign, organizer):
    declare_model(campaign=campaign, spec=SPEC, by=organizer, at=NOW)
    assert problems_of(ROW) == {"[[models]] 1 key"}
    assert "taken over" in load(ROW, takes_over=True)[0]
    preview_load(spec=spec_of(SMALL_CAMPAIGN))


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ("https://", "ftp://", "[[models]] 1 url"),
        ('"tools"', '"xml"', "[[models]] 1 answers"),
        ("top_p = 0.5", "n = 3", "[[models]] 1 options extra n"),
        ("top_p = 0.5", 'model = "dearer"', "[[models]] 1 options extra model"),
        ('["seed"]', '["messages"]', "[[models]] 1 options leave_out[1]"),
        ("deadline_s = 20", "deadline_s = 0", "[[models]] 1 options deadline_s"),
        ("0.15", "-1", "[[models]] 1 price_in"),
        ('"CNY"', '"¥"', "[[models]] 1 currency"),
        ("calls_a_day = 100", "calls_a_day = -1", "[[models]] 1 calls_a_day"),
        ("calls_a_day", "calls_a_week", "[[models]] 1 calls_a_week"),
        ('"m"', '"a b"', "[[models]] 1 key"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_has_its_place(campaign, before, after, place):
    assert problems_of(ROW.replace(before, after)) == {place}


def test_a_key_is_declared_once_and_taken_up_with_what_was_spent(campaign, organizer):
    endpoint = declare_model(campaign=campaign, spec=SPEC, by=organizer, at=NOW)
    with pytest.raises(CannotDeclare):
        declare_model(campaign=campaign, spec=SPEC, by=organizer, at=NOW)
    begin_call(endpoint=endpoint, purpose="check", digest="0", most=Most(5, 5), at=NOW)
    withdraw_model(endpoint=endpoint, by=organizer, at=NOW)
    with pytest.raises(CannotDeclare):
        withdraw_model(endpoint=endpoint, by=organizer, at=NOW)
    again = declare_model(campaign=campaign, spec=SPEC, by=organizer, at=NOW)
    assert again.pk == endpoint.pk
    assert ModelSpending.objects.get(period="all").calls == 1


def test_a_url_that_may_not_be_called_is_refused_at_once(campaign, organizer):
    inner = ModelSpec(key="m", url="http://127.0.0.1:9/v1", model="x")
    with pytest.raises(BadForm):
        declare_model(campaign=campaign, spec=inner, by=organizer, at=NOW)


@pytest.mark.django_db(transaction=True)
def test_a_check_is_one_counted_call_and_never_from_the_cache(campaign, organizer, settings):
    with scripted_model() as port:
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        endpoint = an_endpoint(port)
        for _ in range(2):
            answer = check_model(endpoint=endpoint, by=organizer, at=timezone.now())
            assert answer.parsed.keys() == {"word", "number"}
            assert not answer.is_from_cache
    assert ModelSpending.objects.get(period="all").calls == 2


def test_a_budget_of_nothing_is_a_stop(campaign):
    with pytest.raises(ModelRefusal, match=r"today|今天"):
        begin_call(endpoint=an_endpoint(calls_a_day=0), purpose="check", digest="0", most=Most(1, 1), at=NOW)
