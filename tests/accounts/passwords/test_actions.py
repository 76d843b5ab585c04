from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actions import create_person, issue_token, store_password
from accounts.link_tokens import LinkUnusable, Unusable
from accounts.models import ApiToken, OneTimeLink, Person
from accounts.passwords.actions import make_mailed_link, make_password_link, set_password_by_link
from audit.models import TrailLine

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
NEW = "a new and longer one"


@pytest.fixture
def person(db):
    return Person.objects.create_user("zhang", password="an old and long one")


def why_of(token, at=NOW) -> Unusable:
    with pytest.raises(LinkUnusable) as unusable:
        set_password_by_link(token=token, password="another one, never set", at=at)
    return unusable.value.why


def test_a_link_sets_the_password_once(person):
    token = make_password_link(person=person, by=None, at=NOW)
    set_password_by_link(token=token, password=NEW, at=NOW)
    person.refresh_from_db()
    assert person.check_password(NEW)
    assert why_of(token) is Unusable.USED
    person.refresh_from_db()
    assert person.check_password(NEW)


def test_a_reset_ends_the_api_tokens_and_the_trail_says_how_many(person):
    other = Person.objects.create_user("li")
    for one in (person, person, other):
        issue_token(person=one)
    token = make_password_link(person=person, by=None, at=timezone.now())
    set_password_by_link(token=token, password=NEW, at=timezone.now())
    assert [one.user for one in ApiToken.objects.all()] == [other]
    assert TrailLine.objects.get(act="account.password_set").details == {"tokens": 2}


def test_a_first_password_ends_no_token(db):
    newcomer = create_person(username="li")
    issue_token(person=newcomer)
    token = make_password_link(person=newcomer, by=None, at=timezone.now())
    set_password_by_link(token=token, password=NEW, at=timezone.now())
    assert ApiToken.objects.filter(user=newcomer).exists()


def test_only_the_hash_of_a_token_is_stored(person):
    token = make_password_link(person=person, by=None, at=NOW)
    row = OneTimeLink.objects.values().get()
    assert all(token not in str(value) for value in row.values())
    assert not any(token in str(line) for line in TrailLine.objects.values())


def test_a_link_ends_after_three_days(person):
    token = make_password_link(person=person, by=None, at=NOW)
    assert why_of(token, NOW + timedelta(days=3)) is Unusable.EXPIRED
    set_password_by_link(token=token, password=NEW, at=NOW + timedelta(days=3) - timedelta(seconds=1))


def test_using_one_link_ends_the_persons_others_and_nobody_elses(person):
    other = Person.objects.create_user("li")
    first, second = (make_password_link(person=person, by=None, at=NOW) for _ in range(2))
    of_other = make_password_link(person=other, by=None, at=NOW)
    set_password_by_link(token=second, password=NEW, at=NOW)
    assert why_of(first) is Unusable.WITHDRAWN
    set_password_by_link(token=of_other, password=NEW, at=NOW)


def test_a_link_for_somebody_who_was_closed_out_and_a_made_up_one_are_unknown(person):
    token = make_password_link(person=person, by=None, at=NOW)
    person.is_active = False
    person.save()
    assert why_of(token) is Unusable.UNKNOWN
    assert why_of("made-up") is Unusable.UNKNOWN


def test_making_and_using_a_link_leave_one_line_each(person):
    organizer = Person.objects.create_user("organizer")
    token = make_password_link(person=person, by=organizer, at=NOW, campaign="small")
    set_password_by_link(token=token, password=NEW, at=NOW)
    lines = TrailLine.objects.in_order().values_list("act", "person", "about", "campaign")
    assert list(lines) == [
        ("account.password_link", "organizer", "zhang", "small"),
        ("account.password_set", "zhang", "zhang", ""),
    ]


def test_three_mails_per_hour_are_sent_at_most(person):
    assert all(make_mailed_link(person=person, at=NOW) for _ in range(3))
    assert make_mailed_link(person=person, at=NOW + timedelta(minutes=59)) is None
    assert make_mailed_link(person=person, at=NOW + timedelta(minutes=61))


def test_a_mailed_link_ends_after_an_hour(person):
    token = make_mailed_link(person=person, at=NOW)
    assert why_of(token, NOW + timedelta(hours=1)) is Unusable.EXPIRED


@pytest.mark.django_db(transaction=True)
def test_of_two_clicks_at_once_one_sets_the_password():
    person = Person.objects.create_user("zhang")
    token = make_password_link(person=person, by=None, at=NOW)
    start, done = Barrier(2), []

    def click(password: str) -> None:
        start.wait()
        try:
            set_password_by_link(token=token, password=password, at=NOW)
            done.append(password)
        except LinkUnusable as unusable:
            done.append(unusable.why)
        finally:
            connection.close()

    threads = [Thread(target=click, args=[f"a long password {n}"]) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Unusable.USED in done
    done.remove(Unusable.USED)
    person.refresh_from_db()
    assert person.check_password(done[0])


def test_a_password_that_is_changed_ends_the_links_made_before(person):
    token = make_password_link(person=person, by=None, at=NOW)
    store_password(person=person, by=person)
    with pytest.raises(LinkUnusable):
        set_password_by_link(token=token, password="another-long-one-7", at=NOW)


def test_a_link_opens_nothing_once_its_person_may_do_more_than_when_it_was_made(person, campaign):
    of_staff = make_password_link(person=person, by=None, at=NOW)
    Person.objects.filter(pk=person.pk).update(is_staff=True)
    assert why_of(of_staff) == Unusable.WITHDRAWN
    person.refresh_from_db()
    of_role = make_password_link(person=person, by=None, at=NOW)
    campaign.roles.create(person=person, role="tester")
    assert why_of(of_role) == Unusable.WITHDRAWN
    last = make_password_link(person=person, by=None, at=NOW)
    # Less is no reason: whoever was given the link was trusted with more.
    campaign.roles.filter(person=person).delete()
    set_password_by_link(token=last, password=NEW, at=NOW)
    person.refresh_from_db()
    assert person.check_password(NEW)


def test_a_mailed_link_leaves_one_line_of_the_trail(person):
    make_mailed_link(person=person, at=NOW)
    assert [(line.act, line.about) for line in TrailLine.objects.all()] == [("account.password_mail", "zhang")]


def test_a_link_of_another_purpose_sets_no_password(person):
    token = make_password_link(person=person, by=None, at=NOW)
    with connection.cursor() as cursor:
        # The table knows no other purpose yet.
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
        else:
            cursor.execute("ALTER TABLE accounts_onetimelink DROP CONSTRAINT purpose_of_link_is_known")
        try:
            OneTimeLink.objects.update(purpose="other")
            assert why_of(token) is Unusable.UNKNOWN
            OneTimeLink.objects.update(purpose=OneTimeLink.Purpose.PASSWORD)
        finally:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA ignore_check_constraints = OFF")
    set_password_by_link(token=token, password=NEW, at=NOW)
