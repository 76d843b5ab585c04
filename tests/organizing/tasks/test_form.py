"""The form of a task as a specification and back."""

from organizing.tasks.fields import ranking_places
from organizing.tasks.form import TaskForm, field_of, spec_of, typed_in, typed_of
from reading.checking import Problems
from scoring.task_types import TASK_TYPES

QUALITY = TASK_TYPES["dialogue-quality"]
ZONE = "Asia/Shanghai"


def read(**typed):
    problems = Problems()
    spec = spec_of(typed_in(typed, QUALITY, typed_of({}, ZONE)), QUALITY, ZONE, {"gold"}, problems)
    return spec, [(one.place, one.message) for one in problems.listed()]


def test_empty_fields_leave_the_type_its_defaults_and_dates_are_on_the_campaigns_clocks():
    spec, wrong = read(
        key="q", name_zh="质量", runs_until="2030-01-01T08:00", min_gain="0.5", development_ids="a\r\n b \n"
    )
    assert wrong == []
    assert (spec.quota_total, spec.min_gain, spec.development_ids) == (50, 0.5, ("a", "b"))
    assert spec.runs_until.isoformat() == "2030-01-01T00:00:00+00:00"
    assert "quota_total" in spec.defaults


def test_what_a_file_said_of_a_task_comes_back_from_its_form_as_it_was():
    figures = [figure.name for figure in QUALITY.figures][:5]
    stored = {
        "key": "q", "name": {"zh": "质量"}, "ranking": figures, "min_gain": 0.00001,
        "development_share": 0.12345678901234567,
    }  # fmt: skip
    before = typed_of(stored, ZONE)
    assert before["min_gain"] == "1e-05"
    problems = Problems()
    typed = typed_in({"ranking_5": figures[4], "name_zh": "其他"}, QUALITY, before)
    spec = spec_of(typed, QUALITY, ZONE, {"gold"}, problems)
    assert problems.listed() == []
    assert (spec.ranking, spec.min_gain, spec.development_share) == (tuple(figures), 0.00001, 0.12345678901234567)
    assert [place for place, _ in ranking_places(TaskForm(typed))] == [1, 2, 3, 4, 5]
    assert [place for place, _ in ranking_places(TaskForm(typed_of({}, ZONE)))] == [1, 2, 3, 4]


def test_what_is_no_number_or_date_is_said_by_its_field():
    _, wrong = read(key="q", name_zh="x", decimals="two", runs_from="soon", option_missing="maybe")
    assert {field_of(place) for place, _ in wrong} == {"decimals", "runs_from", "option_missing"}


def test_problems_stand_beside_the_field_that_they_are_typed_in():
    places = ("name.en", "name", "ranking[0]", "gold, line 7, label", "options.alpha", "development_ids[3]")
    assert [field_of(place) for place in places] == [
        "name_en", "name_zh", "ranking_1", "gold", "option_alpha", "development_ids",
    ]  # fmt: skip
