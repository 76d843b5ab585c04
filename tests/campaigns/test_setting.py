"""One setting: where a file says it, what its column holds for it, what the column may hold."""

from types import SimpleNamespace

import pytest

from campaigns.campaign_settings import SETTINGS
from campaigns.setting import NOT_SAID
from reading.kinds import Texts
from reading.tables import NEEDED


@pytest.mark.parametrize(
    ("name", "value", "columns"),
    [
        ("name", Texts("名", "Name"), {"name_zh": "名", "name_en": "Name"}),
        ("masked_words", ("Acme",), {"masked_words": ["Acme"]}),
        ("quota", {"chat": 2}, {"quota": {"chat": 2}}),
        ("adjudicated_over", "never", {"adjudicated_over": None}),
        ("adjudicated_over", 0, {"adjudicated_over": 0}),
        ("training_pass_percent", "off", {"training_pass_percent": None}),
        ("context_message", "", {"context_message": ""}),
        ("turn_cap", None, {"turn_cap": None}),
        ("is_published", True, {"is_published": True}),
    ],
)
def test_a_value_is_read_from_its_columns_as_it_was_stored(name, value, columns):
    setting = SETTINGS[name]
    assert setting.columns(value) == columns
    assert setting.value_in(SimpleNamespace(**columns)) == value


def test_the_place_of_a_setting_is_its_key_in_its_table():
    assert SETTINGS["reviewed_by"].place == "[reviewing] by"
    assert SETTINGS["is_published"].place == "[campaign] published"
    assert SETTINGS["quota"].place == "[plan] quota"


def test_a_file_that_does_not_say_a_setting_leaves_it_open_unless_it_must_be_given():
    assert SETTINGS["name"].field.default is NEEDED
    assert SETTINGS["turn_cap"].field.default is NOT_SAID


def test_limits_and_choices_are_those_of_the_column():
    assert (SETTINGS["adjudicated_over"].limits, SETTINGS["name"].limits) == ((0, 200), None)
    assert SETTINGS["plan"].stored_choices == ["full", "per_cell", "random_goals", "quota"]
    assert SETTINGS["masked_words"].stored_choices == []
