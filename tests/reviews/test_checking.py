"""Criteria of dialogues, subtasks and turns; labels, skills, evidence, and verdicts on subtasks that never began."""

import pytest
from django.utils import translation

from dialogues.models import Dialogue, DialogueSubtask
from reviews.actions import BadReview, save_draft, submit_review
from reviews.actions.contents import content_of
from reviews.models import Rating
from rubrics.models import ScalePoint
from tests.reviews.conftest import NOON, SCORES, submit

pytestmark = pytest.mark.django_db

TURNS = {"nugget@1.tester": "CNUG", "nugget@1.bot": "HNUG", "nugget@2.tester": "CNaN", "nugget@2.bot": "HNaN",
         "nugget@3.tester": "CNUG", "nugget@3.bot": "HNUG"}  # fmt: skip
SUBTASKS = {"coherence#1": 1, "coherence#2": 0}


@pytest.fixture
def rubric(closed):
    """Beside the three scales: coherence per subtask, a nugget label per turn and speaker, knowledge for one skill only."""
    rubric = closed.assignment.campaign.rubric
    coherence = rubric.criteria.create(
        position=10, key="coherence", letter="Co", name_zh="x", name_en="x", scope="subtask"
    )
    nugget = rubric.criteria.create(
        position=11, key="nugget", letter="N", name_zh="x", name_en="x", scope="turn", kind="label"
    )
    knowledge = rubric.criteria.create(
        position=12, key="knowledge", letter="K", name_zh="x", name_en="x", skills=["knowledge"]
    )
    for criterion in (coherence, knowledge):
        add_points(criterion, range(3))
    for number, key in enumerate(("CNUG", "CNaN", "HNUG", "HNaN")):
        speaker = "tester" if key.startswith("C") else "bot"
        nugget.points.create(score=number, key=key, speaker=speaker, label_zh="x", label_en="x")
    return rubric


def add_points(criterion, scores):
    ScalePoint.objects.bulk_create(
        ScalePoint(criterion=criterion, score=score, label_zh="x", label_en="x") for score in scores
    )


def refused(dialogue, tester, **changed):
    with pytest.raises(BadReview) as bad, translation.override("en"):
        submit(dialogue, tester, **changed)
    return bad.value.fields


def test_scores_stand_at_their_places_and_labels_come_back_by_their_keys(closed, tester, rubric):
    given = SCORES | SUBTASKS | TURNS
    review = submit(closed, tester, ratings=given)
    assert content_of(review)["ratings"] == given
    stored = Rating.objects.get(criterion__key="nugget", place="@2.bot")
    assert (stored.score, stored.lowest, stored.highest) == (3, 0, 3)
    assert review.changes.get().after["ratings"] == given


def test_every_place_is_asked_for(closed, tester, rubric):
    wrong = refused(closed, tester, ratings=SCORES | {"coherence#1": 1} | TURNS | {"nugget@3.bot": None})
    assert set(wrong) == {"ratings.coherence#2", "ratings.nugget@3.bot"}
    assert wrong["ratings.coherence#2"] == "A score is missing."


def test_a_turn_without_an_answer_is_asked_for_its_tester_only(closed, tester, rubric):
    closed.turns.filter(number=3).update(texts=[], status="failed")
    given = SCORES | SUBTASKS | {key: label for key, label in TURNS.items() if key != "nugget@3.bot"}
    assert submit(closed, tester, ratings=given).is_submitted
    closed.turns.filter(number=1).update(text="")
    wrong = refused(closed, tester, ratings=given, based_on_version=1)
    assert wrong == {"ratings.nugget@1.tester": "This criterion is not asked there."}


@pytest.mark.parametrize("place", ["@0.bot", "@4.tester", "@1.organizer", "#1", "", "@1"])
def test_a_place_that_the_dialogue_does_not_have_is_refused(closed, tester, rubric, place):
    wrong = refused(closed, tester, ratings=SCORES | SUBTASKS | TURNS | {f"nugget{place}": "HNUG"})
    assert wrong == {f"ratings.nugget{place}": "This criterion is not asked there."}


@pytest.mark.parametrize("label", ["CNUG", "hnug", 2, True, ["HNUG"], ""])
def test_a_label_is_one_of_its_speakers(closed, tester, rubric, label):
    wrong = refused(closed, tester, ratings=SCORES | SUBTASKS | TURNS | {"nugget@1.bot": label})
    assert wrong == {"ratings.nugget@1.bot": f"{label!r} is not one of the labels: HNUG, HNaN."}


def test_a_criterion_is_asked_for_scenarios_of_its_skills_only(closed, tester, rubric):
    given = SCORES | SUBTASKS | TURNS
    assert refused(closed, tester, ratings=given | {"knowledge": 1}) == {
        "ratings.knowledge": "This rubric has no such criterion."
    }
    scenario = closed.assignment.scenario
    scenario.skill = "knowledge"
    scenario.save()
    assert set(refused(closed, tester, ratings=given)) == {"ratings.knowledge"}
    assert submit(closed, tester, ratings=given | {"knowledge": 1}).is_submitted


