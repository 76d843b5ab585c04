import pytest
from django.utils.translation import override

from testing_console.goal_card import card_parts
from testing_console.score_axis import ScoreKeys, axis, columns_of, placed, score_keys, shared_axis
from testing_console.score_form import needs_transcript, score_form

pytestmark = pytest.mark.django_db


def test_columns_are_the_values_of_all_scales_highest_first():
    assert axis([[-2, -1, 0, 1, 2], [-1, 0, 1], [0, 1]]) == [2, 1, 0, -1, -2]
    assert axis([[1, 2, 3, 4, 5], [0, 1]]) == [5, 4, 3, 2, 1, 0]
    assert axis([]) == []


def test_a_scale_too_long_for_a_row_has_columns_of_its_own_and_leaves_those_of_the_others():
    twenty_one = range(21)
    shared = shared_axis([[1, 0], [-1, 0, 1], twenty_one])
    assert shared == [1, 0, -1]
    assert columns_of([0, 1], shared) == shared
    assert columns_of(twenty_one, shared) == list(range(20, -1, -1))
    assert shared_axis([range(11)]) == list(range(10, -1, -1))


def test_scales_that_fit_a_row_but_not_together_have_columns_of_their_own():
    shared = shared_axis([range(-5, 6), range(1, 11)])
    assert shared == []
    assert columns_of([1, 0], shared) == [1, 0]


def test_a_shorter_scale_keeps_the_columns_of_its_values():
    columns = [2, 1, 0, -1, -2]
    points = placed([(-1, "bad"), (0, "fair"), (1, "good")], columns)
    assert [(point.shown, point.label, point.column) for point in points] == [
        ("1", "good", 2),
        ("0", "fair", 3),
        ("−1", "bad", 4),
    ]


@pytest.mark.parametrize(
    ("scores", "digits", "negative", "long"),
    [
        ([-2, -1, 0, 1, 2], ["2", "1", "0"], "1", ""),
        ([1, 2, 3, 4, 5], ["5", "4", "3", "2", "1"], "", ""),
        ([-100, 0, 50, 100], ["0"], "", "−100"),
        ([0, 5, 10], ["5", "0"], "", "10"),
        ([-12, -3], [], "3", "−12"),
        ([], [], "", ""),
    ],
)
def test_the_keys_are_those_of_the_scores_that_there_are(scores, digits, negative, long):
    assert score_keys(scores) == ScoreKeys(digits, negative, long)


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
