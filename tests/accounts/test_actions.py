"""Accounts are made, get passwords and tokens, and remember what their people chose."""

import pytest
from django.db import connection

from accounts.actions import choose_preferences, create_person, issue_password, issue_token, vouch_for
from accounts.models import ApiToken, Person
from accounts.preferences import UnknownChoice


def stored(person):
    return Person.objects.values_list("language", "theme").get(pk=person.pk)


@pytest.fixture
def person(db):
    return create_person(username="ann")


def test_nobody_can_log_in_to_a_new_account_before_it_has_a_password(person, client):
    assert not Person.objects.get().has_usable_password()
    assert not client.login(username="ann", password="")
    password = issue_password(person=person)
    assert client.login(username="ann", password=password)
    assert password not in Person.objects.get().password


def test_the_password_is_hashed_outside_a_transaction(person, monkeypatch, transactional_db):
    seen = []
    monkeypatch.setattr(Person, "set_password", lambda self, password: seen.append(connection.in_atomic_block))
    issue_password(person=person)
    assert seen == [False]


def test_a_new_token_leaves_the_older_ones_in_force(person, client):
    tokens = [issue_token(person=person) for _ in range(2)]
    for token in tokens:
        answer = client.get("/api/v1/assignments/", headers={"Authorization": f"Token {token}"})
        assert answer.status_code == 200
    assert not set(tokens) & set(ApiToken.objects.values_list("digest", flat=True))


def test_a_choice_is_stored_and_the_other_one_stays(person):
    choose_preferences(person=person, chosen={"theme": "dark"})
    assert stored(person) == ("", "dark")
    choose_preferences(person=person, chosen={"language": "en"})
    assert stored(person) == ("en", "dark")


def test_two_pages_that_choose_at_once_do_not_undo_each_other(person):
    one, other = Person.objects.get(), Person.objects.get()
    choose_preferences(person=one, chosen={"theme": "dark"})
    choose_preferences(person=other, chosen={"language": "en"})
    assert stored(person) == ("en", "dark")


def test_nothing_is_stored_of_a_choice_of_which_a_part_is_unknown(person):
    with pytest.raises(UnknownChoice):
        choose_preferences(person=person, chosen={"theme": "dark", "language": "tlh"})
    assert stored(person) == ("", "auto")
    assert (person.language, person.theme) == ("", "auto")


def test_only_an_account_that_made_itself_changes_who_answers_for_it(person):
    for before, after in (("organizer", "organizer"), ("application", "invitation")):
        person.came_by = before
        vouch_for(person=person, came_by=Person.CameBy.INVITATION)
        assert person.came_by == after
    person.refresh_from_db()
    assert person.came_by == "invitation"
