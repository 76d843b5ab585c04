"""For whom an organizer may make a link that sets a password: whoever sets it has the account."""

from accounts.access import is_of_staff
from accounts.models import Person
from campaigns.models import CampaignRole, Role


def may_make_password_link(by: Person, person: Person) -> bool:
    """For people who take part nowhere but in campaigns that the organizer looks after, too.

    Otherwise an organizer of one campaign could take over an account, and with it the roles that it has in another.
    """
    if person.is_superuser:
        return by.is_superuser
    if is_of_staff(by):
        return True
    own = CampaignRole.objects.held_by(by).filter(role=Role.ORGANIZER).values("campaign")
    return not person.is_staff and not person.campaign_roles.exclude(campaign__in=own).exists()
