"""How far a campaign's panel agrees, and what each of its reviewers is like: the figures stored for the organizer.

For each criterion, the submitted panel reviews make a table of reviewers × things rated: a thing is a dialogue, or a subtask
or turn of it. Labels are compared as equal or not, scales by their order. Gold shows each reviewer's bias and drift.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from django.db.models import F

from campaigns.models import Campaign
from dialogues.models import Dialogue
from reviews.counting_rules import exact_share
from reviews.models import Rating, Review, ReviewChange, ReviewPlace, SecondReading
from reviews.rating_places import criterion_of
from reviews.training import GoldTry, gold_tries
from rubrics.models import Criterion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from measures.agreement import Level, Ratings

RATINGS_AT_ONCE = 5_000
# Reviewers × things rated that are compared at once. With what is computed of it, such a table takes about 300 MB.
LARGEST_TABLE = 5_000_000
# Agreement by pair grows with the square of the reviewers; a table of more is no picture, and that of each of them tells them apart.
MOST_IN_PAIRS = 40
DECIMALS = 6
# Silent reading takes about 4 Chinese characters a second (Brysbaert 2019); no turn of a dialogue has fewer than eight.
FASTEST_S_PER_TURN = 2.0
Figures = dict[str, Any]
Given = list[tuple[int, str, int]]


@dataclass(frozen=True, slots=True)
class HandedIn:
    """One panel review; `when` is its place among all of them by the time of the hand-in.

    The dialogue is identified by its assignment, which has at most one reviewable dialogue: whole numbers are read much faster than ids.
    """

    reviewer: int
    assignment: int
    when: int
    at_s: float


def agreement_of(campaign: Campaign) -> Figures:
    """`{"criteria": {key: {…, "reviewers": {id: {…}}}}, "reviewers": {id: {"n", "pace_s"}}, "conduct", "gold"}`; seconds on a large campaign.

    Ids are those of people, as texts. What cannot be said is None. Of the last two: `conduct_of`, `against_gold`.
    """
    from measures.reviewers import pace_s

    reviews = _panel_reviews(campaign)
    given = _ratings(campaign, reviews)
    times: dict[int, list[float]] = defaultdict(list)
    for review in reviews.values():
        times[review.reviewer].append(review.at_s)
    return {
        "criteria": {
            criterion.key: _criterion_figures(criterion, reviews, given[criterion.pk])
            for criterion in campaign.rubric.criteria.all()
            if given[criterion.pk]
        },
        "reviewers": {
            str(person): {"n": len(at_s), "pace_s": _rounded(pace_s(at_s))} for person, at_s in times.items()
        },
        "conduct": conduct_of(campaign, reviews, given),
        "gold": against_gold(gold_tries(campaign), times),
    }


def conduct_of(campaign: Campaign, reviews: Mapping[int, HandedIn], given: Mapping[int, Given]) -> Figures:
    """`{reviewer id: {"straight", "longest_run", "hurried", "n_again", "again_exact", "again_points"}}`; ids as texts.

    Shares of the hand-ins whose scores all stand at one place of their scales, and that took under `FASTEST_S_PER_TURN` a turn; the most
    equal hand-ins in a row; of dialogues that were scored once more, how many, the share of scores given exactly so again, and
    the mean distance in points. Reasons to look, no proofs.
    """
    from measures.reviewers import longest_run, straight_share

    sheets = _sheets(campaign, reviews, given)
    hurried, again = _hurried(campaign), _again(campaign)
    return {
        str(person): {
            "straight": _rounded(straight_share([tuple(place for *_, place in sheet) for sheet in own])),
            "longest_run": longest_run(map(tuple, own)),
            "hurried": _rounded(hurried.get(person)),
            **again.get(person, {"n_again": 0, "again_exact": None, "again_points": None}),
        }
        for person, own in sheets.items()
    }


def _sheets(
    campaign: Campaign, reviews: Mapping[int, HandedIn], given: Mapping[int, Given]
) -> dict[int, list[list[tuple[str, str, float]]]]:
    """By reviewer, in the order of their hand-ins: where each score of the dialogue and its parts stands on its scale."""
    scales = {
        one.pk: (one.key, one.scores())
        for one in campaign.rubric.criteria.prefetch_related("points")
        if one.kind == Criterion.Kind.SCALE
    }
    of_review: dict[int, list[tuple[str, str, float]]] = defaultdict(list)
    for criterion, (key, scores) in scales.items():
        for review, place, score in given.get(criterion, ()):
            if not place.startswith("@"):
                of_review[review].append((key, place, (score - scores[0]) / max(1, scores[-1] - scores[0])))
    sheets: dict[int, list[list[tuple[str, str, float]]]] = defaultdict(list)
    for review, handed_in in sorted(reviews.items(), key=lambda one: one[1].when):
        sheets[handed_in.reviewer].append(sorted(of_review[review]))
    return sheets


def _hurried(campaign: Campaign) -> dict[int, float]:
    """By reviewer, the share of their dialogues that nobody could have read in the time from opening to hand-in."""
    done = ReviewPlace.objects.of_campaign(campaign).filter(
        is_gold=False, done_at__isnull=False, opened_at__isnull=False
    )
    quick: dict[int, list[bool]] = defaultdict(list)
    rows = done.order_by().values_list("reviewer_id", "opened_at", "done_at", "dialogue__turns_used")
    for reviewer, opened_at, done_at, n_turns in rows.iterator(RATINGS_AT_ONCE):
        if opened_at and done_at:
            quick[reviewer].append((done_at - opened_at).total_seconds() < FASTEST_S_PER_TURN * n_turns)
    return {reviewer: sum(own) / len(own) for reviewer, own in quick.items()}


def _again(campaign: Campaign) -> dict[int, Figures]:
    """By reviewer, how far the second scores of the same dialogue are from the first."""
    read = SecondReading.objects.filter(content__isnull=False, review__dialogue__assignment__campaign=campaign)
    current = ReviewChange.objects.filter(
        review__second_reading__in=read, version=F("review__version"), after__isnull=False
    )
    found: dict[int, list[tuple[int, int, list[int]]]] = defaultdict(list)
    for reviewer, first, second in current.values_list("review__reviewer", "after", "review__second_reading__content"):
        before, now = (first or {})["ratings"], (second or {})["ratings"]
        apart = [abs(now[key] - score) for key, score in before.items() if isinstance(score, int) and key in now]
        found[reviewer].append((*exact_share(before, now), apart))
    return {
        reviewer: {
            "n_again": len(own),
            "again_exact": _rounded(sum(n for n, _, _ in own) / max(1, sum(n for _, n, _ in own))),
            "again_points": _rounded(_mean(points for *_, apart in own for points in apart)),
        }
        for reviewer, own in found.items()
    }


def _panel_reviews(campaign: Campaign) -> dict[int, HandedIn]:
    reviewable = Dialogue.objects.of_campaign(campaign).reviewable()
    wanted = Review.objects.filter(part=Review.Part.PANEL, is_submitted=True, dialogue__in=reviewable)
    wanted = wanted.of_those_who_count(campaign)
    rows = wanted.order_by("submitted_at", "pk").values_list(
        "pk", "reviewer_id", "dialogue__assignment_id", "submitted_at"
    )
    return {
        pk: HandedIn(reviewer, assignment, when, at.timestamp())
        for when, (pk, reviewer, assignment, at) in enumerate(rows)
        if at is not None
    }


def _ratings(campaign: Campaign, reviews: dict[int, HandedIn]) -> dict[int, Given]:
    """By criterion: the review, the place and the score of each rating."""
    found: dict[int, Given] = defaultdict(list)
    of_campaign = Rating.objects.filter(criterion__rubric=campaign.rubric_id, review__part=Review.Part.PANEL)
    rows = of_campaign.filter(review__dialogue__assignment__campaign=campaign)
    scores = rows.order_by().values_list("criterion_id", "review_id", "place", "score")
    for criterion, review, place, score in scores.iterator(RATINGS_AT_ONCE):
        if review in reviews:
            found[criterion].append((review, place, score))
    return found


def _criterion_figures(criterion: Criterion, reviews: dict[int, HandedIn], given: Given) -> Figures:
    level: Level = "nominal" if criterion.kind == Criterion.Kind.LABEL else "ordinal"
    table = _table(reviews, given)
    return criterion_figures(*table, level) if table else unsaid_figures(level, len(given))


def fits(n_reviewers: int, n_things: int) -> bool:
    """Whether the table of reviewers × things is compared; a larger one is only counted, so that it cannot exhaust the memory."""
    return n_reviewers * n_things <= LARGEST_TABLE


def unsaid_figures(level: "Level", n_ratings: int) -> Figures:
    """Of a criterion whose table is too large: how many ratings it has, and nothing else."""
    unsaid = dict.fromkeys(("n_shared", "alpha", "kappa", "raw"))
    return {"level": level, "n_ratings": n_ratings} | unsaid | {"reviewers": {}}


def _table(reviews: dict[int, HandedIn], given: Given) -> "tuple[list[int], Ratings, NDArray[Any]] | None":
    """The reviewers, their ratings `(n_reviewers, n_things)`, NaN where there is none, and when each was handed in; None if too large."""
    import numpy as np

    people = sorted({reviews[review].reviewer for review, _, _ in given})
    row_of = {person: row for row, person in enumerate(people)}
    column_of: dict[tuple[int, str], int] = {}
    for review, place, _ in given:
        column_of.setdefault((reviews[review].assignment, place), len(column_of))
    if not fits(len(people), len(column_of)):
        return None
    ratings = np.full((len(people), len(column_of)), np.nan)
    when = np.zeros(ratings.shape, dtype=int)
    for review, place, score in given:
        handed_in = reviews[review]
        at = row_of[handed_in.reviewer], column_of[handed_in.assignment, place]
        ratings[at], when[at] = score, handed_in.when
    return people, ratings, when


def criterion_figures(people: Sequence[int], ratings: "Ratings", when: "NDArray[Any]", level: "Level") -> Figures:
    """The agreement on one criterion, and per reviewer severity, spread, drift and what the agreement is without them."""
    import numpy as np

    from measures.agreement import agreement_of_each, alpha_without_each

    each = zip(
        (~np.isnan(ratings)).sum(axis=1),
        agreement_of_each(ratings),
        alpha_without_each(ratings, level),
        _habits(ratings, when) if level != "nominal" else [{} for _ in people],
        strict=True,
    )
    return agreement_figures(ratings, level) | {
        "reviewers": {
            str(person): {"n": int(n), "agreement": _rounded(own), "alpha_without": _rounded(without)} | habits
            for person, (n, own, without, habits) in zip(people, each, strict=True)
        },
        "pairs": _pair_figures(people, ratings) if len(people) <= MOST_IN_PAIRS else {},
    }


def _pair_figures(people: Sequence[int], ratings: "Ratings") -> Figures:
    """By reviewer and other reviewer: the share of equal scores, and of how many things."""
    from measures.agreement import agreement_by_pair

    shares, n_shared = agreement_by_pair(ratings)
    return {
        str(person): {
            str(other): [_rounded(shares[row, column]), int(n_shared[row, column])]
            for column, other in enumerate(people)
            if row != column and n_shared[row, column]
        }
        for row, person in enumerate(people)
    }


def agreement_figures(ratings: "Ratings", level: "Level") -> Figures:
    """The agreement on one criterion, and of how many ratings and things that were rated more than once."""
    import numpy as np

    from measures.agreement import fleiss_kappa, krippendorff_alpha, raw_agreement

    n_ratings = (~np.isnan(ratings)).sum(axis=0)
    return {
        "level": level,
        "n_ratings": int(n_ratings.sum()),
        "n_shared": int((n_ratings > 1).sum()),
        "alpha": _rounded(krippendorff_alpha(ratings, level)),
        "kappa": _rounded(fleiss_kappa(ratings)),
        "raw": _rounded(raw_agreement(ratings)),
    }


def _habits(ratings: "Ratings", when: "NDArray[Any]") -> list[Figures]:
    """Severity and spread in points, and the drift of the deviations from the others in the order of the hand-ins."""
    import numpy as np

    from measures.reviewers import deviations_from_others, drift, severities, spreads

    found = []
    for deviations, own, times, severity, spread in zip(
        deviations_from_others(ratings), ratings, when, severities(ratings), spreads(ratings), strict=True
    ):
        is_rated = ~np.isnan(own)
        trend = drift(deviations[is_rated][times[is_rated].argsort(kind="stable")])
        found.append(
            {
                "severity": _rounded(severity),
                "spread": _rounded(spread),
                "drift": trend and [_rounded(trend.per_100), _rounded(trend.low), _rounded(trend.high)],
            }
        )
    return found


def _rounded(figure: float | None) -> float | None:
    """As stored: sums of many numbers differ in their last digits from one library to the next; no zero has a sign."""
    return None if figure is None else round(float(figure), DECIMALS) + 0.0


def load_libraries() -> None:
    """Loads what the figures are computed with, which takes a second; a server that computes none does without."""
    for name in ("measures.agreement", "measures.reviewers", "scipy.special"):
        import_module(name)


def against_gold(tries: Iterable[GoldTry], others_at_s: Mapping[int, Sequence[float]]) -> Figures:
    """`{reviewer id: {"n", "exact", "bias", "drift", "criteria": {key: {"bias", "drift"}}}}`; ids as texts.

    `n` are the gold dialogues that were handed in, `exact` the share of their scores that were given exactly. The bias is the mean difference in points,
    positive where the reviewer is milder than gold; `bias` and `drift` of all scales take the mean of each dialogue. `others_at_s` are
    the times of the reviewer's other hand-ins: drift is points per 100 hand-ins of any kind, with its 95% interval.
    """
    own: dict[int, list[GoldTry]] = defaultdict(list)
    for one in tries:
        own[one.reviewer_id].append(one)
    return {str(person): _gold_figures(tried, others_at_s.get(person, ())) for person, tried in own.items()}


def _gold_figures(tries: Sequence[GoldTry], others_at_s: Sequence[float]) -> Figures:
    keys = {criterion_of(key) for one in tries for key in one.differences}
    n_scores = sum(one.n_scores for one in tries)
    return {
        "n": len(tries),
        "exact": _rounded(sum(one.n_exact for one in tries) / n_scores) if n_scores else None,
        **_bias_and_drift([(one.at.timestamp(), _mean(one.differences.values())) for one in tries], others_at_s),
        "criteria": {
            key: _bias_and_drift(
                [
                    (
                        one.at.timestamp(),
                        _mean(points for rating, points in one.differences.items() if criterion_of(rating) == key),
                    )
                    for one in tries
                ],
                others_at_s,
            )
            for key in sorted(keys)
        },
    }


def _bias_and_drift(deviations: list[tuple[float, float]], others_at_s: Sequence[float]) -> Figures:
    """A hand-in that is no gold says nothing of the deviation, but it moves the clock on."""
    from measures.reviewers import drift

    in_order = [deviation for _, deviation in sorted([*deviations, *((at_s, nan) for at_s in others_at_s)])]
    trend = drift(in_order)
    bias = _mean(one for one in in_order if not isnan(one))
    return {
        "bias": None if isnan(bias) else _rounded(bias),
        "drift": trend and [_rounded(one) for one in (trend.per_100, trend.low, trend.high)],
    }


def _mean(numbers: Iterable[float]) -> float:
    given = list(numbers)
    return sum(given) / len(given) if given else nan
