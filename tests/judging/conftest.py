"""A judge of the campaign, a model that answers by a rule of the test, and dialogues that people scored."""

import asyncio
import json
import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from campaigns.models import Campaign
from judging.actions.declaring import declare_judge, seat_judge
from judging.actions.judgements import draw_for_judge
from judging.models import JudgeReview
from judging.running import run_judge
from language_models.asking import ModelAnswer
from language_models.completions import parsed_answer
from language_models.models import ModelEndpoint
from language_models.refusals import ModelRefusal
from tests.reviews.conftest import SCORES, closed_dialogue, panel, person, submit

__all__ = ["SCORES", "closed_dialogue", "panel", "person", "submit"]
NOON = datetime(2026, 5, 18, 12, tzinfo=UTC)
PRICES = {"price_in": Decimal(1), "price_out": Decimal(2), "currency": "USD"}


def endpoint_of(campaign, key="scripted", port=1, **said):
    stored = {"url": f"http://127.0.0.1:{port}/v1/", "model": "scripted", "declared_at": NOON} | PRICES | said
    return ModelEndpoint.objects.get_or_create(campaign=campaign, key=key, defaults=stored)[0]


def judge_of(campaign, key="scribe", **said):
    endpoint_of(campaign)
    told = {"language": "en", "n_samples": 1} | said
    return declare_judge(campaign=campaign, key=key, model="scripted", by=None, at=NOON, **told)


def seated(campaign, **said):
    """A judge with an account, in a campaign that lets judges count beside a panel of three."""
    Campaign.objects.filter(pk=campaign.pk).update(judges="count", reviewers_per_dialogue=4)
    campaign.refresh_from_db()
    judge = seat_judge(judge=judge_of(campaign, **said), at=NOON)
    judge.campaign.refresh_from_db()
    return judge


class Told:
    """What a scripted judge reads of its prompt."""

    def __init__(self, prompt):
        self.prompt = prompt
        self.text = "\n".join(message.content for message in prompt.messages)
        found = re.search(
            r"^<dialogue (\w+)>\n(.*?)\n</dialogue \1>$", prompt.messages[1].content, re.DOTALL | re.MULTILINE
        )
        self.data, self.outside = found[2], self.text.replace(found[0], "")
        self.turns = json.loads(self.data)
        self.schema = prompt.schema["properties"]

    def answer(self, choose):
        """The whole answer, with each rating by `choose(key, points)`; the first turn is all the evidence."""
        return {
            "ratings": {key: choose(key, one["enum"]) for key, one in self.schema["ratings"]["properties"].items()},
            "evidence": {key: one["enum"][0] for key, one in self.schema["evidence"]["properties"].items()},
            "verdicts": {key: one["enum"][0] for key, one in self.schema["verdicts"]["properties"].items()},
        }


class Script:
    """A model that answers by `rule(told)`, read as strictly as any; it notes every prompt."""

    def __init__(self, rule=lambda told: told.answer(lambda key, points: points[-1])):
        self.rule, self.prompts = rule, []

    async def __call__(self, prompt):
        self.prompts.append(prompt)
        text, used = json.dumps(self.rule(Told(prompt))), (100, 10, Decimal("0.00012"))
        try:
            parsed = parsed_answer(text, prompt.schema)
        except ModelRefusal as refusal:
            raise ModelRefusal(refusal.why, refusal.finding, used=used) from refusal
        return ModelAnswer(text, parsed, *used, digest="", model="scripted", is_from_cache=False, call=0)


def run(judge, script, *, parallel=1, reviews=None):
    if reviews is None:
        reviews = list(JudgeReview.objects.filter(judge=judge).to_do().values_list("pk", flat=True))
    return asyncio.run(run_judge(judge, reviews, ask=script, at=lambda: NOON, parallel=parallel))


def judged(judge, script=None, **how):
    """Everything drawn and judged."""
    draw_for_judge(judge=judge, at=NOON)
    return run(judge, script or Script(), **how)


@pytest.fixture
def judge(campaign):
    return judge_of(campaign)
