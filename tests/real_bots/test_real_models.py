"""`ask_model` against servers that others wrote: litellm's proxy before the scripted model, transformers with a model made on the spot, LitServe."""

import asyncio
import subprocess
from decimal import Decimal

import pytest

from language_models.asking import Message, ModelRefusal, Prompt, ask_model, most_of
from language_models.models import ModelCall, ModelSpending
from tests.fakes.scripted_model import scripted_model
from tests.language_models.endpoints import YES_OR_NO, door_at, endpoint_at, now
from tests.real_bots.installing import APPS, installed_python, running

pytestmark = [pytest.mark.real_bots, pytest.mark.django_db(transaction=True)]
HELLO = Prompt((Message("system", "Answer shortly."), Message("user", "你好")), max_tokens=24)
ASKED = Prompt((Message("user", "Was it so?"),), schema=YES_OR_NO, max_tokens=60)
PRICES = {"price_in": Decimal(1), "price_out": Decimal(2)}


async def asked(port, prompt, *, counts=True, **said):
    """The answer, and the endpoint, whose counts are those of this call alone."""
    endpoint = await endpoint_at(port, **PRICES, **said)
    async with door_at(port) as door:
        answer = await ask_model(endpoint, prompt, purpose="check", door=door, at=now)
    await check_counts(endpoint, answer, counts)
    return answer


async def check_counts(endpoint, answer, counts):
    call = await ModelCall.objects.aget(endpoint=endpoint)
    spent = await ModelSpending.objects.aget(endpoint=endpoint, period="all")
    assert (spent.calls, spent.tokens, spent.cost) == (1, answer.tokens_in + answer.tokens_out, answer.cost)
    assert call.is_counted_by_us is not counts
    assert answer.tokens_in > 0


async def refused(port, prompt, **said):
    with pytest.raises(ModelRefusal) as refusal:
        await asked(port, prompt, **said)
    return refusal.value


def made_by(*command):
    subprocess.run(command, check=True, capture_output=True)


async def test_the_proxy_of_litellm_hands_on_words_schemas_tools_and_refusals(campaign, tmp_path):
    programs = installed_python("litellm", "litellm[proxy]")
    with scripted_model() as behind:
        config = tmp_path / "litellm.yaml"
        config.write_text(f"""
model_list:
  - model_name: scripted
    litellm_params: {{model: openai/scripted, api_base: "http://127.0.0.1:{behind}/v1", api_key: none}}
general_settings:
  dangerously_permit_weak_or_unset_master_key: true
""")
        command = (programs / "litellm", "--config", config, "--port", "{port}", "--host", "127.0.0.1")
        with running(*command, wait_for="/health/liveliness") as port:
            assert (await asked(port, HELLO, key="words")).text == "好的：你好"
            for answers in ("json_schema", "tools", "text"):
                answer = await asked(port, ASKED, key=answers, answers=answers)
                assert answer.parsed.keys() == {"verdict", "turn"}
            other = await refused(port, HELLO, key="other", model="nowhere")
            assert other.code == "unavailable"


async def test_transformers_serve_says_noise_which_is_counted_and_never_taken_for_an_answer(campaign, tmp_path):
    programs = installed_python("transformers", "torch", "transformers[serving]")
    model = tmp_path / "tiny"
    await asyncio.to_thread(made_by, programs / "python", APPS / "tiny_model.py", model)
    command = (programs / "transformers", "serve", "--host", "127.0.0.1", "--port", "{port}", "--device", "cpu")
    with running(*command, wait_for="/v1/models") as port:
        said = {"model": str(model), "options": {"deadline_s": 300}}
        answer = await asked(port, HELLO, key="words", **said)
        assert 0 < answer.tokens_out <= 24
        # A token for each byte is the worst of tokenizers: the bound holds for this one.
        endpoint = await endpoint_at(port, key="bound", **said)
        assert answer.tokens_in <= most_of(HELLO, endpoint).tokens_in
        noise = await refused(port, ASKED, key="noise", answers="text", **said)
        assert noise.code == "bad_answer"


async def test_litserve_answers_words_and_a_schema_in_words(campaign):
    programs = installed_python("litserve", "litserve")
    with running(programs / "python", APPS / "litserve_chat.py", "{port}", wait_for="/health") as port:
        assert (await asked(port, HELLO, key="words", counts=False)).text == "您好：你好"
        answer = await asked(port, ASKED, key="text", answers="text")
        assert answer.parsed == {"verdict": "yes", "turn": 2}
