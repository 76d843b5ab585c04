"""What an organizer is told of a panel: agreement per criterion, and what each reviewer is like."""

import random
import uuid
from datetime import UTC, datetime, timedelta

import krippendorff
import numpy as np
import pytest

from accounts.models import Person
from campaigns.models import Assignment
from dialogues.models import Dialogue
from reviews import agreement
from reviews.agreement import against_gold, agreement_of
from reviews.models import Rating, Review
from reviews.training import GoldTry

ANN, BEN = 7, 8


def tried(minute, differences, *, reviewer=ANN, n_exact=0, n_scores=0):
    at = NOON + timedelta(minutes=minute)
    return GoldTry(reviewer, minute, False, at, n_exact, n_scores, differences)


def at_s(*minutes):
    return [(NOON + timedelta(minutes=minute)).timestamp() for minute in minutes]


def test_the_clock_of_the_drift_is_all_that_was_handed_in():
    """Deviations 0, 1, 1 at the hand-ins 0, 2, 4. Slope 2/8 per hand-in; residuals −1/6, 1/3, −1/6, so s² = 1/6 with one degree of freedom and
    t = 12.7062: 12.7062·√(1/48) = 1.83399."""
    told = against_gold(
        [tried(0, {"fluency": 0}), tried(20, {"fluency": 1}), tried(40, {"fluency": 1})], {ANN: at_s(10, 30)}
    )
    figures = told[str(ANN)]
    assert (figures["n"], figures["bias"]) == (3, pytest.approx(2 / 3, abs=1e-6))
    assert figures["drift"] == pytest.approx([25, 25 - 183.399, 25 + 183.399], abs=1e-3)
    assert figures["criteria"]["fluency"]["drift"] == figures["drift"]


def test_opposite_biases_of_two_criteria_are_told_apart():
    told = against_gold([tried(0, {"satisfaction": -2, "fluency": 2, "guidance": 0})], {})[str(ANN)]
    assert told["bias"] == 0
    assert {key: one["bias"] for key, one in told["criteria"].items()} == {
        "satisfaction": -2,
        "fluency": 2,
        "guidance": 0,
    }


def test_the_places_of_a_criterion_are_one_opinion_per_dialogue():
    told = against_gold([tried(0, {"coherence#1": 1, "coherence#2": 2}), tried(1, {"coherence#1": 0})], {})[str(ANN)]
    assert told["criteria"]["coherence"]["bias"] == pytest.approx(0.75)


def test_two_tries_say_nothing_of_drift_and_labels_nothing_of_bias():
    tries = [tried(0, {}, n_exact=1, n_scores=2), tried(1, {}, n_exact=2, n_scores=2)]
    assert against_gold(tries, {ANN: at_s(2)}) == {
        str(ANN): {"n": 2, "exact": 0.75, "bias": None, "drift": None, "criteria": {}}
    }


def test_each_reviewer_has_their_own():
    told = against_gold([tried(0, {"fluency": 1}), tried(1, {"fluency": -1}, reviewer=BEN)], {})
    assert {person: figures["bias"] for person, figures in told.items()} == {"7": 1, "8": -1}


pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def panel(campaign):
    return [Person.objects.create_user(name) for name in ("ann", "ben", "cai")]


class Scores:
    """Stores panel reviews of numbered dialogues, one minute after the other."""

    def __init__(self, campaign, tester):
        self.campaign, self.tester = campaign, tester
        self.criteria = {criterion.key: criterion for criterion in campaign.rubric.criteria.all()}
        self.entry, self.scenario = campaign.entries.get(), campaign.scenarios.get()
        self.n_handed_in = 0

    def dialogue(self, number, status="completed"):
        pk = uuid.UUID(int=number + 1)
        if found := Dialogue.objects.filter(pk=pk).first():
            return found
        assignment = Assignment.objects.create(
            campaign=self.campaign, tester=self.tester, entry=self.entry, scenario=self.scenario,
            repetition=number + 1, position=number,
        )  # fmt: skip
        return Dialogue.objects.create(
            id=pk, assignment=assignment, tester=self.tester, status=status, opened_at=NOON, closed_at=NOON
        )

    def add(self, person, number, scores, part="panel", status="completed", **fields):
        self.n_handed_in += 1
        review = Review.objects.create(
            dialogue=self.dialogue(number, status), reviewer=person, part=part,
            **{"is_submitted": True, "submitted_at": NOON + self.n_handed_in * MINUTE} | fields,
        )  # fmt: skip
        for name, score in scores.items():
            key, place = (name.split("@")[0], "@" + name.split("@")[1]) if "@" in name else (name, "")
            Rating.objects.create(
                review=review, criterion=self.criteria[key], place=place, score=score, lowest=-9, highest=9
            )


@pytest.fixture
def scores(campaign, tester):
    return Scores(campaign, tester)


