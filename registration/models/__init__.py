"""How people and teams get into a campaign."""

from registration.models.invitations import Invitation

__all__ = ["Invitation"]
