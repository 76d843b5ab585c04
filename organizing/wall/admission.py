"""Who may look at a campaign's live wall, and whether they still may."""

from collections.abc import Collection
from typing import Any

from campaigns.models import CampaignRole, Role
from testing_console.live.admission import SocketAdmission, without_credential
from testing_console.live.consumers import admission_of


def admitted(scope: dict[str, Any], slug: str) -> "tuple[SocketAdmission, int | None] | None":
    """What lets the socket in and the campaign that it may look at, if any; None for whoever has to log in first."""
    admission = admission_of(scope)
    if admission is None:
        return None
    held = CampaignRole.objects.held_by(admission.person())
    organized = held.filter(campaign__slug=slug, role=Role.ORGANIZER)
    return admission, organized.values_list("campaign", flat=True).first()


def no_longer_admitted(campaign_id: int, held: Collection[SocketAdmission]) -> set[SocketAdmission]:
    """Those whose role, login or token is gone, or whose person was deactivated; three queries whatever their number."""
    organizers = CampaignRole.objects.filter(
        campaign=campaign_id,
        role=Role.ORGANIZER,
        person__in={admission.person_id for admission in held},
        person__is_active=True,
    ).select_related("person")
    passwords = {
        role.person_id: role.person.password for role in organizers if not role.person.must_set_up_second_factor()
    }
    ended = without_credential(held)
    return {
        admission
        for admission in held
        if admission.person_id not in passwords
        or admission.is_outdated(passwords[admission.person_id])
        or admission in ended
    }
