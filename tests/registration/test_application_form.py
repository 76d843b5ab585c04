import pytest

from reading.checking import BadForm
from registration.application_form import MEMBERS_LIMIT, members_of, read_application
from tests.registration.conftest import FORM


def wrong_fields(**said):
    with pytest.raises(BadForm) as bad:
        read_application(FORM | said)
    return {problem.place for problem in bad.value.problems}


def test_a_team_needs_a_name_in_one_language_an_affiliation_and_a_contact():
    assert read_application(FORM | {"name_zh": ""}).name_en == "Polaris"
    assert wrong_fields(name_zh=" ", name_en="") == {"name_zh"}
    assert wrong_fields(affiliation=" ", contact="x" * 201) == {"affiliation", "contact"}


def test_members_are_texts_and_not_endless():
    assert wrong_fields(members=["a"] * (MEMBERS_LIMIT + 1)) == {"members"}
    assert wrong_fields(members=["a", 1]) == {"members[1]"}
    several = ["mallory@x.org, organizer", "a;b", "a\tb", "a，b", "a；b", "a\u2028b", "a\nb"]
    assert wrong_fields(members=["wang", *several]) == {f"members[{n}]" for n in range(1, 8)}
    assert members_of(" wang \r\n\n li@example.org") == ["wang", "li@example.org"]
