import pytest

from automatic_tasks.task_file import ServiceSpec, read_task_file
from reading.checking import BadFile

HEAD = 'campaign = "small"\n[[tasks]]\nkey = "a"\nname = "甲"\ngold = "gold.json"\n'


def task(text: str, type_: str = "dialogue-quality"):
    (read,) = read_task_file("tasks.toml", f'{HEAD}type = "{type_}"\n{text}'.encode()).tasks
    return read


def problems_of(text: str) -> list[str]:
    with pytest.raises(BadFile) as bad:
        task(text)
    return [str(problem) for problem in bad.value.problems]


def test_what_the_file_leaves_out_is_the_task_types_and_is_noted_as_such():
    read = task("")
    assert (read.quota_total, read.quota_per_day, read.batch_size, read.deadline_s) == (50, 5, 50, 4.0)
    assert read.development_share == 0.5
    assert read.ranking == ("quality.A.nmd",)
    assert read.defaults == {
        "quota_total": 50, "quota_per_day": 5, "development_share": 0.5, "batch_size": 50, "deadline_s": 4.0,
        "ranking": ["quality.A.nmd"],
    }  # fmt: skip
    assert task("", "intent-classification").development_share == 0


def test_noise_is_mixed_in_by_default_where_there_is_some_and_only_there():
    assert task("", "intent-classification").noise_ratio == 0
    read = task('noise = "noise.jsonl"', "intent-classification")
    assert (read.noise_ratio, read.defaults["noise_ratio"]) == (1, 1)
    assert task('noise = "noise.jsonl"\nnoise_ratio = 0', "intent-classification").noise_ratio == 0


def test_what_the_file_declares_is_no_default_even_where_it_is_the_same():
    assert "quota_total" not in task("quota_total = 50").defaults
    assert "ranking" not in task('ranking = ["quality.A.nmd"]').defaults
    assert "development_share" not in task('development_ids = ["d1"]').defaults


def test_a_ranking_names_a_figure():
    assert problems_of("ranking = []") == ["[[tasks]] 1 ranking: names no figure"]


def test_options_are_read_as_on_the_command_line():
    read = task('options = {classes = ["a", "b"], missing = "count"}', "intent-classification")
    assert read.options == {"classes": ("a", "b"), "missing": "count"}


def test_a_name_is_no_longer_than_its_column():
    with pytest.raises(BadFile) as bad:
        read_task_file("tasks.toml", HEAD.replace("甲", "甲" * 201).encode() + b'type = "dialogue-quality"')
    # A text without languages is the name in both.
    assert [str(problem) for problem in bad.value.problems] == [
        f"[[tasks]] 1 name {language}: has 201 characters; 200 are the most" for language in ("zh", "en")
    ]


def test_services_stand_in_the_file():
    read = task('services = [{team = "A", url = "http://203.0.113.5/x"}]', "intent-classification")
    assert read.services == (ServiceSpec("A", "http://203.0.113.5/x"),)
    read = task(
        'services = [{team = "A", url = "http://a/", secret = "s3cret", draft = true}]', "intent-classification"
    )
    assert read.services == (ServiceSpec("A", "http://a/", "s3cret", True),)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("quota_total = 0", "[[tasks]] 1 quota_total: must be a whole number from 1 to 1000000"),
        ("deadline_s = 0.05", "[[tasks]] 1 deadline_s: must be a number from 0.1 to 120"),
        ("noise_ratio = true", "[[tasks]] 1 noise_ratio: must be a number from 0 to 100"),
        ("decimals = 13", "[[tasks]] 1 decimals: must be a whole number from 0 to 12"),
        ("quota = 5", "[[tasks]] 1 quota: is not known here"),
    ],
)
def test_a_value_out_of_its_limits_is_named_with_its_place(text, problem):
    (said,) = problems_of(text)
    assert said.startswith(problem)


def test_a_file_that_is_no_toml_is_an_error_in_words():
    with pytest.raises(BadFile, match="file: is not TOML: Expected ']]' at the end of an array declaration"):
        read_task_file("tasks.toml", b"[[tasks")
