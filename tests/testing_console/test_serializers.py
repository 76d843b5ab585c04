"""What the REST API takes: values of our kinds, refused by field in the reader's language."""

import pytest
from django.utils import translation

from testing_console.serializers import AssignedSerializer, ChosenSerializer


@pytest.mark.parametrize("value", ["5", "５", 5.0, True, 0, 2**31, None, [5]])
def test_an_assignment_is_a_json_whole_number(value):
    asked = AssignedSerializer(data={"assignment": value})
    assert not asked.is_valid()
    assert list(asked.errors) == ["assignment"]


def test_a_wrong_field_is_named_in_the_readers_language():
    said = []
    for language in ("en", "zh-hans"):
        with translation.override(language):
            asked = ChosenSerializer(data={"campaign": "small", "bot": 5, "scenario": "s"})
            assert not asked.is_valid()
            said.append(asked.errors)
    assert said == [{"bot": ["must be a text, not a number"]}, {"bot": ["必须是文本，不能是数字"]}]
