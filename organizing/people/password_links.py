"""For whom an organizer may make a link that sets a password: whoever sets it has the account."""

from accounts.access import is_of_staff
from accounts.models import Person
from campaigns.models import CampaignRole, Role
from registration.models import Application


def may_make_password_link(by: Person, person: Person) -> bool:
    """For people who take part nowhere but in campaigns that the organizer looks after, too.

    Otherwise an organizer of one campaign could take over an account, and with it the roles that it has in another.
    """
    if person.is_superuser:
        return by.is_superuser
    if is_of_staff(by):
        return True
    own = CampaignRole.objects.held_by(by).filter(role=Role.ORGANIZER).values("campaign")
    if person.is_staff or person.campaign_roles.exclude(campaign__in=own).exists():
        return False
    # A campaign's file gives roles to any account: who logs in has to have come here themselves.
    has_come = person.invitations_used.filter(campaign__in=own)
    return (
        person.last_login is None
        or has_come.exists()
        or person.applications.filter(campaign__in=own, state=Application.State.APPROVED).exists()
    )
