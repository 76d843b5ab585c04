"""How people and teams get into a campaign."""

from registration.models.agreements import Acceptance, Agreement
from registration.models.applications import Application
from registration.models.dial_keys import SEEN_EVERY, DialKey
from registration.models.invitations import Invitation
from registration.models.packages import DataPackage, PackageContent, PackageDownload
from registration.models.team_requests import TeamRequest

__all__ = [
    "SEEN_EVERY",
    "Acceptance",
    "Agreement",
    "Application",
    "DataPackage",
    "DialKey",
    "Invitation",
    "PackageContent",
    "PackageDownload",
    "TeamRequest",
]
