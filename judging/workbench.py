"""A judge against people: what is compared, and the figures that the workbench shows. Seconds on a large campaign.

Every figure is of what people scored too, but for what is told of the judge alone: its cost, and the means that its scores of
everything else make narrower.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Sum

from accounts.models import Person
from dialogues.models import Dialogue
from judging.models import Judge, JudgeReview
from judging.variants import PROBES, UNCHANGED
from reviews.models import Rating, Review
from reviews.rating_places import criterion_of
from rubrics.models import Criterion

if TYPE_CHECKING:
    from measures.judges.alt_test import AltTest
    from measures.judges.judge_agreement import Figure

SEED = 0
N_RESAMPLES = 1000
# The sizes for which the power of the alternative annotator test is told, in dialogues a person.
SIZES = (30, 50, 100, 200)
ROWS_AT_ONCE = 2_000
# Things of one criterion that are compared; of more, those of the first dialogues in the judge's order.
MOST_THINGS = 20_000
DECIMALS = 6
Figures = dict[str, Any]
# A dialogue, and the place in it.
Thing = tuple[Any, str]


@dataclass(slots=True)
class Gathered:
    """What was scored on one criterion: by the judge, as means and as points, and by people."""

    criterion: Criterion
    means: dict[Thing, float] = field(default_factory=dict)
    said: dict[Thing, float] = field(default_factory=dict)
    people: dict[int, dict[Thing, float]] = field(default_factory=lambda: defaultdict(dict))


def report_of(judge: Judge, *, epsilon: float) -> Figures:
    """What `JudgeReport.content` holds: `judge`, `judged`, `criteria` by key, `probes` by key. What cannot be said is None."""
    scenario_of = dict(
        Dialogue.objects.of_campaign(judge.campaign).order_by().values_list("pk", "assignment__scenario_id")
    )
    judged = JudgeReview.objects.filter(judge=judge, variant=UNCHANGED)
    cost = judged.aggregate(cost=Sum("cost"))["cost"] or Decimal(0)
    gathered = gather(judge)
    n_scores = sum(len(one.said) for one in gathered)
    return {
        "judge": judge.name,
        "prompt_digest": judge.prompt_digest,
        "model": judge.endpoint.model,
        "currency": judge.endpoint.currency,
        "seed": SEED,
        "n_resamples": N_RESAMPLES,
        "epsilon": epsilon,
        "judged": state_of(judge),
        "criteria": {
            one.criterion.key: _criterion(one, scenario_of, float(cost), n_scores, epsilon) for one in gathered
        },
        "probes": probes_of(judge, {one.criterion.key: one.criterion for one in gathered}),
    }


def state_of(judge: Judge) -> Figures:
    """How far the judge is, and what it took."""
    own = JudgeReview.objects.filter(judge=judge)
    unchanged = dict(own.filter(variant=UNCHANGED).order_by().values_list("state").annotate(n=Count("pk")))
    sums = own.aggregate(Sum("n_asked"), Sum("n_refused"), Sum("tokens_in"), Sum("tokens_out"), Sum("cost"))
    handed_in = own.filter(is_submitted=True).count()
    speaking = own.filter(variant=UNCHANGED, speaks_to_judge=True).count()
    return {
        "to_do": unchanged.get("to_do", 0),
        "done": unchanged.get("done", 0),
        "failed": unchanged.get("failed", 0),
        "n_variants": own.exclude(variant=UNCHANGED).filter(state="done").count(),
        "handed_in": handed_in,
        "speaks_to_judge": speaking,
        "n_asked": sums["n_asked__sum"] or 0,
        "n_refused": sums["n_refused__sum"] or 0,
        "tokens_in": sums["tokens_in__sum"] or 0,
        "tokens_out": sums["tokens_out__sum"] or 0,
        "cost": float(sums["cost__sum"] or 0),
    }


def gather(judge: Judge) -> list[Gathered]:
    """Each criterion of the rubric that the judge scored, in the rubric's order."""
    criteria = {one.key: one for one in judge.campaign.rubric.criteria.prefetch_related("points")}
    numbers = {key: {point.key: point.score for point in one.points.all()} for key, one in criteria.items()}
    found = {key: Gathered(one) for key, one in criteria.items()}
    reviews = JudgeReview.objects.filter(
        judge=judge, variant=UNCHANGED, dialogue__in=Dialogue.objects.reviewable()
    ).done()
    for dialogue, content, means in reviews.values_list("dialogue", "content", "means").iterator(ROWS_AT_ONCE):
        for rating, said in (content or {})["ratings"].items():
            key = criterion_of(rating)
            if (own := found.get(key)) is not None and len(own.said) < MOST_THINGS:
                thing = dialogue, rating.removeprefix(key)
                # The rubric may have lost a label since.
                number = numbers[key].get(said) if isinstance(said, str) else said
                if number is None:
                    continue
                own.said[thing], own.means[thing] = number, means.get(rating, number)
    _add_people(judge, found)
    return [one for one in found.values() if one.said]


