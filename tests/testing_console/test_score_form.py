import pytest
from django.utils.translation import override

from testing_console.goal_card import card_parts
from testing_console.score_form import needs_transcript, score_form

pytestmark = pytest.mark.django_db


def test_verdicts_come_first_and_every_score_stands_in_the_column_of_its_value(campaign):
    with override("en"):
        form = score_form(campaign.rubric, card_parts([(1, "flight"), (2, "hotel")], {}))
    assert {row.n_columns for row in form.rows} == {5}
    assert [(row.letter, row.name, row.verdict, row.criterion) for row in form.rows] == [
        ("C", "1 Flight", 1, ""),
        ("C", "2 Hotel", 2, ""),
        ("Sa", "Satisfaction", 0, "satisfaction"),
        ("F", "Fluency", 0, "fluency"),
        ("G", "Guidance", 0, "guidance"),
    ]
    columns = [[(point.score, point.column) for point in row.points] for row in form.rows[1:]]
    assert columns == [
        [(1, 2), (0, 3)],
        [(2, 1), (1, 2), (0, 3), (-1, 4), (-2, 5)],
        [(1, 2), (0, 3), (-1, 4)],
        [(1, 2), (0, 3)],
    ]


def test_every_criterion_of_the_first_preset_has_a_question_of_two_lines_at_most(campaign):
    for language, longest in (("zh-hans", 24), ("en", 56)):
        with override(language):
            rows = score_form(campaign.rubric, card_parts([(1, "flight")], {})).rows
        assert [len(row.question) in range(1, longest + 1) for row in rows] == [False, True, True, True], language


def test_a_rubric_that_asks_for_no_verdicts_has_none(campaign):
    campaign.rubric.asks_for_verdicts = False
    assert all(row.criterion for row in score_form(campaign.rubric, card_parts([(1, "flight")], {})).rows)


def test_criteria_of_other_skills_are_not_asked_and_those_of_parts_once_per_part(campaign, django_assert_num_queries):
    campaign.rubric.criteria.filter(key="fluency").update(skills=["chit-chat"])
    campaign.rubric.criteria.filter(key="guidance").update(scope="subtask", is_required=False)
    parts = card_parts([(1, "flight"), (2, "hotel")], {})
    asked = {
        row.criterion: row.is_required for row in score_form(campaign.rubric, parts, "knowledge").rows if row.criterion
    }
    assert asked == {"satisfaction": True, "guidance#1": False, "guidance#2": False}
    with django_assert_num_queries(0):
        assert not needs_transcript(campaign.rubric, "knowledge"), "criteria are read once per rubric"
    assert "fluency" in {row.criterion for row in score_form(campaign.rubric, parts, "chit-chat").rows}


@pytest.mark.parametrize("asked", [{"scope": "turn"}, {"kind": "label"}, {"evidence_below": 0}])
def test_labels_and_evidence_need_the_transcript_beside_the_form(campaign, asked):
    assert not needs_transcript(campaign.rubric, "")
    campaign.rubric.criteria.filter(key="fluency").update(skills=["chit-chat"], **asked)
    campaign.rubric.refresh_from_db()
    assert needs_transcript(campaign.rubric, "chit-chat")
    assert not needs_transcript(campaign.rubric, "knowledge")
