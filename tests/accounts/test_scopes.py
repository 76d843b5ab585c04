"""What a credential allows."""

import pytest

from accounts.scopes import WHOLE, Scope


@pytest.mark.parametrize(
    ("scope", "covered"),
    [
        (WHOLE, {("tester", "a"), ("tester", "b"), ("organizer", "a")}),
        (Scope(role="tester"), {("tester", "a"), ("tester", "b")}),
        (Scope(campaign="a"), {("tester", "a"), ("organizer", "a")}),
        (Scope("tester", "a"), {("tester", "a")}),
    ],
)
def test_a_scope_narrows_to_its_role_and_its_campaign(scope, covered):
    places = [("tester", "a"), ("tester", "b"), ("organizer", "a")]
    assert {place for place in places if scope.covers(*place)} == covered
