import pytest

from scoring.one_run import BadGold, all_options, read_gold, read_options
from scoring.task_types import TASK_TYPES

NUGGETS = TASK_TYPES["nugget-detection"]


def test_options_are_read_from_texts_and_the_others_have_their_defaults():
    assert read_options(NUGGETS, {"alpha": "0.25"}) == {"missing": "refuse", "alpha": 0.25}
    assert read_options(TASK_TYPES["intent-classification"], {"classes": "a, b,,c"})["classes"] == ("a", "b", "c")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"beta": "1"}, "nugget-detection has no --beta; it knows --missing, --alpha"),
        ({"alpha": "1.5"}, "--alpha must be a number from 0 to 1, not '1.5'"),
        ({"alpha": "nan"}, "--alpha must be a number from 0 to 1, not 'nan'"),
        ({"missing": "ignore"}, "--missing must be one of 'refuse', 'count', not 'ignore'"),
    ],
)
def test_an_option_that_does_not_fit_is_an_error_in_words(given, said):
    with pytest.raises(ValueError, match="^" + said.replace("(", "\\(")):
        read_options(NUGGETS, given)


def test_a_bad_gold_is_never_a_bad_run():
    with pytest.raises(BadGold) as bad:
        read_gold(NUGGETS, b"[]", NUGGETS.default_options())
    assert str(bad.value) == "file: holds no dialogue"


def test_an_option_of_several_task_types_is_listed_with_all_of_them():
    assert {name for name, _option in all_options()["missing"]} == set(TASK_TYPES)
    assert [name for name, _option in all_options()["alpha"]] == ["nugget-detection"]
