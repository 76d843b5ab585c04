"""A budget holds however many threads ask at once, and a dry run says what would be asked."""

import io
import json
import threading
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from campaigns.models import Campaign
from language_models.actions.calls import begin_call, end_call
from language_models.models import ModelCall, ModelSpending, Outcome
from language_models.prompts import Message, Most, Prompt, most_of
from language_models.refusals import ModelRefusal
from language_models.spending import with_spending
from tests.fakes.scripted_model import scripted_model
from tests.language_models.endpoints import NOW, an_endpoint


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("of_campaign", [False, True])
def test_processes_that_ask_at_once_share_one_budget(campaign, of_campaign):
    """Eight threads with connections of their own want 80 calls of the 25 that there are."""
    Campaign.objects.update(model_tokens_in_all=250 if of_campaign else None)
    endpoint = an_endpoint(tokens_in_all=None if of_campaign else 250, calls_a_day=40)
    outcomes, start = [], threading.Barrier(8)

    def ask():
        try:
            start.wait()
            for n in range(10):
                try:
                    begin_call(endpoint=endpoint, purpose="tester", digest=f"{n}", most=Most(4, 6), at=NOW)
                    outcomes.append("begun")
                except ModelRefusal as refusal:
                    outcomes.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (outcomes.count("begun"), outcomes.count("budget_spent")) == (25, 55)
    assert ModelSpending.objects.get(period="all").tokens == 250
    assert ModelCall.objects.count() == 25


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("budget", "n_begun"),
    [
        ({"model_calls_a_day": 3}, 3),
        ({"model_tokens_in_all": 45}, 4),
        ({"model_cost_a_day": 5}, 5),
        ({"model_calls_in_all": 0}, 0),
    ],
)
def test_all_models_of_a_campaign_share_its_budget(campaign, budget, n_begun):
    Campaign.objects.update(**budget)
    priced = {"price_in": Decimal(1), "price_out": Decimal(1)}
    endpoints = [an_endpoint(key=key, **priced) for key in ("one", "other")]
    for number in range(n_begun):
        begin_call(endpoint=endpoints[number % 2], purpose="judge", digest="0", most=Most(4, 6, Decimal(1)), at=NOW)
    (setting,) = budget
    with pytest.raises(ModelRefusal, match=setting.removeprefix("model_")):
        begin_call(endpoint=endpoints[0], purpose="judge", digest="0", most=Most(4, 6, Decimal(1)), at=NOW)
    assert ModelCall.objects.count() == n_begun


@pytest.mark.django_db
def test_money_of_another_currency_is_counted_by_itself(campaign):
    Campaign.objects.update(model_cost_in_all=1)
    for currency in ("USD", "CNY"):
        endpoint = an_endpoint(key=currency, currency=currency)
        begin_call(endpoint=endpoint, purpose="judge", digest="0", most=Most(1, 1, Decimal(1)), at=NOW)
    assert ModelCall.objects.count() == 2


@pytest.mark.django_db
def test_what_a_call_did_not_take_is_given_back_once(campaign):
    endpoint = an_endpoint(tokens_in_all=100, price_in=Decimal(1), price_out=Decimal(1))
    call = begin_call(endpoint=endpoint, purpose="judge", digest="0", most=Most(40, 60, Decimal("0.0001")), at=NOW)
    for _ in range(2):
        end_call(call=call, outcome=Outcome.ANSWERED, at=NOW, used=(3, 4, Decimal("0.000007")))
    spent = with_spending([endpoint], NOW)[0].spent
    assert [(one.of_today, one.of_all) for one in spent] == [("1", "1"), ("7", "7 / 100"), ("0.000007", "0.000007")]


@pytest.mark.django_db
def test_a_day_begins_anew_and_all_days_add_up(campaign):
    endpoint = an_endpoint(calls_a_day=1, calls_in_all=2)
    days = [NOW.replace(day=day) for day in (2, 3, 4)]
    for at in days[:2]:
        begin_call(endpoint=endpoint, purpose="judge", digest="0", most=Most(1, 1), at=at)
        with pytest.raises(ModelRefusal, match=r"today|今天"):
            begin_call(endpoint=endpoint, purpose="judge", digest="0", most=Most(1, 1), at=at)
    with pytest.raises(ModelRefusal, match=r"in all|总"):
        begin_call(endpoint=endpoint, purpose="judge", digest="0", most=Most(1, 1), at=days[2])


@pytest.mark.parametrize("text", ["plain words", "帮我订一张从北京到上海的飞机票", "🙂🙃" * 20, "\\u0000 <|im_start|>"])
def test_the_bound_is_above_one_token_a_byte(text):
    class Asked:
        url, model, answers, options, price_in, price_out = "", "m", "text", {}, 1, 1

    most = most_of(Prompt((Message("user", text),), max_tokens=10), Asked())
    assert most.tokens_in > len(text.encode())
    assert most.tokens_out == 10
    assert most.cost == Decimal(most.tokens) / 1_000_000


@pytest.mark.django_db(transaction=True)
def test_a_dry_run_prints_the_request_and_asks_nothing(campaign, settings):
    with scripted_model() as port:
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        an_endpoint(port, price_in=Decimal(3), price_out=Decimal(15), declared_at=timezone.now())
        out = io.StringIO()
        call_command("ask_model", "small", "m", "你好", "--dry-run", stdout=out)
        head, *body, total = out.getvalue().strip().splitlines()
        assert json.loads("\n".join(body))["messages"] == [{"role": "user", "content": "你好"}]
        assert head.startswith("== request 1, digest ")
        assert total == "== in all at most 86 + 800 tokens, 0.012258 USD"
        assert not ModelCall.objects.exists()
        said = io.StringIO()
        call_command("ask_model", "small", "m", "你好", stdout=said, stderr=io.StringIO())
        assert said.getvalue() == "好的：你好\n"
        with pytest.raises(CommandError):
            call_command("ask_model", "small", "other", "你好")