def _add_people(judge: Judge, found: Mapping[str, Gathered]) -> None:
    """Scores that people handed in of the same dialogues, of their own or in a panel; no program's."""
    wanted = Rating.objects.filter(
        review__dialogue__judge_reviews__judge=judge,
        review__dialogue__judge_reviews__variant=UNCHANGED,
        review__is_submitted=True,
        review__part__in=(Review.Part.PANEL, Review.Part.SELF),
        review__reviewer__kind=Person.Kind.PERSON,
    )
    rows = wanted.order_by("pk").values_list("review__reviewer", "review__dialogue", "criterion__key", "place", "score")
    for reviewer, dialogue, key, place, score in rows.iterator(ROWS_AT_ONCE):
        own, thing = found.get(key), (dialogue, place)
        if own is not None and thing in own.said:
            own.people[reviewer][thing] = score


def _criterion(
    gathered: Gathered, scenario_of: Mapping[Any, Any], cost: float, n_scores: int, epsilon: float
) -> Figures:
    """The figures of one criterion; `kind` says which of them a label has not."""
    from measures.judges.judge_agreement import Judged, against_people, cost_per_reliable_score

    is_label = gathered.criterion.kind == Criterion.Kind.LABEL
    scores: dict[Thing, list[float]] = defaultdict(list)
    for own in gathered.people.values():
        for thing, score in own.items():
            scores[thing].append(score)
    judged = [
        Judged(scenario_of.get(thing[0]), gathered.means[thing], said, tuple(scores[thing]))
        for thing, said in gathered.said.items()
        if scores[thing]
    ]
    compared = against_people(judged, "nominal" if is_label else "ordinal", seed=SEED, n_resamples=N_RESAMPLES)
    each = cost * len(gathered.said) / n_scores if n_scores else 0.0
    figures = {
        "kind": gathered.criterion.kind,
        "n_scored": len(gathered.said),
        "n_compared": compared.n_things,
        "n_pairs": compared.n_pairs,
        "n_people": len(gathered.people),
        **{
            name: _told(getattr(compared, name))
            for name in ("agreement", "alpha", "alpha_people", "bias", "pearson", "spearman", "kendall")
        },
        "cost_per_reliable": _told(cost_per_reliable_score(each, len(gathered.said), compared.agreement)),
    }
    return figures | {
        "alt_test": _alt_test(gathered, is_label, epsilon),
        "saved": None if is_label else _saved(gathered, scores, scenario_of),
    }


def _told(figure: "Figure") -> Figures:
    return {"value": _rounded(figure.value), "interval": figure.interval and [_rounded(end) for end in figure.interval]}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), DECIMALS) + 0.0


def _alt_test(gathered: Gathered, is_label: bool, epsilon: float) -> Figures | None:
    """None where no two people scored the same. People are told by number alone: the page asks about the judge, not about them."""
    from measures.judges.alt_test import alt_test, power

    how: dict[str, Any] = {
        "alignment": "accuracy" if is_label else "distance",
        "epsilon": epsilon,
        # A person reviews dialogues: scores of parts and turns of one are no rows of their own.
        "cluster_of": itemgetter(0),
    }
    found: AltTest = alt_test(gathered.said, gathered.people, **how)
    if found.winning_rate is None:
        return None
    powers = power(gathered.said, gathered.people, SIZES, seed=SEED, **how)
    return {
        "winning_rate": _rounded(found.winning_rate),
        "advantage": _rounded(found.advantage),
        "passes": found.passes,
        "people": [
            {"n": one.n, "advantage": _rounded(one.advantage), "p": _rounded(one.p), "is_beaten": one.is_beaten}
            for one in found.people
        ],
        "power": [asdict(one) for one in powers],
    }


