"""A judge against people over stored rows: what is planted is what the report says, and no program is taken for a person."""

import json
import random
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Person
from dialogues.models import Turn
from judging.actions.judgements import draw_variants
from judging.models import JudgeReport, JudgeReview
from judging.workbench import SIZES, gather, probes_of, report_of, to_probe
from reviews.models import Rating, Review
from rubrics.models import Criterion
from tests.judging.conftest import NOON, Script, judge_of, judged, run
from tests.reviews.conftest import closed_dialogues, person

POINTS = {"satisfaction": [-2, -1, 0, 1, 2], "fluency": [-1, 0, 1], "guidance": [0, 1]}


def scored(campaign, dialogues, reviewers, score_of):
    """Reviews of a panel, as rows; `score_of(dialogue, reviewer, key)`."""
    criteria = {one.key: one for one in Criterion.objects.filter(rubric=campaign.rubric)}
    for reviewer in reviewers:
        for dialogue in dialogues:
            review = Review.objects.create(
                dialogue=dialogue, reviewer=reviewer, part="panel", is_submitted=True, submitted_at=NOON, version=1
            )
            Rating.objects.bulk_create(
                Rating(
                    review=review, criterion=criteria[key], score=score_of(dialogue, reviewer, key),
                    lowest=points[0], highest=points[-1],
                )
                for key, points in POINTS.items()
            )  # fmt: skip


def spread(campaign, dialogues):
    """Over several scenarios, so that there are clusters to draw."""
    made = [campaign.scenarios.create(key=f"more-{n}", position=100 + n) for n in range(10)]
    for n, dialogue in enumerate(dialogues):
        dialogue.assignment.scenario = made[n % 10]
        dialogue.assignment.save()


@pytest.fixture
def planted(campaign, tester):
    """A judge that says what the first of three people says in 30 of 40 dialogues, and another point in 10."""
    dialogues = closed_dialogues(campaign, tester, 40)
    spread(campaign, dialogues)
    rng = random.Random(7)
    truth = {(one.pk, key): rng.choice(points) for one in dialogues for key, points in POINTS.items()}
    people = [person(campaign, f"reviewer-{n}", "reviewer") for n in range(3)]
    scored(campaign, dialogues[:30], people, lambda dialogue, reviewer, key: truth[dialogue.pk, key])
    texts = {str(n): one.pk for n, one in enumerate(dialogues)}
    for n, dialogue in enumerate(dialogues):
        Turn.objects.filter(dialogue=dialogue).update(texts=[str(n)])
    wrong = {dialogues[n].pk for n in range(0, 30, 4)}

    def rule(told):
        pk = texts[told.turns[0]["system"][0]]
        return told.answer(lambda key, points: next(one for one in points if (one == truth[pk, key]) != (pk in wrong)))

    judge = judge_of(campaign)
    judged(judge, Script(rule))
    return judge, dialogues, people, len(wrong)


@pytest.mark.django_db(transaction=True)
def test_the_planted_agreement_is_what_the_report_says(campaign, planted):
    judge, _dialogues, _people, n_wrong = planted
    report = report_of(judge, epsilon=0.2)
    for key in POINTS:
        figures = report["criteria"][key]
        assert figures["agreement"]["value"] == pytest.approx((30 - n_wrong) / 30, abs=1e-6)
        low, high = figures["agreement"]["interval"]
        assert low < (30 - n_wrong) / 30 < high
        assert (figures["n_scored"], figures["n_compared"], figures["n_pairs"], figures["n_people"]) == (40, 30, 90, 3)
        assert figures["alpha_people"]["value"] == 1.0
    figures = report["criteria"]["satisfaction"]
    # 40 dialogues at 0.00012, of which one criterion of three is a third.
    assert figures["cost_per_reliable"]["value"] == pytest.approx(0.00004 / ((30 - n_wrong) / 30), abs=1e-6)
    assert (figures["saved"]["n"], figures["saved"]["n_judged"]) == (30, 10)
    assert figures["saved"]["reviews"] == pytest.approx(3 * figures["saved"]["saved"], abs=1e-5)
    assert [one["n"] for one in figures["alt_test"]["power"]] == list(SIZES)
    assert len(figures["alt_test"]["people"]) == 3
    # People are all alike, so the judge never represents the others better than one of them.
    assert figures["alt_test"]["winning_rate"] == 0.0
    assert json.loads(json.dumps(report)) == report