def test_what_is_not_required_may_be_left_out(closed, tester, rubric):
    rubric.criteria.filter(key__in=["coherence", "nugget"]).update(is_required=False)
    assert submit(closed, tester, ratings=SCORES | {"coherence#2": None}).ratings.count() == 3
    wrong = refused(closed, tester, ratings=SCORES | {"coherence#1": 9}, based_on_version=1)
    assert list(wrong) == ["ratings.coherence#1"]


@pytest.fixture
def with_evidence(closed):
    closed.assignment.campaign.rubric.criteria.filter(key="satisfaction").update(evidence_below=0)
    return closed


def test_a_low_score_needs_a_turn_that_shows_why(with_evidence, tester):
    low = SCORES | {"satisfaction": -1}
    assert refused(with_evidence, tester, ratings=low) == {
        "evidence.satisfaction": "A score below 0 needs a turn that shows why."
    }
    review = submit(with_evidence, tester, ratings=low, evidence={"satisfaction": 2})
    assert review.ratings.get(criterion__key="satisfaction").evidence_turn == 2
    assert review.changes.get().after["evidence"] == {"satisfaction": 2}


def test_a_score_at_the_limit_needs_none_and_may_have_one(with_evidence, tester):
    at_the_limit = SCORES | {"satisfaction": 0}
    assert submit(with_evidence, tester, ratings=at_the_limit).is_submitted
    again = submit(with_evidence, tester, ratings=at_the_limit, evidence={"satisfaction": 3}, based_on_version=1)
    assert content_of(again)["evidence"] == {"satisfaction": 3}


@pytest.mark.parametrize("turn", [0, 4, "1", True, 1.0, -1])
def test_evidence_is_a_turn_of_the_dialogue(with_evidence, tester, turn):
    low = SCORES | {"satisfaction": -1}
    wrong = refused(with_evidence, tester, ratings=low, evidence={"satisfaction": turn})
    assert wrong == {"evidence.satisfaction": "The dialogue has no such turn."}


def test_evidence_without_a_score_is_refused(closed, tester, rubric):
    rubric.criteria.filter(key__in=["coherence", "nugget"]).update(is_required=False)
    wrong = refused(closed, tester, evidence={"coherence#1": 1, "taste": 1})
    assert wrong == {
        "evidence.coherence#1": "There is no score that this turn could show.",
        "evidence.taste": "This rubric has no such criterion.",
    }


def test_a_draft_takes_places_and_evidence_and_loses_evidence_with_its_score(closed, tester, rubric):
    def choose(**changes):
        return save_draft(dialogue=closed, reviewer=tester, changes=changes, based_on_version=0, at=NOON).draft

    choose(ratings={"coherence#2": 0, "nugget@1.bot": "HNUG"}, evidence={"coherence#2": 3})
    assert choose(comment="x") == {
        "ratings": {"coherence#2": 0, "nugget@1.bot": "HNUG"}, "evidence": {"coherence#2": 3}, "verdicts": {},
        "comment": "x",
    }  # fmt: skip
    assert choose(ratings={"coherence#2": None})["evidence"] == {}
    with pytest.raises(BadReview) as bad:
        choose(ratings={"nugget@1.bot": "CNUG"}, evidence={"coherence#2": 9})
    assert set(bad.value.fields) == {"ratings.nugget@1.bot", "evidence.coherence#2"}


@pytest.fixture
def given_up(closed):
    """Its second subtask never began."""
    DialogueSubtask.objects.filter(dialogue=closed, index=2).update(turns_used=0, answered_turns=0, status="given_up")
    return Dialogue.objects.get(pk=closed.pk)


def test_a_subtask_that_never_began_cannot_be_finished(given_up, tester):
    wrong = refused(given_up, tester, verdicts={"2": True})
    assert wrong == {"verdicts.2": "Nothing was said in this subtask: it cannot be finished."}
    with pytest.raises(BadReview):
        save_draft(dialogue=given_up, reviewer=tester, changes={"verdicts": {"2": True}}, based_on_version=0, at=NOON)
    review = submit(given_up, tester, verdicts={"2": False})
    assert list(review.verdicts.values_list("is_finished", flat=True)) == [True, False]


def test_what_the_ledger_holds_for_finished_is_taken_even_without_a_turn(given_up, tester):
    """A bot that booked both at once: the tester closed the second subtask as finished without a word."""
    DialogueSubtask.objects.filter(dialogue=given_up, index=2).update(status="finished")
    assert submit(given_up, tester).verdicts.filter(is_finished=True).count() == 2
    again = submit_review(
        dialogue=given_up, reviewer=tester, ratings=SCORES, verdicts={"2": True}, comment="", based_on_version=1,
        at=NOON,
    )  # fmt: skip
    assert again.version == 2
