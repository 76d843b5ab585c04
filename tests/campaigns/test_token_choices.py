"""What tokens can be narrowed to."""

from django.utils import translation

from accounts.scopes import WHOLE, Scope
from campaigns.token_pages import DAYS, TokenForm, offered_days, scope_in_words, scopes_of, value_of


def test_each_campaign_is_offered_whole_and_by_role(campaign, tester, outsider):
    campaign.roles.create(person=tester, role="organizer")
    offered = [scope for scope, _ in scopes_of(tester)]
    assert offered == [WHOLE, Scope(campaign="small"), Scope("organizer", "small"), Scope("tester", "small")]
    assert [scope for scope, _ in scopes_of(outsider)] == [WHOLE]


def test_a_form_gives_what_was_chosen(campaign, tester):
    form = TokenForm(tester, {"name": "x", "scope": value_of(Scope("tester", "small")), "days": "90"})
    assert form.is_valid(), form.errors
    assert (form.chosen().scope, form.chosen().lasts.days) == (Scope("tester", "small"), 90)


def test_the_site_says_how_long_a_token_lasts_at_most(settings):
    assert offered_days() == list(DAYS)
    settings.TOKEN_DAYS_AT_MOST = 40
    assert offered_days() == [7, 30]
    settings.TOKEN_DAYS_AT_MOST = 3
    assert offered_days() == [3]


def test_a_scope_in_words():
    with translation.override("en"):
        assert scope_in_words(WHOLE, "") == "whatever I may do"
        assert scope_in_words(Scope("tester", "small"), "Small") == "Small: tester"
        assert scope_in_words(Scope(campaign="gone"), "") == "gone: all my roles"
        assert scope_in_words(Scope(role="tester"), "") == "tester"