@pytest.mark.django_db(transaction=True)
def test_a_program_is_not_taken_for_a_person(campaign, planted):
    judge, dialogues, _people, _n = planted
    before = report_of(judge, epsilon=0.2)
    robot = Person.objects.create_user("robot", kind=Person.Kind.PROGRAM)
    scored(campaign, dialogues[:20], [robot], lambda dialogue, reviewer, key: POINTS[key][0])
    assert report_of(judge, epsilon=0.2) == before


@pytest.mark.django_db(transaction=True)
def test_drafts_and_void_dialogues_are_not_compared(campaign, planted):
    judge, dialogues, _people, _n = planted
    Review.objects.filter(dialogue=dialogues[0]).update(is_submitted=False)
    dialogues[1].status = "void"
    dialogues[1].save(update_fields=["status"])
    own = gather(judge)[0]
    assert dialogues[0].pk not in {thing[0] for scores in own.people.values() for thing in scores}
    assert dialogues[1].pk not in {thing[0] for thing in own.said}


def biased(kind):
    """A judge whose score depends on what the dialogue says, and on what the planted bias sees."""

    def rule(told):
        seen = {
            "turns": [one["turn"] for one in told.turns] != sorted(one["turn"] for one in told.turns),
            "points": told.schema["ratings"]["properties"]["satisfaction"]["enum"][0] == 2,
            "criteria": next(iter(told.schema["ratings"]["properties"])) != "satisfaction",
            "length": any(len(text) > 60 for one in told.turns for text in one["system"]),
            "self": "You yourself wrote" in told.outside,
            "maker": "made by Acme" in told.outside,
        }
        base = int(told.turns[0]["system"][0].split()[0]) % 2
        return told.answer(lambda key, points: sorted(points)[base + (1 if seen.get(kind) and len(points) > 2 else 0)])

    return rule


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["turns", "points", "criteria", "length", "self", "maker", "none"])
def test_a_planted_bias_is_found_and_no_other(campaign, tester, kind):
    dialogues = closed_dialogues(campaign, tester, 8, n_turns=2)
    for n, dialogue in enumerate(dialogues):
        Turn.objects.filter(dialogue=dialogue).update(texts=[str(n)])
    judge, script = judge_of(campaign, maker="Acme"), Script(biased(kind))
    judged(judge, script)
    draw_variants(judge=judge, variants=to_probe(judge, 40), at=NOON)
    run(judge, script)
    found = probes_of(judge, {one.key: one for one in campaign.rubric.criteria.prefetch_related("points")})
    assert {key for key, one in found.items() if one["is_found"]} == ({kind} - {"none"})
    assert all(one["n"] == 8 for key, one in found.items() if key != "addressing")


@pytest.mark.django_db(transaction=True)
def test_the_command_stores_the_report_and_prints_it(campaign, planted):
    judge, *_rest = planted
    out = StringIO()
    call_command("judge_report", campaign.slug, judge=judge.key, stdout=out)
    assert "satisfaction" in out.getvalue()
    assert JudgeReport.objects.get().content["judge"] == "scribe v1"
    out = StringIO()
    call_command("judge_report", campaign.slug, judge=judge.key, format="json", stdout=out)
    assert json.loads(out.getvalue()) == JudgeReport.objects.get().content


@pytest.mark.django_db
def test_the_report_of_nothing_is_empty_and_no_error(campaign, judge):
    report = report_of(judge, epsilon=0.2)
    assert report["criteria"] == {}
    assert report["judged"]["done"] == 0
    assert {one["n"] for one in report["probes"].values()} == {0}
    assert not JudgeReview.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("said", [{"judge": "nobody"}, {"judge": "scribe", "epsilon": 0.9}])
def test_the_command_refuses_what_it_cannot_do(campaign, judge, said):
    with pytest.raises(CommandError):
        call_command("judge_report", campaign.slug, **said)
