"""What guesses are taken from, and when the next is free."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from accounts.actions import issue_token
from accounts.log_in.actions import (
    forget_guesses,
    give_guesses_back,
    lift_network_limit,
    log_program_in,
    take_guess,
)
from accounts.log_in.guesses import WINDOW, Guess, code_digest_of, digest_of
from accounts.models import ApiToken, LiftedNetworkLimit, LogInTry, Person
from audit.models import TrailLine

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 4, 12, tzinfo=ZoneInfo("Asia/Shanghai"))


def seconds(n):
    return NOON + timedelta(seconds=n)


def taken(guess, n, *, start=0):
    """How many of `n` guesses, one per second, are looked at."""
    return sum(take_guess(guess=guess, at=seconds(start + number)) is None for number in range(n))


def test_of_1000_guesses_from_one_address_at_one_account_five_are_looked_at():
    assert taken(Guess("ann", "192.0.2.1"), 800) == 5


def test_the_sixth_guess_is_told_when_the_first_no_longer_counts():
    taken(Guess("ann", "192.0.2.1"), 5)
    assert take_guess(guess=Guess("ann", "192.0.2.1"), at=seconds(60)) == seconds(0) + WINDOW


def test_refused_guesses_make_nobody_wait_longer():
    guess = Guess("ann", "192.0.2.1")
    taken(guess, 899)
    assert take_guess(guess=guess, at=seconds(900)) is None
    assert LogInTry.objects.count() == 5


def test_guesses_from_a_thousand_addresses_at_one_account_stop_at_thirty():
    looked_at = sum(
        take_guess(guess=Guess("ann", f"10.0.{n // 250}.{n % 250}"), at=seconds(n / 10)) is None for n in range(1000)
    )
    assert looked_at == 30


def test_one_address_that_tries_a_thousand_accounts_stops_at_a_hundred():
    assert sum(take_guess(guess=Guess(f"n{n}", "192.0.2.1"), at=seconds(n / 10)) is None for n in range(1000)) == 100


def test_a_browser_that_got_in_before_is_let_through_all_of_that():
    for n in range(200):
        take_guess(guess=Guess("ann", f"10.0.0.{n}"), at=seconds(n / 10))
        take_guess(guess=Guess(f"n{n}", "192.0.2.1"), at=seconds(n / 10))
    assert take_guess(guess=Guess("ann", "192.0.2.1"), at=seconds(30)) is not None
    assert take_guess(guess=Guess("ann", "192.0.2.1", "mine"), at=seconds(30)) is None


def test_a_stolen_browser_has_ten_guesses():
    assert taken(Guess("ann", "192.0.2.1", "mine"), 100) == 10


def test_who_gets_in_gives_back_their_own_guesses_and_no_others():
    taken(Guess("ann", "192.0.2.1"), 3)
    taken(Guess("bob", "192.0.2.1"), 2)
    give_guesses_back(guess=Guess("ann", "192.0.2.1"))
    assert set(LogInTry.objects.values_list("name", flat=True)) == {"bob"}


def test_old_guesses_are_stored_no_longer_than_they_count():
    taken(Guess("ann", "192.0.2.1"), 2)
    take_guess(guess=Guess("bob", "192.0.2.2"), at=seconds(0) + WINDOW + timedelta(seconds=2))
    assert LogInTry.objects.get().name == "bob"


def test_an_organizer_can_forget_the_guesses_at_one_account_or_of_one_network():
    taken(Guess("ann", "192.0.2.1"), 2)
    taken(Guess("bob", "192.0.2.2"), 1)
    assert forget_guesses(name="ann") == 2
    assert forget_guesses(network="192.0.2.2") == 1
    assert forget_guesses() == 0
    lines = TrailLine.objects.filter(act="login.guesses_forgotten").order_by("number")
    assert [(line.about, line.details) for line in lines] == [
        ("name", {"n": 2, "network": ""}),
        ("network", {"n": 1, "network": "192.0.2.2"}),
        ("all", {"n": 0, "network": ""}),
    ]


@pytest.fixture
def ann():
    return Person.objects.create(username="ann")


def named_tokens(person):
    return sorted(ApiToken.objects.filter(user=person).values_list("name", flat=True))


@pytest.fixture
def program(ann):
    """Logs in under that name; a token is as old as it was used last, in hours."""

    def logged_in(name, hours=0):
        issued = log_program_in(person=ann, name=name, lasts=timedelta(days=1), details={}, at=timezone.now())
        ApiToken.objects.filter(pk=issued.stored.pk).update(used_at=timezone.now() - timedelta(hours=hours))
        return issued.stored

    return logged_in


def test_beyond_20_the_token_that_was_used_least_recently_ends(ann, program):
    oldest = program("n-00", hours=30)
    issue_token(person=ann, name="by hand")
    for n in range(1, 20):
        program(f"n-{n:02}", hours=n)
    assert len(named_tokens(ann)) == 21
    program("n-20")
    assert named_tokens(ann) == ["by hand", *(f"n-{n:02}" for n in range(1, 21))]
    line = TrailLine.objects.in_order().last()
    assert (line.act, line.details["ended"]) == ("token.issued", [oldest.token_key])


def test_a_script_that_logs_in_again_and_again_ends_its_own_tokens_alone(ann, program):
    for n in range(3):
        program(f"other {n}", hours=20)
    for _ in range(30):
        program("script")
    assert named_tokens(ann) == ["other 0", "other 1", "other 2", *["script"] * 17]


@pytest.mark.parametrize("digest", [digest_of, code_digest_of])
def test_a_lifted_network_limit_lets_these_people_guess_and_nobody_else(digest):
    ann, ben = (Person.objects.create(username=name) for name in ("ann", "ben"))
    for n in range(100):
        take_guess(guess=Guess(f"n{n}", "192.0.2.1"), at=NOON)
    assert take_guess(guess=Guess(digest("ann"), "192.0.2.1"), at=NOON) == NOON + WINDOW
    assert lift_network_limit(people=[ann], by=ben, at=NOON, campaign="small") == NOON + timedelta(hours=1)
    assert take_guess(guess=Guess(digest("ann"), "192.0.2.1"), at=NOON) is None
    assert take_guess(guess=Guess(digest("ben"), "192.0.2.1"), at=NOON) == NOON + WINDOW


def test_the_limits_of_each_account_stay_where_that_of_the_network_is_lifted():
    ann = Person.objects.create(username="ann")
    lift_network_limit(people=[ann], by=ann, at=NOON, campaign="small")
    assert taken(Guess(digest_of("ann"), "192.0.2.1"), 800) == 5


def test_a_limit_is_lifted_for_an_hour_and_longer_where_it_is_lifted_again():
    ann = Person.objects.create(username="ann")
    lift_network_limit(people=[ann], by=ann, at=NOON, campaign="small")
    lift_network_limit(people=[ann], by=ann, at=seconds(1800), campaign="small")
    for n in range(100):
        take_guess(guess=Guess(f"n{n}", "192.0.2.1"), at=seconds(5390))
    guess = Guess(digest_of("ann"), "192.0.2.1")
    assert take_guess(guess=guess, at=seconds(5399)) is None
    assert take_guess(guess=guess, at=seconds(5400)) == seconds(5390) + WINDOW
    lift_network_limit(people=[], by=ann, at=seconds(5400), campaign="small")
    assert not LiftedNetworkLimit.objects.exists()
