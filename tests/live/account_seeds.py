"""Links and log-ins as people get them, and a campaign with all its dates: for the pages of accounts, invitations and the calendar."""

from datetime import timedelta

# Of the person called nobody: who logs in by the page, as people do.
PASSWORD = "a long enough one"
DAYS = {
    "registration_from": -30, "registration_until": -20, "frozen_at": -18, "testing_from": -15, "testing_until": -1,
    "review_from": -2, "review_until": 10, "publication_at": 12, "ends_at": 20,
}  # fmt: skip


def account_pages():
    """The links' tokens, which nobody can read again."""
    from django.utils import timezone

    from accounts.models import Person
    from accounts.passwords.actions import make_password_link
    from campaigns.models import Campaign
    from registration.actions.inviting import invite
    from registration.invitation_lines import Invitee

    at, campaign = timezone.now(), Campaign.objects.get(slug="smp2018-demo")
    Campaign.objects.filter(slug="short").update(
        is_announced=True, **{name: at + timedelta(days=days) for name, days in DAYS.items()}
    )
    organizer, tester = (Person.objects.get(username=name) for name in ("organizer", "tester-3"))
    invitee = Invitee(1, "wang@example.com", "wang@example.com", ("tester", "reviewer"))
    (invited,) = invite(campaign=campaign, invitees=[invitee], by=organizer, at=at)
    return {"invitation": invited.token, "link": make_password_link(person=tester, by=organizer, at=at)}


def half_way_session():
    """The session of somebody whose password was right, and whose code is still to come."""
    from django.contrib.sessions.backends.db import SessionStore
    from django.utils import timezone

    from accounts.models import Person
    from accounts.second_factor.pending import note_half_way

    session = SessionStore()
    # Far ahead: the tests of a slow machine come to this page later than the ten minutes of a log-in.
    at = timezone.now() + timedelta(days=1)
    note_half_way(session, Person.objects.get(username="tester-3"), "django.contrib.auth.backends.ModelBackend", at)
    session.create()
    return session.session_key