def _saved(
    gathered: Gathered, scores: Mapping[Thing, Collection[float]], scenario_of: Mapping[Any, Any]
) -> Figures | None:
    """By dialogue, since a person reviews dialogues: what the judge's scores of all others add to the mean of people. None with few scenarios."""
    from measures.judges.prediction_powered import powered_mean

    people = _by_dialogue({thing: sum(own) / len(own) for thing, own in scores.items() if own})
    judge = _by_dialogue(gathered.means)
    both = [dialogue for dialogue in judge if dialogue in people]
    alone = [dialogue for dialogue in judge if dialogue not in people]
    scenarios = [scenario_of.get(one) for one in both], [scenario_of.get(one) for one in alone]
    found = powered_mean(
        [people[one] for one in both], [judge[one] for one in both], [judge[one] for one in alone],
        clusters=scenarios, seed=SEED, n_resamples=N_RESAMPLES,
    )  # fmt: skip
    if found is None:
        return None
    per_dialogue = sum(len(own) for own in scores.values()) / max(1, sum(1 for own in scores.values() if own))
    told = {name: _numbers(value) for name, value in asdict(found).items()}
    low, high = found.saved_interval
    return told | {
        "reviews_per_dialogue": _rounded(per_dialogue),
        "reviews": _rounded(found.saved * per_dialogue),
        "reviews_interval": [_rounded(low * per_dialogue), _rounded(high * per_dialogue)],
    }


def _numbers(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_rounded(one) for one in value]
    return value if isinstance(value, int) else _rounded(value)


def _by_dialogue(scores: Mapping[Thing, float]) -> dict[Any, float]:
    found: dict[Any, list[float]] = defaultdict(list)
    for (dialogue, _place), score in scores.items():
        found[dialogue].append(score)
    return {dialogue: sum(own) / len(own) for dialogue, own in found.items()}


def probes_of(judge: Judge, criteria: Mapping[str, Criterion]) -> Figures:
    """By probe, how far the changed prompt shifts the scores: in shares of the scales, as a mean over the dialogue's scores."""
    from measures.judges.paired_probes import probed

    spans = {
        key: max(one.scores()) - min(one.scores()) for key, one in criteria.items() if one.kind == Criterion.Kind.SCALE
    }
    by_variant: dict[str, dict[Any, Mapping[str, float]]] = defaultdict(dict)
    rows = JudgeReview.objects.filter(judge=judge).done().values_list("variant", "dialogue", "means")
    for variant, dialogue, means in rows.iterator(ROWS_AT_ONCE):
        by_variant[variant][dialogue] = means
    figures = {}
    for probe in PROBES:
        changed, control = by_variant[probe.changed], by_variant[probe.control]
        both = [dialogue for dialogue in changed if dialogue in control]
        found = probed(
            [_level(control[one], spans) for one in both], [_level(changed[one], spans) for one in both], seed=SEED
        )
        figures[probe.key] = {
            "n": found.n, "n_moved": found.n_moved, "shift": _rounded(found.shift),
            "interval": _numbers(found.interval) if found.interval else None, "p": _rounded(found.p),
            "is_found": found.is_found,
        }  # fmt: skip
    return figures


def _level(means: Mapping[str, float], spans: Mapping[str, int]) -> float:
    """The mean of the scores, each as a share of its scale."""
    shares = [score / spans[key] for rating, score in means.items() if spans.get(key := criterion_of(rating))]
    return sum(shares) / len(shares) if shares else 0.0


def to_probe(judge: Judge, n: int) -> dict[str, Sequence[Any]]:
    """By variant, the first `n` dialogues that were judged unchanged; of `cleaned` the first `n` that speak to a judge."""
    from judging.variants import VARIANTS, asks_for

    done = JudgeReview.objects.filter(judge=judge, variant=UNCHANGED).done()
    rows = list(done.values_list("dialogue", "speaks_to_judge"))
    return {
        variant: [
            dialogue for dialogue, speaks in rows if asks_for(variant, maker=judge.maker, speaks_to_judge=speaks)
        ][:n]
        for variant in VARIANTS
    }
