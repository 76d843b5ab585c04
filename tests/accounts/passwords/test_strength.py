import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils import translation


def test_a_password_has_eight_characters_at_least():
    validate_password("eightchr")
    with translation.override("en"), pytest.raises(ValidationError) as short:
        validate_password("sevench")
    assert short.value.messages == ["Choose at least 8 characters."]
