"""What the pages of language models and of judges show in browser tests: a model with calls, and a judge compared with people."""

from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from accounts.models import Person
from campaigns.models import Campaign
from judging.actions.declaring import declare_judge
from judging.actions.judgements import Judgement, draw_for_judge, store_judgement, store_report
from judging.limits import EPSILON
from judging.workbench import report_of
from language_models.models import ModelEndpoint

SAMPLE = {"ratings": {"satisfaction": 1, "fluency": 2, "guidance": 0}, "evidence": {}, "verdicts": {"1": True}}
OUTCOMES = ("answered", "answered", "bad_answer", "asked")


def model_pages():
    """What stands for each name in the addresses of these pages."""
    campaign, organizer = Campaign.objects.get(slug="smp2018-demo"), Person.objects.get(username="organizer")
    at = timezone.now()
    model = ModelEndpoint.objects.create(
        campaign=campaign, key="large", url="https://models.example.org/v1", model="large-2026", calls_a_day=200,
        price_in=Decimal(1), price_out=Decimal(4), declared_by=organizer, declared_at=at - timedelta(days=1),
    )  # fmt: skip
    for number, outcome in enumerate(OUTCOMES):
        model.calls.create(
            purpose="judge", digest=f"{number:064x}", at=at - timedelta(minutes=number), outcome=outcome,
            status=200, tokens_in=1800, tokens_out=240, cost=Decimal("0.00276"), model="large-2026",
        )  # fmt: skip
    judge = declare_judge(campaign=campaign, key="strict", model="large", by=organizer, at=at, n_samples=1)
    draw_for_judge(judge=judge, at=at)
    for review in judge.reviews.to_do():
        judgement = Judgement([SAMPLE], n_asked=1, tokens_in=1800, tokens_out=240, cost=Decimal("0.00276"))
        store_judgement(review=review, judgement=judgement, at=at)
    store_report(judge=judge, content=report_of(judge, epsilon=EPSILON), at=at)
    return {"model": model.pk, "judge": judge.pk}