def test_two_reviewers_by_hand(campaign, panel, scores):
    """Ann 1, 0, 1, 0 and Ben 1, 0, 0, 0: three of four equal. Shares 3/8 and 5/8, so chance is 34/64 and
    κ = (48/64 − 34/64)/(30/64) = 7/15. Krippendorff: observed 2 of 8, expected 2·3·5/(8·7) = 15/28, so α = 1 − 7/15."""
    ann, ben, _ = panel
    for number, (one, other) in enumerate([(1, 1), (0, 0), (1, 0), (0, 0)]):
        scores.add(ann, number, {"guidance": one})
        scores.add(ben, number, {"guidance": other})
    told = agreement_of(campaign)
    figures = told["criteria"]["guidance"]
    assert (figures["level"], figures["n_ratings"], figures["n_shared"]) == ("ordinal", 8, 4)
    assert (figures["raw"], figures["kappa"]) == (0.75, pytest.approx(7 / 15, abs=1e-6))
    assert figures["alpha"] == pytest.approx(1 - 7 / 15, abs=1e-6)
    # Ben rates a quarter of a point below Ann on the mean: half of it each way.
    assert figures["reviewers"][str(ben.pk)]["severity"] == pytest.approx(0.125)
    assert figures["reviewers"][str(ann.pk)]["severity"] == pytest.approx(-0.125)
    assert figures["reviewers"][str(ann.pk)]["spread"] == pytest.approx((1 / 3) ** 0.5, abs=1e-6)
    assert told["reviewers"][str(ann.pk)] == {"n": 4, "pace_s": 120.0}
    assert "fluency" not in told["criteria"]


def test_scores_with_holes_agree_with_an_independent_library(campaign, panel, scores):
    rng = random.Random(7)
    table = np.full((3, 12), np.nan)
    for number in range(12):
        for row in rng.sample(range(3), rng.choice([1, 2, 3])):
            table[row, number] = rng.choice([-2, -1, 0, 1, 2])
            scores.add(panel[row], number, {"satisfaction": int(table[row, number])})
    alpha = krippendorff.alpha(reliability_data=table, level_of_measurement="ordinal")
    assert agreement_of(campaign)["criteria"]["satisfaction"]["alpha"] == pytest.approx(alpha, abs=1e-6)


def test_a_table_that_is_too_large_to_be_compared_is_counted_and_no_more(campaign, panel, scores, monkeypatch):
    ann, ben, _ = panel
    for number in range(2):
        scores.add(ann, number, {"satisfaction": 0, "fluency": 1})
        scores.add(ben, number, {"satisfaction": 0})
    monkeypatch.setattr(agreement, "LARGEST_TABLE", 3)
    told = agreement_of(campaign)["criteria"]
    unsaid = {"n_shared": None, "alpha": None, "kappa": None, "raw": None, "reviewers": {}}
    assert told["satisfaction"] == {"level": "ordinal", "n_ratings": 4} | unsaid
    assert told["fluency"]["n_shared"] == 0


def test_labels_are_compared_place_by_place_and_have_no_severity(campaign, panel, scores):
    label = campaign.rubric.criteria.create(position=9, key="nugget", letter="N", kind="label", scope="turn")
    scores.criteria["nugget"] = label
    ann, ben, _ = panel
    scores.add(ann, 0, {"nugget@1.tester": 0, "nugget@1.bot": 5})
    scores.add(ben, 0, {"nugget@1.tester": 0, "nugget@1.bot": 4})
    figures = agreement_of(campaign)["criteria"]["nugget"]
    assert (figures["level"], figures["n_shared"], figures["raw"]) == ("nominal", 2, 0.5)
    assert figures["reviewers"][str(ann.pk)] == {"n": 2, "agreement": 0.5, "alpha_without": None}


def test_only_submitted_reviews_of_the_panel_are_compared(campaign, panel, scores):
    ann, ben, cai = panel
    scores.add(ann, 0, {"fluency": 1})
    scores.add(ben, 0, {"fluency": 1}, part="self")
    scores.add(cai, 0, {"fluency": 1}, is_submitted=False, submitted_at=None)
    scores.add(ben, 1, {"fluency": 1}, part="gold")
    scores.add(cai, 2, {"fluency": 1}, status="void")
    told = agreement_of(campaign)
    assert (told["criteria"]["fluency"]["n_ratings"], list(told["reviewers"])) == (1, [str(ann.pk)])


def test_a_severe_a_careless_and_a_tiring_reviewer_are_found(campaign, panel, scores):
    """Ann and Ben score what is there, Ben a point below; Cai rolls dice. On fluency Ben grows milder: 0 eleven times, 1
    nineteen times, 2 ten times. By least squares that is (9.5 + 2 · 150)/5330 per score, the others' not moving."""
    rng = random.Random(3)
    ann, ben, cai = panel
    for number in range(40):
        truth = rng.choice([-1, 0, 1, 2])
        scores.add(ann, number, {"satisfaction": truth, "fluency": 0})
        scores.add(ben, number, {"satisfaction": truth - 1, "fluency": round(number / 20)})
        scores.add(cai, number, {"satisfaction": rng.choice([-2, -1, 0, 1, 2]), "fluency": 0})
    told = agreement_of(campaign)["criteria"]
    each = told["satisfaction"]["reviewers"]
    assert each[str(ben.pk)]["severity"] - each[str(ann.pk)]["severity"] == pytest.approx(1.0)
    assert each[str(cai.pk)]["alpha_without"] > told["satisfaction"]["alpha"] + 0.2
    assert each[str(ann.pk)]["alpha_without"] < each[str(cai.pk)]["alpha_without"]
    per_100, low, high = told["fluency"]["reviewers"][str(ben.pk)]["drift"]
    assert low < per_100 < high
    assert per_100 == pytest.approx(100 * 309.5 / 5330, abs=1e-6)


def test_the_number_of_queries_does_not_grow_with_the_reviews(campaign, panel, scores, django_assert_num_queries):
    for number in range(5):
        scores.add(panel[number % 3], number, {"satisfaction": 1, "fluency": 0})
        with django_assert_num_queries(8):
            agreement_of(campaign)


def test_nobody_has_scored_yet(campaign):
    assert agreement_of(campaign) == {"criteria": {}, "reviewers": {}, "conduct": {}, "gold": {}}
