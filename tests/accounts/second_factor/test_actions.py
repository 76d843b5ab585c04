"""A second factor is set up, used and ended."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.actions import issue_token
from accounts.log_in.actions import log_program_in
from accounts.models import ApiToken, Person
from accounts.second_factor.actions import (
    ReasonNeeded,
    begin_set_up,
    end_second_factor,
    finish_set_up,
    renew_backup_codes,
    reset_second_factor,
    use_code,
)
from audit.models import TrailLine
from tests.accounts.second_factor.conftest import code_of


def acts():
    return list(TrailLine.objects.in_order().filter(act__startswith="second_factor").values_list("act", flat=True))


def test_nothing_is_on_before_a_code_proves_the_app(ann):
    device = begin_set_up(person=ann)
    assert finish_set_up(person=ann, code="000000") is None
    assert not ann.has_second_factor
    assert len(finish_set_up(person=ann, code=code_of(device)).codes) == 10
    assert ann.has_second_factor
    assert acts() == ["second_factor.set"]


def test_beginning_again_makes_a_new_secret_and_drops_the_old_one(ann):
    old = begin_set_up(person=ann)
    assert begin_set_up(person=ann).key != old.key
    assert TOTPDevice.objects.count() == 1


def test_setting_it_up_ends_what_the_password_alone_opened_and_says_so_in_the_trail(ann):
    """Tokens that were made by hand stay, unless the person ends them as well."""
    at = timezone.now()
    issue_token(person=ann, name="by hand")
    log_program_in(person=ann, name="script", lasts=timedelta(days=365), details={}, at=at)
    asking = log_program_in(person=ann, name="asking", lasts=timedelta(days=365), details={}, at=at).stored
    other = Person.objects.create_user("bob")
    log_program_in(person=other, name="other", lasts=timedelta(days=365), details={}, at=at)
    assert finish_set_up(person=ann, code=code_of(begin_set_up(person=ann)), token=asking).n_tokens == 1
    assert set(ApiToken.objects.values_list("name", flat=True)) == {"by hand", "asking", "other"}
    line = TrailLine.objects.get(act="second_factor.set")
    assert line.details == {"log_ins": 0, "tokens_of_log_in": 1, "other_tokens": 0}


def test_the_other_tokens_end_too_where_the_person_says_so(ann):
    issue_token(person=ann, name="by hand")
    log_program_in(person=ann, name="script", lasts=timedelta(days=365), details={}, at=timezone.now())
    turned_on = finish_set_up(
        person=ann, code=code_of(begin_set_up(person=ann)), tokens=ann.valid_tokens(timezone.now())
    )
    assert turned_on.n_tokens == 2
    assert not ApiToken.objects.exists()
    line = TrailLine.objects.get(act="second_factor.set")
    assert line.details == {"log_ins": 0, "tokens_of_log_in": 1, "other_tokens": 1}


def test_a_code_is_good_once(ann, factor):
    device, _ = factor
    code = code_of(device)
    assert use_code(person=ann, code=code)
    assert not use_code(person=ann, code=code)


def test_a_backup_code_is_good_once_and_cannot_be_read_in_the_database(ann, factor):
    _, codes = factor
    assert not StaticToken.objects.filter(token__in=[*codes, *(code.replace("-", "") for code in codes)]).exists()
    assert use_code(person=ann, code=codes[0].upper())
    assert not use_code(person=ann, code=codes[0])
    assert StaticToken.objects.count() == 9


def test_a_backup_code_survives_another_key_of_the_site(ann, factor, settings):
    _, codes = factor
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 8, [settings.SECRET_KEY]
    assert use_code(person=ann, code=codes[0])
    settings.SECRET_KEY_FALLBACKS = []
    assert not use_code(person=ann, code=codes[1])


@pytest.mark.parametrize("code", ["", "x", "１２３４５６", "1" * 5000, "-1", "1e3"])
def test_whatever_else_is_typed_is_no_code(ann, factor, code):
    assert not use_code(person=ann, code=code)


def test_the_code_of_somebody_else_opens_nothing(ann, factor):
    other = Person.objects.create_user("bob")
    assert not use_code(person=other, code=code_of(factor[0]))


def test_new_backup_codes_make_the_old_ones_worthless(ann, factor):
    fresh = renew_backup_codes(person=ann)
    assert not use_code(person=ann, code=factor[1][0])
    assert use_code(person=ann, code=fresh[0])


def test_it_is_turned_off_or_reset_with_a_reason_and_one_line(ann, factor):
    with pytest.raises(ReasonNeeded):
        reset_second_factor(person=ann, by=None, because="  ")
    reset_second_factor(person=ann, by=None, because="lost telephone")
    assert not ann.has_second_factor
    assert not StaticToken.objects.exists()
    device = begin_set_up(person=ann)
    finish_set_up(person=ann, code=code_of(device))
    end_second_factor(person=ann)
    assert not ann.has_second_factor
    assert acts() == ["second_factor.set", "second_factor.reset", "second_factor.set", "second_factor.ended"]
